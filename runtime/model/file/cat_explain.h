/* SPDX-License-Identifier: ISC */
/*
 * cat_explain.h - why a model in a file (model/file/cat_model.h) forbids a graph, or flags it: the
 * axiom, and the events that break it, related by the names that the model's author has given.
 *
 * Of an axiom acyclic r it is a shortest cycle of r; of irreflexive r, an event that is related to
 * itself; of empty r, a pair. Relations that are composed, or closures, are shown as their parts.
 */
#ifndef MODEL_FILE_CAT_EXPLAIN_H
#define MODEL_FILE_CAT_EXPLAIN_H

#include "model/file/cat_model.h"

#define REASON_LINKS 24

/* Two events of the graph, 0: an initial write; and how they are related. */
struct reason_link {
	u16 from, to;
	u16 node; /* of the model */
};

struct reason {
	u32 axiom;
	u32 n; /* 0: there are too many of them, or the axiom is negated */
	struct reason_link link[REASON_LINKS];
};

/* Does m forbid g, changed as in model/file/cat_view.h (NULL: as it is)? Then *r has its first
 * axiom that does not hold. False also if g is too large. */
bool cat_explain(struct cat_model *m, const struct graph *g, const u8 *change, struct reason *r);

/* A flag that is raised, and the events in question: an element of a set is event[1] alone; 0: an
 * initial write, or none. */
struct raised {
	u32 axiom;
	u16 event[2];
};

/* The flags of g, which m allows, into to[most]; a pair of events once. Returns their number. */
u32 cat_raised(struct cat_model *m, const struct graph *g, struct raised *to, u32 most);

/* How the model calls a node: a name, or a base relation; else "". */
void cat_node_name(const struct cat *c, u32 node, char to[40]);

#endif
