/* SPDX-License-Identifier: ISC */
/*
 * cat_view.h - a graph as a model in a file sees it (cat/cat.h): events with tags, and the
 * relations that expressions are made of.
 *
 * An event of the graph is one of the view, with the fences that the model's map puts before and
 * after it. Threads are like messages: the creation of a thread, its end and the arrival at a
 * barrier are writes, from which its beginning, a join and the departure read; all these, and
 * operations on objects, are in SYNC. Marks and blocks of the heap are left out.
 */
#ifndef MODEL_FILE_CAT_VIEW_H
#define MODEL_FILE_CAT_VIEW_H

#include "cat/cat.h"
#include "model/graph.h"
#include "model/hardware/relation.h"

#define VIEW_EVENTS 4096

/* The part of an event that one of the view is. VIEW_END: of the beginning of a reader of the
 * kernel's, in a thread that has not ended: the reader's end, which is to come. */
enum { VIEW_BEFORE, VIEW_ITSELF, VIEW_AFTER, VIEW_END };

/* Events as they would be in a changed program. */
enum { CHANGE_ACQUIRES = 1, CHANGE_RELEASES = 2, CHANGE_FENCE = 4 /* seq_cst, after the event */ };

struct cat_view {
	const struct graph *g;
	const struct cat_map *map;
	const u8 *change; /* of each event of the graph: bits as above; NULL: none */
	struct relation_frame frame;
	bool full;
	u16 event[VIEW_EVENTS]; /* of the graph; 0: the initial write of `loc' */
	u16 loc[VIEW_EVENTS];	/* 0: it is no access; threads have numbers above all locations */
	u8 part[VIEW_EVENTS];
	u64 tags[VIEW_EVENTS];
	u16 number[GRAPH_EVENTS + 1]; /* of an event itself, + 1; 0: it is not in view */
};

/* The view of the n events in node[], lowest first; NULL: of all, with initial writes. Its
 * relations are taken from `memory'. False: there are too many events. The caller sets v->change
 * before. */
bool cat_view_open(struct cat_view *v, const struct graph *g, const struct cat_map *map,
	const u16 *node, u32 n, u64 *memory);
/* Afterwards: `number' is all zeros again. */
void cat_view_close(struct cat_view *v);

/* The relation b into r, which is empty. */
void cat_view_base(struct cat_view *v, enum cat_base b, u64 *r);
/* The set of events with this tag into the row `set', which is empty. */
void cat_view_tag(const struct cat_view *v, u32 tag, u64 *set);

#endif
