/* SPDX-License-Identifier: ISC */
/*
 * heddle.h - for programs under test.
 *
 * Everything here is weak: a program that uses it builds, links and runs without Heddle, and then
 * each call is harmless (see "without the runtime" at each). Nothing needs to be called for
 * `heddle run ./program`; heddle_check() is the door for one function inside an existing test.
 *
 * Thread-safety: unless said otherwise, every function may be called from any thread of an
 * explored execution.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_WEAK_SYMBOL __attribute__((weak))

/* What heddle_check() is to do. A null pointer or a zeroed struct means the defaults. */
struct heddle_options {
	const char *options;	 /* "model=pso,strategy=random,time=2": as --NAME of `heddle run`, or NULL */
	bool quiet;		 /* print no report; the result says it all */
};

/* What heddle_check() found. Strings live until the next heddle_check() of the process. */
struct heddle_result {
	uint64_t executions;	 /* complete executions seen */
	uint64_t blocked;	 /* executions cut short by a bound or heddle_assume() */
	bool complete;		 /* every execution has been seen */
	unsigned findings;	 /* number of findings */
	const char *message;	 /* the first finding in one line, or NULL */
	const char *replay;	 /* path of the first finding's replay file, or NULL */
};

/*
 * Explore every execution of fn(arg) in this process.
 *
 * What the program did before the call stays as it is for every execution; what fn changes is
 * undone afterwards. The environment (HEDDLE_OPTIONS) overrides the options given here.
 *
 *   fn, arg   the test; threads it creates should be joined before it returns
 *   options   may be NULL
 *   result    filled in; may be NULL
 *
 * Returns 0: nothing found and complete; 1: a finding; 2: cannot explore (nested call, other
 * threads are running, bad options: one line on stderr says which); 3: nothing found, but cut
 * short. Not thread-safe: one call at a time, from a thread that is alone.
 * Without the runtime: use heddle_check_or_run().
 */
int heddle_check(void (*fn)(void *), void *arg, const struct heddle_options *options,
	struct heddle_result *result) HEDDLE_WEAK_SYMBOL;

/* True while an execution is being explored. Without the runtime: see heddle_exploring(). */
bool heddle_active(void) HEDDLE_WEAK_SYMBOL;

/* Abandon this execution, silently, unless the condition holds. */
void heddle_assume_(bool condition) HEDDLE_WEAK_SYMBOL;

/* A number in [0, n) that the exploration chooses; n in 1..65535. */
unsigned heddle_choose_(unsigned n) HEDDLE_WEAK_SYMBOL;

/* heddle_await(): begin to wait; another turn was in vain. */
void heddle_await_begin_(void) HEDDLE_WEAK_SYMBOL;
void heddle_await_again_(void) HEDDLE_WEAK_SYMBOL;

/* Report a failing execution with this message; does not return while exploring. */
void heddle_fail_(const char *message, const char *file, int line, const char *function)
	HEDDLE_WEAK_SYMBOL;

/* Name the calling thread in reports (the string is copied, 31 characters at most). */
void heddle_name_thread_(const char *name) HEDDLE_WEAK_SYMBOL;

/* --- what programs call; harmless without the runtime ---------------------------------------- */

static inline bool heddle_exploring(void)
{
	return heddle_active && heddle_active();
}

/* Without the runtime: nothing happens. */
static inline void heddle_assume(bool condition)
{
	if (heddle_assume_)
		heddle_assume_(condition);
}

/* Without the runtime: 0. */
static inline unsigned heddle_choose(unsigned n)
{
	return heddle_choose_ ? heddle_choose_(n) : 0;
}

/* Without the runtime: nothing happens. */
static inline void heddle_name_thread(const char *name)
{
	if (heddle_name_thread_)
		heddle_name_thread_(name);
}

/*
 * Wait until the condition holds: for a spin loop whose turns, if in vain, leave nothing behind. The
 * exploration then need not find that out by comparing states, which may take it a turn more.
 * Without the runtime: a plain loop.
 */
#define heddle_await(condition)                                                                    \
	do {                                                                                       \
		heddle_await_begin();                                                              \
		while (!(condition))                                                               \
			heddle_await_again();                                                      \
	} while (0)

static inline void heddle_await_begin(void)
{
	if (heddle_await_begin_)
		heddle_await_begin_();
}

static inline void heddle_await_again(void)
{
	if (heddle_await_again_)
		heddle_await_again_();
}

/* Like assert(), and not switched off by NDEBUG. Without the runtime: abort() on failure. */
#define heddle_assert(condition)                                                                   \
	((condition) ? (void)0                                                                     \
		     : heddle_assert_failed("assertion `" #condition "' failed", __FILE__,         \
			       __LINE__, __func__))

static inline void heddle_assert_failed(
	const char *message, const char *file, int line, const char *function)
{
	if (heddle_fail_)
		heddle_fail_(message, file, line, function);
	__builtin_trap();
}

/* heddle_check() where there is the runtime, one plain call of fn(arg), answer 0, where not. */
static inline int heddle_check_or_run(void (*fn)(void *), void *arg,
	const struct heddle_options *options, struct heddle_result *result)
{
	static struct heddle_result nothing;

	if (heddle_check)
		return heddle_check(fn, arg, options, result);
	if (result)
		*result = nothing;
	fn(arg);
	return 0;
}

#ifdef __cplusplus
}
#endif

#endif
