/* SPDX-License-Identifier: ISC */
/*
 * crash_replay.c - a finding from a process that died without a report (SIGKILL, exit by a direct
 * system call).
 *
 * The choices of the execution it was in are in the status page. They make a replay file without
 * events; the program is then run once more along them, with the recorder on, as it may write a
 * complete file before it dies again.
 */
#include "replay/crash_replay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "path.h"

static void write_piece(void *ctx, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, ctx); /* ferror() is checked at the end */
}

/* The cause of its death, in one line. */
static void describe(const struct child *c, struct finding *f)
{
	int code = c->wait_status;
	const char *name = WIFSIGNALED(code) ? sigabbrev_np(WTERMSIG(code)) : NULL;

	f->kind = FINDING_CRASH;
	if (!WIFSIGNALED(code)) {
		f->kind = FINDING_EXIT;
		snprintf(f->message, sizeof(f->message),
			"the process ended with status %d in the middle of an execution",
			WEXITSTATUS(code));
		return;
	}
	f->signal = WTERMSIG(code);
	if (f->signal == SIGKILL) {
		f->kind = FINDING_MEMORY;
		snprintf(f->message, sizeof(f->message), "%s",
			"killed by SIGKILL in the middle of an execution (out of memory?)");
		return;
	}
	snprintf(f->message, sizeof(f->message), "killed by %s%s in the middle of an execution",
		name ? "SIG" : "signal ", name ? name : xprintf("%d", f->signal));
}

static void record_options(struct trace_writer *w, const struct options *o)
{
	static const char *const internal[] = {"replay", "replay-dir", "replay-name", "status-fd",
		"coverage-fd", "track-fd", "explore", "break", "judged", "call-stacks",
		"graphs-only"};
	char value[OPTION_TEXT_MAX];
	const char *name;

	for (unsigned i = 0; option_show(o, i, &name, value, sizeof(value)); i++) {
		bool skip = option_is_default(o, i) && strcmp(name, "model") &&
			    strcmp(name, "strategy");

		for (size_t k = 0; k < array_size(internal); k++)
			skip |= !strcmp(name, internal[k]);
		if (!skip)
			trace_put_option(w, name, value);
	}
}

static void put_trace(struct trace_writer *w, const struct child *c,
	const struct child_setup *setup, const struct settings *s, const struct elf_facts *facts,
	const struct finding *f)
{
	const struct status *st = c->status;
	struct trace_finding finding = {*f, REORDER_UNKNOWN, st->executions + st->blocked + 1};
	u32 n = st->nchoices < STATUS_CHOICES ? st->nchoices : STATUS_CHOICES;
	struct options ran = s->explore;

	trace_put_program(w, &(struct trace_program){setup->argv[0], facts->build_id, 0});
	for (char **arg = setup->argv + 1; *arg; arg++)
		trace_put_arg(w, *arg);
	ran.model = (enum model_id)st->model;
	record_options(w, &ran);
	finding.f.step = finding.f.other = 0;
	for (u32 i = 0; i <= f->thread; i++)
		trace_put_thread(w, &(struct trace_thread){.id = i, .child = i});
	for (u32 i = 0; i < n; i++) {
		struct trace_choice choice = {st->choices[i] >> 16, st->choices[i] & 0xffff, 0, 0};

		if (choice.taken < choice.n)
			trace_put_choice(w, &choice);
	}
	trace_put_finding(w, &finding);
}

/* PROGRAM.heddle, PROGRAM-2.heddle, ..., named as the runtime does, and as it replaces old ones. */
static FILE *create(const struct settings *s, const char *program, u32 at, char *path, size_t size)
{
	const char *number = at ? xprintf("-%u", at + 1) : "";
	int length = snprintf(
		path, size, "%s/%s%s.heddle", s->explore.replay_dir, path_base(program), number);
	int fd = -1;

	if (length > 0 && (size_t)length < size)
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static bool write_file(struct status_finding *f, u32 at, const struct child *c,
	const struct child_setup *setup, const struct settings *s, const struct elf_facts *facts)
{
	static struct trace_writer w;
	FILE *out = create(s, setup->argv[0], at, f->replay, sizeof(f->replay));
	bool good;

	if (!out) {
		f->replay[0] = 0;
		return false;
	}
	trace_begin(&w, write_piece, out);
	put_trace(&w, c, setup, s, facts, &f->finding);
	trace_end(&w);
	good = !ferror(out);
	if (fclose(out) == 0 && good)
		return true;
	unlink(f->replay);
	f->replay[0] = 0;
	return false;
}

/* Is the signal usually sent by other processes? */
static bool is_sent(int wait_status)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

	if (!WIFSIGNALED(wait_status))
		return false;
	for (size_t i = 0; i < array_size(own); i++)
		if (WTERMSIG(wait_status) == own[i])
			return false;
	return true;
}

