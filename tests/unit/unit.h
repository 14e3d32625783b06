/* SPDX-License-Identifier: ISC */
/* unit.h - included by every unit test: CUnit, and the lists of suites.def. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include <CUnit/CUnit.h>

struct unit_test {
	const char *name;
	void (*run)(void);
};

/* The number of random cases of a test: `usual`; with SMALL=1, for valgrind, a hundredth; with
 * LONG=1 ten times as many. */
unsigned unit_count(unsigned usual);

/* Each list ends with a test whose name is NULL. */
#define SUITE(name) extern const struct unit_test name##_tests[];
#include "suites.def"
#undef SUITE

#endif
