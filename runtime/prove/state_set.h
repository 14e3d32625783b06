/* SPDX-License-Identifier: ISC */
/*
 * state_set.h - known sets of states (unbounded.h): nodes of a graph, in a table by their sums.
 *
 * A node is a set, or, in the middle of a step, a value to be chosen. It has the steps that lead to
 * it: those to its parent and one more, or a list of its own.
 */
#ifndef PROVE_STATE_SET_H
#define PROVE_STATE_SET_H

#include "prove/mover.h"
#include "prove/state.h"
#include "prove/states.h"
#include "prove/words.h"

struct set_node {
	u64 a, b;   /* the sum without buffers; of a value, 0 */
	u64 step;   /* from its parent */
	u32 parent;
	u32 length; /* of its path */
	u32 path;   /* all of it, in the arena; 0: the parent's, and the step */
	u32 pumped; /* of its own path: where steps were put in (word_pump_place()) */
	u32 words;  /* in the arena */
	struct word_signature signature; /* theirs */
	u32 moves;
	u16 nmoves, first_moves; /* so many are enough, unless one leads to a known state */
	u32 next;   /* an older node with the same sum; NODE_NONE: none */
	struct mover mover; /* of a value: whose step it is in */
	u8 alone;   /* threads that are to run alone at first */
	bool value;
};

extern struct set_nodes {
	struct set_node *node;
	u64 *arena;
	u32 n;
} nodes;

/* Forget all. */
void nodes_begin(void);

/* Nothing will be proved, for this reason. */
void nodes_give_up(const char *why);

/* Keep bytes: their place in the arena. */
u32 node_keep(const void *from, u32 bytes);
void node_set_words(struct set_node *d, const struct buffer_words *w);
void node_words(u32 at, struct buffer_words *w);

/* The steps that lead to the node. False: there is no room for them. */
bool node_path(u32 node, struct word_path *to);

/* A node with this sum, and a greater number than `after' (NODE_NONE: any), that has all of these
 * contents of buffers; NODE_NONE: none. */
u32 node_known(const struct state_sum *s, const struct buffer_words *w, u32 after);

/* Add a node; a state to the table, too. */
u32 node_add(const struct set_node *from);
u32 node_add_state(struct set_node *from);

/* A step leads from one to the other. */
void node_lead_to(u32 from, u32 to);

#endif
