/* SPDX-License-Identifier: ISC */
/* cmd_report.c - heddle report: show a failing execution again, without running anything. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "die.h"
#include "load.h"

static int run(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_report, argc, argv);
	struct outputs to = settings_outputs(&s);
	const struct trace *t;
	struct found finding = {NULL};
	struct result result = {.findings = &finding, .nfindings = 1};
	struct report *r;

	if (first + 1 != argc)
		die("report: name one replay file (NAME.heddle)");
	t = load_trace(argv[first]);
	finding.report = r = report_open(t, argv[first]);
	report_select(r, s.style.all);
	if (to.text)
		text_report(r, &s.style, to.text);
	result.summary.model = trace_option(t, "model");
	result.summary.strategy = trace_option(t, "strategy");
	results_write(&(struct results){.program = t->program.path, .command_line = command_line(argv),
			      .at = &result, .n = 1, .exit_code = EXIT_CLEAN},
		&to);
	return EXIT_CLEAN;
}

const struct command command_report = {
	.name = "report",
	.summary = "show a failing execution again, from its replay file",
	.usage = "[OPTIONS] FILE",
	.text = "Show the execution that a replay file holds. Nothing is run; functions, lines "
		"and\n"
		"variables are looked up in the program that the file names.\n",
	.examples = "  heddle report sb.heddle\n"
		    "  heddle report --stacks --all sb.heddle\n"
		    "  heddle report --json - sb.heddle | jq '.findings[0].steps'\n"
		    "  heddle report --sarif sb.sarif sb.heddle\n",
	.groups = GROUP_RENDER,
	.run = run,
};
