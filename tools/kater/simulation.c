/* SPDX-License-Identifier: ISC */
/* simulation.c - see simulation.h. */
#include "kater/simulation.h"

#include <stdlib.h>

#include "die.h"

#define MOST_STATES 3000 /* larger ones stay as they are */

struct simulation {
	struct automaton *a;
	u32 *first; /* transitions of each state; they are sorted */
	bool *by;   /* [q * n + p]: p simulates q */
};

static bool simulated(const struct simulation *s, u32 q, u32 p)
{
	return s->by[(size_t)q * s->a->n + p];
}

/* A mark more is never worse where any number of them counts. */
static bool mark_covers(u8 mark, u8 other)
{
	return mark == other || (mark == MARK_MORE && other == MARK_NONE);
}

/* Can p make this transition, to a state that simulates the one that it leads to? */
static bool follows(const struct simulation *s, u32 p, const struct transition *t)
{
	for (letters l = t->l; l; l &= l - 1) {
		kinds left = t->target;

		for (u32 i = s->first[p]; i < s->first[p + 1] && left; i++) {
			const struct transition *o = &s->a->t[i];

			if (o->l & l & -l && mark_covers(o->mark, t->mark) &&
				simulated(s, t->to, o->to))
				left &= ~o->target;
		}
		if (left)
			return false;
	}
	return true;
}

static bool narrow(struct simulation *s)
{
	u32 n = s->a->n;
	bool changed = false;

	for (u32 q = 0; q < n; q++)
		for (u32 p = 0; p < n; p++) {
			if (!simulated(s, q, p))
				continue;
			for (u32 i = s->first[q]; i < s->first[q + 1]; i++) {
				if (follows(s, p, &s->a->t[i]))
					continue;
				s->by[(size_t)q * n + p] = false;
				changed = true;
				break;
			}
		}
	return changed;
}

/* Is o, beside t, as good? Of two that are, the first one. */
static bool is_better(
	const struct simulation *s, const struct transition *o, const struct transition *t)
{
	if (!mark_covers(o->mark, t->mark) || !simulated(s, t->to, o->to))
		return false;
	return !mark_covers(t->mark, o->mark) || !simulated(s, o->to, t->to) || o < t;
}

static void prune(struct simulation *s)
{
	struct automaton *a = s->a, kept = {.n = a->n, .identity = a->identity};
	struct transition *copy = xmalloc(a->nt * sizeof(*copy) + 1);

	for (u32 i = 0; i < a->nt; i++) {
		copy[i] = a->t[i];
		for (u32 k = s->first[a->t[i].from]; k < s->first[a->t[i].from + 1]; k++) {
			const struct transition *o = &a->t[k];

			if (k == i || !is_better(s, o, &a->t[i]))
				continue;
			if (!(copy[i].target & ~o->target))
				copy[i].l &= ~o->l;
			else if (!(copy[i].l & ~o->l))
				copy[i].target &= ~o->target;
		}
	}
	for (u32 i = 0; i < a->nt; i++)
		automaton_add(&kept, copy[i]);
	free(a->t);
	free(copy);
	*a = kept;
}

/* Each state becomes the first one that simulates it and is simulated by it. */
static void merge(struct simulation *s)
{
	u32 n = s->a->n, *as = xmalloc(n * sizeof(*as) + 1);

	for (u32 q = 0; q < n; q++) {
		u32 p = 0;

		while (!simulated(s, q, p) || !simulated(s, p, q))
			p++;
		as[q] = p;
	}
	for (u32 i = 0; i < s->a->nt; i++) {
		s->a->t[i].from = as[s->a->t[i].from];
		s->a->t[i].to = as[s->a->t[i].to];
	}
	free(as);
}

static struct simulation simulation_make(struct automaton *a)
{
	struct simulation s = {.a = a};
	size_t n = a->n;

	s.first = xmalloc((n + 2) * sizeof(*s.first));
	s.by = xmalloc(n * n + 1);
	for (u32 i = 0; i < a->nt; i++)
		s.first[a->t[i].from + 1]++;
	for (u32 q = 0; q < n; q++)
		s.first[q + 1] += s.first[q];
	for (size_t i = 0; i < n * n; i++)
		s.by[i] = n <= MOST_STATES || i % n == i / n;
	while (narrow(&s))
		;
	return s;
}

bool *simulation_of(struct automaton *a)
{
	struct simulation s = simulation_make(a);

	free(s.first);
	return s.by;
}

void simulation_reduce(struct automaton *a)
{
	u32 before;

	do {
		struct simulation s = simulation_make(a);

		before = a->n + a->nt;
		prune(&s);
		merge(&s);
		free(s.first);
		free(s.by);
		automaton_reduce(a);
	} while (a->n + a->nt < before);
}
