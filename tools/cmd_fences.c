/* SPDX-License-Identifier: ISC */
/* cmd_fences.c - heddle fences: what to make stronger so that a program does not fail any more. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "die.h"
#include "repair/repair.h"

#define REPAIRS_MAX 100 /* shown by --all */

static enum model_id model_for(const struct options *o)
{
	if (o->model == MODEL_SC)
		die("fences: under --model sc nothing is reordered: there are no fences to put in");
	if (o->model != MODEL_AUTO)
		return o->model;
	return o->strategy == STRATEGY_GRAPH ? MODEL_RC11 : MODEL_TSO;
}

static void check(const struct settings *s)
{
	const struct options *o = &s->explore;

	if (o->orders[0] || o->checkpoint[0] || o->resume[0])
		die("fences: --orders, --checkpoint and --resume do not go with it");
	if (s->fast && s->all_repairs)
		die("fences: --all wants the cheapest repairs: not with --fast");
}

static int exit_code(const struct repair *r)
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

static int run(int argc, char **argv)
{
	static struct job j;
	struct repair r = {.job = &j, .limit = REPAIRS_MAX};

	job_prepare(&j, &command_fences, argc, argv);
	check(&j.s);
	r.points.model = model_for(&j.s.explore);
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
	costs_default(&r.points.costs);
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
	return exit_code(&r);
}

const struct command command_fences = {
	.name = "fences",
	.summary = "find the cheapest fences and orders that repair a program",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Explore a program under a memory model, find out which fences and stronger memory "
		"orders\n"
		"would forbid what fails, and explore it again with the cheapest set of them, "
		"compiled as it\n"
		"is, until nothing fails. What comes out is a table, and a diff for `patch "
		"-p1'.\n\n"
		"Each change has a cost, which --cost KIND=N sets: of a stronger order of an "
		"access acquire=1,\n"
		"release=1, acq_rel=2, seq_cst=7; of a fence fence-acquire=2, fence-release=2, "
		"fence-acq_rel=3,\n"
		"fence-seq_cst=6. No cheaper set does: each failing execution that was met rules "
		"out\n"
		"all sets that leave it possible. It is as good as the test: executions that the "
		"program does\n"
		"not have are not looked at.\n\n"
		"Options of the search hold for each exploration (--time, too).\n\n"
		"Exit status: 0 nothing to repair, or a repair that a complete exploration has "
		"proved;\n"
		"1 it fails under sc, too, or whatever is made stronger; 2 usage or environment; 3 "
		"an\n"
		"exploration was cut short (the last line says by what).\n",
	.examples = "  heddle fences --model tso ./queue_test\n"
		    "  heddle fences --model pso --patch fences.diff ./queue_test\n"
		    "  heddle fences --all --cost fence-seq_cst=3 --cost seq_cst=2 ./queue_test\n"
		    "  heddle fences --json - ./queue_test | jq '.repairs[0].changes'\n",
	.groups = GROUP_EXPLORE | GROUP_REPAIR,
	.run = run,
};
