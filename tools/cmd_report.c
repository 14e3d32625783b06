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
	FILE *json = settings_json(&s);
	const struct trace *t;
	struct report *r;
	struct summary summary = {.exit_code = EXIT_CLEAN};
	struct json_finding finding = {NULL, NULL};

	if (first + 1 != argc)
		die("report: name one replay file (NAME.heddle)");
	t = load_trace(argv[first]);
	r = report_open(t, argv[first]);
	report_select(r, s.style.all);
	if (json != stdout)
		text_report(r, &s.style, stdout);
	summary.model = trace_option(t, "model");
	summary.strategy = trace_option(t, "strategy");
	finding.report = r;
	if (json)
		json_report(&summary, &finding, 1, json);
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
		    "  heddle report --json - sb.heddle | jq '.findings[0].steps'\n",
	.groups = GROUP_RENDER,
	.run = run,
};
