/* SPDX-License-Identifier: ISC */
/* check.c - heddle_check(): explore a function inside a test suite. */
#include "intercept/process/boot.h"
#include "intercept/process/check.h"
#include "intercept/real.h"
#include "machine/core.h"
#include "process/snapshot.h"
#include "process/stop.h"
#include "process/tls.h"
#include "heddle/heddle.h"
#include "search/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct check {
	unsigned count; /* calls so far, which distinguish them in a replay file */
	void (*fn)(void *);
	void *arg;
	char name[100]; /* of the test, "" = none */
	struct options options;
} check;

/* The strings that heddle_result points to, of the last call. */
static struct {
	char message[STATUS_FINDINGS][sizeof(((struct finding *)0)->message)];
	char file[STATUS_FINDINGS][sizeof(((struct finding *)0)->file)];
	char replay[STATUS_FINDINGS][sizeof(((struct status_finding *)0)->replay)];
	struct heddle_finding finding[STATUS_FINDINGS];
	struct heddle_outcome outcome[OUTCOMES];
	char text[OUTCOMES][OUTCOME_NAMES * 56];
} result_of;

static int run_check(void *unused)
{
	check.fn(check.arg);
	return 0;
}

unsigned check_threads(void)
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

/* --- options --------------------------------------------------------------------------------- */

static bool set_option(const char *name, const char *value)
{
	struct err err;

	if (!value || option_set(&check.options, name, value, &err))
		return true;
	say("heddle_check: %s", err.message);
	return false;
}

static bool set_check_number(const char *name, u64 value)
{
	char text[32];

	if (!value)
		return true;
	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	return set_option(name, text);
}

/* Set options from fields; numbers get the same checks as in text. */
static bool set_fields(const struct heddle_options *o)
{
	if (!set_option("model", o->model) || !set_option("strategy", o->strategy) ||
		!set_option("replay-dir", o->replay_dir) ||
		!set_check_number("executions", o->executions) ||
			!set_check_number("seed", o->seed) ||
		!set_check_number("jobs", o->jobs))
		return false;
	if (o->time < 0 || o->time > 1e9) {
		say("heddle_check: time must be in 0..1e9 seconds");
		return false;
	}
	if (o->time > 0)
		check.options.time = (u64)(o->time * 1e6 + 0.5);
	if (o->keep_going)
		check.options.keep_going = 1;
	if (o->ignore_leaks)
		check.options.detect &= ~(u64)DETECT_LEAK;
	return true;
}

static bool read_options(const struct heddle_options *options)
{
	struct err err;

	option_defaults(&check.options);
	check.options.detect |= DETECT_LEAK;
	if (options && options->options && !option_parse(&check.options, options->options, &err)) {
		say("heddle_check: options \"%s\", at character %zu: %s", options->options,
			err.at + 1, err.message);
		return false;
	}
	return (!options || set_fields(options)) && boot_options(&check.options);
}

/* PROGRAM.NAME, or PROGRAM.N for the N-th call. */
static void name_replay(struct options *o, const char *name)
{
	char exe[256], *to = o->replay_name, *dot;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	const char *base;

	if (to[0])
		return;
	exe[n > 0 ? n : 0] = 0;
	base = strrchr(exe, '/') ? strrchr(exe, '/') + 1 : "program";
	if (name[0])
		snprintf(to, sizeof o->replay_name, "%.120s.%s", base, name);
	else
		snprintf(to, sizeof o->replay_name, "%.120s.%u", base, check.count);
	for (dot = to + strlen(base); *dot; dot++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+",
			    *dot))
			*dot = '_';
}

/* --- memory ---------------------------------------------------------------------------------- */

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

		/* Beyond the environment's pointers there are only strings. */
		if ((char *)environ > (char *)frame && (char *)environ < end)
			end = (char *)environ;
		snapshot_add(frame, (size_t)(end - (char *)frame));
	}
	pthread_attr_destroy(&attr);
}

/* --- the result ------------------------------------------------------------------------------ */

