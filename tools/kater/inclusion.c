/* SPDX-License-Identifier: ISC */
/* inclusion.c - see inclusion.h. */
#include "kater/inclusion.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "kater/simulation.h"

#define MOST_STATES (4u << 20)
#define MOST_BYTES  (1ull << 30)

/* Relations between the states of b: a row for each state before, of two sets of states after:
 * without, and with a mark in between. */
struct inclusion_state {
	struct inclusion *s;
	u32 n, words; /* states of b; words of a set */
	size_t size;  /* words of a relation */
	u32 ngroups;
	kinds group[64]; /* kinds that no transition tells apart */
	/* transitions of b by state and letter */
	struct step {
		kinds target;
		u32 to;
		u8 mark;
	} * step;
	u32 *step_first; /* [state * 64 + letter] */
	u8 *mark;	 /* of each state of b: that of its cycles */
	u64 *implied;	 /* a set for each state of b: those that it simulates */
	struct search_node {
		u32 parent, next; /* next: of the bucket, + 1 */
		u32 begin, q;	  /* states of a */
		u8 letter, kind, facts, depth;
		u32 before; /* the dependencies of short_cut(); 0: none */
		u64 digest; /* a bit for each column of words that has one */
		u64 *relation;
	} * node;
	u32 nnodes, room;
	u32 *bucket, nbuckets;
	u64 bytes;
	u32 *a_first;
	bool *shortens; /* [p * a->n + q] */
	u64 *scratch;
	bool done;
};

/* --- preparation ------------------------------------------------------------------------------ */

static void split_groups(struct inclusion_state *x, const struct automaton *a)
{
	for (u32 i = 0; i < a->nt; i++) {
		u32 n = x->ngroups;

		for (u32 g = 0; g < n; g++) {
			kinds in = x->group[g] & a->t[i].target;

			if (!in || in == x->group[g])
				continue;
			x->group[g] &= ~in;
			x->group[x->ngroups++] = in;
		}
	}
}

static int by_first_kind(const void *p, const void *q)
{
	const kinds *a = p, *b = q;

	return __builtin_ctzll(*a) - __builtin_ctzll(*b);
}

static void index_steps(struct inclusion_state *x)
{
	const struct automaton *b = x->s->b;
	u32 *count = xmalloc((b->n * 64 + 1) * sizeof(*count)), total = 0;

	x->mark = xmalloc(b->n + 1);
	for (u32 i = 0; i < b->nt; i++)
		for (u32 l = 0; l < 64; l++)
			if (b->t[i].l >> l & 1)
				count[b->t[i].from * 64 + l]++;
	x->step_first = xmalloc((b->n * 64 + 1) * sizeof(u32));
	for (u32 i = 0; i < b->n * 64; i++) {
		x->step_first[i] = total;
		total += count[i];
		count[i] = x->step_first[i];
	}
	x->step_first[b->n * 64] = total;
	x->step = xmalloc((total + 1) * sizeof(*x->step));
	for (u32 i = 0; i < b->nt; i++) {
		const struct transition *t = &b->t[i];

		for (u32 l = 0; l < 64; l++)
			if (t->l >> l & 1)
				x->step[count[t->from * 64 + l]++] =
					(struct step){t->target, t->to, t->mark};
		if (t->mark == MARK_MORE)
			x->mark[t->from] = x->mark[t->to] = MARK_MORE;
	}
}

/* States of a component without a MARK_MORE of their own have that of their neighbours. */
static void spread_marks(struct inclusion_state *x)
{
	const struct automaton *b = x->s->b;
	bool more = true;

	while (more) {
		more = false;
		for (u32 i = 0; i < b->nt; i++) {
			u8 m = x->mark[b->t[i].from] | x->mark[b->t[i].to];

			more |= m != x->mark[b->t[i].from] || m != x->mark[b->t[i].to];
			x->mark[b->t[i].from] = x->mark[b->t[i].to] = m;
		}
	}
}

static void find_implied(struct inclusion_state *x)
{
	bool *by = simulation_of(x->s->b);

	x->implied = xmalloc((size_t)x->n * x->words * sizeof(u64) + 1);
	for (u32 q = 0; q < x->n; q++)
		for (u32 p = 0; p < x->n; p++)
			if (by[(size_t)q * x->n + p])
				x->implied[(size_t)p * x->words + q / 64] |= 1ull << q % 64;
	free(by);
}

/* --- relations -------------------------------------------------------------------------------- */

