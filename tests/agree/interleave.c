/* SPDX-License-Identifier: ISC */
/* interleave.c - see interleave.h. */
#include "interleave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[CALLS] = {
	"write", "read", "close", "raise", "lower", "poll", "wait"};

void program_random(struct program *p, unsigned seed, int threads, int calls)
{
	srand(seed);
	*p = (struct program){.threads = threads, .blocks = rand() % 3 == 0};
	for (int t = 0; t < threads; t++) {
		p->calls[t] = calls;
		for (int i = 0; i < calls; i++)
			p->call[t][i] = (enum call)(rand() % CALLS);
	}
	p->room = 1 + rand() % 2;
	for (int i = 0; i < 2; i++)
		p->edge[i] = rand() % 2;
	for (int t = 0; t < threads; t++)
		for (int i = 0; i < calls; i++)
			p->watched |= p->call[t][i] == CALL_WAIT;
}

void program_print(const struct program *p)
{
	printf("#   %s; room for %d;%s%s\n", p->blocks ? "blocks" : "does not block", p->room,
		p->edge[0] ? " pipe: EPOLLET" : "", p->edge[1] ? " eventfd: EPOLLET" : "");
	for (int t = 0; t < p->threads; t++) {
		printf("#   ");
		for (int i = 0; i < p->calls[t]; i++)
			printf(" %s", words[p->call[t][i]]);
		printf("\n");
	}
}

const char *result_name(int thread, int call)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

	return names[thread * CALLS_EACH + call];
}

/* --- the model ------------------------------------------------------------------------------- */

#define LIST 2 /* items of the epoll instance: the pipe, the eventfd */

struct list {
	int n, item[LIST];
};

struct state {
	int at[THREADS],
		looked[THREADS]; /* next call; 1 + the result of a poll of the pipe, or 0 */
	int part[THREADS];	 /* steps of the call that were taken */
	bool open[THREADS];
	char bytes[16];
	int n, counter;
	int result[THREADS][CALLS_EACH];
	struct list ready;
	bool scanned; /* by a thread, which has this list and these items to give back */
	struct list scan, again;
};

static void add_result(struct results *r, const char *text)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!strcmp(r->text[i], text))
			return;
	if (r->n == RESULTS_MAX)
		abort();
	strcpy(r->text[r->n++], text);
}

static void note_end(const struct program *p, const struct state *s, struct results *r)
{
	char text[sizeof r->text[0]] = "";

	for (int t = 0; t < p->threads; t++)
		for (int i = 0; i < p->calls[t]; i++)
			sprintf(text + strlen(text), "%s=%d ", result_name(t, i), s->result[t][i]);
	strcat(text, "z=0");
	add_result(r, text);
}

static bool has_writer(const struct program *p, const struct state *s)
{
	for (int t = 0; t < p->threads; t++)
		if (s->open[t])
			return true;
	return false;
}

/* -1: it would have to wait. */
static int read_pipe(const struct program *p, struct state *s)
{
	int found = s->n > 1 ? s->bytes[0] * 16 + s->bytes[1] : s->n ? s->bytes[0] : 0;
	int n = s->n < 2 ? s->n : 2;

	if (!n && has_writer(p, s))
		return -1;
	memmove(s->bytes, s->bytes + n, sizeof s->bytes - (size_t)n);
	s->n -= n;
	return found;
}

static int look_at_pipe(const struct program *p, const struct state *s)
{
	return (s->n ? 1 : 0) | (has_writer(p, s) ? 0 : 2);
}

static bool has_item(const struct list *l, int item)
{
	for (int i = 0; i < l->n; i++)
		if (l->item[i] == item)
			return true;
	return false;
}

static void append(struct list *l, int item)
{
	if (!has_item(l, item))
		l->item[l->n++] = item;
}

static int take_first(struct list *l)
{
	int first = l->item[0];

	memmove(l->item, l->item + 1, (size_t)--l->n * sizeof l->item[0]);
	return first;
}

/* As in the kernel: what was left, what has become ready meanwhile, what is level-triggered. */
static void end_scan(struct state *s)
{
	struct list meanwhile = s->ready;

	s->ready = s->scan;
	for (int i = 0; i < meanwhile.n; i++)
		if (!has_item(&s->again, meanwhile.item[i]))
			append(&s->ready, meanwhile.item[i]);
	for (int i = 0; i < s->again.n; i++)
		append(&s->ready, s->again.item[i]);
	s->scan.n = s->again.n = 0;
	memset(s->scan.item, 0, sizeof s->scan.item);
	memset(s->again.item, 0, sizeof s->again.item);
	s->scanned = false;
}

/* The next step of a CALL_WAIT. False: another thread has to end its scan first. *ends: the call.
 */
