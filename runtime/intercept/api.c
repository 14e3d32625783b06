/* SPDX-License-Identifier: ISC */
/* api.c - the functions of heddle.h that an explored program may call; check.c has
 * heddle_check(). */
#include "intercept/real.h"
#include "machine/core.h"
#include "history/history.h"
#include "machine/execution/loop_bound.h"
#include "machine/record/name.h"
#include "prove/state.h"
#include "search/outcome/outcome.h"
#include "search/jobs/worker.h"
#include "process/stop.h"
#include "heddle/heddle.h"
#include "heddle/lin.h"

EXPORT bool heddle_active_(void)
{
	return machine_entered();
}

EXPORT void heddle_assume_(bool condition)
{
	if (!machine_entered() || condition)
		return;
	worker_common()->assumed = 1;
	machine_abandon();
}

EXPORT bool heddle_turn_(bool within)
{
	if (!machine_entered())
		return true;
	if (loop_bound_on)
		loop_bound_exempt();
	if (!within)
		machine_cut();
	return true;
}

EXPORT unsigned heddle_choose_(unsigned n)
{
	if (!machine_entered())
		return 0;
	if (n < 1 || n > 65535)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_choose(%u): the number must be in 1..65535", n);
	return machine_choose(n, CHOICE_USER);
}

EXPORT void heddle_observe_(const char *name, int64_t value)
{
	if (machine_entered())
		outcome_observe(name, value);
}

EXPORT void heddle_yield_(void)
{
	if (machine_entered())
		machine_yield(EV_YIELD);
	else
		real(sched_yield)();
}

EXPORT void heddle_ignore_state_(const void *p, size_t size)
{
	if (machine_entered() && !state_ignore((u64)(uintptr_t)p, size))
		machine_refuse("limit: too many ranges of memory in heddle_ignore_state()");
}

EXPORT void heddle_await_begin_(void)
{
	if (machine_entered())
		machine_await(false);
}

EXPORT void heddle_await_again_(void)
{
	if (machine_entered())
		machine_await(true);
}

/* Natively heddle_assert_failed() then aborts. */
EXPORT void heddle_fail_(const char *message, const char *file, int line, const char *function)
{
	if (machine_entered())
		machine_fail(FINDING_ASSERTION, file, line, function, "%s", message);
	say("%s:%d: %s: %s", file, line, function, message);
}

EXPORT void heddle_name_thread_(const char *name)
{
	if (machine_entered())
		thread_name(thread_self(), name);
}

EXPORT void heddle_name_(const void *start, size_t size, const char *name)
{
	name_give((u64)(uintptr_t)start, size, name);
}

/* Are histories collected? */
static bool tells_histories(void)
{
	return machine_entered() && M.options->detect & DETECT_LIN;
}

EXPORT void heddle_specify_(const void *object, const struct heddle_spec *spec, int64_t parameter)
{
	if (tells_histories())
		history_specify(object, spec, parameter);
}

EXPORT void heddle_op_begin_(const void *object, const char *name, int64_t a, int64_t b)
{
	if (tells_histories())
		history_op_begin(object, name, a, b);
}

EXPORT void heddle_op_end_(int64_t ret)
{
	if (tells_histories())
		history_op_end(ret);
}