static u64 *row_of(const struct inclusion_state *x, u64 *relation, u32 q, u32 marked)
{
	return relation + ((size_t)q * 2 + marked) * x->words;
}

/* A state, and those that it simulates; with any number of marks also without this one. */
static void row_add(const struct inclusion_state *x, u64 *row, u32 q, bool marked)
{
	const u64 *implied = x->implied + (size_t)q * x->words;

	for (u32 w = 0; w < x->words; w++) {
		row[(marked ? x->words : 0) + w] |= implied[w];
		if (marked && x->mark[q] == MARK_MORE)
			row[w] |= implied[w];
	}
}

static u64 relation_digest(const struct inclusion_state *x, const u64 *r)
{
	u64 digest = 0;

	for (size_t i = 0; i < x->size; i++)
		digest |= r[i] << i % 61 | r[i] >> (64 - i % 61) % 64;
	return digest;
}

/* The states after the set `from', by one letter to a kind. */
static void row_step(
	const struct inclusion_state *x, const u64 *from, u32 marked, u64 *to, u32 letter, u32 kind)
{
	for (u32 w = 0; w < x->words; w++)
		for (u64 left = from[w]; left; left &= left - 1) {
			u32 q = w * 64 + (u32)__builtin_ctzll(left);

			for (u32 i = x->step_first[q * 64 + letter];
				i < x->step_first[q * 64 + letter + 1]; i++) {
				const struct step *s = &x->step[i];

				if (!(s->target >> kind & 1) || (marked && s->mark == MARK_ONCE))
					continue;
				row_add(x, to, s->to, marked || s->mark);
			}
		}
}

static void relation_step(const struct inclusion_state *x, u64 *from, u64 *to, u32 letter, u32 kind)
{
	memset(to, 0, x->size * sizeof(*to));
	for (u32 q = 0; q < x->n; q++)
		for (u32 marked = 0; marked < 2; marked++)
			row_step(x, row_of(x, from, q, marked), marked, row_of(x, to, q, 0), letter,
				kind);
}

static bool relation_within(const struct inclusion_state *x, const u64 *a, const u64 *b)
{
	for (size_t i = 0; i < x->size; i++)
		if (a[i] & ~b[i])
			return false;
	return true;
}

/* From q, reading the whole word any number of times, without marks if they count once: is `goal'
 * reached? */
static bool relation_leads(const struct inclusion_state *x, u64 *r, u32 q, u32 goal)
{
	u64 *seen = x->scratch;
	u32 *todo = (u32 *)(x->scratch + x->words), n = 0;

	memset(seen, 0, x->words * sizeof(*seen));
	seen[q / 64] |= 1ull << q % 64;
	todo[n++] = q;
	while (n) {
		u32 at = todo[--n];
		const u64 *row = row_of(x, r, at, 0);

		if (at == goal)
			return true;
		for (u32 w = 0; w < x->words; w++) {
			u64 more = row[w] | (x->mark[at] == MARK_MORE ? row[w + x->words] : 0);

			for (more &= ~seen[w]; more; more &= more - 1) {
				seen[w] |= more & -more;
				todo[n++] = w * 64 + (u32)__builtin_ctzll(more);
			}
		}
	}
	return false;
}

/* Is the circle with this relation one of b's? */
static bool relation_accepts(const struct inclusion_state *x, u64 *r)
{
	for (u32 q = 0; q < x->n; q++) {
		const u64 *row = row_of(x, r, q, 1);

		for (u32 w = 0; w < x->words; w++)
			for (u64 left = row[w]; left; left &= left - 1)
				if (relation_leads(x, r, w * 64 + (u32)__builtin_ctzll(left), q))
					return true;
	}
	return false;
}

/* --- possible circles ------------------------------------------------------------------------- */

/*
 * Edges so far: a cycle leads back to where it came from, so not exactly one edge leads to another
 * location, nor to another thread. Program order has no cycle.
 *
 * In coherent executions, coi, fri and rfi are program order, too, and an unbroken run of that
 * between accesses of one location is po-loc. So it is runs that are counted, those that may lead
 * to another location, and there are at least two, as po-loc, rf, co and fr have no cycle. The
 * first and the last one may be the same.
 */
enum {
	FACT_DIF = 1, /* two bits: the number of edges, or runs, 3 for more */
	FACT_EXT = 4, /* two bits */
	FACT_INVERSE = 16,
	FACT_OTHER = 32, /* an edge that is no program order; else the first run goes on */
	FACT_RUN = 64,	 /* the current run may lead to another location, */
	FACT_FIRST = 128 /* and so may the first one */
};

