/* SPDX-License-Identifier: ISC */
/* job.c - see job.h. */
#include "job/job.h"
#include "option/model_file.h"
#include "path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/status_page.h"
#include "clock.h"
#include "die.h"
#include "job/pace.h"
#include "mpi/machines.h"
#include "program/coverage.h"
#include "program/place_words.h"
#include "replay/crash_replay.h"
#include "replay/follow.h"
#include "replay/read_replay.h"

#define PROGRESS_MS 200 /* between two progress lines */
#define JUDGE_MS    2	/* the runtime may be waiting for a verdict */

/* --- the request ------------------------------------------------------------------------------ */

/* Make the directory of replay files absolute: the program may change its own. */
static void set_replay_dir(struct job *j)
{
	const char *dir = j->s.replay_dir ? j->s.replay_dir : ".";
	char path[PATH_MAX];
	struct stat st;

	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		die("%s: %s", dir, strerror(errno));
	if (!realpath(dir, path) || stat(path, &st) != 0)
		die("%s: %s%s", dir, strerror(errno),
			j->s.replay_dir ? ""
					: " (the working directory; replay files go there: -o "
					  "names another)");
	if (!S_ISDIR(st.st_mode))
		die("%s: not a directory", dir);
	if (strlen(path) >= sizeof(j->s.explore.replay_dir))
		die("%s: too long a path for replay files", dir);
	strcpy(j->s.explore.replay_dir, path);
}

/* Make a path absolute, as the program may change its directory. */
static void make_absolute(char *path, size_t room)
{
	char here[PATH_MAX], *whole;

	if (!*path || *path == '/')
		return;
	if (!getcwd(here, sizeof(here)))
		die("%s: %s", path, strerror(errno));
	whole = xprintf("%s/%s", here, path);
	if (strlen(whole) >= room)
		die("%s: too long a path", path);
	strcpy(path, whole);
}

static void check_options(struct options *o, const char *command)
{
	const char *conflict = option_conflict(o);

	if (conflict)
		die("%s: %s", command, conflict);
	if (o->shard && strcmp(command, "run") != 0)
		die("%s: --shard is an option of heddle run only", command);
	if (o->resume[0] && access(o->resume, R_OK) != 0)
		die("%s: %s", o->resume, strerror(errno));
	if (o->orders[0] && access(o->orders, R_OK) != 0)
		die("%s: %s", o->orders, strerror(errno));
	if (o->cat[0])
		model_file_read(o->cat);
	make_absolute(o->cat, sizeof(o->cat));
	make_absolute(o->orders, sizeof(o->orders));
	make_absolute(o->checkpoint, sizeof(o->checkpoint));
	make_absolute(o->resume, sizeof(o->resume));
}

/* Those of heddle prove, for other commands: of options that are not given. */
static void set_states_defaults(struct options *o)
{
	struct options standard;

	option_defaults(&standard);
	if (o->buffer_size == standard.buffer_size) {
		o->buffer_size = STATES_BUFFER;
		o->unbounded = true;
	}
	if (o->timeouts == standard.timeouts)
		o->timeouts = NUMBER_ANY;
	if (o->detect == standard.detect)
		o->detect |= DETECT_STARVATION;
}

/* Warn of words after the program that look like options of heddle: they are the program's. */
static void look_at_arguments(const struct command *c, char **argv)
{
	struct option_text o;

	for (; *argv; argv++)
		for (unsigned i = 0; !strncmp(*argv, "--", 2) && option_text(c, i, &o); i++)
			if (!strncmp(*argv + 2, o.name, strcspn(*argv + 2, "=")) &&
				strcspn(*argv + 2, "=") == strlen(o.name))
				warn("%s: `%s' follows the program, so it is the program's "
				     "argument: options of heddle come first",
					c->name, *argv);
}

