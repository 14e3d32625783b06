/* SPDX-License-Identifier: ISC */
#include <heddle/unity.h>

#define CHECK(condition) TEST_ASSERT(condition)
#include "body.h"

void setUp(void)
{
	setups = 1;
}

void tearDown(void)
{
	setups = 0;
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
	TEST_ASSERT_EQUAL_INT(3, x);
}

int main(int argc, char **argv)
{
	UNITY_BEGIN();
	HEDDLE_RUN_TEST(publishes);
	HEDDLE_RUN_TEST(store_buffering);
	HEDDLE_RUN_TEST(publishes);
	if (argc > 1)
		HEDDLE_RUN_TEST(fails);
	return UNITY_END();
}