static u8 count_fact(u8 facts, u8 one, u8 n)
{
	u8 was = (u8)(facts / one % 4), is = was + n > 3 ? 3 : was + n;

	return (u8)(facts + (is - was) * one);
}

static u8 facts_after_run(u8 facts, letters base, u32 kind)
{
	if (!(base & LETTERS_WITHIN))
		return (u8)((facts | FACT_OTHER) & ~FACT_RUN);
	if (!(base & (L(DIF) | LETTERS_DEPS)) || facts & FACT_RUN ||
		kinds_of(KINDS_FENCES) >> kind & 1)
		return facts;
	facts |= FACT_RUN | (facts & FACT_OTHER ? 0 : FACT_FIRST);
	return count_fact(facts, FACT_DIF, 1);
}

static u8 facts_after(const struct possible *p, u8 facts, u32 letter, u32 kind)
{
	letters l = 1ull << letter, base = letter < LETTER_BASES ? l : letters_inverse(l);

	if (letter >= LETTER_ANY)
		return 0xff & ~(FACT_RUN | FACT_FIRST);
	if (base & LETTERS_EXT)
		facts = count_fact(facts, FACT_EXT, 1);
	if (l != base)
		facts = (u8)((facts | FACT_INVERSE | FACT_OTHER) & ~FACT_RUN);
	if (p->coherent)
		return l == base ? facts_after_run(facts, base, kind) : facts;
	if (base & LETTERS_DEPS)
		facts = count_fact(facts, FACT_DIF, 3);
	if (base & L(DIF))
		facts = count_fact(facts, FACT_DIF, 1);
	if (!(base & (LETTERS_PO | LETTERS_DEPS | L(RMW) | L(RFI))))
		facts |= FACT_OTHER;
	return facts;
}

static bool is_possible(const struct possible *p, u8 facts)
{
	u8 dif = facts / FACT_DIF % 4, ext = facts / FACT_EXT % 4;

	if (p->always)
		return true;
	if (p->coherent && facts & FACT_RUN && facts & FACT_FIRST && facts & FACT_OTHER && dif < 3)
		dif--;
	if (dif == 1 || ext == 1)
		return false;
	if (facts & FACT_INVERSE)
		return true;
	return p->coherent ? dif && ext : facts & FACT_OTHER;
}

/* --- the search ------------------------------------------------------------------------------- */

static u32 bucket_of(const struct inclusion_state *x, u32 begin, u32 q, u8 facts)
{
	return (begin * 0x9e3779b1u + q * 0x85ebca6bu + facts * 0xc2b2ae35u) % x->nbuckets;
}

static bool is_covered(const struct inclusion_state *x, const struct search_node *n)
{
	for (u32 i = x->bucket[bucket_of(x, n->begin, n->q, n->facts)]; i;
		i = x->node[i - 1].next) {
		const struct search_node *o = &x->node[i - 1];

		if (!(o->digest & ~n->digest) && o->begin == n->begin && o->q == n->q &&
			o->facts == n->facts && (!o->before || o->before == n->before) &&
			relation_within(x, o->relation, n->relation))
			return true;
	}
	return false;
}

static void push_node(struct inclusion_state *x, struct search_node node)
{
	u32 b = bucket_of(x, node.begin, node.q, node.facts);
	u64 *copy;

	node.digest = relation_digest(x, node.relation);
	if (is_covered(x, &node))
		return;
	if (x->nnodes == MOST_STATES || x->bytes > MOST_BYTES || node.depth == WORD_EVENTS) {
		x->s->gave_up = true;
		return;
	}
	if (x->nnodes == x->room) {
		x->room = 2 * x->room + 1024;
		x->node = xgrow(x->node, x->room * sizeof(*x->node));
	}
	copy = xmalloc(x->size * sizeof(*copy) + 1);
	memcpy(copy, node.relation, x->size * sizeof(*copy));
	x->bytes += x->size * sizeof(*copy) + sizeof(node);
	node.relation = copy;
	node.next = x->bucket[b];
	x->node[x->nnodes++] = node;
	x->bucket[b] = x->nnodes;
}

