/* SPDX-License-Identifier: ISC */
/* known.c - heddle known: does heddle.supp match the finding in a replay file? For
 * heddle_check(). */
#include <stdio.h>

#include "command/command.h"
#include "die.h"
#include "job/suppress.h"
#include "replay/read_replay.h"

static int run_known(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_known, argc, argv);
	struct suppressions rules;
	struct suppression *rule;
	struct found f = {0};
	struct report *r;

	if (first + 1 != argc)
		die("known: name one replay file (NAME.heddle)");
	rules = suppressions_read(s.suppressions);
	r = report_open(load_trace(argv[first]), argv[first]);
	report_select(r, false);
	f.report = r;
	rule = suppressions_match(&rules, &f);
	if (!rule) {
		printf("no rule matches: %s\n", r->message);
		return EXIT_FINDING;
	}
	printf("%s:%d suppresses: %s\n", rule->file, rule->line, r->message);
	return EXIT_CLEAN;
}

const struct command command_known = {
	.name = "known",
	.summary = "compare a finding with heddle.supp",
	.usage = "[--suppressions FILE] FILE",
	.text = "Print the rule of heddle.supp that matches the finding in a replay file.\n\n"
		"Exit status: 0 a rule matches, 1 none does.\n",
	.examples = "  heddle known sb.heddle\n"
		    "  heddle known --suppressions known.supp sb.heddle\n",
	.groups = GROUP_KNOWN,
	.run = run_known,
};