void job_prepare(struct job *j, const struct command *c, int argc, char **argv)
{
	int first = settings_read(&j->s, c, argc, argv);

	if (first == argc)
		die("%s: name a program, as in `heddle %s ./program'", c->name, c->name);
	argv[first] = program_check(argv[first], &j->facts);
	look_at_arguments(c, argv + first + 1);
	set_replay_dir(j);
	if (j->s.explore.strategy == STRATEGY_STATES && !c->defaults)
		set_states_defaults(&j->s.explore);
	j->s.shard = j->s.explore.shard;
	if (j->s.suite) { /* --jobs and --shard are tests */
		j->s.at_once = (unsigned)j->s.explore.jobs;
		j->s.explore.jobs = 1;
		j->s.explore.shard = 0;
	}
	if (j->s.mpi)
		machines_options(j);
	check_options(&j->s.explore, c->name);
	j->rules = suppressions_read(j->s.suppressions);
	j->s.explore.judged = j->rules.n > 0;
	j->setup = (struct child_setup){argv + first, j->s.input, false, j->s.verbose};
	if (j->s.mpi)
		machines_join(j);
	j->to = settings_outputs(&j->s);
	j->setup.out_to_err = !j->to.text;
}

/* --- progress -------------------------------------------------------------------------------- */

/* 1234, 12.3k, 4.5M */
static const char *short_number(double n)
{
	if (n < 10000)
		return xprintf("%.0f", n);
	return n < 1e6 ? xprintf("%.1fk", n / 1e3) : xprintf("%.1fM", n / 1e6);
}

static const char *time_left(double left)
{
	return left < 100      ? xprintf("%.0f s left", left)
	       : left < 6000   ? xprintf("%.0f min left", left / 60)
	       : left < 360000 ? xprintf("%.0f h left", left / 3600)
			       : xprintf("%.0f days left", left / 86400);
}

/* ", ~1.2M in all, 14 min left"; without an estimate, or with one beyond --time:
 * ", 14 s left (--time)" */
static const char *rest_words(const struct child *c, double seconds)
{
	const struct status *st = c->status;
	double all = (double)st->estimate, done = (double)st->executions, left = 0;
	u64 now = clock_now();
	double limit = c->until > now ? (double)(c->until - now) / 1e9 : 0;
	const char *in_all = "";

	if (all > done && done > 0) {
		left = seconds * (all - done) / done;
		in_all = xprintf(", ~%s in all", short_number(all));
	}
	if (c->until && (!*in_all || limit < left))
		return xprintf("%s, %s (--time)", in_all, time_left(limit));
	return *in_all ? xprintf("%s, %s", in_all, time_left(left)) : "";
}

/* ", 3 lines, 1 way not reached, 12 rf pairs" */
static const char *coverage_words(const struct job *j)
{
	struct coverage_counts n;

	if (!j->coverage)
		return "";
	n = coverage_count(j->coverage);
	return xprintf(", %u line%s, %u way%s not reached%s", n.lines_missing,
		n.lines_missing == 1 ? "" : "s", n.one_way, n.one_way == 1 ? "" : "s",
		n.pairs ? xprintf(", %u rf pair%s", n.pairs, n.pairs == 1 ? "" : "s") : "");
}

static void draw_progress(const struct child *c, const struct job *j)
{
	const struct status *st = c->status;
	double seconds = (double)(clock_now() - j->started) / 1e9;
	double done = (double)(st->states ? st->states : st->executions);
	u32 strategy = st->strategy;
	const char *line;

	if (st->state != STATUS_EXPLORING)
		return;
	line = xprintf("heddle: %s %s, %s/s, %u finding%s, %.1f s, %s%s%s%s", short_number(done),
		st->states ? "states" : "executions",
		short_number(seconds > 0 ? done / seconds : 0), st->nfindings,
		st->nfindings == 1 ? "" : "s", seconds,
		strategy <= STRATEGY_FOLLOW ? strategy_name((enum strategy)strategy) : "?",
		rest_words(c, seconds), c->interrupted ? ", stopping (Ctrl-C again kills it)" : "",
		coverage_words(j));
	fprintf(stderr, "\r\033[K%.*s", (int)j->s.style.width - 1, line);
	fflush(stderr);
}

