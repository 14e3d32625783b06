/* SPDX-License-Identifier: ISC */
/*
 * history.c - a history that is not linearizable, drawn in text:
 *
 *     history   T1  |- enq(1) -|        |- deq() -> 2 -|
 *               T2       |- enq(2) -----------|
 *     order     at most: 1. enq(1) of T1, 2. enq(2) of T2; then the queue is [1, 2]
 *     next      deq() -> 2 of T1 would have to return 1
 *
 * The columns follow the order of the steps in the table.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/clean.h"

#define INDENT 12 /* of text next to a heading */

/* "deq() -> 2" */
char *operation_words(const struct trace_operation *o)
{
	char *words = *o->result ? xprintf("%s -> %s", o->call, o->result) : xstrdup(o->call);

	return (char *)clean_text(words);
}

const struct trace_operation *operation_at(const struct report *r, u32 step)
{
	for (u32 i = 0; i < r->t->noperations; i++)
		if (r->t->operations[i].begin == step || r->t->operations[i].end == step)
			return &r->t->operations[i];
	return NULL;
}

/* --- the picture ----------------------------------------------------------------------------- */

struct moment {
	u32 step;
	u32 op; /* index */
	bool end;
	int column;
};

static int by_step(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return x->step < y->step ? -1 : x->step > y->step;
}

/* Beginnings and ends in order, each in a column of its own, bars wide enough for their words. */
static struct moment *find_history_columns(const struct report *r, u32 *n)
{
	const struct trace *t = r->t;
	struct moment *m = xmalloc((2 * t->noperations + 1) * sizeof(*m));
	int *begun = xmalloc((t->noperations + 1) * sizeof(*begun));

	*n = 0;
	for (u32 i = 0; i < t->noperations; i++) {
		m[(*n)++] = (struct moment){t->operations[i].begin, i, false, 0};
		m[(*n)++] = (struct moment){
			t->operations[i].end ? t->operations[i].end : t->nevents + 1, i, true, 0};
	}
	qsort(m, *n, sizeof(*m), by_step);
	for (u32 i = 0, column = 0; i < *n; i++) {
		u32 op = m[i].op;
		u32 least = m[i].end ? (u32)begun[op] + 5 +
				(u32)strlen(operation_words(&t->operations[op])) : 0;

		column = column < least ? least : column;
		m[i].column = (int)column;
		if (!m[i].end)
			begun[op] = (int)column;
		column += 2;
	}
	free(begun);
	return m;
}

static int moment_column(const struct moment *m, u32 op, bool end)
{
	while (m->op != op || m->end != end)
		m++;
	return m->column;
}

/* The operations of a thread on one line. */
static void put_thread_line(const struct report *r, const struct moment *m, u32 n, u32 thread,
	FILE *out)
{
	int width = m[n - 1].column + 1, last = 0;
	char *line = xmalloc((size_t)width + 1);

	memset(line, ' ', (size_t)width);
	for (u32 i = 0; i < r->t->noperations; i++) {
		const struct trace_operation *o = &r->t->operations[i];
		int from = moment_column(m, i, false), to = moment_column(m, i, true);
		char *words = operation_words(o);

		if (o->thread != thread)
			continue;
		memset(line + from, '-', (size_t)(to - from));
		line[from] = '|';
		line[to] = o->end ? '|' : '>';
		line[from + 2] = ' ';
		memcpy(line + from + 3, words, strlen(words));
		line[from + 3 + (int)strlen(words)] = ' ';
		last = to > last ? to : last;
	}
	fprintf(out, "%.*s\n", last + 1, line);
	free(line);
}

static bool has_operations(const struct report *r, u32 thread)
{
	for (u32 i = 0; i < r->t->noperations; i++)
		if (r->t->operations[i].thread == thread)
			return true;
	return false;
}

static void put_picture(const struct report *r, unsigned width, FILE *out)
{
	u32 n, label = 0;
	struct moment *m = find_history_columns(r, &n);
	bool first = true, fits;

	for (u32 i = 0; i < r->t->nthreads; i++)
		if (has_operations(r, r->t->threads[i].id) &&
			strlen(thread_label(r, r->t->threads[i].id)) > label)
			label = (u32)strlen(thread_label(r, r->t->threads[i].id));
	fits = INDENT + label + 3 + (u32)m[n - 1].column <= (width > 200 ? width : 200);
	for (u32 i = 0; i < r->t->nthreads; i++) {
		u32 id = r->t->threads[i].id;

		if (!has_operations(r, id))
			continue;
		if (!first)
			fprintf(out, "%*s", INDENT, "");
		first = false;
		fprintf(out, "%-*s  ", (int)label, thread_label(r, id));
		if (fits) {
			put_thread_line(r, m, n, id, out);
			continue;
		}
		for (u32 k = 0; k < r->t->noperations; k++) /* too wide for a picture */
			if (r->t->operations[k].thread == id)
				fprintf(out, "%s (%u-%u)  ", operation_words(&r->t->operations[k]),
					r->t->operations[k].begin, r->t->operations[k].end);
		fputc('\n', out);
	}
	free(m);
}

/* --- why ------------------------------------------------------------------------------------- */

static const struct trace_operation *placed_at(const struct report *r, u32 place)
{
	for (u32 i = 0; i < r->t->noperations; i++)
		if (r->t->operations[i].placed == place)
			return &r->t->operations[i];
	return NULL;
}

static void put_order(const struct report *r, FILE *out)
{
	const struct trace_history *h = r->t->histories;
	const struct trace_operation *o;
	u32 n;

	for (n = 1; (o = placed_at(r, n)); n++)
		fprintf(out, "%s%u. %s of %s", n > 1 ? ", " : "at most: ", n, operation_words(o),
			thread_label(r, o->thread));
	if (n == 1)
		fputs("none of them can be the first", out);
	if (*h->state)
		fprintf(out, "; %s the %s is %s", n > 1 ? "then" : "at first",
			clean_text(h->object), clean_text(h->state));
	fputc('\n', out);
}

/* The reasons of operations that could be the next, then of those that come after others. */
static void put_reasons(const struct report *r, bool after, FILE *out)
{
	static const char comes[] = "comes after";
	bool first = !after;

	for (u32 i = 0; i < r->t->noperations; i++) {
		const struct trace_operation *o = &r->t->operations[i];

		if (!*o->why || !strncmp(o->why, comes, sizeof comes - 1) != after)
			continue;
		fprintf(out, "%*s%s of %s %s\n", first ? 0 : INDENT, "", operation_words(o),
			thread_label(r, o->thread), clean_text(o->why));
		first = false;
	}
}

void text_history(const struct report *r, void (*heading)(void *, const char *), void *page,
	unsigned width, FILE *out)
{
	if (!r->t->nhistories || !r->t->noperations)
		return;
	heading(page, "history");
	put_picture(r, width, out);
	heading(page, "order");
	put_order(r, out);
	heading(page, "next");
	put_reasons(r, false, out);
	put_reasons(r, true, out);
	fprintf(out, "%*s", INDENT, "");
	fprintf(out, "(an operation comes after those whose end %s)\n",
		r->t->histories->before == BEFORE_HAPPENS ? "happens before its beginning"
							  : "is a step before its first one");
}
