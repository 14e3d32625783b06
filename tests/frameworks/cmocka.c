/* SPDX-License-Identifier: ISC */
#include <heddle/cmocka.h>

#define CHECK(condition) assert_true(condition)
#include "body.h"

static int begin(void **state)
{
	setups = 1;
	*state = &setups;
	return 0;
}

static int end(void **state)
{
	setups = 0;
	return *state != &setups;
}

static void publishes(void **state)
{
	assert_ptr_equal(*state, &setups);
	PUBLISHES;
}

static void store_buffering(void **state)
{
	STORE_BUFFERING; /* @here */
}

static void fails(void **state)
{
	assert_int_equal(x, 3);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		heddle_cmocka_unit_test_setup_teardown(publishes, begin, end),
		heddle_cmocka_unit_test(store_buffering),
		heddle_cmocka_unit_test_setup_teardown(publishes, begin, end),
		heddle_cmocka_unit_test(fails),
	};

	return _cmocka_run_group_tests("suite", tests, argc > 1 ? 4 : 3, NULL, NULL);
}
