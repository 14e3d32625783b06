/* SPDX-License-Identifier: ISC */
/*
 * kind.h - the kinds of events: C's operations with their orders, and the fences that a model's map
 * puts beside them. A set of events is a set of kinds.
 */
#ifndef KATER_KIND_H
#define KATER_KIND_H

#include "cat/map.h"

typedef u64 kinds;

enum kind_op {
	KIND_LOAD,
	KIND_STORE,
	KIND_RMW_READ, /* the halves of a read-modify-write */
	KIND_RMW_WRITE,
	KIND_FAILED, /* a comparison that fails: a read */
	KIND_FENCE,
	KIND_BARRIER,	/* a fence instruction: model/hardware/hardware.h */
	KIND_SYNC_READ, /* threads, mutexes and the like */
	KIND_SYNC_WRITE,
	KIND_SYNC_RMW_READ,
	KIND_SYNC_RMW_WRITE,
};

struct kind {
	u8 op;	  /* enum kind_op */
	u8 order; /* C's, or MAP_PLAIN; BARRIER: enum fence_kind */
	u8 fail;  /* FAILED: the order when it fails */
};

/* Kinds 0 .. KIND_VIRTUAL - 1 are of a program, the rest fences beside the events of a model. */
#define KIND_VIRTUAL 49
extern const struct kind kind_table[KIND_VIRTUAL];

#define KINDS_ALL ((1ull << KIND_VIRTUAL) - 1)

/* Those with one of these operations (bits of enum kind_op). */
kinds kinds_of(u32 ops);
#define KINDS_READS \
	(1u << KIND_LOAD | 1u << KIND_RMW_READ | 1u << KIND_FAILED | 1u << KIND_SYNC_READ | \
		1u << KIND_SYNC_RMW_READ)
#define KINDS_WRITES \
	(1u << KIND_STORE | 1u << KIND_RMW_WRITE | 1u << KIND_SYNC_WRITE | \
		1u << KIND_SYNC_RMW_WRITE)
#define KINDS_FENCES (1u << KIND_FENCE | 1u << KIND_BARRIER)
#define KINDS_SYNC \
	(1u << KIND_SYNC_READ | 1u << KIND_SYNC_WRITE | 1u << KIND_SYNC_RMW_READ | \
		1u << KIND_SYNC_RMW_WRITE)

/* The other half of a read-modify-write; KIND_VIRTUAL: it is none. */
u32 kind_partner(u32 kind);

/* Its tags in a model, and the fences beside it, as in the engine's view
 * (model/file/cat_view.h). */
struct decoration kind_decoration(const struct cat_map *m, u32 kind);

/* The meaning of a model's tags for the kinds. */
struct kind_view {
	const struct cat_map *map;
	u32 nvirtual;
	u64 tags[64];		     /* of each kind */
	kinds before[64], after[64]; /* of a virtual one: beside which kinds it is */
};
/* False: there are too many different fences. */
bool kind_view(struct kind_view *v, const struct cat_map *m);
/* The kinds with this tag. */
kinds kind_tagged(const struct kind_view *v, u32 tag);

/* "load acquire": a name for messages; the buffer is overwritten by the next call but three. */
const char *kinds_name(u32 kind);

#endif
