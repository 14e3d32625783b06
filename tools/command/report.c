/* SPDX-License-Identifier: ISC */
/* report.c - heddle report: show failing executions again, without running anything. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "die.h"
#include "replay/read_replay.h"

static struct report *show_report(const struct settings *s, const char *path, FILE *text)
{
	struct report *r = report_open(load_trace(path), path);

	report_select(r, s->style.all);
	if (text)
		text_report(r, &s->style, text);
	return r;
}

static int run_report(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_report, argc, argv);
	struct outputs to = settings_outputs(&s);
	unsigned n = (unsigned)(argc - first);
	const struct trace *t;
	struct result result = {.nfindings = n};

	if (!n)
		die("report: name a replay file (NAME.heddle)");
	result.findings = xmalloc(n * sizeof(*result.findings));
	for (unsigned i = 0; i < n; i++) {
		if (i && to.text)
			fputc('\n', to.text);
		result.findings[i].report = show_report(&s, argv[first + (int)i], to.text);
	}
	t = result.findings[0].report->t;
	result.summary.model = report_model(result.findings[0].report);
	result.summary.strategy = trace_option(t, "strategy");
	results_write(&(struct results){.program = t->program.path,
			      .command_line = command_line(argv),
			      .at = &result,
			      .n = 1,
			      .exit_code = EXIT_CLEAN},
		&to);
	return EXIT_CLEAN;
}

const struct command command_report = {
	.name = "report",
	.summary = "print failing executions from their replay files",
	.usage = "[OPTIONS] FILE [FILE ...]",
	.text = "Print the executions in replay files as `heddle run' does, without running\n"
		"anything; functions, lines and variables are looked up in the program of each\n"
		"file. Documents (--json and the like) have a finding per file, under the name\n"
		"of the first program.\n",
	.examples = "  heddle report sb.heddle\n"
		    "  heddle report --stacks --all sb.heddle\n"
		    "  heddle report *.heddle\n"
		    "  heddle report --json - sb.heddle | jq '.findings[0].steps'\n"
		    "  heddle report --sarif sb.sarif sb.heddle\n",
	.groups = GROUP_RENDER,
	.run = run_report,
};
