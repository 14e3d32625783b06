/* SPDX-License-Identifier: ISC */
/* cat_explain.c - see cat_explain.h. */
#include "model/file/cat_explain.h"

#include "cat/words.h"

#define NOWHERE UINT32_MAX

/* --- names ------------------------------------------------------------------------------------ */

void cat_node_name(const struct cat *c, u32 node, char to[40])
{
	const struct cat_node *x = &c->node[node];
	const struct cat_name *name = cat_name_of(c, node, false);
	u32 n = 0;
	const char *text = "";

	if (name || x->op == CAT_VAR) {
		text = cat_text(c, name ? name->token : x->token, &n);
	} else if (x->op == CAT_BASE) {
		text = cat_base_name(x->a);
		n = (u32)text_length(text);
	}
	n = n < 39 ? n : 39;
	for (u32 i = 0; i < n; i++)
		to[i] = text[i];
	to[n] = 0;
}

/* --- events ----------------------------------------------------------------------------------- */

static bool node_has_pair(const struct cat_run *run, u32 node, u32 a, u32 b)
{
	return relation_has(&run->v->frame, cat_value(run, node), a, b);
}

/*
 * A shortest path of one step or more from a to b along the relation r, into path[REASON_LINKS + 1]
 * with a and b. Returns its number of steps; 0: there is none, or it is too long.
 */
static u32 shortest_path(const struct cat_run *run, u32 r, u32 a, u32 b, u16 *path)
{
	static u16 queue[VIEW_EVENTS], from[VIEW_EVENTS], length[VIEW_EVENTS];
	u32 n = run->v->frame.n, head = 0, tail = 0, steps;

	for (u32 i = 0; i < n; i++)
		length[i] = 0;
	queue[tail++] = (u16)a;
	while (head < tail && !length[b]) {
		u32 at = queue[head++];

		for (u32 i = 0; i < n; i++) {
			if (length[i] || !node_has_pair(run, r, at, i))
				continue;
			length[i] = (u16)((at == a ? 0 : length[at]) + 1);
			from[i] = (u16)at;
			if (i != a)
				queue[tail++] = (u16)i;
		}
	}
	steps = length[b];
	if (steps > REASON_LINKS)
		return 0;
	for (u32 i = steps, at = b; i; i--) {
		path[i] = (u16)at;
		at = from[at];
	}
	path[0] = (u16)a;
	return steps;
}

/* --- parts of a relation ---------------------------------------------------------------------- */

/* A pair of the view that is in the relation `node', the root of the axiom or a part. */
struct related_pair {
	u32 node, a, b;
};

static void add_link(const struct cat_run *run, struct reason *r, struct related_pair p)
{
	u32 from = run->v->event[p.a], to = run->v->event[p.b];

	if (p.a == p.b || (from == to && from)) /* a fence that comes with its access */
		return;
	if (r->n < REASON_LINKS)
		r->link[r->n] = (struct reason_link){(u16)from, (u16)to, (u16)p.node};
	r->n++;
}

static void add_parts(
	const struct cat_run *run, struct reason *r, struct related_pair p, u32 depth);

static void add_path(const struct cat_run *run, struct reason *r, struct related_pair p, u32 depth)
{
	u16 path[REASON_LINKS + 1];
	u32 n = shortest_path(run, p.node, p.a, p.b, path);

	if (!n)
		r->n = REASON_LINKS + 1;
	for (u32 i = 0; i < n; i++)
		add_parts(run, r, (struct related_pair){p.node, path[i], path[i + 1]}, depth);
}

static void add_sequence(
	const struct cat_run *run, struct reason *r, struct related_pair p, u32 depth)
{
	const struct cat_node *x = &run->c->node[p.node];

	for (u32 i = 0; i < run->v->frame.n; i++) {
		if (!node_has_pair(run, x->a, p.a, i) || !node_has_pair(run, x->b, i, p.b))
			continue;
		add_parts(run, r, (struct related_pair){x->a, p.a, i}, depth);
		add_parts(run, r, (struct related_pair){x->b, i, p.b}, depth);
		return;
	}
}

