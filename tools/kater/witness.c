/* SPDX-License-Identifier: ISC */
/* witness.c - see witness.h. */
#include "kater/witness.h"

#include <string.h>

#include "die.h"

#define MOST_TRIES 3000 /* executions that are judged, of a word */

/* The circle, before its events are numbered in program order. */
struct layout {
	const struct event_word *w;
	const struct kater_model *stronger, *weaker;
	u32 n; /* events: the word's, then other halves */
	u8 kind[EXECUTION_EVENTS], thread[EXECUTION_EVENTS], loc[EXECUTION_EVENTS];
	u8 half[EXECUTION_EVENTS];   /* + 1 */
	u64 after[EXECUTION_EVENTS]; /* of each event, those that come later in its thread */
	struct execution x;
	u32 tries;
	u8 number[EXECUTION_EVENTS]; /* of each event, in the execution */
	u8 reads[EXECUTION_EVENTS], nreads;
	bool found;
};

static void join_classes(u8 *class, u32 n, u32 a, u32 b)
{
	u8 from = class[a], to = class[b];

	for (u32 i = 0; i < n; i++)
		if (class[i] == from)
			class[i] = to;
}

static u32 previous(const struct event_word *w, u32 i)
{
	return i ? i - 1 : w->n - 1;
}

static letters base_letter(u32 letter)
{
	return letter < LETTER_BASES ? 1ull << letter : letters_inverse(1ull << letter);
}

static void add_half(struct layout *l, u32 e)
{
	u32 h = l->n++;
	bool reads = kinds_of(KINDS_READS) >> l->kind[e] & 1;

	l->kind[h] = (u8)kind_partner(l->kind[e]);
	l->thread[h] = l->thread[e];
	l->loc[h] = l->loc[e];
	l->half[h] = (u8)(e + 1);
	l->half[e] = (u8)(h + 1);
	if (reads)
		l->after[e] |= 1ull << h;
	else
		l->after[h] |= 1ull << e;
}

/* Threads and locations. False: the circle contradicts itself. */
static bool lay_out_witness(struct layout *l)
{
	const struct event_word *w = l->w;
	kinds accesses = kinds_of(KINDS_READS | KINDS_WRITES);

	l->n = w->n;
	for (u32 i = 0; i < w->n; i++) {
		l->kind[i] = w->kind[i];
		l->thread[i] = l->loc[i] = (u8)i;
	}
	for (u32 i = 0; i < w->n; i++) {
		u32 a = previous(w, i), letter = w->letter[i];
		letters b = base_letter(letter);

		if (letter >= LETTER_ANY)
			continue;
		if (b & LETTERS_WITHIN) {
			join_classes(l->thread, w->n, a, i);
			if (letter < LETTER_BASES)
				l->after[a] |= 1ull << i;
			else
				l->after[i] |= 1ull << a;
		}
		if (b & LETTERS_SAME)
			join_classes(l->loc, w->n, a, i);
		if (b & L(RMW)) {
			l->half[a] = (u8)(i + 1);
			l->half[i] = (u8)(a + 1);
		}
	}
	for (u32 i = 0; i < w->n; i++) {
		u32 a = previous(w, i), letter = w->letter[i];
		letters b = base_letter(letter);
		bool both = accesses >> l->kind[a] & 1 && accesses >> l->kind[i] & 1;

		if ((b & LETTERS_EXT && l->thread[a] == l->thread[i]) ||
			(b & L(DIF) && both && l->loc[a] == l->loc[i]))
			return false;
	}
	for (u32 i = 0; i < w->n; i++)
		if (!l->half[i] && kind_partner(l->kind[i]) < KIND_VIRTUAL &&
			l->n < EXECUTION_EVENTS)
			add_half(l, i);
	return true;
}

/* Nothing comes between the halves of a read-modify-write: events after one are after both. */
static void order_halves(struct layout *l)
{
	for (u32 round = 0; round < l->n; round++)
		for (u32 i = 0; i < l->n; i++) {
			u32 h = l->half[i] - 1u;

			for (u32 k = 0; k < l->n; k++)
				if (l->after[i] >> k & 1)
					l->after[i] |= l->after[k];
			if (!l->half[i])
				continue;
			l->after[i] |= l->after[h] & ~(1ull << i);
			for (u32 k = 0; k < l->n; k++)
				if (k != i && k != h && l->after[k] >> h & 1)
					l->after[k] |= 1ull << i;
			if (kinds_of(KINDS_WRITES) >> l->kind[i] & 1)
				l->after[i] &= ~(1ull << h);
		}
}