static void take_finding(u32 i, const struct status_finding *f)
{
	struct heddle_finding *to = &result_of.finding[i];

	memcpy(result_of.message[i], f->finding.message, sizeof result_of.message[i]);
	memcpy(result_of.file[i], f->finding.file, sizeof result_of.file[i]);
	memcpy(result_of.replay[i], f->replay, sizeof result_of.replay[i]);
	*to = (struct heddle_finding){
		.kind = finding_name(f->finding.kind),
		.message = result_of.message[i],
		.file = f->finding.file[0] ? result_of.file[i] : NULL,
		.line = f->finding.line,
		.reorder = f->reorder,
		.replay = f->replay[0] ? result_of.replay[i] : NULL,
	};
}

static void take_outcome(u32 i, const struct status_outcomes *all)
{
	const struct status_outcome *row = &all->row[i];
	char *to = result_of.text[i], *end = to + sizeof result_of.text[i];

	*to = 0;
	for (u32 k = 0; k < all->nnames; k++)
		if (row->has >> k & 1)
			to += snprintf(to, (size_t)(end - to), "%s%s=%lld",
				to > result_of.text[i] ? " " : "", all->name[k],
				(long long)row->value[k]);
	result_of.outcome[i] = (struct heddle_outcome){
		.text = result_of.text[i],
		.executions = row->executions,
		.sc = row->in_sc ? 1 : all->sc_known ? 0 : -1,
	};
}

/* Take the new findings; returns their number, without suppressed ones. */
static u32 take_findings(void)
{
	const struct status *s = M.status;
	u32 n = 0;

	for (u32 i = 0; i < s->nfindings; i++)
		if (s->findings[i].verdict != VERDICT_SUPPRESSED)
			take_finding(n++, &s->findings[i]);
	return n;
}

static u32 take_result(struct heddle_result *result)
{
	const struct status *s = M.status;
	u32 n = take_findings();

	for (u32 i = 0; i < s->outcomes.n; i++)
		take_outcome(i, &s->outcomes);
	if (!result)
		return n;
	*result = (struct heddle_result){
		.executions = s->executions,
		.blocked = s->blocked,
		.complete = s->complete,
		.findings = n,
		.finding = result_of.finding,
		.outcomes = s->outcomes.n,
		.outcome = result_of.outcome,
	};
	if (n) {
		result->message = result_of.finding[0].message;
		result->replay = result_of.finding[0].replay;
	}
	return n;
}

/* --- known findings -------------------------------------------------------------------------- */

static char rules[4096]; /* the file that names them, "" = none */

/* heddle COMMAND FILE..., its output on our stderr: a test suite's stdout may be read by a machine.
 * Its exit code, -1 = it could not be run. */
