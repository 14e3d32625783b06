/* SPDX-License-Identifier: ISC */
/*
 * suite.c - see suite.h: each test of a program, separately.
 *
 * The program is started once for each. Where the framework can run a single test, that is asked
 * for on the command line (runner.h); all of main() is explored then. Else the runtime gets the
 * number of the test, counted where the framework begins one (runtime/intercept/process/suite.h) or
 * forks a process for it (follow.h), until there is no such test. A test's effects on the process
 * end with it. A test that is registered and fails alone may need effects of the preceding tests:
 * it is explored again after these have run natively, and if it then passes, its line says so.
 *
 * With --jobs, several tests are explored at the same time; their results are taken in the order of
 * the tests.
 */
#include "suite/suite.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "child/interrupt.h"
#include "clock.h"
#include "die.h"
#include "path.h"
#include "shard/shard.h"
#include "suite/runner.h"

struct suite {
	const struct job *all;
	const struct runner *runner; /* NULL: the runtime counts the tests */
	char **names;		     /* of all tests, with a runner */
	struct job **job; /* the jobs that count */
	unsigned n, room;
	struct job *begun[JOBS_MAX]; /* and not taken; in the order of the tests */
	unsigned nbegun, nrunning;   /* those, and those of them that have not ended */
	unsigned next;		     /* of the tests of this shard, from 1 on */
	bool no_more;		     /* there is no such test */
	unsigned ok, failed, refused, cut, inactive, skipped, dependent, unconfirmed;
	u64 started;
	bool interrupted;
	const struct suite_view *view; /* NULL: a line for each test */
};

/* --- lines ----------------------------------------------------------------------------------- */

/* Races, deadlocks and livelocks name their places. */
static bool names_place(const char *message, const char *file, int line)
{
	const char *place = xprintf("%s:%d", path_base(file), line);
	const char *at = strstr(message, place);

	return at && !isdigit((unsigned char)at[strlen(place)]);
}

static const char *failure_words(const struct job *j)
{
	const struct found *f = result_first_failure(&j->result);
	const char *file;

	if (!f)
		return "";
	file = found_file(f);
	if (!file || names_place(found_message(f), file, found_line(f)))
		return found_message(f);
	return xprintf("%s, %s", found_message(f), path_here(found_place(f)));
}

static const char *replay_words(const struct job *j)
{
	const struct found *f = result_first_failure(&j->result);
	const char *path = f ? found_replay(f) : NULL;

	return path ? xprintf(" (%s)", shell_word(path_here(path))) : "";
}

static const char *summary_words(const struct job *j)
{
	const struct summary *s = &j->result.summary;
	const char *name;
	char *words,
		*all = xprintf("%llu execution%s, %s", (unsigned long long)s->executions,
			s->executions == 1 ? "" : "s", s->complete ? "complete" : "not complete");

	for (unsigned i = 0; !s->complete && bound_words(s, i, &name, &words); i++)
		all = xprintf("%s%s%s", all, i ? "; " : ": ", words);
	if (guarantee_words(s))
		all = xprintf("%s; %s", all, guarantee_words(s));
	if (s->doubt)
		all = xprintf("%s; %s", all, s->doubt);
	if (s->suppressed)
		all = xprintf("%s, %llu finding%s suppressed", all,
			(unsigned long long)s->suppressed, s->suppressed > 1 ? "s" : "");
	return all;
}

static char *full_name(const struct result *r)
{
	return r->suite[0] ? xprintf("%s: %s", r->suite, r->name) : xstrdup(r->name);
}

static void line(
	const struct suite *s, const struct job *j, const char *word, const char *rest)
{
	if (s->view) {
		s->view->take(j, word, rest);
		return;
	}
	if (!j->to.text)
		return;
	fprintf(j->to.text, "%-7s %-40s %s\n", word, full_name(&j->result), rest);
	fflush(j->to.text);
}

/* --- a test ---------------------------------------------------------------------------------- */

/* Check the end of a program that did not come to the test. */
static void check_end(const struct suite *s, const struct job *j)
{
	int code = j->child.wait_status;

	if (WIFEXITED(code) && WEXITSTATUS(code) == EXIT_BUG)
		exit(EXIT_BUG);
	if (j->child.interrupted)
		return;
	if (WIFSIGNALED(code))
		die("%s: killed by signal %d before it ran test %llu", j->setup.argv[0],
			WTERMSIG(code), (unsigned long long)j->s.explore.suite_test);
	if (!j->child.status->tests && s->all->s.explore.suite_fork)
		die("%s: no test found: it uses no framework that heddle knows (heddle help "
		    "suites), and forks no process",
			j->setup.argv[0]);
	if (!j->child.status->tests)
		die("%s: ran no test of CUnit, cmocka or Unity before it ended",
			j->setup.argv[0]);
}

