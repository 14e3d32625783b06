/* SPDX-License-Identifier: ISC */
/*
 * automaton.c - see automaton.h.
 *
 * Thompson's construction, with edges for tests; these are then eliminated. State 0 of a sketch is
 * its beginning.
 */
#include "kater/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

/* --- sketches --------------------------------------------------------------------------------- */

struct sketch {
	u32 n, nedges, room;
	struct edge {
		u32 from, to;
		letters l; /* 0: a test */
		kinds test;
	} * edge;
	u32 *first, *next; /* edges of each state, + 1 */
};

static u32 sketch_state(struct sketch *s)
{
	return s->n++;
}

static void sketch_edge(struct sketch *s, u32 from, u32 to, letters l, kinds test)
{
	if (s->nedges == s->room) {
		s->room = 2 * s->room + 64;
		s->edge = xgrow(s->edge, s->room * sizeof(*s->edge));
	}
	s->edge[s->nedges++] = (struct edge){from, to, l, test};
}

/* Returns the state behind e. */
static u32 sketch_draw(struct sketch *s, const struct term *e, u32 from)
{
	u32 to, inner;

	switch (e->op) {
	case TERM_TEST:
		to = sketch_state(s);
		sketch_edge(s, from, to, 0, e->set);
		return to;
	case TERM_LETTERS:
		to = sketch_state(s);
		sketch_edge(s, from, to, e->set, ~0ull);
		return to;
	case TERM_UNION:
		to = sketch_state(s);
		sketch_edge(s, sketch_draw(s, e->a, from), to, 0, ~0ull);
		sketch_edge(s, sketch_draw(s, e->b, from), to, 0, ~0ull);
		return to;
	case TERM_SEQ: return sketch_draw(s, e->b, sketch_draw(s, e->a, from));
	}
	inner = sketch_state(s);
	sketch_edge(s, from, inner, 0, ~0ull);
	to = sketch_draw(s, e->a, inner);
	sketch_edge(s, to, inner, 0, ~0ull);
	return to;
}

static void sketch_index(struct sketch *s)
{
	s->first = xmalloc(s->n * sizeof(*s->first));
	s->next = xmalloc(s->nedges * sizeof(*s->next));
	for (u32 i = 0; i < s->nedges; i++) {
		s->next[i] = s->first[s->edge[i].from];
		s->first[s->edge[i].from] = i + 1;
	}
}

/* Of each state the kinds of events with which tests lead there from `from'. */
static void sketch_reach(const struct sketch *s, u32 from, kinds *reach, u32 *todo)
{
	u32 n = 0;

	memset(reach, 0, s->n * sizeof(*reach));
	reach[from] = ~0ull;
	todo[n++] = from;
	while (n) {
		u32 at = todo[--n];

		for (u32 i = s->first[at]; i; i = s->next[i - 1]) {
			const struct edge *e = &s->edge[i - 1];
			kinds more = e->l ? 0 : reach[at] & e->test & ~reach[e->to];

			if (!more)
				continue;
			reach[e->to] |= more;
			todo[n++] = e->to; /* twice at most for each kind: there is room */
		}
	}
}

/* --- automata --------------------------------------------------------------------------------- */

u32 automaton_state(struct automaton *a)
{
	return a->n++;
}

void automaton_add(struct automaton *a, struct transition t)
{
	if (!t.l || !t.source || !t.target)
		return;
	if (a->nt == a->room) {
		a->room = 2 * a->room + 64;
		a->t = xgrow(a->t, a->room * sizeof(*a->t));
	}
	a->t[a->nt++] = t;
}

void automaton_join(struct automaton *a, const struct automaton *b)
{
	for (u32 i = 0; i < b->nt; i++) {
		struct transition t = b->t[i];

		t.from += a->n;
		t.to += a->n;
		automaton_add(a, t);
	}
	a->n += b->n;
	a->identity |= b->identity;
}

/* The transitions of an edge with a letter; and, if it can end there, to the beginning. */
static void add_transitions(struct automaton *a, const struct sketch *s, const struct edge *e,
	const kinds *reach, const kinds *begin, u32 end, enum mark mark)
{
	struct transition t = {e->from, s->n, e->l, ~0ull, reach[end], (u8)mark};
	u32 n = a->nt;

	automaton_add(a, t);
	t.mark = MARK_NONE;
	for (u32 q = 0; q < s->n; q++) {
		t.to = q;
		t.target = reach[q];
		automaton_add(a, t);
	}
	/* The same from the beginning, state s->n, if tests lead from there to the edge. */
	for (u32 i = n, last = a->nt; i < last; i++) {
		t = a->t[i];
		t.from = s->n;
		t.source = begin[e->from];
		automaton_add(a, t);
	}
}

