/* SPDX-License-Identifier: ISC */
/*
 * gdb_script.c - see gdb_script.h.
 *
 * All that the commands print is made here, from the trace, as a command of gdb for each step; so
 * they call nothing in the program, and work in any of its states. A text is printed by echo, with
 * all but letters and digits as octal numbers: nothing in the replay file is evaluated.
 *
 * Back to a step is the program run again, along the same schedule, up to that step: the runtime
 * stops when it has recorded event __heddle_stop_at.
 */
#include "replay/gdb_script.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "die.h"

#define STATES_MAX 4000 /* steps of an execution whose states can be shown */
#define NEXT_STEPS 5

char *gdb_select(const char *function)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

	if (!function || !*function || function[strspn(function, letters)])
		return NULL;
	return xprintf("frame function %s", function);
}

static void echo_line(FILE *to, const char *text)
{
	fputs("echo ", to);
	for (; *text; text++) {
		if (isalnum((unsigned char)*text))
			fputc(*text, to);
		else
			fprintf(to, "\\%03o", (unsigned char)*text);
	}
	fputs("\\n\n", to);
}

/* --- states ---------------------------------------------------------------------------------- */

static char *gdb_step_words(const struct report *r, u32 i)
{
	const struct row *row = &r->rows[i];
	const char *place = row->at ? row_place(r, row) : "";

	return xprintf("step %u of %u: %s: %s%s%s%s%s", i + 1, r->t->nevents,
		thread_label(r, row->ev->e.thread), row->what, *row->note ? "  " : "", row->note,
		*place ? "  " : "", place);
}

/* The thread's first step after `step' others; r->t->nevents: none. */
static u32 next_thread_step(const struct report *r, u32 step, u32 thread)
{
	u32 i = step;

	while (i < r->t->nevents &&
		(r->rows[i].ev->e.thread != thread || r->rows[i].ev->e.kind == EV_COMMIT))
		i++;
	return i;
}

static bool has_begun(const struct report *r, u32 step, u32 thread)
{
	bool begun = !thread;

	for (u32 i = 0; i < step && !begun; i++)
		begun = r->rows[i].ev->e.kind == EV_CREATE && r->rows[i].ev->e.old[0] == thread;
	return begun;
}

/* The thread that holds the lock that a thread is about to take; NULL: none does. */
static const char *lock_holder(const struct report *r, u32 step, u32 next)
{
	const struct event *e = &r->rows[next].ev->e;
	u32 *steps;

	if (e->kind != EV_LOCK)
		return NULL;
	for (u32 t = 0; t < r->t->nthreads; t++) {
		unsigned n = t == e->thread ? 0 : locks_held(r, t, step + 1, &steps);

		while (n-- > 0)
			if (r->rows[steps[n] - 1].ev->e.addr == e->addr)
				return thread_label(r, t);
	}
	return NULL;
}

/* The end of the trace: the object of a thread's wait; NULL: none. */
static const char *final_wait(const struct report *r, u32 thread)
{
	for (u32 i = 0; i < r->t->nwaits; i++)
		if (r->t->waits[i].thread == thread)
			return wait_words(r, &r->t->waits[i]);
	return NULL;
}

static void put_thread(FILE *to, const struct report *r, u32 step, u32 thread)
{
	u32 next = next_thread_step(r, step, thread);
	const char *name = thread_title(r, thread), *wait = final_wait(r, thread), *holder;

	if (!has_begun(r, step, thread))
		return;
	if (next == r->t->nevents) {
		echo_line(to, xprintf("  %-20s %s", name, wait ? wait : "has no further step"));
		return;
	}
	holder = lock_holder(r, step, next);
	echo_line(to, xprintf("  %-20s next: %s%s", name, gdb_step_words(r, next),
			      holder ? xprintf(": waits, as %s holds it", holder) : ""));
}

static void put_buffers(FILE *to, const struct report *r, u32 step)
{
	unsigned n = 0;

	for (u32 i = 0; i < step; i++) {
		const struct row *row = &r->rows[i];
		const struct event *e = &row->ev->e;

		if (!(e->flags & EVENT_BUFFERED) || !kind_is_write((enum event_kind)e->kind) ||
			(row->commit && row->commit <= step))
			continue;
		n++;
		echo_line(to,
			xprintf("  %-20s %s", thread_title(r, e->thread), gdb_step_words(r, i)));
	}
	if (!n)
		echo_line(to, "  no store waits in a buffer");
}

static void put_locks(FILE *to, const struct report *r, u32 step)
{
	unsigned all = 0;
	u32 *steps;

	for (u32 t = 0; t < r->t->nthreads; t++) {
		unsigned n = locks_held(r, t, step + 1, &steps);

		for (unsigned i = 0; i < n; i++, all++)
			echo_line(to,
				xprintf("  %-20s holds %s, taken at step %u", thread_title(r, t),
					r->rows[steps[i] - 1].place, steps[i]));
	}
	if (!all)
		echo_line(to, "  no thread holds a lock");
}