/* --- suppressions ---------------------------------------------------------------------------- */

/* The explorer may have been stopped while it wrote the file of a long execution. */
static void check_written(struct status_finding *f)
{
	if (!f->replay[0] || access(f->replay, F_OK) == 0)
		return;
	warn("%s was not written: the time was up (--time)", f->replay);
	f->replay[0] = 0;
}

static const struct report *open_finding(const struct job *j, struct status_finding *f)
{
	const struct trace *t;
	struct report *r;

	check_written(f);
	t = f->replay[0] ? load_trace_or_warn(f->replay) : NULL;
	r = t ? report_open(t, f->replay) : NULL;

	if (r)
		report_select(r, j->s.style.all);
	return r;
}

/* The runtime waits for this: does the finding count? */
static void judge_found(struct job *j, struct status_finding *f, struct found *to)
{
	*to = (struct found){.status = f};
	to->report = open_finding(j, f);
	to->suppressed = j->judges ? j->judges(to) : suppressions_match(&j->rules, to);
	__atomic_store_n(&f->verdict, to->suppressed ? VERDICT_SUPPRESSED : VERDICT_COUNTS,
		__ATOMIC_RELEASE);
}

static void judge_all(struct job *j, struct status *st)
{
	for (unsigned i = 0; j->s.explore.judged && i < st->nfindings && i < STATUS_FINDINGS; i++)
		if (__atomic_load_n(&st->findings[i].verdict, __ATOMIC_ACQUIRE) == VERDICT_ASKED)
			judge_found(j, &st->findings[i], &j->findings[i]);
	if (j->match_goals &&
		__atomic_load_n(&st->calls.question, __ATOMIC_ACQUIRE) == QUESTION_ASKED) {
		j->match_goals(&st->calls);
		__atomic_store_n(&st->calls.question, QUESTION_NONE, __ATOMIC_RELEASE);
	}
}

static void tick_silently(struct child *c, void *ctx)
{
	judge_all(ctx, c->status);
}

static void tick(struct child *c, void *ctx)
{
	struct job *j = ctx;

	judge_all(j, c->status);
	if (!isatty(STDERR_FILENO) || clock_now() - j->drawn < PROGRESS_MS * 1000000ull)
		return;
	j->drawn = clock_now();
	draw_progress(c, j);
}

/* --- the result ------------------------------------------------------------------------------ */

const char *job_model(const struct job *j, enum model_id m)
{
	return model_is_file(m) ? path_base(j->s.explore.cat) : model_name(m);
}

/* Does the search not look for data races, or, with strategy mixed, not in all executions? */
static bool races_unknown(const struct job *j, const struct status *st)
{
	const struct options *o = &j->s.explore;

	return (st->chosen == STRATEGY_DFS || st->chosen == STRATEGY_MIXED) &&
	       o->detect & DETECT_RACE && o->races != RACES_IGNORE && !st->compare.portable;
}

