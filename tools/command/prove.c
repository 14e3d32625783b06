/* SPDX-License-Identifier: ISC */
/* prove.c - heddle prove: all states of a program, which may loop for ever. */
#include <stdio.h>

#include "command/command.h"
#include "die.h"
#include "job/job.h"

static void set_defaults(struct options *o)
{
	o->strategy = STRATEGY_STATES;
	o->buffer_size = 0; /* not given */
	o->timeouts = NUMBER_ANY;
	o->detect |= DETECT_STARVATION;
}

static int run_prove(int argc, char **argv)
{
	static struct job j;

	job_prepare(&j, &command_prove, argc, argv);
	if (!j.s.explore.buffer_size) {
		j.s.explore.buffer_size = STATES_BUFFER;
		j.s.explore.unbounded = true;
	}
	if (j.s.explore.strategy != STRATEGY_STATES)
		die("prove: all states are explored: no other --strategy (heddle run has them)");
	if (j.s.coverage)
		die("prove: --coverage is an option of heddle run only");
	return run_and_report(&j, argv);
}

const struct command command_prove = {
	.name = "prove",
	.summary = "explore all states of a program that may loop for ever",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Explore all states of a program compiled with heddle-cc, each once, under sc,\n"
		"tso or pso. Its threads may loop for ever, if their data has finitely many\n"
		"values. Reported are failed assertions, crashes, deadlocks, misuse of\n"
		"synchronisation objects, heap errors, and threads that wait for ever; not data\n"
		"races (heddle run). Without any, the last line says `proved'. Store buffers\n"
		"hold 4 stores; if one was full, all is explored again with buffers without a\n"
		"bound, unless --buffer-size is given. A proof holds for buffers of any size.\n"
		"`heddle help proofs' has the details.\n\n"
		"Exit status: 0 proved; 1 a finding; 2 usage or environment; 3 nothing found,\n"
		"but not proved (the last line has the reason); 70 a bug in heddle.\n",
	.examples = "  heddle prove ./lock\n"
		    "  heddle prove --model pso --buffer-size 6 --time 10m ./lock\n",
	.groups = GROUP_EXPLORE | GROUP_RENDER | GROUP_RUN,
	.run = run_prove,
	.defaults = set_defaults,
};
