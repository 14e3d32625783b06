/* SPDX-License-Identifier: ISC */
/* access.h - loads, stores, RMWs and fences of the explored program, performed by the engine. */
#ifndef MACHINE_ACCESS_ACCESS_H
#define MACHINE_ACCESS_ACCESS_H

#include "machine/core.h"

static inline void access_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	M.engine->load(p, size, order, flags, out);
}

static inline void access_store(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	M.engine->store(p, size, value, order, flags);
}

static inline void access_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	M.engine->rmw(p, size, value, op, order);
}

static inline bool access_cas(
	void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	return M.engine->cas(p, size, expected, desired, orders);
}

static inline void access_fence(int order)
{
	M.engine->fence(order);
}

#endif
