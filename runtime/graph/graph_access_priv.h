/* SPDX-License-Identifier: ISC */
/* graph_access_priv.h - shared by graph_access.c and graph_plain.c: labels of accesses, and the use
 * of uninitialised memory. */
#ifndef GRAPH_GRAPH_ACCESS_PRIV_H
#define GRAPH_GRAPH_ACCESS_PRIV_H

#include "graph/deps.h"
#include "graph/execute.h"
#include "heap/fresh.h"
#include "heap/stack_check.h"
#include "heap/uninit.h"

/* A plain read of n bytes. stub: called through an entry stub. bytes: those of the value that are
 * used, a bit each, and HEDDLE_USED_COUNTS. */
void graph_read_plain(u64 addr, size_t n, u8 *to, bool stub, u32 bytes);
void graph_write_plain(u64 addr, size_t n, const u8 *from);

static inline struct label access_label(u32 type, u32 loc, u32 size, int order)
{
	int mo = order & HEDDLE_ORDER_MASK;

	if (unlikely(order & HEDDLE_ASM))
		M.status->assembly = true;
	return (struct label){
		.type = (u8)type,
		.order = (u8)(mo == __ATOMIC_CONSUME ? __ATOMIC_ACQUIRE : mo),
		.size = (u8)size,
		.flags = (order & (HEDDLE_VOLATILE | HEDDLE_ASM) ? LABEL_VOLATILE : 0) |
			 (order & ACCESS_VIRTUAL ? LABEL_VIRTUAL : 0) |
			 (unlikely(execute_has_pieces(loc)) ? LABEL_PIECES : 0),
		.loc = loc,
		.site = (u32)machine_site,
	};
}

static inline u16 uninit_flag(u64 addr, u32 bytes)
{
	return unlikely(uninit_on) && bytes && addr - ARENA_BASE < ARENA_SPAN &&
			       uninit_bytes(addr, bytes)
		       ? LABEL_UNINIT
		       : 0;
}

/* The thread uses these bytes of the value that it has read from loc. */
static inline void use_local(u64 addr, u32 size, u32 loc, u32 bytes, const u64 v[2])
{
	if (unlikely(stack_has(addr)) && unlikely(fresh_may(addr, size, v[0])) &&
		execute_is_fresh(loc))
		stack_check_value(addr, v, bytes);
}

#endif
