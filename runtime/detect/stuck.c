/* SPDX-License-Identifier: ISC */
/*
 * stuck.c - a deadlock if every thread waits for an operation of another, a livelock if one spins.
 *
 * A cycle of threads that wait for each other's locks is reported as such; otherwise a thread waits
 * for a signal, a post or a write that no remaining thread will make.
 */
#include "detect/stuck.h"
#include "base/prng.h"
#include "base/text.h"

static const struct wait *waiting(const struct wait *w, u32 n, i32 thread)
{
	for (u32 i = 0; i < n; i++)
		if ((i32)w[i].thread == thread)
			return &w[i];
	return NULL;
}

/* The number of threads in the cycle of lock holders reached from w; the first one in *start. */
static u32 circle(const struct wait *w, u32 n, const struct wait *from, const struct wait **start)
{
	const struct wait *slow = from, *fast = from;
	u32 length = 1;

	do {
		slow = waiting(w, n, slow->holder);
		fast = waiting(w, n, fast->holder);
		if (fast)
			fast = waiting(w, n, fast->holder);
	} while (slow && fast && slow != fast);
	if (!slow || !fast)
		return 0;
	for (fast = waiting(w, n, slow->holder); fast != slow; fast = waiting(w, n, fast->holder))
		length++;
	*start = slow;
	return length;
}

static void put_wait(struct text *t, enum event_kind kind)
{
	const char *words = kind_waits(kind);

	text_put(t, " waits for ever ");
	text_put(t, words ? words : "to ");
	text_put(t, words ? "" : kind_words(kind));
}

void stuck_who(struct text *t, const struct wait *w)
{
	bool joins = kind_has(w->kind, KIND_THREAD);

	text_thread(t, w->thread);
	if (w->users) {
		text_put(t, " waits for ever at a barrier for ");
		text_number(t, w->room);
		text_put(t, " that ");
		text_number(t, w->users);
		text_put(t, " threads use");
		return;
	}
	if (kind_is_read(w->kind))
		text_put(t, " spins for ever");
	else
		put_wait(t, w->kind);
	if (w->holder >= 0) {
		text_put(t, joins ? " " : " (held by ");
		text_thread(t, (u32)w->holder);
		text_put(t, w->cancelled ? ", which was cancelled" : "");
		text_put(t, joins ? "" : ")");
	}
}

static void say_circle(struct text *t, const struct wait *w, u32 n, const struct wait *start)
{
	const struct wait *x = start;

	do {
		text_put(t, x == start ? "" : ", ");
		stuck_who(t, x);
		x = waiting(w, n, x->holder);
	} while (x != start);
}

void stuck_describe(const struct wait *w, u32 n, struct finding *f)
{
	const struct wait *start = NULL, *first = NULL;
	struct text t;

	f->site = n;
	for (u32 i = 0; i < n; i++)
		f->site = prng_mix(f->site ^ w[i].object ^ (u64)w[i].kind << 56 ^ w[i].calls);
	t = text_begin(f->message, sizeof f->message);
	for (u32 i = 0; i < n && !first; i++)
		if (kind_is_read(w[i].kind))
			first = &w[i];
	f->kind = first ? FINDING_LIVELOCK : FINDING_DEADLOCK;
	text_put(&t, first ? "livelock: " : "deadlock: ");
	for (u32 i = 0; i < n && !first && !start; i++)
		circle(w, n, &w[i], &start);
	if (start) {
		say_circle(&t, w, n, start);
		f->thread = (u16)start->thread;
		return;
	}
	for (u32 i = 0; i < n; i++) {
		text_put(&t, i ? ", " : "");
		stuck_who(&t, &w[i]);
	}
	f->thread = (u16)(first ? first : w)->thread;
}
