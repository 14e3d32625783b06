/* SPDX-License-Identifier: ISC */
/* interleave.c - see interleave.h. */
#include "interleave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[CALLS] = {"write", "read", "close", "raise", "lower", "poll"};

void program_random(struct program *p, unsigned seed, int threads, int calls)
{
	srand(seed);
	*p = (struct program){.threads = threads, .blocks = rand() % 3 == 0};
	for (int t = 0; t < threads; t++) {
		p->calls[t] = calls;
		for (int i = 0; i < calls; i++)
			p->call[t][i] = (enum call)(rand() % CALLS);
	}
}

void program_print(const struct program *p)
{
	printf("#   %s\n", p->blocks ? "blocks" : "does not block");
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

struct state {
	int at[THREADS],
		looked[THREADS]; /* next call; 1 + the result of a poll of the pipe, or 0 */
	bool open[THREADS];
	char bytes[16];
	int n, counter;
	int result[THREADS][CALLS_EACH];
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

/* The next call of a thread, or the first half of a poll. False: it waits. */
static bool step(const struct program *p, struct state *s, int t)
{
	int i = s->at[t], *result = &s->result[t][i], value = s->counter;

	switch (p->call[t][i]) {
	case CALL_WRITE:
		*result = s->open[t] ? 1 : -1;
		if (s->open[t])
			s->bytes[s->n++] = (char)byte_of(t, i);
		break;
	case CALL_READ:
		*result = read_pipe(p, s);
		if (*result < 0 && p->blocks)
			return false;
		break;
	case CALL_CLOSE:
		*result = s->open[t] ? 0 : -1;
		s->open[t] = false;
		break;
	case CALL_RAISE:
		s->counter++;
		*result = 0;
		break;
	case CALL_LOWER:
		if (!value && p->blocks)
			return false;
		*result = value ? value : -1;
		s->counter = 0;
		break;
	default:
		if (!s->looked[t]) {
			s->looked[t] = 1 + look_at_pipe(p, s);
			return true;
		}
		*result = s->looked[t] - 1 + (value ? 4 : 0);
		s->looked[t] = 0;
	}
	s->at[t]++;
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
	struct state s = {0};

	memset(r, 0, sizeof *r);
	for (int t = 0; t < p->threads; t++)
		s.open[t] = true;
	explore(p, &s, r);
	qsort(r->text, r->n, sizeof r->text[0], compare);
	r->complete = true;
}
