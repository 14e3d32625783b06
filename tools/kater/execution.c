/* SPDX-License-Identifier: ISC */
/* execution.c - see execution.h. */
#include "kater/execution.h"

#include <string.h>

#include "die.h"

/* --- edges ------------------------------------------------------------------------------------ */

/* The place of a read's source; the initial write is at 0. */
static u32 place_read(const struct execution *x, u32 r)
{
	return x->event[r].rf == EXECUTION_INIT ? 0 : x->event[x->event[r].rf].place;
}

static bool is_fr(const struct execution *x, u32 a, u32 b)
{
	return execution_is(x, a, KINDS_READS) && execution_is(x, b, KINDS_WRITES) &&
	       x->event[a].loc == x->event[b].loc && place_read(x, a) < x->event[b].place;
}

static bool is_co(const struct execution *x, u32 a, u32 b)
{
	return execution_is(x, a, KINDS_WRITES) && execution_is(x, b, KINDS_WRITES) &&
	       x->event[a].loc == x->event[b].loc && x->event[a].place < x->event[b].place;
}

static bool is_rf(const struct execution *x, u32 a, u32 b)
{
	return execution_is(x, b, KINDS_READS) && x->event[b].rf == a;
}

bool execution_has(const struct execution *x, u32 letter, u32 a, u32 b)
{
	const struct execution_event *p = &x->event[a], *q = &x->event[b];
	bool within = p->thread == q->thread, po = within && a < b,
	     same = p->loc && p->loc == q->loc;

	switch (letter) {
	case LETTER_DIF: return po && !same;
	case LETTER_LOC: return po && same;
	case LETTER_ADDR: return q->depends[0] >> a & 1;
	case LETTER_DATA: return q->depends[1] >> a & 1;
	case LETTER_CTRL: return q->depends[2] >> a & 1;
	case LETTER_RMW: return po && p->half == b + 1;
	case LETTER_RFI: return within && is_rf(x, a, b);
	case LETTER_RFE: return !within && is_rf(x, a, b);
	case LETTER_COI: return within && is_co(x, a, b);
	case LETTER_COE: return !within && is_co(x, a, b);
	case LETTER_FRI: return within && is_fr(x, a, b);
	case LETTER_FRE: return !within && is_fr(x, a, b);
	case LETTER_ANY: return true;
	}
	return letter < LETTER_ANY && execution_has(x, letter - LETTER_INVERSE, b, a);
}

/* --- coherence -------------------------------------------------------------------------------- */

static bool has_row_cycle(u64 *row, u32 n)
{
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < n; i++)
			if (row[i] >> k & 1)
				row[i] |= row[k];
	for (u32 i = 0; i < n; i++)
		if (row[i] >> i & 1)
			return true;
	return false;
}

bool execution_is_coherent(const struct execution *x)
{
	u64 row[EXECUTION_EVENTS] = {0};

	for (u32 a = 0; a < x->n; a++)
		for (u32 b = 0; b < x->n; b++)
			if ((execution_has(x, LETTER_LOC, a, b) || is_rf(x, a, b) ||
				    is_co(x, a, b) || is_fr(x, a, b)))
				row[a] |= 1ull << b;
	for (u32 a = 0; a < x->n; a++)
		if (x->event[a].half && execution_is(x, a, KINDS_READS) &&
			x->event[x->event[a].half - 1].place != place_read(x, a) + 1)
			return false;
	return !has_row_cycle(row, x->n);
}

/* --- models ----------------------------------------------------------------------------------- */

#define POINTS 64 /* events, fences beside them, initial writes */

struct judge {
	const struct execution *x;
	const struct kater_model *m;
	const struct cat *c; /* m->c */
	u32 n;
	u64 tags[POINTS];
	u8 event[POINTS]; /* EXECUTION_INIT: an initial write, of loc */
	u8 loc[POINTS], thread[POINTS];
	bool itself[POINTS];
	u64 (*value)[POINTS]; /* of each node: a relation's rows, or a set */
};

static void add_point(struct judge *j, u64 tags, u32 event, u32 loc, u32 thread, bool itself)
{
	u32 i = j->n++;

	if (i >= POINTS)
		die("an execution is too large");
	j->tags[i] = tags;
	j->event[i] = (u8)event;
	j->loc[i] = (u8)loc;
	j->thread[i] = (u8)thread;
	j->itself[i] = itself;
}

