/* SPDX-License-Identifier: ISC */
/* track.c - see track.h. */
#include "event/track.h"

#include <string.h>

u32 tracks_place(const struct tracks *t, u64 address, enum track_kind kind)
{
	u32 low = 0, high = t->nsites;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (t->site[middle].to <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->nsites && t->site[low].from <= address
		       ? t->site[low].line * TRACK_KINDS + (u32)kind
		       : 0;
}

u32 track_first(const struct track *t, u64 cut)
{
	u32 i = 0;

	while (i < t->n && t->event[i].before <= cut)
		i++;
	return i;
}

void follower_begin(struct track_follower *f, const struct tracks *t, u64 cut)
{
	memset(f, 0, sizeof(*f));
	f->tracks = t;
	f->cut = cut;
}

static const struct track *track_of(const struct track_follower *f, const struct follower_thread *h)
{
	return h->track ? &f->tracks->track[h->track - 1] : NULL;
}

static void give_track(struct track_follower *f, u32 thread, u32 track)
{
	struct follower_thread *h = &f->thread[thread];

	h->track = (u8)(track + 1);
	h->next = track_first(&f->tracks->track[track], f->cut);
	f->owner[track] = (u8)(thread + 1);
}

/* The index of the event that is next, or follows soon, at this place; n: none. */
static u32 find_event(const struct track *t, u32 next, u32 place)
{
	for (u32 i = next; i < t->n && i <= next + TRACK_AHEAD; i++)
		if (t->event[i].place == place)
			return i;
	return t->n;
}

/* A thread that no event of the record has created. */
static void adopt_track(struct track_follower *f, u32 thread, u32 place)
{
	for (u32 i = 0; i < f->tracks->n; i++) {
		const struct track *t = &f->tracks->track[i];

		if (f->owner[i] || t->main != !thread ||
			find_event(t, track_first(t, f->cut), place) == t->n)
			continue;
		give_track(f, thread, i);
		return;
	}
}

/* Is the event one of several at the same place, the iterations of a loop that waits? */
static bool is_iteration(const struct track *t, u32 i)
{
	u32 place = t->event[i].place;

	return (i && t->event[i - 1].place == place) ||
	       (i + 1 < t->n && t->event[i + 1].place == place);
}

void follower_arrive(struct track_follower *f, u32 thread, u32 place)
{
	struct follower_thread *h = &f->thread[thread];
	const struct track *t;
	u32 at;

	if (thread >= FOLLOWED)
		return;
	h->at = false;
	if (!place)
		return;
	if (!h->track)
		adopt_track(f, thread, place);
	t = track_of(f, h);
	if (!t)
		return;
	at = find_event(t, h->next, place);
	if (at == t->n)
		return;
	for (; h->next < at; h->next++)
		f->broken += !is_iteration(t, h->next);
	h->at = true;
}

/* Is there an event to come that precedes the one of the thread? Threads that have ended, or have
 * not begun, are not waited for. */
static bool comes_before_turn(const struct track_follower *f, const struct follower_thread *h)
{
	const struct track_event *e = &track_of(f, h)->event[h->next];

	for (u32 i = 0; i < f->tracks->n; i++) {
		const struct follower_thread *o;

		if (!f->owner[i])
			continue;
		o = &f->thread[f->owner[i] - 1];
		if (o != h && !o->ended && o->next < e->need[i] &&
			!f->tracks->track[i].event[o->next].pending)
			return true;
	}
	return false;
}

/* Has every other thread come to the end of its track? */
static bool is_last_follower(const struct track_follower *f, const struct follower_thread *h)
{
	for (u32 i = 0; i < f->tracks->n; i++) {
		const struct follower_thread *o;

		if (!f->owner[i])
			continue;
		o = &f->thread[f->owner[i] - 1];
		if (o != h && !o->ended && o->next < f->tracks->track[i].n)
			return false;
	}
	return true;
}

bool follower_holds(const struct track_follower *f, u32 thread)
{
	const struct follower_thread *h = &f->thread[thread];

	if (thread >= FOLLOWED || !h->track)
		return false;
	if (h->next == track_of(f, h)->n)
		return !is_last_follower(f, h);
	return h->at && comes_before_turn(f, h);
}

const struct track_event *follower_event(const struct track_follower *f, u32 thread)
{
	const struct follower_thread *h = &f->thread[thread];

	return thread < FOLLOWED && h->at ? &track_of(f, h)->event[h->next] : NULL;
}

void follower_done(struct track_follower *f, u32 thread)
{
	struct follower_thread *h = &f->thread[thread];

	if (thread >= FOLLOWED || !h->at)
		return;
	f->broken += comes_before_turn(f, h);
	f->followed++;
	h->next++;
	h->at = false;
}

void follower_create(struct track_follower *f, u32 thread, u32 child)
{
	const struct track_event *e = follower_event(f, thread);

	if (e && e->child && child < FOLLOWED && !f->owner[e->child - 1])
		give_track(f, child, e->child - 1u);
}

void follower_end(struct track_follower *f, u32 thread)
{
	if (thread < FOLLOWED)
		f->thread[thread].ended = true;
}

static bool is_track_pending(const struct track_follower *f, const struct follower_thread *h)
{
	return h->at && track_of(f, h)->event[h->next].pending;
}

u32 follower_count(const struct track_follower *f)
{
	u32 n = f->followed;

	for (u32 i = 0; i < FOLLOWED; i++)
		n += is_track_pending(f, &f->thread[i]);
	return n;
}

bool follower_extends(const struct track_follower *f)
{
	for (u32 i = 0; i < f->tracks->n; i++) {
		const struct track *t = &f->tracks->track[i];
		const struct follower_thread *h;

		if (track_first(t, f->cut) == t->n)
			continue;
		if (!f->owner[i])
			return false;
		h = &f->thread[f->owner[i] - 1];
		if (h->next + is_track_pending(f, h) < t->n)
			return false;
	}
	return !f->broken;
}
