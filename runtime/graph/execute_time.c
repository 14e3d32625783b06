/* SPDX-License-Identifier: ISC */
/* execute_time.c - virtual time while a graph is followed with --sleepers last
 * (trust/trust_time.c). */
#include "graph/execute_priv.h"
#include "machine/vtime.h"

void execute_time_passed(struct thread *t, const struct label *l, u64 now)
{
	t->waited = now > t->tally.now ? now - t->tally.now : 0;
	t->late = l->type != LABEL_TIME;
	if (now > t->tally.now)
		t->tally.now = now;
}

void execute_sleep(u64 deadline)
{
	const struct label l = {.type = LABEL_TIME, .value = deadline};
	const struct label never = {.type = LABEL_SPIN};
	bool for_ever;

	X.begun = true;
	if (!loop_state_sleeps(&X.f[M.cur->slot].loops, &for_ever))
		execute_step(&l);
	else if (for_ever)
		execute_step(&never); /* does not return */
	execute_wipe();
}

/* Another thread, which has woken this one, may have slept. */
void execute_look(void)
{
	const struct label l = {.type = LABEL_CLOCK};
	struct follower *f = &X.f[M.cur->slot];
	u64 now;

	if (M.options->sleepers != SLEEPERS_LAST || !X.begun || M.nthreads == 1 ||
		f->looked == f->steps)
		return;
	now = execute_step(&l).value;
	f->looked = f->steps;
	if (now > M.cur->tally.now)
		M.cur->tally.now = now;
	execute_wipe();
}
