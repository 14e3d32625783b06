/* SPDX-License-Identifier: ISC */
/* merge.c - heddle merge: the results of all shards of a search become one. */
#include <stdio.h>

#include "command/command.h"
#include "die.h"
#include "shard/merge.h"

static int run_merge(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_merge, argc, argv);
	struct outputs to;
	json_t *whole;

	if (first == argc)
		die("merge: name the results of all shards, as in `heddle merge shard-*.json'");
	to = settings_outputs(&s);
	whole = merge_files(argv + first, (unsigned)(argc - first));
	if (to.text)
		merge_show(whole, to.text);
	argc = (int)json_integer_value(json_object_get(whole, "exit_code"));
	if (to.json)
		js_write(whole, to.json);
	return argc;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "add the results of all shards of a search",
	.usage = "[--json FILE] FILE.json...",
	.text = "Add the results of `heddle run --shard 1/N --json FILE' to N/N (heddle help\n"
		"shards). All have to be there, each once, and of the same search: program,\n"
		"arguments, options, version of heddle.\n\n"
		"Exit status: as that of the whole search.\n",
	.examples = "  heddle merge shard-*.json\n"
		    "  heddle merge --json result.json shard-*.json\n",
	.groups = GROUP_MERGE,
	.run = run_merge,
};
