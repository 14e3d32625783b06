/* SPDX-License-Identifier: ISC */
/* states.c - see states.h. */
#include "prove/states.h"
#include "base/table.h"
#include "machine/core.h"
#include "process/bytes.h"
#include "process/pages.h"
#include "prove/hidden.h"
#include "prove/state.h"

#include <sys/mman.h>

#define NODES_MAX   (1u << 25)
#define EDGES_MAX   (1u << 27)
#define TABLE_FIRST TINY(16u, 1u << 12)

struct states states;

static struct {
	u32 *table; /* of nodes with sums, by hash: 1 + its number */
	u32 slots;
	u32 next_node, next_option;
	u32 from; /* the node before the present step */
	u32 end;  /* the node of all ends */
	struct thread *mover; /* whose step it is */
	u32 before; /* its place before the step */
	u32 answer; /* the node's, that leads to it; 0 if it has no choice */
} P;

/* --- nodes and edges -------------------------------------------------------------------------- */

static u32 *new_node_table(u32 slots)
{
	return pages_need(slots * sizeof(u32));
}

static void drop_table(void)
{
	if (P.table)
		munmap(P.table, P.slots * sizeof(u32));
}

static bool has_sum(const struct state_node *d, const struct state_sum *s)
{
	return d->a == s->a && d->b == s->b;
}

/* The slot of a state's node, or where it would be. */
static u32 *find_node_slot(const struct state_sum *s)
{
	u32 i;

	TABLE_FIND(i, s->a, P.slots,
		!P.table[i] || has_sum(&states.node[P.table[i] - 1], s));
	return &P.table[i];
}

static void grow_table(void)
{
	drop_table();
	P.slots *= 2;
	P.table = new_node_table(P.slots);
	for (u32 i = 0; i < states.nnodes; i++) {
		const struct state_node *d = &states.node[i];

		if (d->a | d->b)
			*find_node_slot(&(struct state_sum){.a = d->a, .b = d->b}) = i + 1;
	}
}

static u32 add_state_node(const struct state_node *d)
{
	if (states.nnodes == NODES_MAX) {
		states.full = true;
		return NODE_NONE;
	}
	states.node[states.nnodes] = *d;
	return states.nnodes++;
}

static void add_state_edge(u32 to)
{
	struct state_edge *e = &states.edge[states.nedges];

	if (P.from == NODE_NONE || to == NODE_NONE)
		return;
	if (states.nedges == EDGES_MAX) {
		states.full = true;
		return;
	}
	*e = (struct state_edge){
		.from = P.from, .to = to, .taken = (u16)P.answer, .thread = EDGE_VALUE};
	if (P.mover) {
		e->thread = P.mover->number;
		e->before = P.before;
		e->after = M.in_execution ? state_control(P.mover) : 0;
	}
	states.nedges++;
}

u32 states_path(u32 node, u32 *to, u32 room)
{
	u32 n = 0, i;

	for (u32 d = node; d != NODE_NONE && states.node[d].parent != NODE_NONE;
		d = states.node[d].parent)
		n += states.node[states.node[d].parent].n > 1;
	if (n > room)
		return NODE_NONE;
	i = n;
	for (u32 d = node; d != NODE_NONE && states.node[d].parent != NODE_NONE;
		d = states.node[d].parent) {
		u32 options = states.node[states.node[d].parent].n;

		if (options > 1)
			to[--i] = states.node[d].taken | options << 16;
	}
	return n;
}

u32 states_depth(u32 node)
{
	u32 n = 0;

	for (; node != NODE_NONE; node = states.node[node].parent)
		n++;
	return n;
}

/* --- the strategy ----------------------------------------------------------------------------- */

static void states_start(struct explore *x)
{
	if (!states.node) {
		states.node = pages_need(NODES_MAX * sizeof *states.node);
		states.edge = pages_need(EDGES_MAX * sizeof *states.edge);
	}
	hidden_begin();
	drop_table();
	P.slots = TABLE_FIRST;
	P.table = new_node_table(P.slots);
	states.nnodes = states.nedges = states.nstates = 0;
	states.full = false;
	states.nthreads = 0;
	states.limit = NULL;
	P.next_node = P.next_option = 0;
	P.end = NODE_NONE;
}