/* The number of the i-th test, of those of this shard. */
static unsigned shard_test(const struct suite *s, unsigned i)
{
	const struct options part = {.shard = s->all->s.shard};

	return (i - 1) * option_shards(&part) + option_shard(&part) + 1;
}

/* The exploration of the test of this number, counted by the runtime. */
static struct job *make_counted(const struct suite *s, unsigned number, bool before)
{
	struct job *j = xmalloc(sizeof(*j));

	*j = *s->all;
	j->s.explore.suite_test = number;
	j->s.explore.suite_before = before;
	j->result.number = number;
	j->setup.no_out = !j->s.verbose;
	if (before) /* its findings are not shown, so no files are written */
		strcpy(j->s.explore.replay_dir, "/dev/null");
	return j;
}

/* Take its result; false: there is no such test. */
static bool end_counted(struct suite *s, struct job *j)
{
	job_end(j);
	j->result.suite = j->child.status->suite;
	j->result.name = j->child.status->test;
	if (j->child.status->test_state != TEST_NONE)
		return true;
	s->interrupted |= j->child.interrupted;
	if (!s->no_more)
		check_end(s, j);
	return false;
}

/* The explored test of this number; NULL: there is none. */
static struct job *explore_counted(struct suite *s, unsigned number, bool before)
{
	struct job *j = make_counted(s, number, before);

	job_begin(j);
	job_wait_any(&j, 1);
	return end_counted(s, j) ? j : NULL;
}

/* queue/push: a test of the suite queue. */
static void split_name(struct result *r, const char *name)
{
	const char *slash = strrchr(name, '/');

	r->suite = slash ? xprintf("%.*s", (int)(slash - name), name) : "";
	r->name = slash ? slash + 1 : name;
}

static void name_replay(struct job *j, const char *test)
{
	char *to = j->s.explore.replay_name;
	size_t room = sizeof(j->s.explore.replay_name);

	snprintf(to, room, "%.120s.%.120s", path_base(j->setup.argv[0]), test);
	for (to += strlen(path_base(j->setup.argv[0])); *to; to++)
		if (!isalnum((unsigned char)*to) && !strchr("._-+", *to))
			*to = '_';
}

/* The exploration of the i-th test in the framework's list; NULL: there is none. */
static struct job *make_listed(const struct suite *s, unsigned i)
{
	const char *name = s->names[i - 1];
	struct job *j;

	if (!name)
		return NULL;
	j = xmalloc(sizeof(*j));
	*j = *s->all;
	j->setup.argv = runner_command(s->runner, s->all->setup.argv, name);
	j->setup.no_out = !j->s.verbose;
	j->result.number = shard_test(s, i);
	name += name[0] == '/';
	name_replay(j, name);
	split_name(&j->result, name);
	return j;
}

/* Does the test pass after the preceding ones of its suite have run? */
static bool passes_after_others(struct suite *s, const struct job *failed)
{
	const struct job *last = s->n ? s->job[s->n - 1] : NULL;
	struct job *again;

	if (s->runner || !last || strcmp(last->result.suite, failed->result.suite))
		return false;
	again = explore_counted(s, (unsigned)failed->s.explore.suite_test, true);
	if (!again)
		return false;
	s->interrupted |= again->child.interrupted;
	return again->child.status->test_state == TEST_EXPLORED && !again->result.error &&
	       !result_first_failure(&again->result) && !again->child.interrupted;
}

static void keep(struct suite *s, struct job *j)
{
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->job = xgrow(s->job, s->room * sizeof(*s->job));
	}
	s->job[s->n++] = j;
}

static void failed(struct suite *s, struct job *j)
{
	if (!passes_after_others(s, j)) {
		s->failed++;
		line(s, j, "FAILED", xprintf("%s%s", failure_words(j), replay_words(j)));
		return;
	}
	s->dependent++;
	s->ok++;
	line(s, j, "ok", xprintf("only after the preceding tests: alone, %s", failure_words(j)));
	j->result.nfindings = 0;
	j->exit_code = j->result.summary.exit_code = EXIT_CLEAN;
}

