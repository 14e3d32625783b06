/* SPDX-License-Identifier: ISC */
/* explain.c - heddle explain: a finding in plain sentences. */
#include <stdio.h>

#include "command/command.h"
#include "die.h"
#include "path.h"
#include "replay/read_replay.h"
#include "report/explain.h"

static int run_explain(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_explain, argc, argv);
	struct report *r;

	if (argc - first != 1)
		die("explain: name one replay file (NAME.heddle)");
	r = report_open(load_trace(argv[first]), argv[first]);
	if (!r->t->nevents)
		die("explain: %s has no events: the process was killed before they could be "
		    "recorded",
			argv[first]);
	report_select(r, false);
	report_explain(r, s.style.width, stdout);
	printf("\nSee it again with `heddle replay %s'; `heddle report' has every detail.\n",
		shell_word(path_here(argv[first])));
	return EXIT_CLEAN;
}

const struct command command_explain = {
	.name = "explain",
	.summary = "a failing execution in plain sentences",
	.usage = "FILE",
	.text = "Describe the execution of a replay file, its cause, and a remedy, in sentences\n"
		"that need no knowledge of memory models.\n"
		"Of a long execution only the decisive steps are listed.\n",
	.examples = "  heddle explain sb.heddle\n",
	.groups = GROUP_EXPLAIN,
	.run = run_explain,
};
