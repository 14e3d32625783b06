/* SPDX-License-Identifier: ISC */
/* t_prng.c - seeded random numbers are the same everywhere, and spread. */
#include "base/prng.h"

#include "unit.h"

/* Reference: the sequences of the published algorithms, computed by a second implementation. */
static void known_values(void)
{
	struct prng p;
	u64 first, second;

	CU_ASSERT_EQUAL(prng_mix(0), 0xe220a8397b1dcdafu);
	CU_ASSERT_EQUAL(prng_mix(1), 0x910a2dec89025cc1u);
	prng_seed(&p, 1);
	CU_ASSERT_EQUAL(p.state, 0x910a2dec89025cc1u);
	first = prng_next(&p);
	second = prng_next(&p);
	CU_ASSERT_EQUAL(first, 0x4b46a55df3611b9bu);
	CU_ASSERT_EQUAL(second, 0xd7e1f1410e763ef4u);
}

static void never_stuck(void)
{
	struct prng p;

	for (u64 seed = 0; seed < 1000; seed++) {
		prng_seed(&p, seed);
		CU_ASSERT_NOT_EQUAL_FATAL(p.state, 0);
		CU_ASSERT_NOT_EQUAL_FATAL(prng_next(&p), prng_next(&p));
	}
}

/* 60,000 throws of a die: each face within 5 % of a sixth (about five standard deviations). */
static void even(void)
{
	struct prng p;
	u32 faces[6] = {0};

	prng_seed(&p, 7);
	for (int i = 0; i < 60000; i++) {
		u32 face = prng_below(&p, 6);

		CU_ASSERT_FATAL(face < 6);
		faces[face]++;
	}
	for (int i = 0; i < 6; i++)
		CU_ASSERT(faces[i] > 9500 && faces[i] < 10500);
}

const struct unit_test prng_tests[] = {
	{"known values", known_values},
	{"never stuck", never_stuck},
	{"even", even},
	{NULL, NULL},
};
