/* SPDX-License-Identifier: ISC */
/* block.h - heap blocks: contents, names and allocations. */
#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include "report/report.h"

/* Find names and types of heap blocks, and words for the locations of events. Before names. */
void blocks_prepare(struct report *r);

/* The block with this address in it, or NULL. */
const struct trace_block *block_around(const struct report *r, u64 address);

/* The place of a block's allocation, "pool.c:77", and the function that did so for that place,
 * "xmalloc (util.c:12)"; NULL: unknown, none. */
char *block_site(const struct report *r, u32 index);
char *block_wrapper(const struct report *r, u32 index);

/* The message, with the name of the block that has leaked. */
char *block_message(const struct report *r, const char *message);

/* node#1->next; use: an expression in the source for it, or NULL; pointee: its type, or NULL. */
char *name_in_block(const struct report *r, u32 id, u64 offset, u64 size,
	const struct expression *use, Dwarf_Die *pointee, struct leaf *leaf);

#endif