static void report(struct inclusion_state *x, u32 parent, u8 letter, u8 kind)
{
	struct event_word w = {.n = x->node[parent].depth + 1u};
	u32 i = w.n - 1;

	/* The beginning is the event that the last letter leads to. */
	w.letter[0] = letter;
	w.kind[0] = kind;
	for (u32 at = parent; i; at = x->node[at].parent, i--) {
		w.letter[i] = x->node[at].letter;
		w.kind[i] = x->node[at].kind;
	}
	x->s->nmissing++;
	x->done = x->s->missing(x->s->ctx, &w) || x->s->nmissing >= x->s->words;
}

static letters order_letters(bool coherent)
{
	return LETTERS_PO | LETTERS_DEPS | L(RMW) | L(RFI) | (coherent ? L(COI) | L(FRI) : 0);
}

#define LETTERS_COMMUNICATION (LETTERS_RF | LETTERS_CO | LETTERS_FR)

static bool is_short(const struct inclusion_state *x, u32 letter)
{
	bool coherent = x->s->possible.coherent;
	letters l = order_letters(coherent) | (coherent ? LETTERS_COMMUNICATION : 0);

	return !x->s->possible.always && l >> letter & 1;
}

/* Are there transitions from p to where those from q lead? */
static void find_shortens(struct inclusion_state *x)
{
	const struct automaton *a = x->s->a;

	x->shortens = xmalloc((size_t)a->n * a->n + 1);
	for (u32 i = 0; i < a->nt; i++)
		for (u32 k = 0; k < a->nt; k++)
			if (a->t[i].to == a->t[k].to && a->t[i].mark == a->t[k].mark &&
				a->t[i].target & a->t[k].target)
				x->shortens[a->t[i].from * a->n + a->t[k].from] = true;
}

static u32 before_of(const struct inclusion_state *x, const struct search_node *from,
	const struct transition *t, u32 letter)
{
	letters l = 1ull << letter;
	bool fence = from->depth && kinds_of(KINDS_FENCES) >> from->kind & 1;
	u32 class = (l & LETTERS_FR			    ? 1
			    : l & (LETTERS_RF | LETTERS_CO) ? 2
							    : 0) +
		    (l & order_letters(x->s->possible.coherent) ? 3 : 0) +
		    (l & LETTERS_SAME ? 6 : 0);

	if (t->mark || !is_short(x, letter) || !x->shortens[from->q * x->s->a->n + t->to])
		return 0;
	return 1 + class + 16 * (from->q * 2 + fence);
}

static void follow(struct inclusion_state *x, u32 at, const struct transition *t, u8 letter,
	u8 kind, u64 *relation)
{
	struct search_node from = x->node[at];
	u8 facts = facts_after(&x->s->possible, from.facts, letter, kind);

	if (t->to == from.begin && t->mark && is_possible(&x->s->possible, facts) &&
		!relation_accepts(x, relation))
		report(x, at, letter, kind);
	/* Of the marks of a circle the lowest one is its beginning. */
	if (x->done || t->mark == MARK_ONCE || (t->mark && t->to < from.begin))
		return;
	push_node(x, (struct search_node){.parent = at,
			     .begin = from.begin,
			     .q = t->to,
			     .letter = letter,
			     .kind = kind,
			     .facts = facts,
			     .depth = (u8)(from.depth + 1),
			     .before = before_of(x, &from, t, letter),
			     .relation = relation});
}

/* --- short cuts: for the edges x to y to z, the one from x to z, if it is of a cycle ---------- */

/* Has a, from p to r and an event of this kind, all of the letters? */
static bool leads(const struct inclusion_state *x, u32 p, u32 r, letters all, u32 kind, u8 mark)
{
	const struct automaton *a = x->s->a;

	for (u32 i = x->a_first[p]; i < x->a_first[p + 1]; i++)
		if (a->t[i].to == r && a->t[i].mark == mark && a->t[i].target >> kind & 1)
			all &= ~a->t[i].l;
	return !all;
}

/*
 * Is there a short cut for `at' and the next edge? The edge that there is instead may be one of
 * several: the cycles with each of these are looked at, too, and one of them is in the execution.
 */