/* --- commands -------------------------------------------------------------------------------- */

static void put_step_gdb(FILE *to, const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];
	char *select = row->at && row->ev->e.kind != EV_COMMIT && row->ev->e.kind != EV_START
			       ? gdb_select(row_function(r, row))
			       : NULL;

	fprintf(to, "define heddle-step-%u\n", step);
	fprintf(to, "thread name %s\n", thread_label(r, row->ev->e.thread));
	echo_line(to, gdb_step_words(r, step - 1));
	fprintf(to, "%s\nend\n", select ? select : "");
}

static void put_states(FILE *to, const struct report *r, u32 step)
{
	fprintf(to, "define heddle-threads-%u\n", step);
	for (u32 t = 0; t < r->t->nthreads; t++)
		put_thread(to, r, step, t);
	fprintf(to, "end\ndefine heddle-buffers-%u\n", step);
	put_buffers(to, r, step);
	fprintf(to, "end\ndefine heddle-locks-%u\n", step);
	put_locks(to, r, step);
	fprintf(to, "end\ndefine heddle-next-%u\n", step);
	for (u32 i = step; i < r->t->nevents && i < step + NEXT_STEPS; i++)
		echo_line(to, xprintf("  %s", gdb_step_words(r, i)));
	if (step >= r->t->nevents)
		echo_line(to, "  the execution ends here");
	fprintf(to, "end\n");
}

/* info heddle NAME prints heddle-NAME-STEP. */
static void put_info(FILE *to, const char *name, const char *text)
{
	fprintf(to,
		"define info heddle %s\nheddle-where\neval \"heddle-%s-%%u\", $heddle_step\nend\n"
		"document info heddle %s\n%s\nend\n",
		name, name, name, text);
}

static const char commands[] =
	"define heddle-where\n"
	"set $heddle_step = *(unsigned int *)&__heddle_step\n"
	"end\n"
	"define heddle where\n"
	"heddle-where\n"
	"eval \"heddle-step-%u\", $heddle_step\n"
	"end\n"
	"document heddle where\n"
	"Print the current step, and select the frame of the program.\n"
	"end\n"
	"define heddle-forward\n"
	"set var *(unsigned int *)&__heddle_stop_at = $heddle_to\n"
	"continue\n"
	"heddle where\n"
	"end\n"
	"define heddle-again\n"
	"kill\n"
	"starti\n"
	"heddle-forward\n"
	"end\n"
	"define heddle goto\n"
	"set $heddle_to = $arg0\n"
	"heddle-where\n"
	"if $heddle_to < 1 || $heddle_to > $heddle_last\n"
	"printf \"the execution has the steps 1 to %u\\n\", $heddle_last\n"
	"else\n"
	"if $heddle_to > $heddle_step\n"
	"heddle-forward\n"
	"else\n"
	"heddle-again\n"
	"end\n"
	"end\n"
	"end\n"
	"document heddle goto\n"
	"heddle goto N: continue to step N of the schedule, or run again up to it.\n"
	"end\n"
	"define heddle step\n"
	"heddle-where\n"
	"if $argc == 0\n"
	"eval \"heddle goto %u\", $heddle_step + 1\n"
	"else\n"
	"eval \"heddle goto %u\", $heddle_step + $arg0\n"
	"end\n"
	"end\n"
	"document heddle step\n"
	"heddle step [N]: to the next step of the schedule, of any thread; N steps on.\n"
	"end\n"
	"define heddle back\n"
	"heddle-where\n"
	"if $argc == 0\n"
	"eval \"heddle goto %d\", (int)$heddle_step - 1\n"
	"else\n"
	"eval \"heddle goto %d\", (int)$heddle_step - (int)$arg0\n"
	"end\n"
	"end\n"
	"document heddle back\n"
	"heddle back [N]: to the step before: the program is run again up to there. N steps back.\n"
	"end\n";

const char *gdb_script(const struct report *r)
{
	int fd = memfd_create("heddle-gdb", 0); /* inherited: no close-on-exec */
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	u32 n = r->t->nevents;

	if (!to)
		die("cannot make a memory file: %s", strerror(errno));
	fputs("define-prefix heddle\ndefine-prefix info heddle\n", to);
	fprintf(to, "set $heddle_last = %u\n", n);
	fputs(commands, to);
	for (u32 step = 1; step <= n; step++)
		put_step_gdb(to, r, step);
	for (u32 step = 1; step <= n && n <= STATES_MAX; step++)
		put_states(to, r, step);
	put_info(to, "threads", "The next step of each thread, or what it waits for.");
	put_info(to, "buffers", "The stores that wait in store buffers.");
	put_info(to, "locks", "The locks that threads hold.");
	put_info(to, "next", "The next steps of the schedule.");
	fputs("document info heddle\nThe state after the current step: threads, buffers, locks, "
	      "next.\nend\n",
		to);
	if (fflush(to) != 0)
		die("cannot write a memory file: %s", strerror(errno));
	return xprintf("/proc/self/fd/%d", fd);
}