static void take_test(struct suite *s, struct job *j)
{
	const struct status *st = j->child.status;

	s->interrupted |= j->child.interrupted;
	if (st->test_state == TEST_OTHER)
		return;
	if (st->test_state == TEST_INACTIVE) {
		s->inactive++;
		line(s, j, "-", "inactive");
		return;
	}
	if (st->test_state == TEST_SKIPPED && j->exit_code == EXIT_CLEAN) {
		s->skipped++;
		line(s, j, "-", "skipped");
		return;
	}
	if (st->test_state == TEST_UNINITIALISED) {
		j->result.error = "the initialisation of its suite failed";
		j->exit_code = EXIT_FINDING;
	}
	if (j->result.error) {
		s->failed += j->exit_code == EXIT_FINDING;
		s->refused += j->exit_code == EXIT_USAGE;
		line(s, j, j->exit_code == EXIT_FINDING ? "FAILED" : "refused", j->result.error);
	} else if (j->exit_code == EXIT_FINDING) {
		failed(s, j);
	} else {
		s->ok += j->exit_code == EXIT_CLEAN;
		s->cut += j->exit_code == EXIT_CUT;
		s->unconfirmed += j->exit_code == EXIT_BUG;
		line(s, j, j->exit_code == EXIT_CLEAN ? "ok" : "cut", summary_words(j));
	}
	keep(s, j);
}

/* --- all of them ----------------------------------------------------------------------------- */

static void notes(const struct suite *s, FILE *out)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct summary *sum = &s->job[i]->result.summary;

		for (unsigned k = 0; k < sum->ncoverage; k++) {
			bool said = false;

			for (unsigned before = 0; before < i && !said; before++)
				for (unsigned m = 0; m < s->job[before]->result.summary.ncoverage;
					m++)
					said |= !strcmp(s->job[before]->result.summary.coverage[m],
						sum->coverage[k]);
			if (!said)
				fprintf(out, "note: %s\n", sum->coverage[k]);
		}
	}
}

/* Show the suppressed findings of all tests, and the unused rules. */
static void known(const struct suite *s, const struct job *all, FILE *out)
{
	struct found *findings;
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n += s->job[i]->result.nfindings;
	findings = xmalloc((n + 1) * sizeof(*findings));
	n = 0;
	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = 0; k < s->job[i]->result.nfindings; k++)
			findings[n++] = s->job[i]->result.findings[k];
	suppressions_show(&all->rules, findings, n, out);
}

static void summary(const struct suite *s, const struct job *all, FILE *out)
{
	double seconds = (double)(clock_now() - s->started) / 1e9;
	const char *ways = s->view ? s->view->show_failures(out) : "";

	known(s, all, out);
	notes(s, out);
	fprintf(out, "heddle: %u %s%s", s->n, s->view ? s->view->noun : "test",
		s->n == 1 ? "" : "s");
	if (all->s.shard)
		fprintf(out, " in shard %u of %u", (u32)all->s.shard, (u32)(all->s.shard >> 32));
	fprintf(out, ", %u ok, %u failed%s", s->ok, s->failed, ways);
	if (s->dependent)
		fprintf(out, ", %u of the ok ones only after the preceding tests", s->dependent);
	if (s->cut)
		fprintf(out, ", %u cut short", s->cut);
	if (s->unconfirmed)
		fprintf(out, ", %u not confirmed", s->unconfirmed);
	if (s->refused)
		fprintf(out, ", %u refused", s->refused);
	if (s->inactive)
		fprintf(out, ", %u inactive", s->inactive);
	if (s->skipped)
		fprintf(out, ", %u skipped", s->skipped);
	if (s->interrupted)
		fprintf(out, ", interrupted");
	fprintf(out, seconds < 10 ? ", %.3f s\n" : ", %.1f s\n", seconds);
	if (s->failed)
		fprintf(out, "heddle report FILE.heddle prints the execution, heddle replay "
			     "FILE.heddle repeats it\n");
}

static void documents(const struct suite *s, const struct job *all, char **argv, int code)
{
	struct result *at = xmalloc((s->n + 1) * sizeof(*at));

	for (unsigned i = 0; i < s->n; i++)
		at[i] = s->job[i]->result;
	results_write(&(struct results){.program = all->setup.argv[0],
			      .command_line = command_line(argv),
			      .at = at,
			      .n = s->n,
			      .exit_code = code,
			      .shard = shard_of(all),
			      .suppressions = all->rules.rule,
			      .nsuppressions = all->rules.n},
		&all->to);
}