static int run_tool(char *const argv[], bool quiet)
{
	const char *tool = getenv("HEDDLE_TOOL");
	posix_spawn_file_actions_t actions;
	int status = 0, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	if (quiet)
		posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	else
		posix_spawn_file_actions_adddup2(&actions, 2, 1);
	error = posix_spawnp(&pid, tool ? tool : "heddle", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

static bool is_replay_known(const char *replay)
{
	int code = run_tool(
		(char *[]){"heddle", "known", "--suppressions", rules, (char *)replay, NULL}, true);

	if (code < 0)
		say("%s is ignored: no `heddle' in the PATH or in HEDDLE_TOOL", rules);
	return code == 0;
}

/* heddle.supp in the current directory, or the files in HEDDLE_SUPPRESSIONS. */
static void find_rules(struct options *o)
{
	const char *file = getenv("HEDDLE_SUPPRESSIONS");
	char *path = realpath(file ? file : "heddle.supp", NULL);

	machine_hooks.known = NULL;
	if (file && !path)
		say("HEDDLE_SUPPRESSIONS: %s: %s", file, strerror(errno));
	if (path && strlen(path) < sizeof rules) {
		strcpy(rules, path);
		machine_hooks.known = is_replay_known;
		o->judged = 1;
	}
	free(path);
}

static bool is_finding_suppressed(u32 i)
{
	return M.status->findings[i].verdict == VERDICT_SUPPRESSED;
}

/* --- output ---------------------------------------------------------------------------------- */

static bool print_report(const char *replay)
{
	return run_tool((char *[]){"heddle", "report", (char *)replay, NULL}, false) >= 0;
}

/* The reasons why findings have no file. */
static void print_failed_writes(void)
{
	const struct status *s = M.status;

	for (u32 i = 0; i < array_size(s->coverage); i++)
		if (!strncmp(s->coverage[i], "cannot write ", 13))
			say("%s", s->coverage[i]);
}

static void print_finding(const struct heddle_finding *f)
{
	if (f->replay && print_report(f->replay))
		return;
	say("FAILED %s: %s", f->kind, f->message);
	if (f->replay)
		say("replay file %s; to print the execution: heddle report %s", f->replay,
			f->replay);
	else
		print_failed_writes();
}

static void print_outcomes(void)
{
	const struct status_outcomes *all = &M.status->outcomes;

	for (u32 i = 0; i < all->n; i++) {
		const struct heddle_outcome *o = &result_of.outcome[i];

		say("%s %s: %llu execution%s%s", model_name((enum model_id)M.status->model),
			o->text, (unsigned long long)o->executions, o->executions == 1 ? "" : "s",
			o->sc > 0    ? ""
			: o->sc == 0 ? ", impossible under sc"
				     : ", not seen under sc (not all of sc was explored)");
	}
	if (all->more)
		say("limit: there were more than %u outcomes", OUTCOMES);
}

static void print_known(void)
{
	const struct status *s = M.status;

	for (u32 i = 0; i < s->nfindings; i++)
		if (is_finding_suppressed(i))
			say("%s suppresses: %s", rules, s->findings[i].finding.message);
}

static void report(bool quiet, u32 n)
{
	const struct status *s = M.status;

	if (s->state == STATUS_REFUSED || s->state == STATUS_DIVERGED) {
		say("%s", s->note);
		return;
	}
	if (quiet)
		return;
	if (check.name[0] && (s->nfindings || s->outcomes.n))
		say("test %s", check.name);
	for (u32 i = 0; i < n; i++)
		print_finding(&result_of.finding[i]);
	print_known();
	if (s->unconfirmed)
		say("%s", s->doubt);
	print_outcomes();
}

void check_report(void)
{
	const struct status *s = M.status;
	u32 n = take_result(NULL);

	report(false, n);
	if (s->state != STATUS_REFUSED && s->state != STATUS_DIVERGED)
		say("%llu executions%s, %u failing (`heddle run` prints more)",
			(unsigned long long)s->executions, s->complete ? ", complete" : "", n);
	if (run_asked())
		raise(run_asked());
}

int check_explore(int (*fn)(void *), void *arg, const char *name, struct options *o, void *frame)
{
	name_replay(o, name);
	fflush(NULL);
	save_callers(frame);
	return run_explore(fn, arg, o);
}

/* --- heddle_check ---------------------------------------------------------------------------- */

/* Can the process be explored now? Not with other threads. */
static bool has_one_thread(void)
{
	unsigned threads = check_threads();

	if (threads > 1)
		say(threads == 2 ? "heddle_check: 1 other thread is running; join it first"
				 : "heddle_check: %u other threads are running; join them first",
			threads - 1);
	return threads <= 1;
}

/* Is this the call to replay? By number and by name, as frameworks may fork for each test. */
static bool is_the_one(void)
{
	return check.options.check == check.count && !strcmp(check.options.check_name, check.name);
}

EXPORT int heddle_check_(void (*fn)(void *), void *arg, const struct heddle_options *options,
	struct heddle_result *result)
{
	bool only_this; /* a replay: the process is started for this call */
	int code;

	if (result)
		*result = (struct heddle_result){ 0 };
	if (machine_entered())
		machine_refuse("heddle_check() inside an explored execution (a program that calls "
			       "it needs no `heddle run`)");
	if (!has_one_thread() || !read_options(options))
		return 2;
	/* Calls that are not replayed are skipped: they have no lasting effects. */
	check.count++;
	only_this = check.options.check;
	snprintf(
		check.name, sizeof check.name, "%s", options && options->name ? options->name : "");
	if (check.options.suite_test || (only_this && !is_the_one()))
		return 0;
	check.options.check = check.count;
	snprintf(check.options.check_name, sizeof check.options.check_name, "%s", check.name);
	check.fn = fn;
	check.arg = arg;
	find_rules(&check.options);
	code = check_explore(run_check, NULL, check.name, &check.options, __builtin_dwarf_cfa());
	if (only_this) {
		fflush(NULL);
		stop_exit(code);
	}
	report(options && options->quiet, take_result(result));
	if (run_asked()) {
		say("%llu executions, not complete: interrupted",
			(unsigned long long)M.status->executions);
		fflush(NULL);
		raise(run_asked());
	}
	return code;
}