struct automaton *automaton_cycles(const struct term *e, enum mark mark)
{
	struct automaton *a = xmalloc(sizeof(*a));
	struct sketch s = {.n = 1};
	kinds *begin, *reach;
	u32 *todo, end;

	if (mark == MARK_MORE)
		while (e->op == TERM_PLUS)
			e = e->a;
	end = sketch_draw(&s, e, 0);
	sketch_index(&s);
	begin = xmalloc(s.n * sizeof(*begin));
	reach = xmalloc(s.n * sizeof(*reach));
	todo = xmalloc((s.n + s.nedges) * 64 * sizeof(*todo));
	sketch_reach(&s, 0, begin, todo);
	a->n = s.n + 1;
	a->identity = begin[end];
	for (u32 i = 0; i < s.nedges; i++) {
		if (!s.edge[i].l)
			continue;
		sketch_reach(&s, s.edge[i].to, reach, todo);
		add_transitions(a, &s, &s.edge[i], reach, begin, end, mark);
	}
	free(begin);
	free(reach);
	free(todo);
	free(s.edge);
	automaton_reduce(a);
	return a;
}

struct automaton *automaton_words(const struct term *e)
{
	return automaton_cycles(term_seq(term_letters(L(START)), e), MARK_ONCE);
}

/* --- reduction -------------------------------------------------------------------------------- */

static int compare_transitions(const void *x, const void *y)
{
	const struct transition *a = x, *b = y;

#define COMPARE(field) \
	if (a->field != b->field) \
	return a->field < b->field ? -1 : 1
	COMPARE(from);
	COMPARE(to);
	COMPARE(mark);
	COMPARE(source);
	COMPARE(target);
	COMPARE(l);
#undef COMPARE
	return 0;
}

/* Parallel transitions become one where that says the same. */
static void merge_transitions(struct automaton *a)
{
	u32 n = 0;

	if (a->nt)
		qsort(a->t, a->nt, sizeof(*a->t), compare_transitions);
	for (u32 i = 0; i < a->nt; i++) {
		struct transition *t = &a->t[i], *last = n ? &a->t[n - 1] : NULL;

		if (last && last->from == t->from && last->to == t->to && last->mark == t->mark &&
			last->source == t->source &&
			(last->target == t->target || last->l == t->l)) {
			last->target |= t->target;
			last->l |= t->l;
		} else {
			a->t[n++] = *t;
		}
	}
	a->nt = n;
}

/* Tarjan's components. */
struct components {
	const struct automaton *a;
	u32 *first, *order, *low, *number, *stack;
	u32 nstack, norder, ncomponents;
};

static void component_visit(struct components *c, u32 q)
{
	c->order[q] = c->low[q] = ++c->norder;
	c->stack[c->nstack++] = q;
	for (u32 i = c->first[q]; i < c->a->nt && c->a->t[i].from == q; i++) {
		u32 to = c->a->t[i].to;

		if (!c->order[to])
			component_visit(c, to);
		if (!c->number[to] && c->low[to] < c->low[q])
			c->low[q] = c->low[to];
	}
	if (c->low[q] != c->order[q])
		return;
	c->ncomponents++;
	do
		c->number[c->stack[--c->nstack]] = c->ncomponents;
	while (c->stack[c->nstack] != q);
}

static u32 *index_transitions(const struct automaton *a)
{
	u32 *first = xmalloc((a->n + 1) * sizeof(*first));

	for (u32 q = 0; q <= a->n; q++)
		first[q] = a->nt;
	for (u32 i = a->nt; i--;)
		first[a->t[i].from] = i;
	return first;
}

/* Leaves out transitions that are on no cycle with a mark. */
static void trim_states(struct automaton *a)
{
	struct components c = {.a = a, .first = index_transitions(a)};
	bool *marked;
	u32 n = 0;

	c.order = xmalloc(a->n * sizeof(u32) + 1);
	c.low = xmalloc(a->n * sizeof(u32) + 1);
	c.number = xmalloc(a->n * sizeof(u32) + 1);
	c.stack = xmalloc(a->n * sizeof(u32) + 1);
	for (u32 q = 0; q < a->n; q++)
		if (!c.order[q])
			component_visit(&c, q);
	marked = xmalloc(c.ncomponents + 1);
	for (u32 i = 0; i < a->nt; i++)
		if (a->t[i].mark && c.number[a->t[i].from] == c.number[a->t[i].to])
			marked[c.number[a->t[i].from]] = true;
	for (u32 i = 0; i < a->nt; i++)
		if (c.number[a->t[i].from] == c.number[a->t[i].to] &&
			marked[c.number[a->t[i].from]])
			a->t[n++] = a->t[i];
	a->nt = n;
}

/* --- states with the same future: partition refinement by the transitions to classes */

struct refined {
	u32 *class, *first;
	struct transition *t; /* `to' and `from' are classes, sorted within a state */
	const struct automaton *a;
};