/* Run along the same choices again, recording. A better file replaces ours. Returns whether it dies
 * in the same way. */
static bool record(struct status_finding *f, const struct child *c, const struct child_setup *setup,
	const struct settings *s)
{
	struct options o = s->explore;
	struct child again;

	if (strlen(f->replay) >= sizeof(o.replay))
		return false;
	strcpy(o.replay, f->replay);
	strcpy(o.replay_name, "lost");
	child_start(&again, &o, setup);
	child_wait(&again, &(struct child_watch){NULL});
	if (again.status->state == STATUS_DONE && again.status->nfindings == 1 &&
		again.status->findings[0].replay[0]) {
		u64 execution = f->execution;

		if (rename(again.status->findings[0].replay, f->replay) == 0) {
			f->finding = again.status->findings[0].finding;
			f->reorder = again.status->findings[0].reorder;
			f->execution = execution;
		}
		return true;
	}
	return again.wait_status == c->wait_status && !again.interrupted;
}

#define AGAIN_MAX 10000000 /* microseconds */
#define AT_LEAST  200000000 /* nanoseconds of running it again, even if its time is over */

/* Graphs leave no choices: repeat the search up to the same execution, which may differ with
 * several processes. Returns whether it dies there in the same way. */
static bool repeat(const struct child *c, const struct child_setup *setup, const struct settings *s)
{
	const struct status *st = c->status;
	struct options o = s->explore;
	struct child again;

	if (o.jobs > 1 || o.resume[0])
		return false;
	o.executions = st->executions + st->blocked + 1;
	o.time = o.time && o.time < AGAIN_MAX ? o.time : AGAIN_MAX;
	o.judged = 0;
	o.checkpoint[0] = 0;
	strcpy(o.replay_dir, "/dev/null"); /* its findings are known */
	child_start(&again, &o, setup);
	child_wait(&again, &(struct child_watch){NULL});
	return again.wait_status == c->wait_status && !again.interrupted &&
	       again.status->executions + again.status->blocked == st->executions + st->blocked;
}

static void note_line(struct status *st, const char *line)
{
	unsigned i = 0;

	while (i < array_size(st->coverage) - 1 && st->coverage[i][0])
		i++;
	snprintf(st->coverage[i], sizeof(st->coverage[i]), "%s", line);
}

/* Note that the signal probably came from outside. */
static void blame_others(struct status *st, struct status_finding *f, const struct child *c)
{
	const char *name = sigabbrev_np(WTERMSIG(c->wait_status));

	if (f->replay[0])
		unlink(f->replay);
	note_line(st, WTERMSIG(c->wait_status) == SIGPIPE
			 ? "killed by SIGPIPE: the reader of its output is gone"
			 : xprintf("killed by SIG%s from outside (out of memory, another limit, or "
				   "by hand?): the same execution survives when repeated",
				   name ? name : "?"));
	memset(f, 0, sizeof(*f));
	st->bounds |= BOUND_INTERRUPT;
}

void lost_choices(struct child *c, u32 at, const struct child_setup *setup,
	const struct settings *s, const struct elf_facts *facts)
{
	struct status *st = c->status;

	if (!st->findings[at].finding.repeats && st->unrecorded == st->nchoices &&
		(st->findings[at].replay[0] ||
			write_file(&st->findings[at], at, c, setup, s, facts)))
		note_line(st, "the time was up before the steps of the execution were recorded: "
			      "heddle replay records them");
}

bool lost_finding(struct child *c, const struct child_setup *setup, const struct settings *s,
	const struct elf_facts *facts)
{
	struct status *st = c->status;
	u32 at = st->nfindings < STATUS_FINDINGS ? st->nfindings : STATUS_FINDINGS - 1;
	struct status_finding *f = &st->findings[at];
	struct child_setup alone = *setup;
	u64 now = clock_now();
	bool again;

	memset(f, 0, sizeof(*f));
	describe(c, &f->finding);
	f->reorder = -1;
	f->execution = st->executions + st->blocked + 1;
	if (f->finding.signal == SIGPIPE)
		alone.no_out = true; /* of heddle's reader, or of a pipe of its own? */
	alone.until = c->until && c->until < now + AT_LEAST ? now + AT_LEAST : c->until;
	again = write_file(f, at, c, setup, s, facts) && record(f, c, &alone, s);
	if (is_sent(c->wait_status) && !again && (st->nchoices || !repeat(c, &alone, s))) {
		blame_others(st, f, c);
		return false;
	}
	st->nfindings = at + 1;
	st->failing++;
	st->bounds |= BOUND_FINDING;
	return true;
}
