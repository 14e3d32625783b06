/* SPDX-License-Identifier: ISC */
/* replay_read.c - a replay file's choices, and the point where a replay diverges. */
#include "search/replay.h"
#include "machine/core.h"
#include "process/module.h"
#include "machine/record.h"
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

/* The index of the first difference; the number of events if there is none. */
static u32 first_difference(const struct trace *t)
{
	u32 i;

	for (i = 0; i < t->nevents && i < record.nevents; i++) {
		const struct event *a = &t->events[i].e, *b = &record.event[i];

		if (a->thread != b->thread || a->kind != b->kind ||
			recorded_code(t, a) != code_now(b))
			break;
	}
	return i;
}

bool replay_differs(const struct trace *t)
{
	/* Only the choices of a killed process are known. */
	return t->nevents && (t->nevents != record.nevents || first_difference(t) != t->nevents);
}

void replay_explain(const struct trace *t)
{
	static const struct event none = {.kind = EV_KINDS};

	replay_explain_graph(t, &none, 0);
}

void replay_explain_graph(const struct trace *t, const struct event *next, u64 code)
{
	char was[240] = "the end of the execution", is[240] = "the end of the execution";
	u32 i = first_difference(t);

	if (i < t->nevents)
		record_name_event(was, sizeof was, &t->events[i].e,
			recorded_code(t, &t->events[i].e));
	if (i < record.nevents)
		record_name_event(is, sizeof is, &record.event[i], code_now(&record.event[i]));
	else if (next->kind != EV_KINDS)
		record_name_event(is, sizeof is, next, code);
	note_replay("the replay diverged at step %u: recorded %s, now %s", i + 1, was, is);
	M.status->state = STATUS_DIVERGED;
}
