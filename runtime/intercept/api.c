/* SPDX-License-Identifier: ISC */
/*
 * api.c - the functions of heddle.h: explore a function inside a test suite, and what an explored
 * program may say.
 */
#include "intercept/api.h"
#include "intercept/real.h"
#include "machine/core.h"
#include "machine/snapshot.h"
#include "machine/stop.h"
#include "machine/tls.h"
#include "heddle/heddle.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- for programs that are being explored ------------------------------------------------------ */

EXPORT bool heddle_active(void)
{
	return machine_exploring;
}

EXPORT void heddle_assume_(bool condition)
{
	if (machine_exploring && !condition)
		machine_abandon();
}

EXPORT unsigned heddle_choose_(unsigned n)
{
	if (!machine_exploring)
		return 0;
	if (n < 1 || n > 65535)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_choose(%u): the number must be in 1..65535", n);
	return machine_choose(n, CHOICE_USER);
}

EXPORT void heddle_await_begin_(void)
{
	if (machine_exploring)
		machine_await(false);
}

EXPORT void heddle_await_again_(void)
{
	if (machine_exploring)
		machine_await(true);
}

/* Natively heddle_assert_failed() goes on to abort. */
EXPORT void heddle_fail_(const char *message, const char *file, int line, const char *function)
{
	if (machine_exploring)
		machine_fail(FINDING_ASSERTION, file, line, function, "%s", message);
	say("%s:%d: %s: %s", file, line, function, message);
}

EXPORT void heddle_name_thread_(const char *name)
{
	if (machine_exploring)
		thread_name(thread_self(), name);
}

/* --- heddle_check ------------------------------------------------------------------------------ */

static struct check {
	unsigned count; /* calls so far: a replay file tells them apart by that */
	void (*fn)(void *);
	void *arg;
	struct options options;
	char message[sizeof(((struct finding *)0)->message)];
	char replay[sizeof(((struct status_finding *)0)->replay)];
} check;

static int run_check(void *unused)
{
	check.fn(check.arg);
	return 0;
}

/* Threads of the process that can run; the parked ones cannot. */
static unsigned count_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	struct dirent *e;
	unsigned n = 0;

	if (!d)
		return 1;
	while ((e = readdir(d)))
		n += e->d_name[0] != '.';
	closedir(d);
	return n > tls_parked() ? n - tls_parked() : 1;
}

static bool read_options(const struct heddle_options *options)
{
	struct err err;

	option_defaults(&check.options);
	if (options && options->options && !option_parse(&check.options, options->options, &err)) {
		say("heddle_check: options \"%s\", at character %zu: %s", options->options, err.at + 1,
			err.message);
		return false;
	}
	return boot_options(&check.options);
}

/*
 * The frames of the callers, up to the end of the stack: fn may change their variables through arg.
 * `frame` is where heddle_check()'s own frame ends.
 */
static void save_callers(void *frame)
{
	pthread_attr_t attr;
	size_t size;
	void *low;

	boot_save_environment();
	if (pthread_getattr_np(pthread_self(), &attr))
		return;
	if (!pthread_attr_getstack(&attr, &low, &size)) {
		char *end = (char *)low + size;

		/* Beyond the environment's pointers there is nothing but strings. */
		if ((char *)environ > (char *)frame && (char *)environ < end)
			end = (char *)environ;
		snapshot_add(frame, (size_t)(end - (char *)frame));
	}
	pthread_attr_destroy(&attr);
}

static void take_result(struct heddle_result *result)
{
	const struct status *s = M.status;
	const struct status_finding *f = &s->findings[0];

	memcpy(check.message, f->finding.message, sizeof(check.message));
	memcpy(check.replay, f->replay, sizeof(check.replay));
	if (!result)
		return;
	*result = (struct heddle_result){ .executions = s->executions, .blocked = s->blocked,
		.complete = s->complete, .findings = s->nfindings };
	if (s->nfindings) {
		result->message = check.message;
		result->replay = check.replay[0] ? check.replay : NULL;
	}
}

/* `heddle report FILE`, its output on our stderr: a test suite's stdout may be read by a machine. */
static bool print_report(const char *replay)
{
	const char *tool = getenv("HEDDLE_TOOL");
	char *argv[] = { "heddle", "report", (char *)replay, NULL };
	posix_spawn_file_actions_t actions;
	int status = 0, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, 2, 1);
	error = posix_spawnp(&pid, tool ? tool : "heddle", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) != 127;
}

static void report(bool quiet)
{
	const struct status *s = M.status;

	if (s->state == STATUS_REFUSED || s->state == STATUS_DIVERGED) {
		say("%s", s->note);
		return;
	}
	if (quiet || !s->nfindings || (check.replay[0] && print_report(check.replay)))
		return;
	say("FAILED %s: %s", finding_name(s->findings[0].finding.kind), check.message);
	if (check.replay[0])
		say("replay file %s; to see what happened: heddle report %s", check.replay,
			check.replay);
}

void api_report(void)
{
	const struct status *s = M.status;

	take_result(NULL);
	report(false);
	if (s->state != STATUS_REFUSED && s->state != STATUS_DIVERGED)
		say("%llu executions%s, %u failing (`heddle run` says more)",
			(unsigned long long)s->executions, s->complete ? ", complete" : "",
			s->nfindings);
}

EXPORT int heddle_check(void (*fn)(void *), void *arg, const struct heddle_options *options,
	struct heddle_result *result)
{
	unsigned threads;
	bool only_this; /* a replay: the process is there for this call alone */
	int code;

	if (result)
		*result = (struct heddle_result){ 0 };
	if (machine_exploring)
		machine_refuse("heddle_check() in an execution that is explored already (a program that "
			       "calls it needs no `heddle run`)");
	if (!read_options(options))
		return 2;
	/* The calls that are not replayed would find nothing new, and leave no trace anyway. */
	check.count++;
	only_this = check.options.check;
	if (only_this && check.options.check != check.count)
		return 0;
	check.options.check = check.count;
	threads = count_threads();
	if (threads > 1) {
		say(threads == 2 ? "heddle_check: 1 other thread is running; join it first"
				 : "heddle_check: %u other threads are running; join them first",
			threads - 1);
		return 2;
	}
	check.fn = fn;
	check.arg = arg;
	fflush(NULL);
	save_callers(__builtin_dwarf_cfa());
	code = machine_explore(run_check, NULL, &check.options, false);
	if (only_this) {
		fflush(NULL);
		stop_exit(code);
	}
	take_result(result);
	report(options && options->quiet);
	return code;
}
