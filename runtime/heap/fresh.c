/* SPDX-License-Identifier: ISC */
/* fresh.c - see fresh.h. */
#include "heap/fresh.h"

void fresh_fill(u64 addr, u64 n)
{
	u64 end = addr + n;

	for (; addr < end && addr % 8; addr++)
		*(u8 *)(uintptr_t)addr = fresh_byte(addr);
	for (; addr + 8 <= end; addr += 8)
		*(u64 *)(uintptr_t)addr = fresh_word(addr);
	for (; addr < end; addr++)
		*(u8 *)(uintptr_t)addr = fresh_byte(addr);
}

bool fresh_has(u64 addr, const u64 value[2], u32 bytes)
{
	for (u32 i = 0; bytes >> i; i++)
		if (bytes >> i & 1 && ((const u8 *)value)[i] != fresh_byte(addr + i))
			return false;
	return bytes;
}
