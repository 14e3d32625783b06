/* SPDX-License-Identifier: ISC */
/*
 * reproduce.c - heddle reproduce: is a failure that was seen elsewhere possible in a test?
 *
 * The search is that of heddle run; a finding counts if the call stacks of its threads match the
 * backtrace, and others are passed over as suppressed ones are.
 */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "die.h"
#include "goal/goal.h"
#include "goal/tracks.h"
#include "job/job.h"
#include "path.h"
#include "program/coverage.h"
#include "recorder/flight.h"
#include "report/clean.h"

static struct goal goal;
static struct recorded *recorded; /* the order of a flight record; NULL: none */
static const char *lost; /* on events of the record that the test cannot make; NULL: none */
static unsigned nlike;	     /* findings of such a kind that are not it */
static const char *survived; /* a finding at which executions end, and processes may not */
static u64 together;	     /* goals that one execution has reached: the most */
static const char *values;   /* names of variables that are to be as in the core file; NULL: none */
static const char *differs;  /* how a finding with the same calls differs from the core file */

static const struct suppression another = {
	.kind = "*", .reason = "not the failure of the backtrace"};

static bool ends_processes(enum finding_kind kind)
{
	return kind == FINDING_ASSERTION || kind == FINDING_CRASH || kind == FINDING_EXIT ||
	       kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK;
}

/* Are two findings of this kind different if the call stacks of their threads are
 * (machine/observer/call_stack.h)? */
static bool has_call_stacks(enum finding_kind kind)
{
	return kind == FINDING_DEADLOCK;
}

/* The first difference of a finding with the same calls, in words; NULL: none. */
static const char *differs_from_core(enum goal_match match, const struct report *r)
{
	if (match == GOAL_OTHER_LOCKS)
		return "its threads hold other locks than those in the core file";
	return match == GOAL_MATCHES && values ? core_differs(goal.memory, r, values) : NULL;
}

/* Called for each new finding, in the order of the search. */
static const struct suppression *judge_finding(const struct found *f)
{
	enum goal_match match;
	u64 reached;
	const char *other;

	if (!f->report)
		return &another;
	match = goal_matches(&goal, f->report, &reached);
	other = differs_from_core(match, f->report);
	if (match == GOAL_MATCHES && !other) {
		together = reached;
		return NULL;
	}
	if (!ends_processes(found_base(f)->kind))
		survived = found_message(f);
	differs = other ? other : differs;
	nlike += other || (goal_is_like(&goal, found_base(f)->kind) &&
				  !has_call_stacks(found_base(f)->kind));
	if (__builtin_popcountll(reached) > __builtin_popcountll(together))
		together = reached;
	return &another;
}

static const char *program;

/* Called for each new call stack. */
static void answer_calls(struct status_calls *c)
{
	if (goal.failed)
		c->goals = c->near = 0; /* a thread that is to fail is not held */
	else
		goal_match(&goal, program, c);
}

/* --- the answer ------------------------------------------------------------------------------ */

static char *goal_words(const struct goal_thread *t)
{
	const struct goal_frame *f = &t->at[0];

	return xprintf("%s, %s in %s%s", t->name, t->failed ? "which failed" : "which was",
		f->function, f->line ? xprintf(" (%s:%d)", f->file, f->line) : "");
}

static void show_goal(FILE *out)
{
	fprintf(out, "looking for: %s\n",
		goal.failed		 ? "a failure"
		: goal.running == goal.n ? "a failure, or threads that never go on"
					 : "threads that wait for ever");
	for (unsigned i = 0; i < goal.n; i++)
		fprintf(out, "  %s\n", clean_text(goal_words(&goal.thread[i])));
	if (goal.others)
		fprintf(out, "  (%u other thread%s: no function of this program)\n", goal.others,
			goal.others == 1 ? "" : "s");
}

/* Has any execution reached the innermost call of a goal? */
static bool was_reached(const struct reached *c, const struct goal_frame *f)
{
	for (unsigned i = 0; i < c->nmissing; i++)
		if (c->missing[i].line == f->line &&
			!strcmp(path_base(c->missing[i].file), f->file))
			return false;
	return true;
}

/* The innermost call of the thread that some execution has made; NULL: none. */
static const struct goal_frame *nearest_call(const struct reached *c, const struct goal_thread *t)
{
	for (unsigned i = 1; i < t->n; i++)
		if (t->at[i].line && was_reached(c, &t->at[i]))
			return &t->at[i];
	return NULL;
}

/* The distance of a thread whose innermost line was never executed. */
static const char *call_words(const struct reached *c, const struct goal_thread *t)
{
	const struct goal_frame *f = nearest_call(c, t);

	return f ? xprintf("no execution has reached this line, but its caller %s (%s:%d)",
			   f->function, f->file, f->line)
		 : "no execution has reached this line";
}

static void show_distance(const struct reached *c, FILE *out)
{
	for (unsigned i = 0; i < goal.n; i++) {
		const struct goal_thread *t = &goal.thread[i];

		fprintf(out, "  %s: %s\n", clean_text(goal_words(t)),
			!was_reached(c, &t->at[0]) ? call_words(c, t)
			: together >> (i & 63) & 1 ? "a failing execution had a thread there"
						   : "the line was executed, but no failing "
						     "execution had a thread in these calls");
	}
}