static bool step_of_wait(const struct program *p, struct state *s, int t, bool *ends)
{
	int *result = &s->result[t][s->at[t]], item, events, reports = 0;

	*ends = false;
	if (!s->part[t]) {
		if (s->scanned)
			return false;
		s->scan = s->ready;
		s->ready = (struct list){0};
		s->scanned = s->scan.n;
		*ends = !s->scanned;
		s->part[t] = 1;
		return true;
	}
	for (int r = *result; r; r /= 16)
		reports++;
	if (!s->scan.n || reports == p->room) {
		end_scan(s);
		*ends = true;
		return true;
	}
	item = take_first(&s->scan);
	events = item ? s->counter != 0 : look_at_pipe(p, s);
	if (!events)
		return true;
	*result = reported(*result, item, events);
	if (!p->edge[item])
		append(&s->again, item);
	return true;
}

/* The first step of a call that may change a descriptor: it has to notify its watcher if the result
 * is not negative. False: it waits. */
static bool first_step(const struct program *p, struct state *s, int t)
{
	int i = s->at[t], *result = &s->result[t][i], value = s->counter;

	switch (p->call[t][i]) {
	case CALL_WRITE:
		*result = s->open[t] ? 1 : -1;
		if (s->open[t])
			s->bytes[s->n++] = (char)byte_of(t, i);
		return true;
	case CALL_READ: *result = read_pipe(p, s); return *result >= 0 || !p->blocks;
	case CALL_CLOSE:
		*result = s->open[t] ? 0 : -1;
		s->open[t] = false;
		return true;
	case CALL_RAISE:
		s->counter++;
		*result = 0;
		return true;
	default:
		if (!value && p->blocks)
			return false;
		*result = value ? value : -1;
		s->counter = 0;
		return true;
	}
}

/* The item that the first step of a call has made ready, or -1. */
static int made_ready(const struct program *p, const struct state *s, int t)
{
	int i = s->at[t];

	if (!p->watched || s->result[t][i] < 0)
		return -1;
	switch (p->call[t][i]) {
	case CALL_WRITE: return 0;
	case CALL_RAISE: return 1;
	case CALL_CLOSE: return has_writer(p, s) ? -1 : 0;
	default: return -1;
	}
}

/* The next step of a thread. False: it waits. */
static bool step(const struct program *p, struct state *s, int t)
{
	int *result = &s->result[t][s->at[t]];
	bool ends = true;

	if (p->call[t][s->at[t]] == CALL_WAIT) {
		if (!step_of_wait(p, s, t, &ends))
			return false;
	} else if (p->call[t][s->at[t]] == CALL_POLL) {
		ends = s->looked[t];
		*result = ends ? s->looked[t] - 1 + (s->counter ? 4 : 0) : 0;
		s->looked[t] = ends ? 0 : 1 + look_at_pipe(p, s);
	} else if (s->part[t]) {
		append(&s->ready, s->part[t] - 1);
	} else {
		if (!first_step(p, s, t))
			return false;
		s->part[t] = made_ready(p, s, t) + 1;
		ends = !s->part[t];
	}
	s->at[t] += ends;
	s->part[t] = ends ? 0 : s->part[t];
	return true;
}

/* States by which the search has come. */
#define SEEN (1u << 22)
static struct state seen[1 << 16];
static unsigned nseen, slot[SEEN];

static bool is_new(const struct state *s)
{
	unsigned long hash = 0;
	unsigned at;

	for (size_t i = 0; i < sizeof *s; i++)
		hash = (hash ^ ((const unsigned char *)s)[i]) * 0x100000001b3;
	for (at = (unsigned)(hash >> 20) % SEEN; slot[at]; at = (at + 1) % SEEN)
		if (!memcmp(&seen[slot[at] - 1], s, sizeof *s))
			return false;
	if (nseen == sizeof seen / sizeof *seen)
		abort();
	seen[nseen++] = *s;
	slot[at] = nseen;
	return true;
}

static void explore(const struct program *p, const struct state *s, struct results *r)
{
	bool moved = false, ended = true;

	for (int t = 0; t < p->threads; t++) {
		struct state next = *s;

		if (s->at[t] == p->calls[t])
			continue;
		ended = false;
		if (!step(p, &next, t))
			continue;
		moved = true;
		if (is_new(&next))
			explore(p, &next, r);
	}
	if (ended)
		note_end(p, s, r);
	else if (!moved)
		add_result(r, "finding: deadlock");
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

void interleave(const struct program *p, struct results *r)
{
	struct state s;

	memset(&s, 0, sizeof s);
	memset(r, 0, sizeof *r);
	memset(slot, 0, sizeof slot);
	nseen = 0;
	for (int t = 0; t < p->threads; t++)
		s.open[t] = true;
	explore(p, &s, r);
	qsort(r->text, r->n, sizeof r->text[0], compare);
	r->complete = true;
}
