/* SPDX-License-Identifier: ISC */
#include <heddle/cunit.h>
#include <CUnit/Basic.h>

#define CHECK(condition) CU_ASSERT(condition)
#include "body.h"

static int begin(void)
{
	setups = 1;
	return 0;
}

static void publishes(void)
{
	PUBLISHES;
}

static void store_buffering(void)
{
	STORE_BUFFERING; /* @here */
}

static void fails(void)
{
	FAILS;
}

int main(int argc, char **argv)
{
	CU_pSuite suite;

	CU_initialize_registry();
	suite = CU_add_suite("suite", begin, NULL);
	HEDDLE_CU_ADD_TEST(suite, publishes);
	HEDDLE_CU_ADD_TEST(suite, store_buffering);
	HEDDLE_CU_ADD_TEST_WITH(suite, "store buffering under sc", store_buffering, "model=sc");
	HEDDLE_CU_ADD_TEST(suite, publishes);
	if (argc > 1)
		HEDDLE_CU_ADD_TEST(suite, fails);
	CU_basic_run_tests();
	argc = (int)CU_get_number_of_tests_failed();
	CU_cleanup_registry();
	return argc;
}