static bool is_asked_for(const char *glob, const char *name)
{
	return !glob || !fnmatch(glob, name, 0) || !fnmatch(glob, name + (name[0] == '/'), 0) ||
	       (strrchr(name, '/') && !fnmatch(glob, strrchr(name, '/') + 1, 0));
}

/* How are the tests of the program found? */
static void find_tests(struct suite *s, struct job *all)
{
	static const char *const unity = "UnityDefaultTestRun";
	const char *program = all->setup.argv[0], *glob = all->s.test;
	unsigned kept = 0, i;

	s->all = all;
	if (!elf_needs_library(program, "libcunit.") &&
		!elf_needs_library(program, "libcmocka.") &&
		elf_find_symbol(program, &unity, 1) < 0) {
		s->runner = runner_of(program);
		all->s.explore.suite_fork = !s->runner;
	}
	if (!s->runner) {
		if (glob && strlen(glob) >= sizeof(all->s.explore.suite_only))
			die("run: --test: too long");
		if (glob)
			strcpy(all->s.explore.suite_only, glob);
		return;
	}
	s->names = runner_tests(s->runner, &all->setup);
	for (char **name = s->names; *name; name++)
		if (is_asked_for(glob, *name))
			s->names[kept++] = *name;
	for (i = 0; shard_test(s, i + 1) <= kept; i++)
		s->names[i] = s->names[shard_test(s, i + 1) - 1];
	s->names[i] = NULL;
}

static int list_tests(struct suite *s, struct job *all)
{
	all->s.explore.suite_list = 1;
	for (unsigned number = 1; s->names && s->names[number - 1]; number++)
		puts(s->names[number - 1]);
	for (unsigned i = 1; !s->names && !s->interrupted; i++) {
		struct job *j = explore_counted(s, shard_test(s, i), false);

		if (!j)
			break;
		s->interrupted |= j->child.interrupted;
		if (is_asked_for(all->s.test, j->result.name))
			puts(full_name(&j->result));
	}
	return s->interrupted ? EXIT_CUT : EXIT_CLEAN;
}

static int exit_code(const struct suite *s)
{
	return s->failed			? EXIT_FINDING
	       : s->unconfirmed			? EXIT_BUG
	       : s->refused			? EXIT_USAGE
	       : s->cut || s->interrupted	? EXIT_CUT
						: EXIT_CLEAN;
}

static void begin_next(struct suite *s)
{
	struct job *j = s->runner ? make_listed(s, s->next)
				  : make_counted(s, shard_test(s, s->next), false);

	s->no_more = !j;
	if (!j)
		return;
	job_begin(j);
	s->begun[s->nbegun++] = j;
	s->nrunning++;
	s->next++;
}

static void wait_for_one(struct suite *s)
{
	struct job *running[JOBS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < s->nbegun; i++)
		if (!s->begun[i]->child.ended)
			running[n++] = s->begun[i];
	job_wait_any(running, n);
	s->nrunning--;
}

static void take_first(struct suite *s)
{
	struct job *j = s->begun[0];

	memmove(s->begun, s->begun + 1, --s->nbegun * sizeof(struct job *));
	if (s->runner)
		job_end(j);
	else if (!end_counted(s, j)) {
		s->no_more = true;
		return;
	}
	take_test(s, j);
}

static void explore_tests(struct suite *s)
{
	for (;;) {
		while (s->nrunning < s->all->s.at_once && s->nbegun < JOBS_MAX && !s->no_more &&
			!interrupt_count())
			begin_next(s);
		if (!s->nbegun)
			return;
		wait_for_one(s);
		while (s->nbegun && s->begun[0]->child.ended)
			take_first(s);
	}
}

int suite_run(const struct job *all, char **argv, const struct suite_view *view)
{
	struct suite s = {.next = 1, .started = clock_now(), .view = view};
	struct job base = *all;

	if (base.s.explore.checkpoint[0] || base.s.explore.resume[0])
		die("run: --suite: not with --checkpoint or --resume");
	find_tests(&s, &base);
	if (base.s.list)
		return list_tests(&s, &base);
	explore_tests(&s);
	if (base.s.test && !base.s.shard && !s.n && !s.inactive && !s.interrupted)
		die("run: --test %s: no test of %s has such a name", shell_word(base.s.test),
			all->setup.argv[0]);
	if (base.to.text)
		summary(&s, all, base.to.text);
	documents(&s, all, argv, exit_code(&s));
	return exit_code(&s);
}
