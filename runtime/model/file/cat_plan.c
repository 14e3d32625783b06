/* SPDX-License-Identifier: ISC */
/* cat_plan.c - see cat_plan.h. */
#include "model/file/cat_plan.h"

/* --- expressions ------------------------------------------------------------------------------ */

static void need_node(const struct cat *c, bool *needed, u32 node)
{
	u16 stack[CAT_NODES];
	u32 n = 0;

	if (!needed[node])
		stack[n++] = (u16)node;
	needed[node] = true;
	while (n) {
		u16 operand[2];

		cat_operands(&c->node[stack[--n]], operand);
		for (u32 i = 0; i < 2; i++) {
			if (!operand[i] || needed[operand[i]])
				continue;
			needed[operand[i]] = true;
			stack[n++] = operand[i];
		}
	}
}

static bool is_for(const struct cat_axiom *x, enum cat_purpose purpose)
{
	bool flag = x->kind == CAT_FLAG || x->kind == CAT_UNDEFINED;

	switch (purpose) {
	case CAT_FOR_PREFIXES: return x->when == CAT_PRUNES;
	case CAT_FOR_WHOLE: return x->kind == CAT_REQUIRED;
	case CAT_FOR_FLAGS: return flag;
	case CAT_TO_EXPLAIN: break;
	}
	return flag || x->kind == CAT_REQUIRED;
}

static void list_nodes(struct cat_plan *p, const struct cat *c, const bool *needed)
{
	p->n = 0;
	p->ordered = c->order && needed[c->order];
	for (u32 i = 1; i < c->nnodes; i++)
		if (needed[i])
			p->node[p->n++] = (u16)i;
	for (u32 g = 1; g <= c->ngroups; g++) {
		p->group[g] = 0;
		while (p->group[g] < p->n && p->node[p->group[g]] < c->first[g])
			p->group[g]++;
	}
}

/* --- how long they are needed ----------------------------------------------------------------- */

/* When the plan's expression `at' has its final value: of a `let rec', at its end. */
static u32 final_at(const struct cat_plan *p, const struct cat *c, u32 at)
{
	u32 last = at;

	for (u32 g = 1; g <= c->ngroups; g++) {
		if (at < p->group[g] || p->node[at] >= c->end[g])
			continue;
		while (last + 1 < p->n && p->node[last + 1] < c->end[g])
			last++;
	}
	return last;
}

static void find_last_uses(const struct cat_plan *p, const struct cat *c, u16 *last)
{
	u16 operand[2], at[CAT_NODES];

	for (u32 i = 0; i < p->n; i++) {
		at[p->node[i]] = (u16)i;
		last[i] = (u16)final_at(p, c, i);
	}
	for (u32 i = 0; i < p->n; i++) {
		u16 until = (u16)final_at(p, c, i);

		cat_operands(&c->node[p->node[i]], operand);
		for (u32 k = 0; k < 2; k++)
			if (operand[k] && last[at[operand[k]]] < until)
				last[at[operand[k]]] = until;
	}
}

/* --- places ----------------------------------------------------------------------------------- */

/* A place that is free from `at' on; until[]: of each place, the last use of its contents. */
static u32 take_slot(u16 *until, u32 *n, u32 at, u32 last)
{
	u32 slot = 0;

	while (slot < *n && until[slot] >= at)
		slot++;
	if (slot == *n)
		++*n;
	until[slot] = (u16)last;
	return slot;
}

static void place_values(struct cat_plan *p, const struct cat *c, bool keep)
{
	u16 last[CAT_NODES], sets[CAT_NODES], relations[CAT_NODES];

	p->nsets = p->nrelations = 0;
	find_last_uses(p, c, last);
	for (u32 i = 0; i < p->n; i++) {
		bool set = c->node[p->node[i]].type == CAT_SET;

		p->slot[p->node[i]] = (u16)take_slot(set ? sets : relations,
			set ? &p->nsets : &p->nrelations, i, keep ? CAT_NODES : last[i]);
	}
}

static void list_axiom(struct cat_plan *p, const struct cat *c, u32 axiom)
{
	u32 at = 0, i = p->naxioms++;

	while (p->node[at] != c->axiom[axiom].node)
		at++;
	at = final_at(p, c, at) + 1;
	for (; i && p->due[i - 1] > at; i--) {
		p->due[i] = p->due[i - 1];
		p->axiom[i] = p->axiom[i - 1];
	}
	p->due[i] = (u16)at;
	p->axiom[i] = (u8)axiom;
}

void cat_plan_axiom(struct cat_plan *p, const struct cat *c, u32 axiom)
{
	bool needed[CAT_NODES] = {false};

	need_node(c, needed, c->axiom[axiom].node);
	list_nodes(p, c, needed);
	place_values(p, c, false);
	p->naxioms = 0;
	list_axiom(p, c, axiom);
}

void cat_plan_make(struct cat_plan *p, const struct cat *c, enum cat_purpose purpose)
{
	bool needed[CAT_NODES] = {false};

	for (u32 i = 0; i < c->naxioms; i++)
		if (is_for(&c->axiom[i], purpose))
			need_node(c, needed, c->axiom[i].node);
	list_nodes(p, c, needed);
	place_values(p, c, purpose == CAT_TO_EXPLAIN);
	p->naxioms = 0;
	for (u32 i = 0; i < c->naxioms; i++)
		if (is_for(&c->axiom[i], purpose))
			list_axiom(p, c, i);
}
