/* SPDX-License-Identifier: ISC */
/* suite.c - see suite.h. */
#include "intercept/process/suite.h"
#include "intercept/process/boot.h"
#include "intercept/process/check.h"
#include "machine/core.h"
#include "process/stop.h"
#include "search/run.h"

#include <fnmatch.h>
#include <stdio.h>

struct options *suite_options(void)
{
	static struct options o;

	if (machine_entered())
		return NULL;
	option_defaults(&o);
	return boot_options(&o) && o.suite_test ? &o : NULL;
}

bool suite_is_next(const struct options *o)
{
	if (!status_open(o))
		stop_exit(2);
	return ++M.status->tests == o->suite_test;
}

static void copy_test_text(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from ? from : "");
}

void suite_name(const struct options *o, const char *suite, const char *test)
{
	copy_test_text(M.status->suite, sizeof M.status->suite, suite);
	copy_test_text(M.status->test, sizeof M.status->test, test);
	M.status->test_state = TEST_EXPLORED; /* in case it does not end normally */
	if (o->suite_list || (o->suite_only[0] && fnmatch(o->suite_only, M.status->test, 0)))
		suite_finish(TEST_OTHER, 0);
}

void suite_finish(enum status_test state, int code)
{
	M.status->test_state = state;
	fflush(NULL);
	stop_exit(code);
}

static bool skipped;

void suite_skip(void)
{
	skipped = true;
}

void suite_explore(
	struct options *o, int (*run)(void *), void *arg, void (*cleanup)(void), void *frame)
{
	char name[200];
	int code;

	if (check_threads() > 1) {
		copy_test_text(M.status->note, sizeof M.status->note,
			"other threads are running when the test begins: it cannot be explored");
		M.status->state = STATUS_REFUSED;
		suite_finish(TEST_EXPLORED, 2);
	}
	snprintf(name, sizeof name, "%.90s%s%.90s", M.status->suite, M.status->suite[0] ? "." : "",
		M.status->test);
	code = check_explore(run, arg, name, o, frame);
	if (cleanup)
		cleanup();
	suite_finish(skipped && !code ? TEST_SKIPPED : TEST_EXPLORED, code);
}
