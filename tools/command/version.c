/* SPDX-License-Identifier: ISC */
/* version.c - heddle version. */
#include <stdio.h>

#include "command/command.h"
#include "die.h"

static int run_version(int argc, char **argv)
{
	struct settings s;

	if (settings_read(&s, &command_version, argc, argv) < argc)
		die("version: takes no arguments");
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
