/* SPDX-License-Identifier: ISC */
/*
 * suite.c - see suite.h: each test that a program registers with CUnit, separately.
 *
 * The program is started once for each, with the number of the test to explore
 * (runtime/intercept/cunit.c), until there is no such test. A test's effects on the process end
 * with it. A test that fails alone may need effects of the preceding tests: it is explored again
 * after these have run natively, and if it then passes, its line says so.
 */
#include "suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "die.h"
#include "path.h"

struct suite {
	struct job **job; /* the jobs that count */
	unsigned n, room;
	unsigned ok, failed, refused, cut, inactive, dependent, unconfirmed;
	u64 nanoseconds;
	bool interrupted;
};

/* --- lines ----------------------------------------------------------------------------------- */

static const char *failure_words(const struct job *j)
{
	const struct found *f = result_first_failure(&j->result);
	const char *file;

	if (!f)
		return "";
	file = found_file(f);
	if (!file)
		return found_message(f);
	return xprintf("%s, %s:%d", found_message(f), path_here(file), found_line(f));
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
	if (s->doubt)
		all = xprintf("%s; %s", all, s->doubt);
	if (s->suppressed)
		all = xprintf("%s, %llu finding%s suppressed", all,
			(unsigned long long)s->suppressed, s->suppressed > 1 ? "s" : "");
	return all;
}

static void line(const struct job *j, const char *word, const char *rest)
{
	const struct result *r = &j->result;

	if (!j->to.text)
		return;
	fprintf(j->to.text, "%-7s %-40s %s\n", word, xprintf("%s: %s", r->suite, r->name), rest);
	fflush(j->to.text);
}

/* --- a test ---------------------------------------------------------------------------------- */

static struct job *explore(const struct job *all, unsigned number, bool before)
{
	struct job *j = xmalloc(sizeof(*j));

	*j = *all;
	j->s.explore.cunit = number;
	j->s.explore.cunit_before = before;
	j->setup.no_out = !j->s.verbose;
	if (before) /* its findings are not shown, so no files are written */
		strcpy(j->s.explore.replay_dir, "/dev/null");
	job_explore(j);
	j->result.suite = j->child.status->suite;
	j->result.name = j->child.status->test;
	return j;
}

/* Does the test pass after the preceding ones of its suite have run? */
static bool passes_after_others(struct suite *s, const struct job *all, const struct job *failed)
{
	const struct job *last = s->n ? s->job[s->n - 1] : NULL;
	struct job *again;

	if (!last || strcmp(last->result.suite, failed->result.suite))
		return false;
	again = explore(all, (unsigned)failed->s.explore.cunit, true);
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

static void failed(struct suite *s, const struct job *all, struct job *j)
{
	if (!passes_after_others(s, all, j)) {
		s->failed++;
		line(j, "FAILED", xprintf("%s%s", failure_words(j), replay_words(j)));
		return;
	}
	s->dependent++;
	s->ok++;
	line(j, "ok", xprintf("only after the preceding tests: alone, %s", failure_words(j)));
	j->result.nfindings = 0;
	j->exit_code = j->result.summary.exit_code = EXIT_CLEAN;
}

static void take_test(struct suite *s, const struct job *all, struct job *j)
{
	const struct status *st = j->child.status;

	s->nanoseconds += st->nanoseconds;
	s->interrupted |= j->child.interrupted;
	if (st->test_state == TEST_OTHER)
		return;
	if (st->test_state == TEST_INACTIVE) {
		s->inactive++;
		line(j, "-", "inactive");
		return;
	}
	if (st->test_state == TEST_UNINITIALISED) {
		j->result.error = "the initialisation of its suite failed";
		j->exit_code = EXIT_FINDING;
	}
	if (j->result.error) {
		s->failed += j->exit_code == EXIT_FINDING;
		s->refused += j->exit_code == EXIT_USAGE;
		line(j, j->exit_code == EXIT_FINDING ? "FAILED" : "refused", j->result.error);
	} else if (j->exit_code == EXIT_FINDING) {
		failed(s, all, j);
	} else {
		s->ok += j->exit_code == EXIT_CLEAN;
		s->cut += j->exit_code == EXIT_CUT;
		s->unconfirmed += j->exit_code == EXIT_BUG;
		line(j, j->exit_code == EXIT_CLEAN ? "ok" : "cut", summary_words(j));
	}
	keep(s, j);
}

/* --- all of them ----------------------------------------------------------------------------- */

/* Check the end of a program that did not run CUnit's tests. */
static void check_end(const struct job *j)
{
	int code = j->child.wait_status;

	if (WIFEXITED(code) && WEXITSTATUS(code) == EXIT_BUG)
		exit(EXIT_BUG);
	if (WIFSIGNALED(code) && !j->child.interrupted)
		die("%s: killed by signal %d before it ran test %llu", j->setup.argv[0],
			WTERMSIG(code), (unsigned long long)j->s.explore.cunit);
	if (!j->child.status->tests && !j->child.interrupted)
		die("%s: ran no CUnit test (with the shared library of CUnit) before it ended",
			j->setup.argv[0]);
}

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
	double seconds = (double)s->nanoseconds / 1e9;

	known(s, all, out);
	notes(s, out);
	fprintf(out, "heddle: %u test%s, %u ok, %u failed", s->n, s->n == 1 ? "" : "s", s->ok,
		s->failed);
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
			      .suppressions = all->rules.rule,
			      .nsuppressions = all->rules.n},
		&all->to);
}

int suite_run(const struct job *all, char **argv)
{
	struct suite s = {0};
	struct job base = *all;
	int code;

	if (base.s.explore.checkpoint[0] || base.s.explore.resume[0])
		die("run: --suite: not with --checkpoint or --resume");
	if (base.s.test && strlen(base.s.test) >= sizeof(base.s.explore.cunit_only))
		die("run: --test: too long");
	if (base.s.test)
		strcpy(base.s.explore.cunit_only, base.s.test);
	for (unsigned number = 1; !s.interrupted; number++) {
		struct job *j = explore(&base, number, false);

		if (j->child.status->test_state == TEST_NONE) {
			s.interrupted |= j->child.interrupted;
			check_end(j);
			break;
		}
		take_test(&s, &base, j);
	}
	if (base.s.test && !s.n && !s.inactive && !s.interrupted)
		die("run: --test %s: no test of %s has such a name", shell_word(base.s.test),
			all->setup.argv[0]);
	code = s.failed			? EXIT_FINDING
	       : s.unconfirmed		? EXIT_BUG
	       : s.refused		? EXIT_USAGE
	       : s.cut || s.interrupted ? EXIT_CUT
					: EXIT_CLEAN;
	if (base.to.text)
		summary(&s, all, base.to.text);
	documents(&s, all, argv, code);
	return code;
}