static struct refined *refining;

static u32 out_degree(u32 q)
{
	return refining->first[q + 1] - refining->first[q];
}

static int compare_automaton_states(const void *x, const void *y)
{
	u32 p = *(const u32 *)x, q = *(const u32 *)y, n = out_degree(p);

	if (n != out_degree(q))
		return n < out_degree(q) ? -1 : 1;
	for (u32 i = 0; i < n; i++) {
		const struct transition *a = &refining->t[refining->first[p] + i],
					*b = &refining->t[refining->first[q] + i];
		int differs = compare_transitions(a, b);

		if (differs)
			return differs;
	}
	return 0;
}

/* One round; returns the number of classes. */
static u32 refine(struct refined *r, u32 *sorted)
{
	const struct automaton *a = r->a;
	u32 nclasses = 0, *class;

	for (u32 i = 0; i < a->nt; i++) {
		r->t[i] = a->t[i];
		r->t[i].to = r->class[a->t[i].to];
		r->t[i].from = r->class[a->t[i].from];
	}
	for (u32 q = 0; q < a->n; q++)
		qsort(r->t + r->first[q], r->first[q + 1] - r->first[q], sizeof(*r->t),
			compare_transitions);
	refining = r;
	for (u32 q = 0; q < a->n; q++)
		sorted[q] = q;
	qsort(sorted, a->n, sizeof(*sorted), compare_automaton_states);
	class = xmalloc(a->n * sizeof(*class) + 1);
	for (u32 i = 0; i < a->n; i++) {
		nclasses += !i || compare_automaton_states(&sorted[i - 1], &sorted[i]) != 0;
		class[sorted[i]] = nclasses - 1;
	}
	free(r->class);
	r->class = class;
	return nclasses;
}

static u32 *ranges_of(const struct automaton *a)
{
	u32 *first = xmalloc((a->n + 2) * sizeof(*first));

	for (u32 i = 0; i < a->nt; i++)
		first[a->t[i].from + 1]++;
	for (u32 q = 0; q < a->n; q++)
		first[q + 1] += first[q];
	return first;
}

static void merge_states(struct automaton *a)
{
	struct refined r = {.a = a,
		.class = xmalloc(a->n * sizeof(u32) + 1),
		.first = ranges_of(a),
		.t = xmalloc(a->nt * sizeof(*r.t) + 1)};
	u32 *sorted = xmalloc(a->n * sizeof(u32) + 1), n = 0, before;

	do {
		before = n;
		n = refine(&r, sorted);
	} while (n != before);
	for (u32 i = 0; i < a->nt; i++) {
		a->t[i].from = r.class[a->t[i].from];
		a->t[i].to = r.class[a->t[i].to];
	}
	a->n = n;
	merge_transitions(a);
}

/* States without transitions are dropped. */
static void renumber(struct automaton *a)
{
	u32 *number = xmalloc(a->n * sizeof(*number) + 1), n = 0;

	for (u32 i = 0; i < a->nt; i++) {
		number[a->t[i].from] = 1;
		number[a->t[i].to] = 1;
	}
	for (u32 q = 0; q < a->n; q++)
		number[q] = number[q] ? n++ : 0;
	for (u32 i = 0; i < a->nt; i++) {
		a->t[i].from = number[a->t[i].from];
		a->t[i].to = number[a->t[i].to];
	}
	a->n = n;
}

void automaton_reduce(struct automaton *a)
{
	merge_transitions(a);
	trim_states(a);
	renumber(a);
	merge_states(a);
}

/* --- fences beside events --------------------------------------------------------------------- */

/* A fence between two events may be one's own. */
static void lead_past(struct automaton *a, const struct kind_view *v, u32 fence,
	const struct transition *in, const struct transition *out)
{
	struct transition t = {in->from, out->to, LETTERS_PO, in->source, out->target,
		in->mark > out->mark ? in->mark : out->mark};

	if (in->mark == MARK_ONCE && out->mark == MARK_ONCE)
		return;
	t.target &= v->before[fence];
	automaton_add(a, t);
	t.target = out->target;
	t.source &= v->after[fence];
	automaton_add(a, t);
}

/* It is that of an event between them: in place of the fence, the event, from which only program
 * order leads on. */
static u32 *copies;

static void lead_over(struct automaton *a, const struct kind_view *v, u32 fence, u32 i, u32 n)
{
	struct transition t = a->t[i];
	u32 q = t.to;

	if (!copies[q]) {
		copies[q] = automaton_state(a) + 1;
		for (u32 k = 0; k < n; k++) {
			struct transition out = a->t[k];

			if (out.from != q || !(out.l & L(DIF)))
				continue;
			out.l = LETTERS_PO;
			out.from = copies[q] - 1;
			automaton_add(a, out);
		}
	}
	t.to = copies[q] - 1;
	t.l = LETTERS_PO;
	t.target = v->before[fence] | v->after[fence];
	automaton_add(a, t);
}

