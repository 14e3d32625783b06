/* SPDX-License-Identifier: ISC */
/*
 * bytes.h - copy, compare and fill memory without events.
 *
 * memcpy() and memset() may be the interposed functions, which make events. From a kilobyte on, the
 * processor's copy instruction (arch_copy()) is as fast as libc; less is copied in 16-byte steps.
 */
#ifndef PROCESS_BYTES_H
#define PROCESS_BYTES_H

#include "arch/arch.h"

typedef u32 bytes4 __attribute__((aligned(1), may_alias));
typedef u64 bytes8 __attribute__((aligned(1), may_alias));
typedef u8 bytes16 __attribute__((vector_size(16), aligned(1), may_alias));

static inline void bytes_copy(void *to, const void *from, size_t n)
{
	u8 *t = to;
	const u8 *f = from;

	if (n >= 1024) {
		arch_copy(to, from, n);
		return;
	}
	for (; n >= 64; n -= 64, t += 64, f += 64) {
		bytes16 a = *(const bytes16 *)f, b = *(const bytes16 *)(f + 16);
		bytes16 c = *(const bytes16 *)(f + 32), d = *(const bytes16 *)(f + 48);

		*(bytes16 *)t = a;
		*(bytes16 *)(t + 16) = b;
		*(bytes16 *)(t + 32) = c;
		*(bytes16 *)(t + 48) = d;
	}
	for (; n >= 16; n -= 16, t += 16, f += 16)
		*(bytes16 *)t = *(const bytes16 *)f;
	for (; n >= 4; n -= 4, t += 4, f += 4)
		*(bytes4 *)t = *(const bytes4 *)f;
	for (; n; n--) {
		*t++ = *f++;
		__asm__ volatile(""); /* keeps the compiler from calling memcpy() */
	}
}

static inline bool bytes_equal(const void *a, const void *b, size_t n)
{
	const u8 *x = a, *y = b;
	size_t i = 0;

	for (; i + 32 <= n; i += 32) {
		const bytes8 *p = (const bytes8 *)(x + i), *q = (const bytes8 *)(y + i);

		if ((p[0] ^ q[0]) | (p[1] ^ q[1]) | (p[2] ^ q[2]) | (p[3] ^ q[3]))
			return false;
	}
	for (; i + 4 <= n; i += 4)
		if (*(const bytes4 *)(x + i) != *(const bytes4 *)(y + i))
			return false;
	for (; i < n; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

static inline void bytes_fill(void *to, u8 byte, size_t n)
{
	arch_fill(to, byte, n);
}

static inline bool bytes_same_text(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

#endif