static void add_points(struct judge *j)
{
	const struct execution *x = j->x;
	const u64 fence = 1ull << MAP_F;

	for (u32 e = 0; e < x->n; e++) {
		struct decoration d = kind_decoration(&j->c->map, x->event[e].kind);

		if (d.before)
			add_point(j, d.before | fence, e, 0, x->event[e].thread, false);
		add_point(j, d.tags, e, x->event[e].loc, x->event[e].thread, true);
		if (d.after)
			add_point(j, d.after | fence, e, 0, x->event[e].thread, false);
	}
	for (u32 loc = 1; loc <= x->nlocs; loc++)
		add_point(j, 1ull << MAP_W | 1ull << MAP_IW, EXECUTION_INIT, loc, x->nthreads + loc,
			true);
}

/* From an initial write, or an event itself. */
static bool point_edge(const struct judge *j, u32 letter_within, u32 a, u32 b)
{
	const struct execution *x = j->x;
	bool co = letter_within == LETTER_COI, rf = letter_within == LETTER_RFI;

	if (!j->itself[a] || !j->itself[b] || j->event[b] == EXECUTION_INIT)
		return false;
	if (j->event[a] == EXECUTION_INIT)
		return j->loc[a] == j->loc[b] &&
		       ((co && execution_is(x, j->event[b], KINDS_WRITES)) ||
			       (rf && execution_is(x, j->event[b], KINDS_READS) &&
				       x->event[j->event[b]].rf == EXECUTION_INIT));
	return execution_has(x, letter_within, j->event[a], j->event[b]) ||
	       ((co || rf || letter_within == LETTER_FRI) &&
		       execution_has(x, letter_within + 1, j->event[a], j->event[b]));
}

static bool is_dropped(const struct judge *j, u32 a, u32 b)
{
	return j->itself[a] && j->itself[b] && j->event[a] != EXECUTION_INIT &&
	       j->event[b] != EXECUTION_INIT &&
	       j->m->drop_from >> j->x->event[j->event[a]].kind & 1 &&
	       j->m->drop_to >> j->x->event[j->event[b]].kind & 1 &&
	       (!j->loc[a] || j->loc[a] != j->loc[b]);
}

static bool base_edge(const struct judge *j, enum cat_base base, u32 a, u32 b)
{
	bool within = j->thread[a] == j->thread[b];

	switch (base) {
	case CAT_BASE_po: return within && a < b && !is_dropped(j, a, b);
	case CAT_BASE_rf: return point_edge(j, LETTER_RFI, a, b);
	case CAT_BASE_co: return point_edge(j, LETTER_COI, a, b);
	case CAT_BASE_fr: return point_edge(j, LETTER_FRI, a, b);
	case CAT_BASE_loc: return j->loc[a] && j->loc[a] == j->loc[b];
	case CAT_BASE_int: return within;
	case CAT_BASE_ext: return !within;
	case CAT_BASE_id: return a == b;
	case CAT_BASE_addr: return point_edge(j, LETTER_ADDR, a, b);
	case CAT_BASE_data: return point_edge(j, LETTER_DATA, a, b);
	case CAT_BASE_ctrl: return point_edge(j, LETTER_CTRL, a, b);
	case CAT_BASE_rmw: return point_edge(j, LETTER_RMW, a, b);
	case CAT_BASE_COUNT: break;
	}
	return false;
}

static void compose(const struct judge *j, const u64 *a, const u64 *b, u64 *to)
{
	for (u32 i = 0; i < j->n; i++)
		for (u64 left = a[i]; left; left &= left - 1)
			to[i] |= b[__builtin_ctzll(left)];
}

static void close_relation(const struct judge *j, u64 *r)
{
	for (u32 k = 0; k < j->n; k++)
		for (u32 i = 0; i < j->n; i++)
			if (r[i] >> k & 1)
				r[i] |= r[k];
}

static void compute_set(const struct judge *j, const struct cat_node *x, u64 *to)
{
	const u64 *a = j->value[x->a], *b = j->value[x->b];
	u64 all = j->n == 64 ? ~0ull : (1ull << j->n) - 1, set = 0;

	switch (x->op) {
	case CAT_UNIVERSE: set = all; break;
	case CAT_TAG:
		for (u32 i = 0; i < j->n; i++)
			set |= (j->tags[i] >> x->a & 1) << i;
		break;
	case CAT_UNION: set = *a | *b; break;
	case CAT_INTER: set = *a & *b; break;
	case CAT_DIFF: set = *a & ~*b; break;
	case CAT_NOT: set = all & ~*a; break;
	case CAT_DOMAIN:
		for (u32 i = 0; i < j->n; i++)
			set |= (u64)(a[i] != 0) << i;
		break;
	case CAT_RANGE:
		for (u32 i = 0; i < j->n; i++)
			set |= a[i];
		break;
	case CAT_VAR: return;
	}
	*to = set;
}