/* depth: 0 at the root, whose own name would say nothing. */
static void add_parts(const struct cat_run *run, struct reason *r, struct related_pair p, u32 depth)
{
	const struct cat_node *x = &run->c->node[p.node];
	bool closure = x->op == CAT_PLUS || x->op == CAT_STAR || x->op == CAT_OPT;

	if (x->op == CAT_ID)
		return;
	if (depth++ > 30 || (!closure && depth > 1 && cat_name_of(run->c, p.node, false))) {
		add_link(run, r, p);
	} else if (closure && (p.a != p.b || x->op == CAT_PLUS)) {
		p.node = x->a;
		if (x->op == CAT_OPT)
			add_parts(run, r, p, depth);
		else
			add_path(run, r, p, depth);
	} else if (x->op == CAT_UNION) {
		p.node = node_has_pair(run, x->a, p.a, p.b) ? x->a : x->b;
		add_parts(run, r, p, depth);
	} else if (x->op == CAT_SEQ) {
		add_sequence(run, r, p, depth);
	} else if (!closure) {
		add_link(run, r, p);
	}
}

/* --- axioms ----------------------------------------------------------------------------------- */

/* An event on a shortest cycle of the relation; NOWHERE: there is none that is short. */
static u32 begin_of_cycle(const struct cat_run *run, u32 node)
{
	u16 path[REASON_LINKS + 1];
	u32 best = NOWHERE, length = REASON_LINKS + 1;

	for (u32 i = 0; i < run->v->frame.n; i++) {
		u32 n = shortest_path(run, node, i, i, path);

		if (!n || n >= length)
			continue;
		length = n;
		best = i;
	}
	return best;
}

static void show_cycle(const struct cat_run *run, struct reason *r, u32 node)
{
	u32 at = begin_of_cycle(run, node);

	if (at != NOWHERE)
		add_path(run, r, (struct related_pair){node, at, at}, 0);
}

static void show_reflexive(const struct cat_run *run, struct reason *r, u32 node)
{
	for (u32 i = 0; i < run->v->frame.n; i++)
		if (node_has_pair(run, node, i, i)) {
			add_parts(run, r, (struct related_pair){node, i, i}, 0);
			return;
		}
}

/* The first pair, from *at on, which moves behind it. */
static bool next_pair(const struct cat_run *run, u32 node, u32 *at, struct related_pair *p)
{
	u32 n = run->v->frame.n;

	for (; *at < n * n; ++*at)
		if (node_has_pair(run, node, *at / n, *at % n)) {
			*p = (struct related_pair){node, *at / n, *at % n};
			++*at;
			return true;
		}
	return false;
}

/* Write down why the axiom does not hold. */
static void show_axiom(const struct cat_run *run, struct reason *r)
{
	const struct cat_axiom *x = &run->c->axiom[r->axiom];
	const struct cat_node *n = &run->c->node[x->node];
	struct related_pair p;
	u32 at = 0;

	r->n = 0;
	if (x->negated)
		return;
	if (x->test == CAT_ACYCLIC || (x->test == CAT_IRREFLEXIVE && n->op == CAT_PLUS))
		show_cycle(run, r, n->op == CAT_PLUS ? n->a : x->node);
	else if (x->test == CAT_IRREFLEXIVE)
		show_reflexive(run, r, x->node);
	else if (n->type != CAT_SET && next_pair(run, x->node, &at, &p))
		add_parts(run, r, p, 0);
	if (r->n > REASON_LINKS)
		r->n = 0;
}

/* Of a model with an order (CAT_ORDER): the axiom that is broken in all of them, with the last one;
 * else the number of axioms. */
static u32 broken_in_all_orders(struct cat_model *m, const struct graph *g, const u8 *change)
{
	struct cat_run run = {&m->view, &m->cat, &m->whole, 0, 0, NULL};
	u32 broken = m->cat.naxioms;

	if (m->whole.ordered && cat_model_view(m, g, &m->whole, change)) {
		broken = cat_first_broken(&run);
		cat_view_close(&m->view);
	}
	return broken;
}

