/* SPDX-License-Identifier: ISC */
/* memory.h - read and write 1 to 16 bytes of real memory as two little-endian words. */
#ifndef MACHINE_MEMORY_H
#define MACHINE_MEMORY_H

#include "base/base.h"
#include "model/value.h"

static inline void memory_read(u64 addr, u32 size, u64 out[2])
{
	const void *p = (const void *)(uintptr_t)addr;

	out[0] = out[1] = 0;
	switch (size) {
	case 4: out[0] = *(const volatile u32 *)p; return;
	case 8: out[0] = *(const volatile u64 *)p; return;
	case 1: out[0] = *(const volatile u8 *)p; return;
	case 2: out[0] = *(const volatile u16 *)p; return;
	case 16:
		out[0] = ((const volatile u64 *)p)[0];
		out[1] = ((const volatile u64 *)p)[1];
		return;
	}
	for (u32 i = 0; i < size; i++)
		((u8 *)out)[i] = ((const volatile u8 *)p)[i];
}

static inline void memory_write(u64 addr, u32 size, const u64 value[2])
{
	void *p = (void *)(uintptr_t)addr;

	switch (size) {
	case 4: *(volatile u32 *)p = (u32)value[0]; return;
	case 8: *(volatile u64 *)p = value[0]; return;
	case 1: *(volatile u8 *)p = (u8)value[0]; return;
	case 2: *(volatile u16 *)p = (u16)value[0]; return;
	case 16:
		((volatile u64 *)p)[0] = value[0];
		((volatile u64 *)p)[1] = value[1];
		return;
	}
	for (u32 i = 0; i < size; i++)
		((volatile u8 *)p)[i] = ((const u8 *)value)[i];
}

/* Clear the bytes beyond `size`. */
static inline void memory_mask(u32 size, u64 v[2])
{
	if (size < 8)
		v[0] &= (1ull << (8 * size)) - 1;
	if (size < 16)
		v[1] &= size <= 8 ? 0 : (1ull << (8 * (size - 8))) - 1;
}

/* The new value of an RMW. */
static inline void memory_update(
	u32 size, const u64 old[2], const u64 operand[2], int op, u64 new[2])
{
	u128 result = value_apply(
		size, (u128)old[1] << 64 | old[0], (u128)operand[1] << 64 | operand[0], op);

	new[0] = (u64)result;
	new[1] = (u64)(result >> 64);
	memory_mask(size, new);
}

/* Fault now, as the store itself would, if the address is not mapped. */
static inline void memory_probe(u64 addr, u32 size)
{
	(void)*(const volatile u8 *)(uintptr_t)addr;
	(void)*(const volatile u8 *)(uintptr_t)(addr + size - 1);
}

#endif
