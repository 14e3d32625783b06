/* SPDX-License-Identifier: ISC */
/*
 * run.c - run the unit tests: all suites, or those named on the command line.
 *
 * Fails when a test fails, when a name is unknown, and when no test was run. Programs under
 * test never run in this process.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/base.h"

static const struct {
	const char *name;
	const struct unit_test *tests;
} suites[] = {
#define SUITE(name) {#name, name##_tests},
#include "suites.def"
#undef SUITE
};

unsigned unit_count(unsigned usual)
{
	if (getenv("SMALL"))
		return (usual + 99) / 100;
	return getenv("LONG") ? 10 * usual : usual;
}

static bool wanted(const char *name, char **names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return n == 0;
}

static bool add(const char *name, const struct unit_test *tests)
{
	CU_pSuite suite = CU_add_suite(name, NULL, NULL);

	for (; suite && tests->name; tests++)
		if (!CU_add_test(suite, tests->name, tests->run))
			return false;
	return suite;
}

int main(int argc, char **argv)
{
	int added = 0;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
	for (size_t i = 0; i < array_size(suites); i++) {
		if (!wanted(suites[i].name, argv + 1, argc - 1))
			continue;
		if (!add(suites[i].name, suites[i].tests)) {
			fprintf(stderr, "unit: %s\n", CU_get_error_msg());
			return 2;
		}
		added++;
	}
	if (argc > 1 && added != argc - 1) {
		fprintf(stderr, "unit: no such suite; there are:");
		for (size_t i = 0; i < array_size(suites); i++)
			fprintf(stderr, " %s", suites[i].name);
		fprintf(stderr, "\n");
		return 2;
	}
	CU_basic_set_mode(CU_BRM_VERBOSE);
	if (CU_basic_run_tests() != CUE_SUCCESS || CU_get_number_of_tests_run() == 0)
		return 1;
	return CU_get_number_of_failures() != 0;
}
