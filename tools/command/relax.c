/* SPDX-License-Identifier: ISC */
/* relax.c - heddle relax: memory orders and fences of a program that can be weaker. */
#include <stdio.h>
#include <stdlib.h>

#include "command/command.h"
#include "die.h"
#include "repair/repair.h"

#define RELAXATIONS_MAX 100 /* shown by --all */

static int relax_exit_code(const struct repair *r)
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

static int run_relax(int argc, char **argv)
{
	static struct job j;
	struct repair r = {.job = &j, .limit = RELAXATIONS_MAX};

	job_prepare(&j, &command_relax, argc, argv);
	if (j.s.explore.orders[0] || j.s.explore.checkpoint[0] || j.s.explore.resume[0])
		die("relax: not with --orders, --checkpoint or --resume");
	r.points.model = option_model(&j.s.explore);
	r.points.relax = true;
	r.points.changes = CHANGE_ORDER;
	r.all = j.s.all_repairs;
	costs_default(&r.points.costs, r.points.model);
	repair_search(&r);
	if (r.result == REPAIR_IMPOSSIBLE)
		die("relax: the program passed unchanged, then failed with the same orders: it is "
		    "nondeterministic");
	if (j.to.text)
		relaxation_text(&r, j.to.text, j.s.patch);
	if (j.to.json)
		relaxation_json(&r, j.to.json);
	return relax_exit_code(&r);
}

const struct command command_relax = {
	.name = "relax",
	.summary = "find memory orders and fences that can be weaker",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Explore a correct program without any of its memory orders and fences, find\n"
		"those that forbid its failures, and explore it again with the fewest and\n"
		"weakest of them, without recompiling, until nothing fails. The others are\n"
		"unnecessary. The result is a table of the existing and the sufficient orders,\n"
		"and a diff for `patch -p1'.\n\n"
		"The result holds for this test only: an order that no execution of the test\n"
		"needs counts as unnecessary. The test should exercise all operations of the\n"
		"code, each in several threads.\n\n"
		"Volatile accesses and assembly are not changed, nor are accesses made while\n"
		"there is only one thread. Options of the search, --time included, apply to\n"
		"each exploration.\n\n"
		"Exit status: 0 proved by a complete exploration; 1 it fails unchanged; 2 usage\n"
		"or environment; 3 an exploration was incomplete (the last line has the\n"
		"reason).\n",
	.examples = "  heddle relax ./queue_test\n"
		    "  heddle relax --patch weaker.diff ./queue_test && patch -p1 < weaker.diff\n"
		    "  heddle relax --all -j4 ./queue_test\n"
		    "  heddle relax --json - ./queue_test | jq '.relaxations[0].orders[] | {line, "
		    "is, enough}'\n",
	.groups = GROUP_EXPLORE | GROUP_RELAX,
	.run = run_relax,
};
