/* SPDX-License-Identifier: ISC */
/*
 * recursion.c - which `let rec' have a solution that iteration finds. See reader.h.
 *
 * If all operators are monotone, there is a least solution. If `~' or the right side of `\' depends
 * on a name of the group, as in the kernel's matching of nested critical sections, iteration from
 * nothing still ends if every dependency of a name on itself is through a name that keeps its
 * value, `x = x | ...': such names grow until nothing changes, and the others follow them.
 */
#include "cat/reader.h"

struct group {
	const struct cat *c;
	const u16 *var;
	u32 n;
};

/* The variables of the group on which the node depends, a bit each; *negative: an operator that is
 * not monotone in one of them. */
static u64 depends_on(const struct group *g, u16 node, u16 *negative)
{
	bool seen[CAT_NODES] = {false};
	u16 stack[CAT_NODES], operand[2];
	u32 n = 0;
	u64 vars = 0;

	stack[n++] = node;
	seen[node] = true;
	while (n) {
		u16 at = stack[--n];
		u8 op = g->c->node[at].op;
		u32 i = 0;

		while (i < g->n && g->var[i] != at)
			i++;
		if (i < g->n) {
			vars |= 1ull << i;
			continue;
		}
		cat_operands(&g->c->node[at], operand);
		if (negative && (op == CAT_NOT || op == CAT_DIFF) &&
			depends_on(g, operand[op == CAT_DIFF], NULL))
			*negative = at;
		for (i = 0; i < 2; i++)
			if (operand[i] && !seen[operand[i]]) {
				seen[operand[i]] = true;
				stack[n++] = operand[i];
			}
	}
	return vars;
}

/* Is it a union that contains this node? */
static bool is_part_of_union(const struct cat *c, u16 node, u16 part)
{
	bool seen[CAT_NODES] = {false};
	u16 stack[CAT_NODES], operand[2];
	u32 n = 0;

	stack[n++] = node;
	while (n) {
		u16 at = stack[--n];

		if (at == part)
			return true;
		if (c->node[at].op != CAT_UNION)
			continue;
		cat_operands(&c->node[at], operand);
		for (u32 i = 0; i < 2; i++)
			if (!seen[operand[i]]) {
				seen[operand[i]] = true;
				stack[n++] = operand[i];
			}
	}
	return false;
}

u16 recursion_unsolved(const struct cat *c, const u16 *var, u32 n)
{
	const struct group g = {c, var, n};
	u64 on[64] = {0}, left = 0, before;
	u16 negative = 0;

	for (u32 i = 0; i < n; i++) {
		u16 definition = c->node[var[i]].a;

		if (!definition)
			continue;
		on[i] = depends_on(&g, definition, &negative);
		if (!is_part_of_union(c, definition, var[i]))
			left |= 1ull << i;
	}
	do {
		before = left;
		for (u32 i = 0; i < n; i++)
			if (!(on[i] & left))
				left &= ~(1ull << i);
	} while (left != before);
	return left ? negative : 0;
}
