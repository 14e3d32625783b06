/* SPDX-License-Identifier: ISC */
/* t_addition.c - results of additions: do comparisons distinguish the values of a range? By trying
 * each of them. */
#include "model/addition.h"

#include "unit.h"

#include <heddle/abi.h>

static bool outcome(u32 use, u8 v, u8 with)
{
	return use == HEDDLE_RESULT_EQUAL  ? v == with
	       : use == HEDDLE_RESULT_LESS ? (int8_t)v < (int8_t)with
					   : v < with;
}

static bool is_constant(u32 use, u8 v, i64 less, i64 more, u8 with)
{
	for (i64 d = -less; d <= more; d++)
		if (outcome(use, (u8)(v + d), with) != outcome(use, v, with))
			return false;
	return true;
}

/* If the range leaves the type, the answer may be yes. */
static bool leaves(u32 use, u8 v, i64 less, i64 more)
{
	i64 n = use == HEDDLE_RESULT_LESS ? (int8_t)v : v;

	return use != HEDDLE_RESULT_EQUAL &&
	       (n - less < (use == HEDDLE_RESULT_LESS ? -128 : 0) ||
		       n + more > (use == HEDDLE_RESULT_LESS ? 127 : 255));
}

static unsigned wrong_of(u32 use, u8 v, u8 with)
{
	struct label l = {.type = LABEL_RMW, .op = HEDDLE_ADD, .size = 1, .fail = (u8)use,
		.expected = with};
	unsigned wrong = 0;

	for (i64 less = 0; less < 300; less += 7)
		for (i64 more = 0; more < 300; more += 11) {
			bool minds = label_minds(&l, v, less, more);

			wrong += !minds && !is_constant(use, v, less, more, with);
			wrong += minds && is_constant(use, v, less, more, with) &&
				 !leaves(use, v, less, more) && less + more < 256;
		}
	return wrong;
}

static void comparisons(void)
{
	unsigned wrong = 0;

	for (u32 use = HEDDLE_RESULT_EQUAL; use <= HEDDLE_RESULT_BELOW; use++)
		for (u32 v = 0; v < 256; v += 5)
			for (u32 with = 0; with < 256; with += 3)
				wrong += wrong_of(use, (u8)v, (u8)with);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void sizes(void)
{
	struct label l = {.type = LABEL_RMW, .op = HEDDLE_SUB, .size = 4, .value = 1};

	CU_ASSERT(label_adds(&l));
	CU_ASSERT_EQUAL(label_addend(&l), -1);
	l.value = 0xffffffff;
	CU_ASSERT_EQUAL(label_addend(&l), 1);
	CU_ASSERT(label_minds(&l, 0, 0, 1));
	l.fail = HEDDLE_RESULT_UNUSED;
	CU_ASSERT(!label_minds(&l, 0, 0, 1));
	l.fail = HEDDLE_RESULT_LESS;
	l.size = 8;
	CU_ASSERT(label_minds(&l, INT64_MAX, 0, 1));
	CU_ASSERT(!label_minds(&l, INT64_MAX - 1, 0, 1));
	l.size = 16;
	CU_ASSERT(!label_adds(&l));
	l.size = 4;
	l.op = HEDDLE_XCHG;
	CU_ASSERT(!label_adds(&l));
}

const struct unit_test addition_tests[] = {
	{"comparisons, by each value of a range", comparisons},
	{"sizes", sizes},
	{NULL, NULL},
};
