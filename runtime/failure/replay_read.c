/* SPDX-License-Identifier: ISC */
/* replay_read.c - a replay file's choices, and the point where a replay diverges. */
#include "failure/replay.h"
#include "machine/core.h"
#include "process/module.h"
#include "machine/record/record.h"
#include "process/stack.h"
#include "process/pages.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *take_pages(void *ctx, size_t n)
{
	return pages_take(n ? n : 1);
}

static void note_replay(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note_replay(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(M.status->note, sizeof M.status->note, format, ap);
	va_end(ap);
}

static char *load_replay(const char *path, size_t *n)
{
	struct stat st;
	char *text = NULL;
	ssize_t got = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0)
		text = pages_take((size_t)st.st_size + 1);
	if (text)
		got = read(fd, text, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	*n = got < 0 ? 0 : (size_t)got;
	return got < 0 ? NULL : text;
}

bool replay_read(const char *path, u32 *to, u32 max, u32 *n, const struct trace **recorded)
{
	static struct trace t;
	struct trace_memory memory = {.alloc = take_pages};
	struct trace_err err;
	size_t size;
	char *text = load_replay(path, &size);

	M.status->state = STATUS_REFUSED;
	if (!text) {
		note_replay("%s: cannot be read", path);
		return false;
	}
	if (!trace_read(&t, text, size, &memory, &err)) {
		note_replay("%s:%u:%u: %s", path, err.line, err.column, err.message);
		return false;
	}
	if (t.nchoices > max) {
		note_replay("%s: has %u choices, the most there can be is %u", path, t.nchoices,
			max);
		return false;
	}
	for (u32 i = 0; i < t.nchoices; i++)
		to[i] = t.choices[i].taken | t.choices[i].n << 16;
	*n = t.nchoices;
	*recorded = &t;
	M.status->state = STATUS_EXPLORING;
	return true;
}

/* --- divergence --------------------------------------------------------------------- */

static u64 recorded_code(const struct trace *t, const struct event *e)
{
	const struct trace_stack *s = trace_stack(t, e->stack);

	return s && s->nframes ? module_code(t, s->frames[0]) : 0;
}

static u64 code_now(const struct event *e)
{
	const u64 *frames;

	/* As in recorded_code(), 0 outside of all modules. */
	return e->stack && stack_frames(e->stack, &frames) && module_find(frames[0]) ? frames[0]
										     : 0;
}

/* An allocation by libc: of memory that it keeps, in the first execution of a process only. */
static bool is_internal(enum event_kind kind, u64 code)
{
	return (kind == EV_MALLOC || kind == EV_FREE) && code && module_in_libc((void *)code);
}

/* The first events that differ, by index: the number of events if there are none. */
struct difference {
	u32 was, is;
};

static struct difference first_difference(const struct trace *t)
{
	struct difference d = {0, 0};

	for (;; d.was++, d.is++) {
		const struct event *a, *b;

		while (d.was < t->nevents && is_internal(t->events[d.was].e.kind,
						     recorded_code(t, &t->events[d.was].e)))
			d.was++;
		while (d.is < record.nevents &&
			is_internal(record.event[d.is].kind, code_now(&record.event[d.is])))
			d.is++;
		if (d.was == t->nevents || d.is == record.nevents)
			return d;
		a = &t->events[d.was].e;
		b = &record.event[d.is];
		if (a->thread != b->thread || a->kind != b->kind ||
			recorded_code(t, a) != code_now(b))
			return d;
	}
}

bool replay_differs(const struct trace *t)
{
	struct difference d = first_difference(t);

	/* Only the choices of a killed process are known. */
	return t->nevents && (d.was != t->nevents || d.is != record.nevents);
}

void replay_explain(const struct trace *t)
{
	static const struct event none = {.kind = EV_KINDS};

	replay_explain_graph(t, &none, 0);
}

void replay_explain_graph(const struct trace *t, const struct event *next, u64 code)
{
	char was[240] = "the end of the execution", is[240] = "the end of the execution";
	struct difference d = first_difference(t);

	if (d.was < t->nevents)
		record_name_event(was, sizeof was, &t->events[d.was].e,
			recorded_code(t, &t->events[d.was].e));
	if (d.is < record.nevents)
		record_name_event(
			is, sizeof is, &record.event[d.is], code_now(&record.event[d.is]));
	else if (next->kind != EV_KINDS)
		record_name_event(is, sizeof is, next, code);
	note_replay("the replay diverged at step %u: recorded %s, now %s", d.is + 1, was, is);
	M.status->state = STATUS_DIVERGED;
}