/* Of one event, where a relation's rows are of the operands' rows of that event. */
static u64 compute_row(const struct judge *j, const struct cat_node *x, u32 i, u64 all)
{
	const u64 *a = j->value[x->a], *b = j->value[x->b];
	u64 row = 0, in_a = *a >> i & 1 ? ~0ull : 0;

	switch (x->op) {
	case CAT_UNIVERSE: return all;
	case CAT_BASE:
		for (u32 k = 0; k < j->n; k++)
			row |= (u64)base_edge(j, (enum cat_base)x->a, i, k) << k;
		return row;
	case CAT_UNION: return a[i] | b[i];
	case CAT_INTER: return a[i] & b[i];
	case CAT_DIFF: return a[i] & ~b[i];
	case CAT_NOT: return all & ~a[i];
	case CAT_OPT: return a[i] | 1ull << i;
	case CAT_ID: return in_a & 1ull << i;
	case CAT_PRODUCT: return in_a & *b;
	case CAT_FROM: return in_a & b[i];
	case CAT_TO: return a[i] & *b;
	case CAT_INVERSE:
		for (u32 k = 0; k < j->n; k++)
			row |= (a[k] >> i & 1) << k;
		return row;
	}
	return 0;
}

static void compute(const struct judge *j, u32 node)
{
	const struct cat_node *x = &j->c->node[node];
	u64 *to = j->value[node], all = j->n == 64 ? ~0ull : (1ull << j->n) - 1;

	if (x->type == CAT_SET) {
		compute_set(j, x, to);
		return;
	}
	if (x->op == CAT_VAR)
		return;
	if (x->op == CAT_ORDER)
		die("linearisations, orders of all events, are not supported");
	memset(to, 0, sizeof(j->value[node]));
	if (x->op == CAT_SEQ) {
		compose(j, j->value[x->a], j->value[x->b], to);
		return;
	}
	if (x->op == CAT_PLUS || x->op == CAT_STAR) {
		memcpy(to, j->value[x->a], sizeof(j->value[node]));
		close_relation(j, to);
		for (u32 i = 0; i < j->n && x->op == CAT_STAR; i++)
			to[i] |= 1ull << i;
		return;
	}
	for (u32 i = 0; i < j->n; i++)
		to[i] = compute_row(j, x, i, all);
}

/* All nodes; again, until names of `let rec' do not grow. */
static void compute_all(struct judge *j)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (u32 i = 1; i < j->c->nnodes; i++)
			compute(j, i);
		for (u32 i = 1; i < j->c->nnodes; i++) {
			const struct cat_node *x = &j->c->node[i];

			if (x->op != CAT_VAR ||
				!memcmp(j->value[i], j->value[x->a], sizeof(j->value[i])))
				continue;
			memcpy(j->value[i], j->value[x->a], sizeof(j->value[i]));
			changed = true;
		}
	}
}

static bool axiom_holds(const struct judge *j, const struct cat_axiom *a)
{
	u64 r[POINTS];
	bool is = true;

	memcpy(r, j->value[a->node], sizeof(r));
	if (a->test == CAT_ACYCLIC)
		close_relation(j, r);
	for (u32 i = 0; i < j->n && j->c->node[a->node].type == CAT_RELATION; i++)
		is &= a->test == CAT_IS_EMPTY ? !r[i] : !(r[i] >> i & 1);
	if (j->c->node[a->node].type == CAT_SET)
		is = !r[0];
	return is != a->negated;
}

u32 execution_forbidden(const struct execution *x, const struct kater_model *m)
{
	static u64 value[CAT_NODES][POINTS];
	const struct cat *c = m->c;
	struct judge j = {.x = x, .m = m, .c = c, .value = value};

	memset(value, 0, c->nnodes * sizeof(*value));
	add_points(&j);
	compute_all(&j);
	for (u32 i = 0; i < c->naxioms; i++)
		if (c->axiom[i].kind == CAT_REQUIRED && !(m->without >> i & 1) &&
			!axiom_holds(&j, &c->axiom[i]))
			return i;
	return c->naxioms;
}
