/* SPDX-License-Identifier: ISC */
/*
 * native.c - the entry points when nothing is explored: real atomics of the given order or
 * stronger.
 *
 * Stores and RMWs are executed with release or seq_cst order, loads with acquire or seq_cst: the
 * compiler has already exploited the weaker order, and on x86 the stronger one is free.
 */
#include "intercept/entry.h"
#include "arch/arch.h"

#include <heddle/abi.h>
#include <string.h>

static float as_float(u64 bits)
{
	u32 low = (u32)bits;
	float f;

	memcpy(&f, &low, sizeof f);
	return f;
}

static double as_double(u64 bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static u64 float_result(u32 size, u64 a, u64 b, bool subtract)
{
	u64 bits = 0;
	float f;
	double d;

	if (size == 4) {
		f = subtract ? as_float(a) - as_float(b) : as_float(a) + as_float(b);
		memcpy(&bits, &f, sizeof f);
	} else {
		d = subtract ? as_double(a) - as_double(b) : as_double(a) + as_double(b);
		memcpy(&bits, &d, sizeof d);
	}
	return bits;
}

/* The new value of an operation without an instruction, for a compare-and-exchange loop. */
#define COMPUTE(size, type, signed_type)                                                           \
	static type compute##size(type a, type b, int op)                                          \
	{                                                                                          \
		switch (op) {                                                                      \
		case HEDDLE_XCHG: return b;                                                        \
		case HEDDLE_ADD: return (type)(a + b);                                             \
		case HEDDLE_SUB: return (type)(a - b);                                             \
		case HEDDLE_AND: return a & b;                                                     \
		case HEDDLE_NAND: return (type) ~(a & b);                                          \
		case HEDDLE_OR: return a | b;                                                      \
		case HEDDLE_XOR: return a ^ b;                                                     \
		case HEDDLE_MAX: return (signed_type)a > (signed_type)b ? a : b;                   \
		case HEDDLE_MIN: return (signed_type)a < (signed_type)b ? a : b;                   \
		case HEDDLE_UMAX: return a > b ? a : b;                                            \
		case HEDDLE_UMIN: return a < b ? a : b;                                            \
		default:                                                                           \
			return (type)float_result(size, (u64)a, (u64)b, op == HEDDLE_FSUB);        \
		}                                                                                  \
	}

#define USED(size, type)                                                                           \
	type native_used_load##size(const void *p, int bytes)                                      \
	{                                                                                          \
		type v;                                                                            \
                                                                                                   \
		memcpy(&v, p, size);                                                               \
		return v;                                                                          \
	}

USED(1, u8)
USED(2, u16)
USED(4, u32)
USED(8, u64)

#define NATIVE(size, type, signed_type) \
	COMPUTE(size, type, signed_type) \
	type native_load##size(const void *p, int order) \
	{ \
		return __atomic_load_n((const type *)p, __ATOMIC_SEQ_CST); \
	} \
	type native_plain_load##size(const void *p) \
	{ \
		type v; \
\
		memcpy(&v, p, size); \
		return v; \
	} \
	void native_store##size(void *p, type value, int order) \
	{ \
		if ((order & HEDDLE_ORDER_MASK) == __ATOMIC_SEQ_CST) \
			__atomic_store_n((type *)p, value, __ATOMIC_SEQ_CST); \
		else \
			__atomic_store_n((type *)p, value, __ATOMIC_RELEASE); \
	} \
	type native_rmw##size(void *p, type operand, int op, int order) \
	{ \
		type old; \
\
		if (op == HEDDLE_ADD) \
			return __atomic_fetch_add((type *)p, operand, __ATOMIC_SEQ_CST); \
		if (op == HEDDLE_XCHG) \
			return __atomic_exchange_n((type *)p, operand, __ATOMIC_SEQ_CST); \
		old = __atomic_load_n((type *)p, __ATOMIC_RELAXED); \
		while (!__atomic_compare_exchange_n((type *)p, &old, \
			compute##size(old, operand, op), false, __ATOMIC_SEQ_CST, \
			__ATOMIC_SEQ_CST)) \
			; \
		return old; \
	} \
	int native_cas##size(void *p, type *expected, type desired, int orders) \
	{ \
		return __atomic_compare_exchange_n( \
			(type *)p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	}

NATIVE(1, u8, int8_t)
NATIVE(2, u16, int16_t)
NATIVE(4, u32, int32_t)
NATIVE(8, u64, int64_t)

/* For 16 bytes gcc calls libatomic, which we interpose: hence arch_cas16(). */

COMPUTE(16, u128, __int128)

u128 native_load16(const void *p, int order)
{
	u128 v = 0;

	arch_cas16((void *)(uintptr_t)p, &v, 0);
	return v;
}

u128 native_plain_load16(const void *p)
{
	u128 v;

	memcpy(&v, p, sizeof v);
	return v;
}

u128 native_rmw16(void *p, u128 operand, int op, int order)
{
	u128 old;

	memcpy(&old, p, sizeof old);
	while (!arch_cas16(p, &old, compute16(old, operand, op)))
		;
	return old;
}

void native_store16(void *p, u128 value, int order)
{
	native_rmw16(p, value, HEDDLE_XCHG, order);
}

int native_cas16(void *p, u128 *expected, u128 desired, int orders)
{
	return arch_cas16(p, expected, desired);
}
