/* SPDX-License-Identifier: ISC */
/*
 * relation.h - relations of a few events, as bit matrices.
 *
 * A *frame* holds the number of events and the memory of its relations, which disappear with it.
 * Rows are words of 64 bits; event i is bit i.
 */
#ifndef MODEL_HARDWARE_RELATION_H
#define MODEL_HARDWARE_RELATION_H

#include "base/base.h"

struct relation_frame {
	u32 n;	   /* events */
	u32 words; /* a row */
	u64 *free; /* memory for the next relation */
};

static inline struct relation_frame frame_of(u32 n, u64 *memory)
{
	return (struct relation_frame){.n = n, .words = (n + 63) / 64, .free = memory};
}

static inline size_t relation_size(const struct relation_frame *f)
{
	return f->n * (size_t)f->words * sizeof(u64);
}

static inline u64 *relation_row(const struct relation_frame *f, const u64 *r, u32 a)
{
	return (u64 *)r + a * (size_t)f->words;
}

static inline bool relation_has(const struct relation_frame *f, const u64 *r, u32 a, u32 b)
{
	return relation_row(f, r, a)[b / 64] >> b % 64 & 1;
}

static inline void relation_add(const struct relation_frame *f, u64 *r, u32 a, u32 b)
{
	relation_row(f, r, a)[b / 64] |= 1ull << b % 64;
}

/* An empty relation. / A copy of r. */
u64 *relation_new(struct relation_frame *f);
u64 *relation_copy(struct relation_frame *f, const u64 *r);

/* to |= r. Did it change? */
bool relation_join(const struct relation_frame *f, u64 *to, const u64 *r);
/* to |= a;b. Did it change? `to' may be a or b; then added pairs may count, too. */
bool relation_compose(const struct relation_frame *f, u64 *to, const u64 *a, const u64 *b);
/* a;b as a new relation. */
u64 *relation_then(struct relation_frame *f, const u64 *a, const u64 *b);
/* r becomes r+. */
void relation_close(const struct relation_frame *f, u64 *r);
/* r becomes r?. */
void relation_reflect(const struct relation_frame *f, u64 *r);
/* Is some event related to itself? */
bool relation_reflexive(const struct relation_frame *f, const u64 *r);
/* Has r a cycle? It is closed afterwards. */
bool relation_cyclic(const struct relation_frame *f, u64 *r);

#endif