static void summarise(struct job *j)
{
	const struct status *st = j->child.status;
	struct summary *sum = &j->result.summary;

	sum->model = job_model(j, st->state == STATUS_NEW ? j->s.explore.model
							    : (enum model_id)st->chosen_model);
	sum->strategy = strategy_name(
		st->state == STATUS_NEW ? j->s.explore.strategy : (enum strategy)st->chosen);
	if (st->strategy == STRATEGY_GRAPH)
		sum->equivalence = equivalence_name((enum equivalence)st->equivalence);
	sum->symmetric = st->strategy == STRATEGY_GRAPH && st->twins;
	sum->known = !j->result.error;
	sum->executions = st->executions;
	sum->blocked = st->blocked;
	sum->cut = st->cut;
	sum->assumed = st->assumed;
	sum->failing = st->failing;
	sum->promoted = st->promoted;
	sum->steps = st->steps;
	sum->complete = st->complete;
	sum->races_unknown = races_unknown(j, st);
	sum->max_steps = st->max_steps;
	sum->levels = st->levels;
	sum->delays = st->delays;
	sum->pct = &st->pct;
	sum->bounds = st->bounds;
	sum->estimate = st->complete ? 0 : st->estimate;
	sum->states = st->states;
	sum->loops = st->loops;
	sum->boundless = st->boundless;
	sum->options = &j->s.explore;
	sum->outcomes = &st->outcomes;
	if (st->compare.portable) {
		sum->compare = &st->compare;
		sum->from = job_model(j, j->s.explore.from);
	}
	if (st->held[0])
		sum->held = place_words(xprintf("%.*s", (int)sizeof(st->held), st->held));
	if (st->unconfirmed)
		sum->doubt = place_words(xprintf("%.*s", (int)sizeof(st->doubt), st->doubt));
	sum->seconds = (double)st->nanoseconds / 1e9;
	for (unsigned i = 0; i < array_size(st->coverage) && st->coverage[i][0]; i++)
		sum->coverage[sum->ncoverage++] = place_words(
			xprintf("%.*s", (int)sizeof(st->coverage[i]), st->coverage[i]));
}

/* Are there findings that count? */
static bool has_failures(struct job *j)
{
	return result_failures(
		&(struct result){.findings = j->findings, .nfindings = j->child.status->nfindings});
}

/* The process has ended within an execution: a finding, unless heddle has ended it. */
static void take_lost(struct job *j)
{
	struct status *st = j->child.status;

	if (WIFEXITED(j->child.wait_status) && WEXITSTATUS(j->child.wait_status) == EXIT_BUG)
		exit(EXIT_BUG); /* it has printed the reason */
	if (j->child.interrupted || j->child.killed)
		st->bounds |= j->child.interrupted ? BOUND_INTERRUPT : BOUND_TIME;
	else if (lost_finding(&j->child, &j->setup, &j->s,
			 &j->facts)) /* the process does not wait for the verdict */
		judge_found(j, &st->findings[st->nfindings - 1], &j->findings[st->nfindings - 1]);
	j->exit_code = has_failures(j) ? EXIT_FINDING : EXIT_CUT;
	if (has_failures(j) && !st->failing && !j->s.explore.shard) { /* killed before it counted */
		st->executions++;
		st->failing++;
	}
	st->complete = 0;
	if (!st->nanoseconds)
		st->nanoseconds = clock_now() - j->started;
}

/* The reason why nothing could be explored; NULL: it could. */
static const char *take_state(struct job *j)
{
	const struct status *st = j->child.status;
	int code = j->child.wait_status;

	j->exit_code = st->exit_code;
	switch (st->state) {
	case STATUS_DONE: return NULL;
	case STATUS_EXPLORING: take_lost(j); return NULL;
	case STATUS_REFUSED:
	case STATUS_DIVERGED: return place_words(xprintf("%.*s", (int)sizeof(st->note), st->note));
	}
	if (WIFEXITED(code) && WEXITSTATUS(code) == EXIT_BUG)
		exit(EXIT_BUG);
	if (j->child.interrupted || j->child.killed) {
		j->child.status->bounds = j->child.interrupted ? BOUND_INTERRUPT : BOUND_TIME;
		j->child.status->nanoseconds = clock_now() - j->started;
		j->exit_code = EXIT_CUT;
		return NULL;
	}
	if (WIFSIGNALED(code))
		return xprintf("%s: killed by %s before anything was explored", j->setup.argv[0],
			sigabbrev_np(WTERMSIG(code))
				? xprintf("SIG%s", sigabbrev_np(WTERMSIG(code)))
				: "a signal");
	return xprintf("%s: ended with status %d before anything was explored", j->setup.argv[0],
		WEXITSTATUS(code));
}