/* Number the events thread by thread. False: program order has a cycle. */
static bool number_events(struct layout *l)
{
	struct execution *x = &l->x;
	u8 locs[EXECUTION_EVENTS] = {0};
	u64 done = 0;

	for (u32 t = 0; t < l->n; t++) {
		bool some = true, any = false;

		while (some) {
			some = false;
			for (u32 i = 0; i < l->n && !some; i++) {
				bool ready = l->thread[i] == t && !(done >> i & 1);

				for (u32 k = 0; k < l->n; k++)
					ready &= !(l->after[k] >> i & 1) || done >> k & 1;
				/* The second half follows the first one. */
				if (!ready)
					continue;
				some = any = true;
				done |= 1ull << i;
				l->number[i] = (u8)x->n;
				x->event[x->n++] = (struct execution_event){
					.kind = l->kind[i], .thread = (u8)x->nthreads};
			}
		}
		x->nthreads += any;
	}
	for (u32 i = 0; i < l->n; i++) {
		struct execution_event *e = &x->event[l->number[i]];

		if (!(done >> i & 1))
			return false;
		if (!(kinds_of(KINDS_FENCES) >> l->kind[i] & 1)) {
			if (!locs[l->loc[i]])
				locs[l->loc[i]] = (u8)++x->nlocs;
			e->loc = locs[l->loc[i]];
		}
		if (l->half[i])
			e->half = (u8)(l->number[l->half[i] - 1] + 1);
	}
	return true;
}

static void set_dependencies(struct layout *l)
{
	static const u8 letters_of[3] = {LETTER_ADDR, LETTER_DATA, LETTER_CTRL};

	for (u32 i = 0; i < l->w->n; i++)
		for (u32 k = 0; k < 3; k++) {
			u32 a = l->number[previous(l->w, i)], b = l->number[i];

			if (base_letter(l->w->letter[i]) != 1ull << letters_of[k])
				continue;
			l->x.event[b].depends[k] |= 1u << a;
			/* A branch is in front of all that follows. */
			for (u32 e = b; e < l->x.n && k == 2; e++)
				if (l->x.event[e].thread == l->x.event[b].thread)
					l->x.event[e].depends[k] |= 1u << a;
		}
}

/* --- the search ------------------------------------------------------------------------------- */

static void judge(struct layout *l)
{
	const struct execution *x = &l->x;

	for (u32 i = 0; i < l->w->n; i++)
		if (!execution_has(x, l->w->letter[i], l->number[previous(l->w, i)], l->number[i]))
			return;
	if (!execution_is_coherent(x))
		return;
	l->tries++;
	l->found = execution_forbidden(x, l->stronger) == l->stronger->c->naxioms &&
		   (!l->weaker->c || execution_forbidden(x, l->weaker) < l->weaker->c->naxioms);
}

/* All orders of the writes: the next event without a place gets one after another. */
static void try_orders(struct layout *l, u32 e)
{
	struct execution *x = &l->x;
	u32 n = 0;

	while (e < x->n && !execution_is(x, e, KINDS_WRITES))
		e++;
	if (e == x->n) {
		judge(l);
		return;
	}
	for (u32 i = 0; i < e; i++)
		n += execution_is(x, i, KINDS_WRITES) && x->event[i].loc == x->event[e].loc;
	for (u32 place = n + 1; place && !l->found && l->tries < MOST_TRIES; place--) {
		for (u32 i = 0; i < e; i++)
			if (execution_is(x, i, KINDS_WRITES) &&
				x->event[i].loc == x->event[e].loc && x->event[i].place >= place)
				x->event[i].place++;
		x->event[e].place = (u8)place;
		try_orders(l, e + 1);
		if (l->found)
			return;
		for (u32 i = 0; i < e; i++)
			if (execution_is(x, i, KINDS_WRITES) &&
				x->event[i].loc == x->event[e].loc && x->event[i].place > place)
				x->event[i].place--;
	}
}

static void try_sources(struct layout *l, u32 i)
{
	struct execution *x = &l->x;
	u32 r;

	if (i == l->nreads) {
		try_orders(l, 0);
		return;
	}
	r = l->reads[i];
	x->event[r].rf = EXECUTION_INIT;
	try_sources(l, i + 1);
	for (u32 e = 0; e < x->n && !l->found && l->tries < MOST_TRIES; e++) {
		if (!execution_is(x, e, KINDS_WRITES) || x->event[e].loc != x->event[r].loc)
			continue;
		x->event[r].rf = (u8)e;
		try_sources(l, i + 1);
	}
}

/* Sources that the circle has; the others are open. */
static void set_sources(struct layout *l)
{
	bool set[EXECUTION_EVENTS] = {false};

	for (u32 i = 0; i < l->w->n; i++) {
		u32 letter = l->w->letter[i], a = l->number[previous(l->w, i)], b = l->number[i];
		u32 read = letter < LETTER_BASES ? b : a;

		if (letter >= LETTER_ANY || !(base_letter(letter) & LETTERS_RF))
			continue;
		l->x.event[read].rf = (u8)(read == b ? a : b);
		set[read] = true;
	}
	for (u32 e = 0; e < l->x.n; e++)
		if (execution_is(&l->x, e, KINDS_READS) && !set[e])
			l->reads[l->nreads++] = (u8)e;
}

bool witness_find(const struct event_word *w, const struct kater_model *stronger,
	const struct kater_model *weaker, struct execution *to)
{
	struct layout l = {.w = w, .stronger = stronger, .weaker = weaker};

	if (!lay_out_witness(&l))
		return false;
	order_halves(&l);
	if (!number_events(&l))
		return false;
	set_dependencies(&l);
	set_sources(&l);
	try_sources(&l, 0);
	if (l.found)
		*to = l.x;
	return l.found;
}
