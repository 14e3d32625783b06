/* SPDX-License-Identifier: ISC */
/* tracks_order.c - see tracks.h: which event of a record was made before which. */
#include "goal/tracks_priv.h"

#define NEVER (~0ull)

static const struct flight_step *step_of(const struct recorded *r, u32 track, u32 i)
{
	return &r->flight->step[r->step[track][i]];
}

/* Is the time of the event that of its end? */
static bool is_timed_at_end(const struct flight_step *s)
{
	return flight_returns(s->kind) && !flight_waits(s) && s->value >> FLIGHT_RESULT_BITS;
}

/* When the thread had ended: another has joined it. Handles are used again. */
static u64 joined_at(const struct flight *f, const struct flight_thread *t)
{
	u64 last = f->step[t->first + t->n - 1].time;

	for (u32 i = 0; i < f->nsteps; i++) {
		const struct flight_step *s = &f->step[f->order[i]];

		if ((s->kind == FLIGHT_pthread_join || s->kind == FLIGHT_thrd_join) &&
			s->object == t->handle && s->time >= last && is_timed_at_end(s))
			return s->time;
	}
	return NEVER;
}

/* The times around each step of a thread, whether or not it is in the track. */
static void give_times(struct recorded *r, u32 track)
{
	const struct flight *f = r->flight;
	const struct flight_thread *t = &f->thread[r->thread[track]];
	struct track *to = &r->table->track[track];
	u64 time = 0;
	u32 k = 0;

	for (u32 i = 0; i < t->n && k < to->n; i++) {
		const struct flight_step *s = &f->step[t->first + i];

		if (s->timed && !is_timed_at_end(s))
			time = s->time;
		if (t->first + i == r->step[track][k])
			to->event[k++].after = time;
		if (s->timed)
			time = s->time;
	}
	time = t->ended ? joined_at(f, t) : NEVER;
	k = to->n;
	for (u32 i = t->n; i-- > 0 && k;) {
		const struct flight_step *s = &f->step[t->first + i];

		if (is_timed_at_end(s))
			time = s->time;
		if (t->first + i == r->step[track][k - 1])
			to->event[--k].before = time;
		if (s->timed)
			time = s->time;
	}
}

/* Events after the one that has ended the process. */
static void cut_end(struct recorded *r)
{
	u64 end = NEVER;

	for (u32 i = 0; i < r->flight->nsteps; i++)
		if (flight_ends(&r->flight->step[i]) && r->flight->step[i].time < end)
			end = r->flight->step[i].time;
	for (u32 i = 0; i < r->table->n; i++) {
		struct track *t = &r->table->track[i];

		while (t->n && t->event[t->n - 1].after > end)
			t->n--;
	}
}

/* Waits for a semaphore may return in another order than they take place, but rarely do. */
static bool is_lock_step(const struct flight_step *s)
{
	switch (s->kind) {
	case FLIGHT_pthread_mutex_lock:
	case FLIGHT_pthread_mutex_trylock:
	case FLIGHT_pthread_mutex_timedlock:
	case FLIGHT_sem_wait:
	case FLIGHT_sem_trywait:
	case FLIGHT_sem_timedwait:
	case FLIGHT_pthread_spin_lock:
	case FLIGHT_pthread_spin_trylock:
	case FLIGHT_pthread_rwlock_wrlock:
	case FLIGHT_pthread_rwlock_trywrlock:
	case FLIGHT_pthread_rwlock_timedwrlock:
	case FLIGHT_mtx_lock:
	case FLIGHT_mtx_trylock:
	case FLIGHT_mtx_timedlock: return is_timed_at_end(s) && !(s->value & 0xff);
	default: return false;
	}
}

static bool is_recorded_before(const struct recorded *r, u32 a, u32 i, u32 b, u32 k)
{
	const struct flight_step *x = step_of(r, a, i), *y = step_of(r, b, k);

	return r->table->track[a].event[i].before < r->table->track[b].event[k].after ||
	       (x->object == y->object && is_lock_step(x) && is_lock_step(y) && x->time < y->time);
}

static void give_needs(struct recorded *r, u32 track, u32 other)
{
	struct track *t = &r->table->track[track];

	for (u32 k = 0; k < t->n; k++) {
		u32 n = r->table->track[other].n;

		while (n && !is_recorded_before(r, other, n - 1, track, k))
			n--;
		t->event[k].need[other] = (u16)n;
	}
}

/* The thread that a step has created: the first with its handle that began after it. */
static u8 child_of(const struct recorded *r, const struct flight_step *s)
{
	const struct flight *f = r->flight;
	u32 best = TRACKS;

	if (s->kind != FLIGHT_pthread_create && s->kind != FLIGHT_thrd_create)
		return 0;
	for (u32 i = 0; i < r->table->n; i++) {
		const struct flight_thread *t = &f->thread[r->thread[i]];
		u64 begin = f->step[t->first].time;

		if (t->handle == s->value && begin >= s->time &&
			(best == TRACKS || begin < f->step[f->thread[r->thread[best]].first].time))
			best = i;
	}
	return best == TRACKS ? 0 : (u8)(best + 1);
}

void recorded_order(struct recorded *r)
{
	for (u32 i = 0; i < r->table->n; i++)
		give_times(r, i);
	cut_end(r);
	for (u32 i = 0; i < r->table->n; i++) {
		for (u32 k = 0; k < r->table->track[i].n; k++)
			r->table->track[i].event[k].child = child_of(r, step_of(r, i, k));
		for (u32 o = 0; o < r->table->n; o++)
			if (o != i)
				give_needs(r, i, o);
	}
}