static void hide_fence(struct automaton *a, const struct kind_view *v, u32 fence)
{
	u32 n = a->nt, states = a->n;

	copies = xmalloc((states + 1) * sizeof(*copies));
	for (u32 i = 0; i < n; i++) {
		if (!(a->t[i].target >> fence & 1) || !(a->t[i].l & L(DIF)))
			continue;
		for (u32 k = 0; k < n; k++) {
			struct transition in = a->t[i], out = a->t[k];

			if (out.from == in.to && out.source >> fence & 1 && out.l & L(DIF))
				lead_past(a, v, fence, &in, &out);
		}
		lead_over(a, v, fence, i, n);
	}
	for (u32 i = 0; i < a->nt; i++) {
		a->t[i].target &= ~(1ull << fence);
		a->t[i].source &= ~(1ull << fence);
	}
}

void automaton_hide(struct automaton *a, const struct kind_view *v)
{
	struct automaton kept = {.n = a->n};

	for (u32 i = 0; i < v->nvirtual; i++)
		hide_fence(a, v, KIND_VIRTUAL + i);
	for (u32 i = 0; i < a->nt; i++) {
		struct transition t = a->t[i];

		t.source &= KINDS_ALL;
		t.target &= KINDS_ALL;
		automaton_add(&kept, t);
	}
	a->identity &= KINDS_ALL;
	a->t = kept.t;
	a->nt = kept.nt;
	a->room = kept.room;
	automaton_reduce(a);
}

/* --- restriction ------------------------------------------------------------------------------ */

static void restrict_letter(struct automaton *to, struct transition t, u32 l)
{
	u32 back = l >= LETTER_INVERSE && l < LETTER_ANY;

	t.l = 1ull << l;
	t.source &= letter_source(l);
	t.target &= letter_target(l);
	if (l != LETTER_RMW && l != LETTER_INVERSE + LETTER_RMW) {
		automaton_add(to, t);
		return;
	}
	/* Both halves are of one instruction. */
	for (u32 k = 0; k < KIND_VIRTUAL; k++) {
		u32 p = kind_partner(k);
		struct transition half = t;

		if (kind_table[k].op != (back ? KIND_RMW_WRITE : KIND_RMW_READ))
			continue;
		half.source &= 1ull << k;
		half.target &= 1ull << p;
		automaton_add(to, half);
	}
	t.source &= kinds_of(KINDS_SYNC);
	t.target &= kinds_of(KINDS_SYNC);
	automaton_add(to, t);
}

void automaton_restrict(struct automaton *a)
{
	struct automaton kept = {.n = a->n, .identity = a->identity};

	for (u32 i = 0; i < a->nt; i++)
		for (u32 l = 0; l < 64; l++)
			if (a->t[i].l >> l & 1)
				restrict_letter(&kept, a->t[i], l);
	*a = kept;
	automaton_reduce(a);
}

/* --- splitting -------------------------------------------------------------------------------- */

/* The set of kinds that the conditions of a state's transitions treat like `kind'. */
static kinds alike(const struct automaton *a, const u32 *first, u32 q, u32 kind)
{
	kinds set = KINDS_ALL;

	for (u32 i = first[q]; i < a->nt && a->t[i].from == q; i++)
		set &= a->t[i].source >> kind & 1 ? a->t[i].source : ~a->t[i].source;
	return set;
}

void automaton_split(struct automaton *a)
{
	struct automaton split = {.n = 0, .identity = a->identity};
	struct split_part {
		u32 q;
		kinds set;
	} *part = NULL;
	u32 *first, *begin = xmalloc((a->n + 1) * sizeof(*begin)), room = 0;

	merge_transitions(a);
	first = index_transitions(a);
	for (u32 q = 0; q < a->n; q++) {
		kinds left = KINDS_ALL;

		begin[q] = split.n;
		while (left) {
			kinds set = alike(a, first, q, (u32)__builtin_ctzll(left)) & left;

			if (split.n == room) {
				room = 2 * room + 64;
				part = xgrow(part, room * sizeof(*part));
			}
			part[split.n++] = (struct split_part){q, set};
			left &= ~set;
		}
	}
	begin[a->n] = split.n;
	for (u32 i = 0; i < a->nt; i++)
		for (u32 p = begin[a->t[i].from]; p < begin[a->t[i].from + 1]; p++)
			for (u32 q = begin[a->t[i].to]; q < begin[a->t[i].to + 1]; q++) {
				struct transition t = a->t[i];

				if (!(t.source & part[p].set))
					continue;
				t.from = p;
				t.to = q;
				t.source = KINDS_ALL;
				t.target &= part[q].set;
				automaton_add(&split, t);
			}
	*a = split;
	automaton_reduce(a);
}