/* The links are those without an order, if they break an axiom. */
bool cat_explain(struct cat_model *m, const struct graph *g, const u8 *change, struct reason *r)
{
	struct cat_run run = {&m->view, &m->cat, &m->explain, 0, 0, NULL};
	u32 broken = broken_in_all_orders(m, g, change);

	r->n = 0;
	if (!cat_model_view(m, g, &m->explain, change))
		return false;
	while ((r->axiom = cat_next(&run)) < m->cat.naxioms)
		if (m->cat.axiom[r->axiom].kind == CAT_REQUIRED && !cat_holds(&run, r->axiom))
			break;
	if (r->axiom < m->cat.naxioms)
		show_axiom(&run, r);
	else
		r->axiom = broken;
	cat_view_close(&m->view);
	return r->axiom < m->cat.naxioms;
}

/* --- flags ------------------------------------------------------------------------------------ */

static bool is_raised(const struct raised *to, u32 n, struct raised x)
{
	for (u32 i = 0; i < n; i++)
		if (to[i].axiom == x.axiom &&
			((to[i].event[0] == x.event[0] && to[i].event[1] == x.event[1]) ||
				(to[i].event[0] == x.event[1] && to[i].event[1] == x.event[0])))
			return true;
	return false;
}

static u32 add_raised(const struct cat_run *run, struct raised *to, u32 n, u32 most,
	struct related_pair p, u32 axiom)
{
	struct raised x = {axiom, {run->v->event[p.a], run->v->event[p.b]}};

	if (x.event[0] == x.event[1])
		x.event[0] = 0;
	if (n < most && !is_raised(to, n, x))
		to[n++] = x;
	return n;
}

/* The events that raise the flag: those of a set, the pairs of a relation; of acyclic and
 * irreflexive, the first and the last. */
static u32 list_raised(const struct cat_run *run, struct raised *to, u32 n, u32 most, u32 axiom)
{
	const struct cat_axiom *x = &run->c->axiom[axiom];
	bool set = run->c->node[x->node].type == CAT_SET;
	const u64 *row = cat_value(run, x->node);
	struct related_pair p = {x->node, NOWHERE, NOWHERE};
	u32 at = 0, before = n;

	if (x->test == CAT_ACYCLIC)
		p.a = p.b = begin_of_cycle(run, x->node);
	for (u32 i = 0; x->test == CAT_IRREFLEXIVE && i < run->v->frame.n; i++)
		if (node_has_pair(run, x->node, i, i))
			p.a = p.b = i;
	if (x->test == CAT_IS_EMPTY && set)
		for (u32 i = 0; i < run->v->frame.n; i++)
			if (row[i / 64] >> i % 64 & 1)
				n = add_raised(run, to, n, most,
					(struct related_pair){x->node, i, i}, axiom);
	while (x->test == CAT_IS_EMPTY && !set && next_pair(run, x->node, &at, &p))
		n = add_raised(run, to, n, most, p, axiom);
	if (n == before && p.a != NOWHERE)
		n = add_raised(run, to, n, most, p, axiom);
	if (n == before && n < most) /* there is nothing in it */
		to[n++] = (struct raised){axiom, {0, 0}};
	return n;
}

u32 cat_raised(struct cat_model *m, const struct graph *g, struct raised *to, u32 most)
{
	struct cat_run run = {&m->view, &m->cat, &m->flags, 0, 0, NULL};
	u32 axiom, n = 0;

	if (!m->has_flags || !cat_model_view(m, g, &m->flags, NULL))
		return 0;
	while ((axiom = cat_next(&run)) < m->cat.naxioms) {
		bool undefined = m->cat.axiom[axiom].kind == CAT_UNDEFINED;

		if (cat_holds(&run, axiom) != undefined)
			n = list_raised(&run, to, n, most, axiom);
	}
	cat_view_close(&m->view);
	return n;
}
