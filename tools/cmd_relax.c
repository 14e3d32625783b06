/* SPDX-License-Identifier: ISC */
/* cmd_relax.c - heddle relax: which memory orders and fences of a program can be weaker. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "die.h"
#include "repair/repair.h"

#define RELAXATIONS_MAX 100 /* shown by --all */

static enum model_id model_for(const struct options *o)
{
	if (o->model != MODEL_AUTO)
		return o->model;
	return o->strategy == STRATEGY_GRAPH ? MODEL_RC11 : MODEL_TSO;
}

static int exit_code(const struct repair *r)
{
	if (r->result == REPAIR_FAILS || r->result == REPAIR_IMPOSSIBLE)
		return EXIT_FINDING;
	if (r->result == REPAIR_CUT || !r->sc_complete)
		return EXIT_CUT;
	for (u32 i = 0; i < r->nchoices; i++)
		if (!r->choice[i].summary.complete)
			return EXIT_CUT;
	return EXIT_CLEAN;
}

static int run(int argc, char **argv)
{
	static struct job j;
	struct repair r = {.job = &j, .limit = RELAXATIONS_MAX};

	job_prepare(&j, &command_relax, argc, argv);
	if (j.s.explore.orders[0] || j.s.explore.checkpoint[0] || j.s.explore.resume[0])
		die("relax: --orders, --checkpoint and --resume do not go with it");
	r.points.model = model_for(&j.s.explore);
	r.points.relax = true;
	r.points.changes = CHANGE_ORDER;
	r.all = j.s.all_repairs;
	costs_default(&r.points.costs);
	repair_search(&r);
	if (r.result == REPAIR_IMPOSSIBLE)
		die("relax: the program passes as it is, and then not with the same orders: it is "
		    "not deterministic");
	if (j.to.text)
		relaxation_text(&r, j.to.text, j.s.patch);
	if (j.to.json)
		relaxation_json(&r, j.to.json);
	return exit_code(&r);
}

const struct command command_relax = {
	.name = "relax",
	.summary = "find the memory orders and fences that can be weaker",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Explore a program that passes with all of its memory orders and fences taken "
		"away, find out\n"
		"which of them forbid what then fails, and explore it again with the fewest and "
		"weakest of\n"
		"them, compiled as it is, until nothing fails. All others can go. What comes out "
		"is a table of\n"
		"the orders that are there and those that are enough, and a diff for `patch "
		"-p1'.\n\n"
		"It is as good as the test: an order that no execution of the test needs counts "
		"as\n"
		"not needed. Write a test that does all that the code is for, with several threads "
		"at each of its\n"
		"operations, before you believe it.\n\n"
		"Volatile accesses and assembly stay as they are, and so do accesses that only one "
		"thread\n"
		"makes while there is no other. Options of the search hold for each exploration "
		"(--time, too).\n\n"
		"Exit status: 0 proved by a complete exploration; 1 it fails as it is; 2 usage or\n"
		"environment; 3 an exploration was cut short (the last line says by what).\n",
	.examples = "  heddle relax ./queue_test\n"
		    "  heddle relax --patch weaker.diff ./queue_test && patch -p1 < weaker.diff\n"
		    "  heddle relax --all -j4 ./queue_test\n"
		    "  heddle relax --json - ./queue_test | jq '.relaxations[0].orders[] | {line, "
		    "is, enough}'\n",
	.groups = GROUP_EXPLORE | GROUP_RELAX,
	.run = run,
};
