/* SPDX-License-Identifier: ISC */
/* run.c - heddle run: explore a program, or each test of its suite, and report failures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "die.h"
#include "mpi/machines.h"
#include "program/coverage.h"
#include "report/clean.h"
#include "shard/shard.h"
#include "suite/suite.h"

static void show_finding(const struct job *j, const struct found *f)
{
	if (f->report) {
		text_report(f->report, &j->s.style, stdout);
		return;
	}
	printf("FAILED  %s\n", clean_text(f->status->finding.message));
	printf("        %s\n\n", f->status->replay[0] ? "its replay file cannot be read"
						      : "no replay file could be written");
}

/* A hint for a suite explored as one program: the executions of its tests multiply. */
static void hint_at_suite(const struct summary *s, FILE *out)
{
	for (unsigned i = 0; i < s->ncoverage; i++)
		if (strstr(s->coverage[i], "/libcunit")) {
			fprintf(out, "note: a CUnit suite: `heddle run --suite' explores each of "
				     "its tests separately\n");
			return;
		}
}

static void report_all(struct job *j, char **argv)
{
	struct result *r = &j->result;

	for (unsigned i = 0; j->to.text && !j->s.quiet && i < r->nfindings; i++)
		if (!r->findings[i].suppressed)
			show_finding(j, &r->findings[i]);
	if (j->to.text && !r->error) {
		suppressions_show(&j->rules, r->findings, r->nfindings, j->to.text);
		hint_at_suite(&r->summary, j->to.text);
		if (r->summary.reached)
			reached_text(&r->summary, j->to.text);
		text_summary(&r->summary, j->to.text);
	}
	results_write(&(struct results){.program = j->setup.argv[0],
			      .command_line = command_line(argv),
			      .at = r,
			      .n = 1,
			      .exit_code = j->exit_code,
			      .shard = shard_of(j),
			      .suppressions = j->rules.rule,
			      .nsuppressions = j->rules.n},
		&j->to);
}

int run_and_report(struct job *j, char **argv)
{
	struct coverage *coverage = NULL;

	if (j->s.coverage)
		j->coverage = coverage = coverage_open(j->setup.argv[0], &j->s.explore);
	if (j->s.mpi)
		machines_explore(j);
	else
		job_explore(j);
	if (coverage && !j->result.error)
		j->result.summary.reached = coverage_result(coverage,
			j->result.summary.equivalence ||
				!strcmp(j->result.summary.strategy, strategy_name(STRATEGY_RF)));
	report_all(j, argv);
	if (j->result.error)
		die("%s", j->result.error);
	return j->exit_code;
}

/* --- the command ----------------------------------------------------------------------------- */

static int run_exploration(int argc, char **argv)
{
	static struct job j;

	job_prepare(&j, &command_run, argc, argv);
	j.paces = true;
	if ((j.s.test || j.s.list) && !j.s.suite)
		die("run: --%s needs --suite", j.s.test ? "test" : "list");
	if (j.s.coverage && (j.s.suite || j.s.explore.shard || j.s.mpi))
		die("run: --coverage: not with --%s",
			j.s.suite ? "suite" : j.s.mpi ? "mpi" : "shard");
	if (j.s.mpi)
		machines_leave(j.s.suite ? machines_suite(&j, argv) : run_and_report(&j, argv));
	if (j.s.suite)
		return suite_run(&j, argv, NULL);
	return run_and_report(&j, argv);
}

const struct command command_run = {
	.name = "run",
	.summary = "explore a program, report failures",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Run a program compiled with heddle-cc again and again, in one process, each\n"
		"time with a different order of its threads and of the stores that leave their\n"
		"buffers. A failure is reported step by step, and written to a replay file.\n\n"
		"With --suite, the program is a test suite (of CUnit, Check, cmocka, GLib, ...):\n"
		"each of its tests is explored separately, and has a line.\n\n"
		"Exit status: 0 explored completely, nothing found; 1 a finding; 2 usage or\n"
		"environment; 3 nothing found, but incomplete (the last line has the reason);\n"
		"70 a bug in heddle, or a finding that the program did not confirm.\n",
	.examples = "  heddle run ./queue_test\n"
		    "  heddle run --model=pso --strategy=random --time=10 ./queue_test 3 4\n"
		    "  heddle run --strategy=dfs --keep-going --json result.json ./queue_test\n"
		    "  heddle run --suite ./tests\n"
		    "  heddle run --suite --test 'queue*' ./tests\n"
		    "  heddle run --suppressions known.supp ./queue_test\n"
		    "  heddle run --junit junit.xml --sarif heddle.sarif ./queue_test\n",
	.groups = GROUP_EXPLORE | GROUP_RENDER | GROUP_RUN | GROUP_SUITE,
	.run = run_exploration,
};
