/* SPDX-License-Identifier: ISC */
#include <heddle/check.h>
#include <stdlib.h>

#define CHECK(condition) ck_assert(condition)
#include "body.h"

static void begin(void)
{
	setups = 1;
}

HEDDLE_START_TEST(publishes)
{
	PUBLISHES;
}
END_TEST

HEDDLE_START_TEST(store_buffering)
{
	STORE_BUFFERING; /* @here */
}
END_TEST

HEDDLE_START_TEST(loops)
{
	ck_assert_int_lt(_i, 3);
}
END_TEST

HEDDLE_START_TEST(fails)
{
	ck_assert_msg(x == 3, "x is %d", x);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("suite");
	TCase *tc = tcase_create("case");
	SRunner *r = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, begin, NULL);
	tcase_add_test(tc, publishes);
	tcase_add_test(tc, store_buffering);
	tcase_add_test(tc, publishes);
	tcase_add_loop_test(tc, loops, 0, 3);
	if (argc > 1)
		tcase_add_test(tc, fails);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed;
}
