/* SPDX-License-Identifier: ISC */
/* t_value.c - read-modify-writes of every size, and places: 16-byte values and locations as
 * numbers. */
#include "model/place.h"
#include "model/value.h"

#include "unit.h"

#include <heddle/abi.h>
#include <stdlib.h>
#include <string.h>

static u64 apply(u32 size, u64 a, u64 b, int op)
{
	return (u64)value_apply(size, a, b, op);
}

static void signs(void)
{
	CU_ASSERT_EQUAL(apply(1, 0x80, 0x7f, HEDDLE_MAX), 0x7f);
	CU_ASSERT_EQUAL(apply(1, 0x80, 0x7f, HEDDLE_MIN), 0x80);
	CU_ASSERT_EQUAL(apply(1, 0x80, 0x7f, HEDDLE_UMAX), 0x80);
	CU_ASSERT_EQUAL(apply(2, 0x80, 0x7f, HEDDLE_MAX), 0x80);
	CU_ASSERT_EQUAL(apply(4, 0xffffffff, 0, HEDDLE_MIN), 0xffffffff);
	CU_ASSERT_EQUAL(apply(8, UINT64_MAX, 1, HEDDLE_MAX), 1);
	CU_ASSERT_EQUAL(apply(8, UINT64_MAX, 1, HEDDLE_UMIN), 1);
}

static void wide(void)
{
	u128 high = (u128)1 << 127, result = value_apply(16, high, 1, HEDDLE_MAX);

	CU_ASSERT(result == 1);
	CU_ASSERT(value_apply(16, high, 1, HEDDLE_MIN) == high);
	CU_ASSERT(value_apply(16, high, 1, HEDDLE_UMAX) == high);
	CU_ASSERT(value_apply(16, UINT64_MAX, 1, HEDDLE_ADD) == (u128)1 << 64);
}

static u64 bits(double d)
{
	u64 u;

	memcpy(&u, &d, sizeof u);
	return u;
}

static u64 bits4(float f)
{
	u32 u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static void floats(void)
{
	CU_ASSERT_EQUAL(apply(8, bits(1.5), bits(2.25), HEDDLE_FADD), bits(3.75));
	CU_ASSERT_EQUAL(apply(8, bits(1.5), bits(2.25), HEDDLE_FSUB), bits(-0.75));
	CU_ASSERT_EQUAL(apply(4, bits4(1.5f), bits4(2.25f), HEDDLE_FADD), bits4(3.75f));
	CU_ASSERT_EQUAL(apply(4, bits4(1.5f), bits4(2.25f), HEDDLE_FSUB), bits4(-0.75f));
}

static void begin(struct places *p, u32 maxwide)
{
	*p = (struct places){.maxwide = maxwide};
	p->place = calloc(PLACES_MAX, sizeof *p->place);
	p->wide = calloc(maxwide, sizeof *p->wide);
	CU_ASSERT_FATAL(p->place && p->wide);
}

static void end(struct places *p)
{
	free(p->place);
	free(p->wide);
}

/* Excess bits are dropped; 16 bytes are numbers, the same for the same value. */
static void computed(void)
{
	struct places p;
	u64 a, b;

	begin(&p, 8);
	CU_ASSERT_EQUAL(value_compute(&p, 1, 0xff, 1, HEDDLE_ADD), 0);
	CU_ASSERT_EQUAL(value_compute(&p, 4, 0, 0, HEDDLE_NAND), 0xffffffff);
	CU_ASSERT_EQUAL(value_compute(&p, 8, 0, 1, HEDDLE_SUB), UINT64_MAX);
	CU_ASSERT_EQUAL(wide_intern(&p, 0, 0), 0);
	a = wide_intern(&p, UINT64_MAX, 0);
	b = wide_intern(&p, 1, 0);
	CU_ASSERT(a && b && a != b);
	CU_ASSERT_EQUAL(wide_intern(&p, UINT64_MAX, 0), a);
	a = value_compute(&p, 16, a, b, HEDDLE_ADD);
	CU_ASSERT(wide_value(&p, a) == (u128)1 << 64);
	CU_ASSERT_EQUAL(value_compute(&p, 16, a, a, HEDDLE_XOR), 0);
	end(&p);
}

/* Each size at an address is a location; their number is limited. */
static void locations(void)
{
	struct places p;
	u32 n = 0;

	begin(&p, 1);
	CU_ASSERT_EQUAL(place_find(&p, 0x1000, 4), 0);
	for (u64 i = 0; i < PLACES_MAX; i++)
		n += place_intern(&p, 0x1000 + 4 * (i / 2), i % 2 ? 4 : 8, i) == i + 1;
	CU_ASSERT_EQUAL(n, PLACES_MAX - 1);
	CU_ASSERT_EQUAL(p.n, PLACES_MAX - 1);
	CU_ASSERT_EQUAL(place_find(&p, 0x1000, 8), 1);
	CU_ASSERT_EQUAL(place_find(&p, 0x1000, 4), 2);
	CU_ASSERT_EQUAL(place_find(&p, 0x1000, 2), 0);
	CU_ASSERT_EQUAL(place_intern(&p, 0x1004, 4, 77), 4);
	CU_ASSERT_EQUAL(p.place[4].init, 3);
	end(&p);
}

const struct unit_test value_tests[] = {
	{"signs", signs},
	{"16 bytes", wide},
	{"floats", floats},
	{"computed values", computed},
	{"locations", locations},
	{NULL, NULL},
};
