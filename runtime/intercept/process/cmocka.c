/* SPDX-License-Identifier: ISC */
/*
 * cmocka.c - tests of cmocka (1.1, as a shared library), each explored separately: suite.h.
 *
 * A group of tests runs as it would, with its fixtures, but with one test only: the one to explore,
 * whose fixtures run natively, before and after the exploration. Groups without it do not run. A
 * failed assertion in an execution is a finding, at its line, and so are blocks of test_malloc()
 * that the test has not freed when it returns.
 */
#include "intercept/intercept.h"
#include "intercept/next.h"
#include "intercept/process/suite.h"

/* As in cmocka.h, which is not needed to build Heddle. */
typedef void (*test_function)(void **state);
typedef int (*fixture_function)(void **state);

struct CMUnitTest {
	const char *name;
	test_function run;
	fixture_function setup, teardown;
	void *state;
};

int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t n,
	fixture_function setup, fixture_function teardown);
void _fail(const char *file, int line);
void _skip(const char *file, int line);

#define CMOCKA(name) NEXT_FUNCTION(name, "cmocka")

static struct cmocka {
	struct options *options;
	const char *group;
	struct CMUnitTest test; /* to explore */
	fixture_function teardown; /* of the group */
	void **state, *group_state;
} cmocka;

INTERCEPT void _fail(const char *file, int line)
{
	if (machine_entered())
		machine_fail(FINDING_ASSERTION, file, line, NULL,
			"an assertion of cmocka failed (see its output)");
	CMOCKA(_fail)(file, line);
}

INTERCEPT void _skip(const char *file, int line)
{
	if (machine_entered()) {
		suite_skip();
		process_exit(0);
	}
	CMOCKA(_skip)(file, line);
}

/* --- blocks that a test has to free ----------------------------------------------------------- */

#define BLOCKS 256 /* more are not noted */

static struct cmocka_block {
	const void *start; /* NULL: free */
	const char *file;
	int line;
} blocks[BLOCKS];

static PER_EXECUTION u32 nblocks; /* with the free ones among them */

static struct cmocka_block *find_cmocka_block(const void *start)
{
	for (u32 i = 0; i < nblocks; i++)
		if (blocks[i].start == start)
			return &blocks[i];
	return NULL;
}

/* test_calloc() and test_realloc() may call test_malloc(): a block is noted once. */
static void *note_block(void *start, const char *file, int line)
{
	struct cmocka_block *b;

	if (!start || !machine_entered())
		return start;
	b = find_cmocka_block(start);
	b = b ? b : find_cmocka_block(NULL);
	if (!b && nblocks < BLOCKS)
		b = &blocks[nblocks++];
	if (b)
		*b = (struct cmocka_block){start, file, line};
	return start;
}

static void forget_block(const void *start)
{
	struct cmocka_block *b = start && machine_entered() ? find_cmocka_block(start) : NULL;

	if (b)
		b->start = NULL;
}

void *_test_malloc(size_t size, const char *file, int line);
INTERCEPT void *_test_malloc(size_t size, const char *file, int line)
{
	return note_block(CMOCKA(_test_malloc)(size, file, line), file, line);
}

void *_test_calloc(size_t n, size_t size, const char *file, int line);
INTERCEPT void *_test_calloc(size_t n, size_t size, const char *file, int line)
{
	return note_block(CMOCKA(_test_calloc)(n, size, file, line), file, line);
}

void *_test_realloc(void *start, size_t size, const char *file, int line);
INTERCEPT void *_test_realloc(void *start, size_t size, const char *file, int line)
{
	forget_block(start);
	return note_block(CMOCKA(_test_realloc)(start, size, file, line), file, line);
}

void _test_free(void *start, const char *file, int line);
INTERCEPT void _test_free(void *start, const char *file, int line)
{
	forget_block(start);
	CMOCKA(_test_free)(start, file, line);
}

static void check_blocks(void)
{
	for (u32 i = 0; i < nblocks; i++)
		if (blocks[i].start)
			machine_fail(FINDING_ASSERTION, blocks[i].file, blocks[i].line, NULL,
				"a block of test_malloc() is not freed when the test returns");
}

static int run_group_test(void *unused)
{
	cmocka.test.run(cmocka.state);
	check_blocks();
	return 0;
}

static void end_fixtures(void)
{
	if (cmocka.test.teardown)
		cmocka.test.teardown(cmocka.state);
	if (cmocka.teardown)
		cmocka.teardown(&cmocka.group_state);
}

/* In cmocka, in place of the test. */
static void explore_group_test(void **state)
{
	cmocka.state = state;
	cmocka.group_state = *state;
	suite_explore(cmocka.options, run_group_test, NULL, end_fixtures, __builtin_dwarf_cfa());
}

/* Does not return: the test is explored, or a fixture fails before it. */
static _Noreturn void run_one(const struct CMUnitTest *test, fixture_function setup)
{
	struct CMUnitTest only = *test;

	cmocka.test = *test;
	only.run = explore_group_test;
	only.teardown = NULL;
	suite_name(cmocka.options, cmocka.group, test->name);
	CMOCKA(_cmocka_run_group_tests)(cmocka.group, &only, 1, setup, NULL);
	suite_finish(TEST_UNINITIALISED, 1);
}

INTERCEPT int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t n,
	fixture_function setup, fixture_function teardown)
{
	struct options *o = suite_options();

	if (!o)
		return CMOCKA(_cmocka_run_group_tests)(group, tests, n, setup, teardown);
	cmocka = (struct cmocka){.options = o, .group = group, .teardown = teardown};
	for (size_t i = 0; i < n; i++)
		if (tests[i].run && suite_is_next(o))
			run_one(&tests[i], setup);
	return 0;
}