/* The next option that has not been tried: the node; NODE_NONE: all have been. */
static u32 next_choice(void)
{
	while (P.next_node < states.nnodes) {
		if (states.node[P.next_node].n > 1 && P.next_option < states.node[P.next_node].n)
			return P.next_node;
		P.next_node++;
		P.next_option = 0;
	}
	return NODE_NONE;
}

static bool states_next(struct explore *x)
{
	u32 node, n;

	state_sum_begin();
	states.cut = false;
	P.from = NODE_NONE;
	P.mover = NULL;
	P.answer = 0;
	x->prefix = 0;
	if (states.full || states.limit)
		return false;
	if (!x->executions)
		return true;
	node = next_choice();
	if (node == NODE_NONE)
		return false;
	n = states_path(node, x->log, x->maxlog - 1);
	if (n == NODE_NONE) {
		states.full = true;
		return false;
	}
	P.answer = P.next_option++;
	x->log[n] = P.answer | (u32)states.node[node].n << 16;
	x->prefix = n + 1;
	P.from = node;
	return true;
}

/* The execution has shown all that it is for. */
static _Noreturn void cut_execution(void)
{
	states.cut = true;
	execution_end(OUTCOME_STOPPED);
}

static void begin_step(u32 agent)
{
	P.mover = &M.thread[M.created[agent_number(agent)]];
	P.before = state_control(P.mover);
}

/* A value is to be chosen, in the middle of a step. */
static _Noreturn void stop_at_value(u32 n)
{
	add_state_edge(add_state_node(&(struct state_node){
		.parent = P.from, .taken = (u16)P.answer, .n = (u16)n}));
	cut_execution();
}

/* The node of the present state; *known: there was one before. */
static u32 note_state(u32 n, bool *known)
{
	struct state_sum s = state_sum();
	u32 *slot = find_node_slot(&s);

	*known = *slot;
	if (*known)
		return *slot - 1;
	*slot = states.nnodes + 1;
	states.nstates++;
	add_state_node(&(struct state_node){.a = s.a, .b = s.b, .parent = P.from,
		.taken = (u16)P.answer, .n = (u16)n, .control = s.control,
		.shared = s.shared << 1 | !M.engine->settled()});
	if (M.nthreads > states.nthreads)
		states.nthreads = (u16)M.nthreads;
	if (states.nnodes > P.slots / 2)
		grow_table();
	return states.nnodes - 1;
}

/* In state_look(). */
static struct {
	u32 n;
	const u32 *agents;
	bool cut;
} L;

static void look_at_state(void)
{
	bool known = false;
	u32 node;

	states.limit = state_limit();
	L.cut = true;
	if (states.limit || states.nnodes == NODES_MAX)
		return;
	node = note_state(L.n, &known);
	add_state_edge(node);
	L.cut = known || L.n > 1;
	if (L.cut)
		return;
	P.from = node;
	P.answer = 0;
	begin_step(L.agents[0]);
}

static void look_at_last_choice(void)
{
	begin_step(L.agents[L.n]);
}

static u32 choose_new(u32 n, const u32 *agents)
{
	if (!agents)
		stop_at_value(n);
	L.n = n;
	L.agents = agents;
	state_look(look_at_state);
	states.full |= states.nnodes == NODES_MAX;
	if (L.cut)
		cut_execution();
	return 0;
}

static u32 states_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 given;

	if (x->nlog >= x->prefix)
		return choose_new(n, agents);
	if (n == 1)
		return 0;
	given = x->log[x->nlog];
	if (given >> 16 != n) {
		x->diverged = true;
		x->diverged_n = n;
		return 0;
	}
	if (x->nlog + 1 == x->prefix && agents) {
		L.n = given & 0xffff;
		L.agents = agents;
		state_look(look_at_last_choice);
	}
	return given & 0xffff;
}

void states_note_end(void)
{
	if (P.end == NODE_NONE)
		P.end = add_state_node(&(struct state_node){.parent = NODE_NONE});
	add_state_edge(P.end);
}

const struct strategy_ops strategy_states = {
	.name = STRATEGY_STATES,
	.wants_agents = true,
	.wants_accesses = true,
	.start = states_start,
	.next = states_next,
	.choose = states_choose,
};
