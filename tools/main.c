/* SPDX-License-Identifier: ISC */
/* main.c - heddle: the table of commands. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "die.h"

const struct command *const commands[] = {
	&command_run,
	&command_compare,
	&command_replay,
	&command_report,
	&command_fences,
	&command_doctor,
	&command_help_,
	&command_version,
	NULL,
};

const struct command *command_find(const char *name)
{
	const char *names[array_size(commands)];
	size_t i;

	for (i = 0; commands[i]; i++) {
		names[i] = commands[i]->name;
		if (!strcmp(name, names[i]))
			return commands[i];
	}
	names[i] = NULL;
	die_unknown("command", name, names);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!*name) {
		command_list(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help";
	if (!strcmp(name, "--version"))
		name = "version";
	return command_find(name)->run(argc - 1, argv + 1);
}
