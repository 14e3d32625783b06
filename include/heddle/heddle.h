/* SPDX-License-Identifier: ISC */
/*
 * heddle.h - for programs under test.
 *
 * All symbols are weak: a program that uses them builds, links and runs without Heddle, as C and
 * as C++; each call is then harmless (see "without the runtime" at each). `heddle run ./program`
 * needs no call; heddle_check() explores one function inside an existing test.
 *
 * A program is *being explored* (by `heddle run`, or below heddle_check()), or it runs *natively*.
 *
 * Thread-safety: unless said otherwise, any thread may call every function, in both cases.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_WEAK_SYMBOL __attribute__((weak))

/* --- exploring a function -------------------------------------------------------------------- */

/*
 * Options of heddle_check(). A null pointer or a zeroed struct means the defaults; a field that is
 * 0 or NULL has its default. The environment variable HEDDLE_OPTIONS overrides the fields, and
 * these override the string.
 */
struct heddle_options {
	const char *options; /* "model=pso,strategy=random,time=2s": as --NAME of `heddle run` */
	const char *name;	 /* of the test: in the replay file's name and on stderr. Copied */
	const char *model;	 /* as --model: heddle help models */
	const char *strategy;	 /* "graph", "rf", "auto", "random", "pct", "dfs", "mixed" */
	double time;		 /* maximum seconds; default 60 */
	uint64_t executions;	 /* maximum; default: no limit */
	uint64_t seed;		 /* of random and pct; default 1 */
	unsigned jobs;		 /* number of processes (graph); default 1 */
	const char *replay_dir;	 /* folder of replay files; default: the current directory */
	bool keep_going;	 /* collect several findings; default: stop at the first */
	bool ignore_leaks;	 /* unreachable blocks of fn are no finding */
	bool quiet;		 /* print nothing but refusals */
};

/* One way in which fn fails. */
struct heddle_finding {
	const char *kind;	 /* "assertion", "race", "deadlock", ...: `heddle help findings' */
	const char *message;	 /* one line */
	const char *file;	 /* of the failed assertion, or NULL: see the report */
	int line;		 /* in that file, or 0 */
	int reorder; /* 1: impossible under sc; 0: possible under sc; -1: unknown */
	const char *replay;	 /* path of the replay file (`heddle replay`), or NULL */
};

/* One combination of values that heddle_observe() has seen at the end of executions. */
struct heddle_outcome {
	const char *text;	 /* "r0=0 r1=1": names in the order of their first appearance */
	uint64_t executions;	 /* their number */
	int sc;			 /* 1: possible under sc; 0: impossible; -1: unknown */
};

/* Result of heddle_check(). Strings and arrays live until the process's next heddle_check(). */
struct heddle_result {
	uint64_t executions;	 /* complete executions seen */
	uint64_t blocked;	 /* executions cut short by a bound or heddle_assume() */
	bool complete;		 /* every execution was explored */
	unsigned findings;	 /* number of findings */
	const struct heddle_finding *finding;	/* [findings] */
	const char *message;	 /* the first finding in one line, or NULL */
	const char *replay;	 /* path of the first finding's replay file, or NULL */
	unsigned outcomes;	 /* number of outcomes */
	const struct heddle_outcome *outcome;	/* [outcomes], most frequent first */
};

int heddle_check_(void (*fn)(void *), void *arg, const struct heddle_options *options,
	struct heddle_result *result) HEDDLE_WEAK_SYMBOL;

/*
 * Explore every execution of fn(arg) in this process.
 *
 * Every execution begins with the memory that the program has at the call; changes of fn are undone
 * after each execution and at the end. A failure (an assertion, a crash, a deadlock, exit() with a
 * status, ...) is a finding and ends only that execution. Blocks of fn that are unreachable when it
 * returns are findings as well ("leak").
 *
 *   fn, arg   the test; threads it creates should be joined before it returns
 *   options   may be NULL
 *   result    filled in; may be NULL
 *
 * Returns 0: nothing found and complete; 1: a finding; 2: cannot explore (nested call, other
 * threads are running, bad options: one line on stderr gives the reason); 3: nothing found, but cut
 * short. Without the runtime: one plain call of fn(arg); returns 0, one execution, not complete.
 * Not thread-safe: one call at a time, with no other threads; a second one is refused (2).
 */
static inline int heddle_check(void (*fn)(void *), void *arg, const struct heddle_options *options,
	struct heddle_result *result)
{
	static const struct heddle_result nothing = {0, 0, false, 0, NULL, NULL, NULL, 0, NULL};

	if (heddle_check_)
		return heddle_check_(fn, arg, options, result);
	fn(arg);
	if (result) {
		*result = nothing;
		result->executions = 1;
	}
	return 0;
}

bool heddle_active_(void) HEDDLE_WEAK_SYMBOL;

/* True while the caller is being explored. Without the runtime: false. */
static inline bool heddle_active(void)
{
	return heddle_active_ && heddle_active_();
}

/* --- assumptions, choices, observations ----------------------------------------------------- */

void heddle_assume_(bool condition) HEDDLE_WEAK_SYMBOL;

/* Abandon this execution, silently, unless the condition holds: it counts as blocked. Natively, and
 * without the runtime: nothing happens. */
