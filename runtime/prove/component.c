/* SPDX-License-Identifier: ISC */
/* component.c - see component.h. */
#include "prove/component.h"
#include "process/pages.h"
#include "prove/states.h"

#include <sys/mman.h>

struct components components;

static struct {
	u32 *number, *low, *stack, *at; /* of Tarjan's algorithm; `at': the next edge of a node */
	u32 nvisited, depth;
	u8 *memory;
	u64 size;
} G;

#define WORDS_OF_NODE 7

static bool take_component_memory(void)
{
	u64 nodes = (u64)states.nnodes + 1;
	u32 *at;

	G.size = nodes * (WORDS_OF_NODE * sizeof(u32) + 2) + (u64)states.nedges * sizeof(u32);
	G.memory = pages_take(G.size);
	if (!G.memory)
		return false;
	at = (u32 *)(void *)G.memory;
	components.first = at;
	components.of = at + nodes;
	components.parent = at + 2 * nodes;
	G.number = at + 3 * nodes;
	G.low = at + 4 * nodes;
	G.stack = at + 5 * nodes;
	G.at = at + 6 * nodes;
	components.out = at + WORDS_OF_NODE * nodes;
	components.left = (bool *)(components.out + states.nedges);
	components.cyclic = components.left + nodes;
	G.nvisited = G.depth = components.n = 0;
	return true;
}

void components_drop(void)
{
	munmap(G.memory, G.size);
}

/* Edges in the order of the nodes that they leave. */
static void sort_edges(void)
{
	for (u32 i = 0; i < states.nedges; i++)
		components.first[states.edge[i].from + 1]++;
	for (u32 d = 0; d < states.nnodes; d++) {
		components.first[d + 1] += components.first[d];
		G.at[d] = components.first[d];
	}
	for (u32 i = 0; i < states.nedges; i++)
		components.out[G.at[states.edge[i].from]++] = i;
}

static void begin_visit(u32 node, u32 from)
{
	G.number[node] = G.low[node] = ++G.nvisited;
	G.at[node] = components.first[node];
	G.stack[G.depth++] = node;
	components.parent[node] = from;
	components.of[node] = NODE_NONE;
}

/* All edges of the node have been followed. */
static void end_visit(u32 node)
{
	u32 d, up = components.parent[node];

	if (up != NODE_NONE && G.low[node] < G.low[up])
		G.low[up] = G.low[node];
	if (G.low[node] != G.number[node])
		return;
	do {
		d = G.stack[--G.depth];
		components.of[d] = components.n;
	} while (d != node);
	components.n++;
}

static void visit_from(u32 root)
{
	u32 node = root;

	begin_visit(root, NODE_NONE);
	while (node != NODE_NONE) {
		u32 to;

		if (G.at[node] == components.first[node + 1]) {
			end_visit(node);
			node = components.parent[node];
			continue;
		}
		to = states.edge[components.out[G.at[node]++]].to;
		if (!G.number[to]) {
			begin_visit(to, node);
			node = to;
		} else if (components.of[to] == NODE_NONE && G.number[to] < G.low[node]) {
			G.low[node] = G.number[to];
		}
	}
}

bool components_find(void)
{
	if (!take_component_memory())
		return false;
	sort_edges();
	for (u32 d = 0; d < states.nnodes; d++)
		if (!G.number[d])
			visit_from(d);
	components.queue = G.stack;
	for (u32 i = 0; i < states.nedges; i++) {
		u32 from = components.of[states.edge[i].from];

		if (components.of[states.edge[i].to] == from)
			components.cyclic[from] = true;
		else
			components.left[from] = true;
	}
	return true;
}
