/* SPDX-License-Identifier: ISC */
/* cmd_help.c - heddle help, heddle version. */
#include <stdio.h>

#include "cmd.h"
#include "die.h"

void command_list(FILE *out)
{
	fprintf(out,
		"Usage: heddle COMMAND ...\n\n"
		"Heddle runs a concurrent C program many times, each time with another order of "
		"its\n"
		"threads and of the stores in their store buffers, until one execution fails.\n\n");
	for (unsigned i = 0; commands[i]; i++)
		fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\nExamples:\n"
		     "  heddle-cc -g -o sb sb.c           compile for heddle\n"
		     "  heddle run --model tso ./sb       look for a failing execution\n"
		     "  heddle replay sb.heddle           see it again\n"
		     "  heddle help run                   all about a command\n");
}

static int run_help(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_help_, argc, argv);

	if (first < argc)
		command_help(command_find(argv[first]), stdout);
	else
		command_list(stdout);
	return EXIT_CLEAN;
}

const struct command command_help_ = {
	.name = "help",
	.summary = "this list, or all about one command",
	.usage = "[COMMAND]",
	.text = "Say what a command does and which options it takes.\n",
	.examples = "  heddle help run\n",
	.run = run_help,
};

static int run_version(int argc, char **argv)
{
	struct settings s;

	settings_read(&s, &command_version, argc, argv);
	printf("heddle %s\n", HEDDLE_VERSION);
	return EXIT_CLEAN;
}

const struct command command_version = {
	.name = "version",
	.summary = "the version of heddle",
	.usage = "",
	.text = "Print the version of heddle.\n",
	.examples = "  heddle version\n",
	.run = run_version,
};