static inline void heddle_assume(bool condition)
{
	if (heddle_assume_)
		heddle_assume_(condition);
}

bool heddle_turn_(bool within) HEDDLE_WEAK_SYMBOL;

/* `heddle_while (n, condition) { ... }': a while loop of at most n iterations, for an endless loop.
 * An execution that would begin another iteration is abandoned: it counts as blocked, and the
 * exploration is not complete. --loop-bound does not apply to this loop. Natively, and without the
 * runtime: a plain loop. */
#define heddle_while(n, condition)                                                                 \
	for (unsigned long heddle_turns = 0;                                                       \
		(condition) && (!heddle_turn_ || heddle_turn_(heddle_turns < (n))); heddle_turns++)

unsigned heddle_choose_(unsigned n) HEDDLE_WEAK_SYMBOL;

/* A number in [0, n) that the exploration chooses: all of them, in different executions. n in
 * 1..65535; else a finding of kind misuse. Natively, and without the runtime: 0. */
static inline unsigned heddle_choose(unsigned n)
{
	return heddle_choose_ ? heddle_choose_(n) : 0;
}

void heddle_observe_(const char *name, int64_t value) HEDDLE_WEAK_SYMBOL;

/*
 * This execution's outcome has `name` = `value`. At the end of the exploration a table shows the
 * combinations of values, how often each occurred, and whether it is impossible under sc: to decide
 * this, the program is also explored under sc, for at most as long as its own exploration took (at
 * least 2 s). If that is incomplete or impossible, the table says "unknown". Failing executions
 * count with the values observed; executions that are cut short do not count.
 *
 *   name    up to 31 characters, copied; 16 names at most, those after that are a finding of kind
 *           misuse. A name that is observed again has its last value; use one thread per name
 *   value   any; at most 1024 different outcomes are distinguished; the table says if there were
 *           more
 *
 * Natively, and without the runtime: nothing happens.
 */
static inline void heddle_observe(const char *name, int64_t value)
{
	if (heddle_observe_)
		heddle_observe_(name, value);
}

void heddle_yield_(void) HEDDLE_WEAK_SYMBOL;

/* Let other threads run, in a loop that waits for them. Natively: sched_yield(). Without the
 * runtime: nothing happens. */
static inline void heddle_yield(void)
{
	if (heddle_yield_)
		heddle_yield_();
}

void heddle_await_begin_(void) HEDDLE_WEAK_SYMBOL;
void heddle_await_again_(void) HEDDLE_WEAK_SYMBOL;

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

/*
 * Wait until the condition holds: a spin loop whose failed iterations have no effect. The
 * exploration then need not detect this by comparing states, which may take another iteration.
 * Natively, and without the runtime: a plain loop.
 */
#define heddle_await(condition)                                                                    \
	do {                                                                                       \
		heddle_await_begin();                                                              \
		while (!(condition))                                                               \
			heddle_await_again();                                                      \
	} while (0)

void heddle_ignore_state_(const void *start, size_t size) HEDDLE_WEAK_SYMBOL;

/* `heddle prove`: states that differ only in these bytes are one, from now on in this execution. If
 * any step depends on them, failures can be missed. At most 64 ranges. Otherwise: no effect. */
static inline void heddle_ignore_state(const void *start, size_t size)
{
	if (heddle_ignore_state_)
		heddle_ignore_state_(start, size);
}

void heddle_fail_(const char *message, const char *file, int line, const char *function)
	HEDDLE_WEAK_SYMBOL;

/* This execution fails: a finding of kind assertion. Strings are copied; file and function may be
 * NULL. Does not return. Natively: a line on stderr, and a trap; without the runtime: a trap. */
static inline void heddle_assert_failed(
	const char *message, const char *file, int line, const char *function)
{
	if (heddle_fail_)
		heddle_fail_(message, file, line, function);
	__builtin_trap();
}

/* Like assert(), but not disabled by NDEBUG. */
#define heddle_assert(condition)                                                                   \
	((condition) ? (void)0 : heddle_assert_failed("assertion `" #condition "' failed",         \
					 __FILE__, __LINE__, __func__))

/* --- names in reports ------------------------------------------------------------------------ */

void heddle_name_thread_(const char *name) HEDDLE_WEAK_SYMBOL;

/* Name the calling thread in reports: copied, 31 characters at most. Natively, and without the
 * runtime: nothing happens. */
static inline void heddle_name_thread(const char *name)
{
	if (heddle_name_thread_)
		heddle_name_thread_(name);
}

void heddle_name_(const void *start, size_t size, const char *name) HEDDLE_WEAK_SYMBOL;

/*
 * Name `size` bytes of memory in reports, where debug information has no name for them (a part of a
 * mapping, a block, an element of an array). Copied, 31 characters at most; NULL removes the names
 * of these bytes. The last 256 names are kept; a name given in an execution is removed
 * after it, a name given before stays. Without the runtime: nothing happens.
 */
static inline void heddle_name(const void *start, size_t size, const char *name)
{
	if (heddle_name_)
		heddle_name_(start, size, name);
}

#ifdef __cplusplus
}
#endif

#endif
