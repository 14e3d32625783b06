/* SPDX-License-Identifier: ISC */
/* entry.h - targets of the entry stubs of arch/entry.def: an operation natively and
 * explored. */
#ifndef INTERCEPT_ENTRY_H
#define INTERCEPT_ENTRY_H

#include "base/base.h"

#define ENTRY(size, type)                                                                          \
	type native_load##size(const void *p, int order);                                          \
	type native_rmw##size(void *p, type operand, int op, int order);                           \
	int native_cas##size(void *p, type *expected, type desired, int orders);                   \
	type native_plain_load##size(const void *p);                                               \
	type explore_load##size(const void *p, int order);                                         \
	type explore_rmw##size(void *p, type operand, int op, int order);                          \
	int explore_cas##size(void *p, type *expected, type desired, int orders);                  \
	type explore_plain_load##size(const void *p);                                              \
	void native_store##size(void *p, type value, int order);

ENTRY(1, u8)
ENTRY(2, u16)
ENTRY(4, u32)
ENTRY(8, u64)
ENTRY(16, u128)
#undef ENTRY

#define USED(size, type)                                                                           \
	type native_used_load##size(const void *p, int bytes);                                     \
	type explore_used_load##size(const void *p, int bytes);

USED(1, u8)
USED(2, u16)
USED(4, u32)
USED(8, u64)
#undef USED

#endif
