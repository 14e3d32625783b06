/* SPDX-License-Identifier: ISC */
/* value.c - arithmetic of read-modify-writes. */
#include "model/value.h"

#include <heddle/abi.h>

static u64 float_op(u32 size, u64 a, u64 b, bool subtract)
{
	union {
		u64 u;
		float f;
		double d;
	} x = {.u = a}, y = {.u = b};

	if (size == 4) {
		x.f = subtract ? x.f - y.f : x.f + y.f;
		return (u32)x.u;
	}
	x.d = subtract ? x.d - y.d : x.d + y.d;
	return x.u;
}

i64 value_signed(u64 v, u32 size)
{
	u32 shift = 64 - 8 * (size < 8 ? size : 8);

	return (i64)(v << shift) >> shift;
}

u128 value_apply(u32 size, u128 a, u128 b, int op)
{
	bool wide = size == 16;

	switch (op) {
	case HEDDLE_XCHG: return b;
	case HEDDLE_ADD: return a + b;
	case HEDDLE_SUB: return a - b;
	case HEDDLE_AND: return a & b;
	case HEDDLE_NAND: return ~(a & b);
	case HEDDLE_OR: return a | b;
	case HEDDLE_XOR: return a ^ b;
	case HEDDLE_UMAX: return a > b ? a : b;
	case HEDDLE_UMIN: return a < b ? a : b;
	case HEDDLE_MAX:
		if (wide)
			return (__int128)a > (__int128)b ? a : b;
		return value_signed((u64)a, size) > value_signed((u64)b, size) ? a : b;
	case HEDDLE_MIN:
		if (wide)
			return (__int128)a < (__int128)b ? a : b;
		return value_signed((u64)a, size) < value_signed((u64)b, size) ? a : b;
	case HEDDLE_FADD: return float_op(size, (u64)a, (u64)b, false);
	case HEDDLE_FSUB: return float_op(size, (u64)a, (u64)b, true);
	}
	BUG_ON(true);
}
