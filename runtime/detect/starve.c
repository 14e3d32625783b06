/* SPDX-License-Identifier: ISC */
/*
 * starve.c - starvation if a thread waits for ever while others repeat their steps; a livelock if
 * all repeat their steps without progress, or only spinning threads are left. If other schedules
 * make progress from there, these threads loop in lockstep: starvation.
 *
 * A thread that waits to join a looping one is not starved: the missing end of that thread is the
 * cause. Nor is one that waits for an object held by a looping thread.
 */
#include "detect/starve.h"
#include "base/prng.h"
#include "base/text.h"

static bool goes_round(const struct wait *w)
{
	return w->kind == EV_WRITE;
}

/* The wait of the thread that holds w's object; NULL if it does not wait. */
static const struct wait *wait_of_holder(const struct wait *all, u32 n, const struct wait *w)
{
	for (u32 i = 0; i < n; i++)
		if (w->holder >= 0 && all[i].thread == (u32)w->holder)
			return &all[i];
	return NULL;
}

static bool is_starved(const struct wait *all, u32 n, u32 which)
{
	const struct wait *w = &all[which];

	if (goes_round(w))
		return false;
	for (u32 i = 0; i < n && w && !goes_round(w); i++) {
		if (w->kind == EV_JOIN)
			return false;
		w = wait_of_holder(all, n, w);
	}
	return true;
}

static bool is_round(const struct wait *all, u32 n, u32 which)
{
	(void)n;
	return goes_round(&all[which]);
}

static u32 count_waits(const struct wait *w, u32 n, bool (*which)(const struct wait *, u32, u32))
{
	u32 all = 0;

	for (u32 i = 0; i < n; i++)
		all += which(w, n, i);
	return all;
}

static void say_each(
	struct text *t, const struct wait *w, u32 n, bool (*which)(const struct wait *, u32, u32))
{
	u32 all = count_waits(w, n, which), said = 0;

	for (u32 i = 0; i < n; i++) {
		if (!which(w, n, i))
			continue;
		text_put(t, !said ? "" : said + 1 == all ? " and " : ", ");
		text_thread(t, w[i].thread);
		said++;
	}
}

void starve_describe(const struct wait *w, u32 n, bool left, struct finding *f)
{
	u32 round = count_waits(w, n, is_round), starved = count_waits(w, n, is_starved), said = 0;
	struct text t;

	f->site = n;
	for (u32 i = 0; i < n; i++)
		f->site = prng_mix(f->site ^ w[i].object ^ (u64)w[i].kind << 56);
	t = text_begin(f->message, sizeof f->message);
	left |= round && starved;
	f->kind = left ? FINDING_STARVATION : FINDING_LIVELOCK;
	text_put(&t, left ? "starvation: " : "livelock: ");
	for (u32 i = 0; i < n; i++) {
		if (!is_starved(w, n, i))
			continue;
		text_put(&t, said++ ? ", " : "");
		stuck_who(&t, &w[i]);
		f->thread = said == 1 ? (u16)w[i].thread : f->thread;
	}
	if (!round)
		return;
	text_put(&t, said ? " while " : "");
	say_each(&t, w, n, is_round);
	text_put(&t, round == 1 ? " loops" : " loop");
	text_put(&t, said ? "" : left ? " in lockstep" : " for ever");
	for (u32 i = n; i-- > 0 && !said;)
		f->thread = goes_round(&w[i]) ? (u16)w[i].thread : f->thread;
}