/* Does an earlier finding have the same report? Then the execution counts, but is not a separate
 * finding. */
static bool is_reported(const struct found *f, unsigned before, const struct found *all)
{
	for (unsigned i = 0; i < before && f->report; i++)
		if (all[i].report && race_is_same(all[i].report, f->report))
			return true;
	return false;
}

static void take_findings(struct job *j)
{
	struct status *st = j->child.status;
	unsigned n = st->nfindings < STATUS_FINDINGS ? st->nfindings : STATUS_FINDINGS;
	bool pages = j->to.html || j->to.html_folder;
	bool documents = j->to.json || j->to.junit || j->to.sarif || pages || j->to.annotate;
	struct result *r = &j->result;
	unsigned kept = 0;

	if (st->unrecorded && n)
		lost_choices(&j->child, n - 1, &j->setup, &j->s, &j->facts);
	for (unsigned i = 0; i < n; i++) {
		struct found f = j->findings[i];

		f.status = &st->findings[i];
		if (!f.report && (!j->s.quiet || j->s.suite || documents))
			f.report = open_finding(j, &st->findings[i]);
		if (is_reported(&f, kept, j->findings))
			unlink(st->findings[i].replay);
		else
			j->findings[kept++] = f;
	}
	n = kept;
	for (unsigned i = 0; pages && i < n; i++) {
		struct found *f = &j->findings[i];

		if (f->report && !j->child.interrupted)
			f->passing = follow_passing(f->report, j->s.input);
	}
	r->findings = j->findings;
	r->nfindings = n;
	r->summary.suppressed = n - result_failures(r);
	if (!j->judges)
		suppressions_count(&j->rules, r->findings, n);
}

/* --- all of it ------------------------------------------------------------------------------- */

void job_begin(struct job *j)
{
	j->started = clock_now();
	child_start(&j->child, &j->s.explore, &j->setup);
	close(j->child.fd);
}

unsigned job_wait_any(struct job *const *jobs, unsigned n)
{
	struct child_watch watch[JOBS_MAX];
	struct child *children[JOBS_MAX];

	BUG_ON(n > JOBS_MAX);
	for (unsigned i = 0; i < n; i++) {
		watch[i] = (struct child_watch){i ? tick_silently : tick, jobs[i],
			jobs[i]->s.explore.judged ? JUDGE_MS : PROGRESS_MS};
		children[i] = &jobs[i]->child;
	}
	return child_wait_any(children, watch, n);
}

bool job_poll(struct job *j)
{
	return child_poll(&j->child, &(struct child_watch){tick_silently, j, JUDGE_MS});
}

const char *job_defect(const struct job *j)
{
	if (page_is_foreign(j->child.status))
		return xprintf("%s: compiled by another version of heddle: compile it again",
			j->setup.argv[0]);
	if (!page_is_whole(j->child.status))
		return xprintf("%s has overwritten heddle's memory in its process: a store "
			       "through a wild pointer, which -fsanitize=address or valgrind can "
			       "find", j->setup.argv[0]);
	return NULL;
}

void job_end(struct job *j)
{
	const char *defect;

	judge_all(j, j->child.status);
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
	defect = job_defect(j);
	if (defect)
		die("%s", defect);
	if (j->child.status->test_state == TEST_NONE && j->s.explore.suite_test)
		return; /* there is no such test */
	j->result.error = take_state(j);
	if (j->result.error)
		j->exit_code = EXIT_USAGE;
	summarise(j);
	take_findings(j);
	if (j->paces)
		pace_findings(j);
	j->result.summary.exit_code = j->exit_code;
}

void job_explore(struct job *j)
{
	job_begin(j);
	job_wait_any(&j, 1);
	job_end(j);
}
