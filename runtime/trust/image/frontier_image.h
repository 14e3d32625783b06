/* SPDX-License-Identifier: ISC */
/*
 * frontier_image.h - the layout of an image, for its writer and its reader.
 *
 * The head; graphs as graph_save() leaves them, each behind a graph_head; then nodes, parents
 * first; places; 16-byte values; records of dependencies. All numbers are the
 * sender's. Stamps are made anew.
 */
#ifndef TRUST_IMAGE_FRONTIER_IMAGE_H
#define TRUST_IMAGE_FRONTIER_IMAGE_H

#include "trust/image/frontier.h"

#define MAGIC 0x68656165u
#define FORMAT 4 /* increased whenever the meaning of a field changes */

struct head {
	u32 magic, shape; /* of the structures in it */
	u32 model, lanes;
	u32 ngraphs, nnodes, nplaces, nwide;
	u32 ndeps, deps_words; /* of struct dependency_table: first[], word[] */
	u32 reported, contended;
	u64 pushes;
	size_t tables; /* where they begin */
	size_t size;
};

/* Before each graph, the lowest first. */
struct graph_head {
	size_t size; /* with this */
	u64 number;  /* of the level; the last graph has none */
	u32 base, unused;
};

struct image_node {
	u32 id, parent; /* 0: the beginning of thread `key` */
	u64 key;
	struct label label;
};

struct image_place {
	u64 addr, init;
	u32 id, size;
	u32 atomic, cuts;
	u32 span, unused;
};

/* A hash of the layout of all structures in an image, which differs between versions of Heddle. */
#define MIX(h, n) (((h) ^ (u32)(n)) * 0x01000193u)
#define SHAPE                                                                                      \
	MIX(MIX(MIX(MIX(MIX(MIX(MIX(MIX(MIX(0x811c9dc5u, FORMAT), sizeof(struct head)),            \
		    offsetof(struct head, contended)), sizeof(struct graph_head)),                 \
		    sizeof(struct image_node) << 8 | sizeof(struct label)),                        \
		    sizeof(struct image_place)), offsetof(struct image_place, span)),              \
		    sizeof(struct gevent)), sizeof(struct gthread))

#define ALIGN(n) (((n) + 63) & ~(size_t)63)

#endif