static bool short_cut(
	const struct inclusion_state *x, u32 at, const struct transition *t, u32 letter, u32 kind)
{
	const struct search_node *y = &x->node[at], *from = &x->node[y->parent];
	letters first = 1ull << y->letter, next = 1ull << letter, fences = kinds_of(KINDS_FENCES),
		order = order_letters(x->s->possible.coherent);

	if (!y->before || !is_short(x, letter))
		return false;
	if (first & order && next & order) {
		bool fence = fences >> kind & 1 || (from->depth && fences >> from->kind & 1);

		if (leads(x, from->q, t->to, fence ? L(DIF) : LETTERS_PO, kind, t->mark))
			return true;
	}
	if (!x->s->possible.coherent || !((first | next) & LETTERS_COMMUNICATION) ||
		(first & ~LETTERS_SAME) || (next & ~LETTERS_SAME) ||
		!(kinds_of(KINDS_WRITES) >> kind & 1))
		return false;
	if (first & (L(RFI) | L(RFE) | LETTERS_CO))
		return leads(x, from->q, t->to, LETTERS_CO, kind, t->mark);
	return first & LETTERS_FR && leads(x, from->q, t->to, LETTERS_FR, kind, t->mark);
}

/* --- words ------------------------------------------------------------------------------------ */

static void expand_by(
	struct inclusion_state *x, u32 at, const struct transition *t, u8 letter, u64 *relation)
{
	for (u32 g = 0; g < x->ngroups && !x->done; g++) {
		u8 kind = (u8)__builtin_ctzll(x->group[g]);

		if (!(x->group[g] & t->target) || short_cut(x, at, t, letter, kind))
			continue;
		relation_step(x, x->node[at].relation, relation, letter, kind);
		follow(x, at, t, letter, kind, relation);
	}
}

/* By the simplest letter first: examples have it. */
static void expand(struct inclusion_state *x, u32 at, u64 *relation)
{
	const struct automaton *a = x->s->a;
	u32 q = x->node[at].q;
	letters all = 0;

	for (u32 i = x->a_first[q]; i < x->a_first[q + 1]; i++)
		all |= a->t[i].l;
	for (; all; all &= all - 1)
		for (u32 i = x->a_first[q]; i < x->a_first[q + 1] && !x->done; i++)
			if (a->t[i].l & all & -all)
				expand_by(x, at, &a->t[i], (u8)__builtin_ctzll(all), relation);
}

/* Where circles begin: behind marks. */
static void push_beginnings(struct inclusion_state *x, u64 *relation)
{
	const struct automaton *a = x->s->a;
	bool *begins = xmalloc(a->n + 1);

	memset(relation, 0, x->size * sizeof(*relation));
	for (u32 q = 0; q < x->n; q++)
		row_add(x, row_of(x, relation, q, 0), q, false);
	for (u32 i = 0; i < a->nt; i++) {
		if (!a->t[i].mark || begins[a->t[i].to])
			continue;
		begins[a->t[i].to] = true;
		push_node(x,
			(struct search_node){
				.begin = a->t[i].to, .q = a->t[i].to, .relation = relation});
	}
}

static void release(struct inclusion_state *x)
{
	for (u32 i = 0; i < x->nnodes; i++)
		free(x->node[i].relation);
	free(x->node);
	free(x->bucket);
	free(x->step);
	free(x->step_first);
	free(x->scratch);
	free(x->implied);
	free(x->shortens);
}

void inclusion_search(struct inclusion *s)
{
	struct inclusion_state x = {.s = s, .n = s->b->n, .ngroups = 1, .nbuckets = 1 << 16};
	u64 *relation;

	s->nmissing = s->nstates = 0;
	s->gave_up = false;
	s->words += !s->words;
	x.words = (x.n + 63) / 64;
	x.size = (size_t)x.n * 2 * x.words;
	x.group[0] = KINDS_ALL;
	split_groups(&x, s->a);
	split_groups(&x, s->b);
	if (x.ngroups)
		qsort(x.group, x.ngroups, sizeof(*x.group), by_first_kind);
	index_steps(&x);
	spread_marks(&x);
	find_implied(&x);
	find_shortens(&x);
	x.bucket = xmalloc(x.nbuckets * sizeof(*x.bucket));
	x.scratch = xmalloc((x.words + x.n + 1) * sizeof(u64));
	x.a_first = xmalloc((s->a->n + 1) * sizeof(u32));
	for (u32 i = 0; i < s->a->nt; i++)
		x.a_first[s->a->t[i].from + 1]++;
	for (u32 q = 0; q < s->a->n; q++)
		x.a_first[q + 1] += x.a_first[q];
	relation = xmalloc(x.size * sizeof(*relation) + 1);
	push_beginnings(&x, relation);
	for (u32 i = 0; i < x.nnodes && !x.done; i++)
		expand(&x, i, relation);
	s->nstates = x.nnodes;
	free(relation);
	release(&x);
}
