/* SPDX-License-Identifier: ISC */
/*
 * states.h - all states of a program, each once: a strategy, and the graph of states that it makes.
 *
 * Idea.   An execution is given the choices that lead to a state, and one more; it ends at the next
 *         state, which is new, or known by its sum (state.h). Breadth first: each state is reached
 *         by as few choices as possible, which keeps executions and reports short. Threads that
 *         loop for ever have finitely many states, if their data does.
 * State.  A *node* is a choice: of an agent, at a state of the program, or of a value in the middle
 *         of a step (heddle_choose()). It has the node before it, so that a path of choices leads
 *         there. An *edge* is a step between nodes.
 * Always. (1) two nodes with sums have different ones; (2) after the choices of its path, a node's
 *         choice has `n` options; (3) nodes before `next_node`, and of it the options before
 *         `next_option`, have been tried.
 * Not.    Reductions: independent steps are taken in both orders.
 */
#ifndef PROVE_STATES_H
#define PROVE_STATES_H

#include "base/option.h"
#include "explore/explore.h"

/* Detectors that can judge an execution that ends in a known state. */
#define PROVE_DETECTORS (DETECT_HEAP | DETECT_LIVELOCK | DETECT_STARVATION)

extern const struct strategy_ops strategy_states;

#define NODE_NONE UINT32_MAX

struct state_node {
	u64 a, b; /* its sum; 0: none */
	u32 parent;
	u16 taken; /* the parent's choice that leads here */
	u16 n;     /* options of its choice; 1: no choice; 0: an end */
	u32 control; /* as in struct state_sum; and shared, and in its lowest bit: */
	u32 shared;  /* stores are in buffers */
};

struct state_edge {
	u32 from, to;
	u32 before, after; /* the thread's places in the program (state_control()) */
	u16 taken;	   /* the answer at `from' */
	u16 thread;	   /* by number; EDGE_VALUE: the step is a value chosen */
};

#define EDGE_VALUE UINT16_MAX

extern struct states {
	struct state_node *node;
	struct state_edge *edge;
	u32 nnodes, nedges, nstates; /* nodes with a state */
	bool cut;		     /* the last execution has ended at a state */
	bool full;		     /* there is no room for more */
	u16 nthreads;		     /* numbers of threads, in all */
	const char *limit;	     /* states cannot be compared, in words; NULL: they can */
} states;

/* The last execution has not ended at a state: it has ended. */
void states_note_end(void);

/* The choices that lead to a node, into to[room]: their number; NODE_NONE: no room. */
u32 states_path(u32 node, u32 *to, u32 room);

/* The number of steps on that path, choices or not. */
u32 states_depth(u32 node);

#endif