/* Threads that failed in the same moment. An execution ends with the first. */
static unsigned count_failed(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < goal.n; i++)
		n += goal.thread[i].failed;
	return n;
}

static int show_answer(struct job *j, const struct reached *c)
{
	const struct result *r = &j->result;
	FILE *out = j->to.text;
	bool complete = r->summary.complete && !nlike && !survived;

	for (unsigned i = 0; i < r->nfindings; i++) {
		const struct found *f = &r->findings[i];

		if (f->suppressed) {
			fprintf(out, "another failure: %s%s\n", clean_text(found_message(f)),
				found_replay(f) ? xprintf(" (%s)", path_here(found_replay(f)))
						: "");
			continue;
		}
		fprintf(out, "reproduced: %d of %u thread%s the backtrace%s\n",
			__builtin_popcountll(together), goal.n,
			goal.n == 1 ? " matches" : "s match",
			count_failed() > 1 ? ", of those that failed the first" : "");
		if (recorded && f->report)
			recorded_show_kept(recorded, f->report, out);
		if (f->report && !j->s.quiet)
			text_report(f->report, &j->s.style, out);
		return EXIT_FINDING;
	}
	fprintf(out,
		complete ? "not in this test: no execution has this failure under %s\n"
			 : "not found under %s\n",
		r->summary.model);
	show_distance(c, out);
	if (differs)
		fprintf(out, "note: another failure has the same calls, but %s\n",
			clean_text(differs));
	if (recorded)
		recorded_show_nearest(recorded, out);
	if (r->summary.complete && nlike)
		fprintf(out, "note: of failures with the same message only the first is compared: "
			     "others may be called as in the backtrace\n");
	if (r->summary.complete && survived)
		fprintf(out, "note: executions ended with `%s', where a process may go on\n",
			clean_text(survived));
	return complete ? EXIT_CLEAN : EXIT_CUT;
}

/* Goals that an execution has reached together without failing as they did. */
static void add_together(const struct job *j)
{
	u64 most = j->child.status->calls.together;

	if (__builtin_popcountll(most) > __builtin_popcountll(together))
		together = most;
}

/* Threads of a deadlock, and those of a flight record, are led by one process. */
static bool guides_search(const struct job *j)
{
	return (!goal.failed || recorded) && j->s.explore.jobs == 1;
}

static void read_goal(struct job *j, const char *path)
{
	const struct functions *of = functions_read(path);
	static struct flight f;

	if (j->s.flight) {
		f = flight_read(j->s.flight);
		goal = goal_of_flight(&f, of);
		recorded = recorded_open(&f, path, &j->s.explore, &lost);
	} else {
		goal = j->s.core ? goal_of_core(j->s.core, of) : goal_read(j->s.backtrace, of);
	}
}

static int run_reproduce(int argc, char **argv)
{
	static struct job j;
	struct coverage *coverage;
	int code;

	job_prepare(&j, &command_reproduce, argc, argv);
	if (!!j.s.backtrace + !!j.s.core + !!j.s.flight != 1)
		die("reproduce: name a text with a backtrace, a core file or a flight recorder's "
		    "file, as in `heddle reproduce --backtrace bt.txt ./test'");
	values = j.s.values;
	if (values && !j.s.core)
		die("reproduce: --values needs --core: only a core file has values");
	read_goal(&j, j.setup.argv[0]);
	j.judges = judge_finding;
	j.s.explore.judged = 1;
	j.s.explore.call_stacks = guides_search(&j) ? 2 : 1;
	j.match_goals = answer_calls;
	program = j.setup.argv[0];
	if (j.s.explore.races == RACES_AUTO) /* no process stops at a race */
		j.s.explore.races = RACES_PROMOTE;
	if (!j.s.quiet)
		show_goal(j.to.text);
	coverage = coverage_open(j.setup.argv[0], &j.s.explore);
	job_explore(&j);
	if (j.result.error)
		die("%s", j.result.error);
	add_together(&j);
	code = show_answer(&j, coverage_result(coverage, false));
	if (lost)
		fprintf(j.to.text, "note: %s\n", clean_text(lost));
	text_summary(&j.result.summary, j.to.text);
	return code;
}

const struct command command_reproduce = {
	.name = "reproduce",
	.summary = "look for a failure of which there is a backtrace, core file or flight recorder",
	.usage = "[OPTIONS] --backtrace FILE | --core FILE | --flight FILE PROGRAM [ARGUMENTS]",
	.text = "Look for an execution of a test in which the call stacks of the threads match a\n"
		"backtrace: the output of gdb's `thread apply all bt' for a process, compiled\n"
		"without heddle, that has crashed or hangs; or its core file; or the file of its\n"
		"flight recorder, whose order of events the search follows. Other failures are\n"
		"passed over. Frames outside of the test's code do not count.\n\n"
		"Exit status: 1 reproduced; 0 explored completely, and not in this test; 3 not\n"
		"found, but incomplete; 2 usage or environment.\n",
	.examples = "  heddle reproduce --model tso --core core ./queue_test\n"
		    "  gdb -p PID -batch -ex 'thread apply all bt' >bt.txt\n"
		    "  heddle reproduce --model tso --backtrace bt.txt ./queue_test\n",
	.groups = GROUP_EXPLORE | GROUP_RUN | GROUP_REPRODUCE,
	.run = run_reproduce,
};
