/* SPDX-License-Identifier: ISC */
/* fences.c - heddle fences: the cheapest fences and orders that repair a program. */
#include <stdio.h>
#include <stdlib.h>

#include "command/command.h"
#include "die.h"
#include "repair/repair.h"

#define REPAIRS_MAX 100 /* shown by --all */

static void check_fences_options(const struct settings *s)
{
	const struct options *o = &s->explore;

	if (o->model == MODEL_SC)
		die("fences: under --model sc nothing is reordered: no fence can help");
	if (o->cat[0])
		die("fences: not with a model in a file: choose the nearest built-in model");
	if (o->orders[0] || o->checkpoint[0] || o->resume[0])
		die("fences: not with --orders, --checkpoint or --resume");
	if (s->fast && s->all_repairs)
		die("fences: --all lists the cheapest repairs: not with --fast");
}

static int fences_exit_code(const struct repair *r)
{
	switch (r->result) {
	case REPAIR_SC:
	case REPAIR_IMPOSSIBLE: return EXIT_FINDING;
	case REPAIR_CUT: return EXIT_CUT;
	case REPAIR_FAILS: /* relax */
	case REPAIR_CLEAN:
	case REPAIR_FOUND: break;
	}
	for (u32 i = 0; i < r->nchoices; i++)
		if (!r->choice[i].summary.complete)
			return EXIT_CUT;
	return r->sc_complete ? EXIT_CLEAN : EXIT_CUT;
}

static int run_fences(int argc, char **argv)
{
	static struct job j;
	struct repair r = {.job = &j, .limit = REPAIRS_MAX};

	job_prepare(&j, &command_fences, argc, argv);
	check_fences_options(&j.s);
	r.points.model = option_model(&j.s.explore);
	r.points.plain =
		(j.s.explore.strategy != STRATEGY_GRAPH && j.s.explore.strategy != STRATEGY_RF) ||
		j.s.explore.races > RACES_REPORT;
	r.all = j.s.all_repairs;
	r.fast = j.s.fast;
	r.points.changes = j.s.changes ? changes_read(j.s.changes) : CHANGE_ALL;
	if (!r.points.changes)
		die("fences: wrong value `%s' for changes: wanted some of order, after-store, "
		    "before-store, "
		    "after-load, before-load, or all",
			j.s.changes);
	costs_default(&r.points.costs, r.points.model);
	for (unsigned i = 0; i < j.s.ncosts; i++)
		if (!costs_set(&r.points.costs, j.s.costs[i]))
			die("fences: wrong value `%s' for cost: wanted ORDER=N or fence-ORDER=N, "
			    "ORDER being "
			    "acquire, release, acq_rel or seq_cst",
				j.s.costs[i]);
	repair_search(&r);
	if (j.to.text)
		advice_text(&r, j.to.text, j.s.patch);
	if (j.to.json)
		advice_json(&r, j.to.json);
	return fences_exit_code(&r);
}

const struct command command_fences = {
	.name = "fences",
	.summary = "find the cheapest fences and orders that repair a program",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Explore a program under a memory model, find the fences and stronger memory\n"
		"orders that would forbid its failures, and explore it again with the cheapest\n"
		"set of them, without recompiling, until nothing fails. The result is a table,\n"
		"and a diff for `patch -p1'.\n\n"
		"Each change has a cost, set by --cost KIND=N: stronger order of an access\n"
		"acquire=1, release=1, acq_rel=2, seq_cst=7; fence fence-acquire=2,\n"
		"fence-release=2, fence-acq_rel=3, fence-seq_cst=6; under arm8, power and riscv\n"
		"by their instructions (heddle help hardware). No cheaper set suffices: each\n"
		"failing execution rules out all sets that leave it possible. The result\n"
		"holds for this test only: executions that the test does not have are not\n"
		"considered.\n\n"
		"Options of the search, --time included, apply to each exploration.\n\n"
		"Exit status: 0 nothing to repair, or a repair proved by a complete\n"
		"exploration; 1 it fails under sc as well, or with everything strengthened; 2\n"
		"usage or environment; 3 an exploration was incomplete (the last line has the\n"
		"reason).\n",
	.examples = "  heddle fences --model tso ./queue_test\n"
		    "  heddle fences --model pso --patch fences.diff ./queue_test\n"
		    "  heddle fences --all --cost fence-seq_cst=3 --cost seq_cst=2 ./queue_test\n"
		    "  heddle fences --json - ./queue_test | jq '.repairs[0].changes'\n",
	.groups = GROUP_EXPLORE | GROUP_REPAIR,
	.run = run_fences,
};
