/* SPDX-License-Identifier: ISC */
/*
 * text.c - a report for people: the failure, the steps that led to it, the reason, and a repair.
 *
 * The table has two shapes: a row per step with a column for the thread's name, and, if there is
 * room, a column per thread. Widths are counted in bytes: names in C programs are ASCII.
 */
#include "report/stacks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"
#include "report/paragraph.h"

#define WIDE	   140 /* from this width on, a column a thread */
#define HEADLINE   120 /* its note ends here at the latest */
#define CELL_LEAST 28  /* narrower ones are useless */

struct text_page {
	const struct report *r;
	const struct style *style;
	FILE *out;
	int step, thread, function, place, what; /* column widths */
	unsigned threads;			 /* columns for threads, 0 = a row a step */
	u32 ids[64];				 /* which thread is in which column */
	int cell;
};

/* --- colour ---------------------------------------------------------------------------------- */

#define BOLD "\033[1m"
#define DIM  "\033[2m"
#define RED  "\033[1;31m"

static const char *color(const struct text_page *p, const char *code)
{
	return p->style->color ? code : "";
}

static const char *plain_text(const struct text_page *p)
{
	return color(p, "\033[0m");
}

static void text_heading(const struct text_page *p, const char *word)
{
	fprintf(p->out, "  %s%-8s%s  ", color(p, BOLD), word, plain_text(p));
}

/* --- the table ------------------------------------------------------------------------------- */

static void widen(int *width, size_t n, int most)
{
	if ((int)n > most)
		n = (size_t)most;
	if (*width < (int)n)
		*width = (int)n;
}

/* Count the threads that do something in the rows shown. */
static void find_threads(struct text_page *p)
{
	p->threads = 0;
	for (u32 i = 0; i < p->r->t->nevents; i++) {
		u32 id = p->r->t->events[i].e.thread;
		unsigned k = 0;

		while (k < p->threads && p->ids[k] != id)
			k++;
		if (!p->r->rows[i].shown || k < p->threads)
			continue;
		if (p->threads == array_size(p->ids)) {
			p->threads = 0;
			return;
		}
		p->ids[p->threads++] = id;
	}
}

static int by_id(const void *a, const void *b)
{
	return (int)*(const u32 *)a - (int)*(const u32 *)b;
}

static void measure(struct text_page *p)
{
	const struct report *r = p->r;
	int room;

	p->step = 4;
	p->thread = 6;
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct row *row = &r->rows[i];

		if (!row->shown)
			continue;
		widen(&p->thread, strlen(thread_long_label(r, row->ev->e.thread)), 24);
		widen(&p->function, strlen(row_function(r, row)), 24);
		widen(&p->place, strlen(row_place(r, row)), 40);
		if (row->note[0])
			widen(&p->what, strlen(row->what), 32);
	}
	if (r->t->nevents > 9999)
		p->step = 6;
	if (!p->style->columns && p->style->width < WIDE)
		return;
	find_threads(p);
	qsort(p->ids, p->threads, sizeof(p->ids[0]), by_id);
	room = (int)p->style->width - p->step - p->function - p->place - 10;
	p->cell = p->threads ? room / (int)p->threads - 2 : 0;
	if (p->cell > 48)
		p->cell = 48;
	if (p->cell < CELL_LEAST)
		p->threads = 0;
}

/* The part of s that fits on a line of this width: up to a space if there is one. */
static size_t line_break(const char *s, size_t width)
{
	size_t n = strlen(s);

	if (n <= width)
		return n;
	for (n = width; n > 0 && s[n] != ' '; n--)
		;
	return n ? n : width;
}

static void put_cell(struct text_page *p, const struct row *row, unsigned column)
{
	char *text = row->note[0] ? xprintf("%s %s", row->what, row->note) : row->what;
	int indent = p->step + p->function + p->place + 8 + (int)column * (p->cell + 2);

	fprintf(p->out, "%*s", (int)column * (p->cell + 2), "");
	for (int width = p->cell; *text; width = p->cell - 2) {
		size_t n = line_break(text, (size_t)width);

		clean_put(text, n, p->out);
		text += n;
		while (*text == ' ')
			text++;
		if (*text)
			fprintf(p->out, "\n%*s  ", indent, "");
	}
}

static void put_row(struct text_page *p, const struct row *row)
{
	const struct event *e = &row->ev->e;
	const char *code = row->key ? BOLD : e->kind == EV_COMMIT ? DIM : "";

	fprintf(p->out, "%s  %*u  ", color(p, code), p->step, e->step);
	if (!p->threads)
		fprintf(p->out, "%-*s  ", p->thread, thread_long_label(p->r, e->thread));
	fprintf(p->out, "%-*.*s  %-*s  ", p->function, p->function, row_function(p->r, row),
		p->place, row_place(p->r, row));
	if (p->threads) {
		unsigned column = 0;

		while (p->ids[column] != e->thread)
			column++;
		put_cell(p, row, column);
	} else {
		clean_put(row->what, strlen(row->what), p->out);
		if (row->note[0])
			fprintf(p->out, "%*s  %s", p->what - (int)strlen(row->what), "", row->note);
	}
	fprintf(p->out, "%s\n", *code ? plain_text(p) : "");
}

static void put_titles_text(struct text_page *p)
{
	fprintf(p->out, "\n%s  %*s  ", color(p, BOLD), p->step, "step");
	if (!p->threads)
		fprintf(p->out, "%-*s  ", p->thread, "thread");
	fprintf(p->out, "%-*s  ", p->function + 2 + p->place, "where");
	for (unsigned i = 0; i < p->threads; i++)
		fprintf(p->out, i + 1 < p->threads ? "%-*s  " : "%.*s%s",
			i + 1 < p->threads ? p->cell : 0,
			i + 1 < p->threads ? thread_long_label(p->r, p->ids[i]) : "",
			thread_long_label(p->r, p->ids[i]));
	fprintf(p->out, "%s%s\n", p->threads ? "" : "what", plain_text(p));
}

static void put_table(struct text_page *p)
{
	const struct report *r = p->r;
	u32 omitted = 0;

	measure(p);
	put_titles_text(p);
	for (u32 i = 0; i <= r->t->nevents; i++) {
		bool shown = i < r->t->nevents && r->rows[i].shown;

		if ((shown || i == r->t->nevents) && omitted) {
			fprintf(p->out, "  %*s  %u step%s omitted, --all shows %s\n", p->step,
				"...", omitted, omitted == 1 ? "" : "s",
				omitted == 1 ? "it" : "them");
			omitted = 0;
		}
		if (shown)
			put_row(p, &r->rows[i]);
		else if (i < r->t->nevents && !r->rows[i].prompt)
			omitted++;
	}
}

static void page_heading(void *page, const char *word)
{
	text_heading(page, word);
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void put_stack_title(void *page, const char *title)
{
	struct text_page *p = page;

	fprintf(p->out, "\n  %s", color(p, BOLD));
	clean_put(title, strlen(title), p->out);
	fprintf(p->out, "%s\n", plain_text(p));
}

static void put_stack_note(void *page, const char *note)
{
	fprintf(((struct text_page *)page)->out, "    %s\n", note);
}

static void put_frame(void *page, unsigned number, const struct frames *f, unsigned i)
{
	const struct frame *frame = &f->at[i];
	FILE *out = ((struct text_page *)page)->out;

	fprintf(out, "    #%-3u%-20s ", number, frame->function ? frame->function : "?");
	if (frame->file && frame->line && frame->column)
		fprintf(out, "%s:%d:%d", path_here(frame->file), frame->line, frame->column);
	else if (frame->file && frame->line)
		fprintf(out, "%s:%d", path_here(frame->file), frame->line);
	else
		fprintf(out, "%s", frame_place(f, i));
	fprintf(out, "%s\n", frame->inlined ? "  (inlined)" : "");
}

static void put_stacks_text(struct text_page *p)
{
	const struct stack_writer to = {p, put_stack_title, put_stack_note, put_frame};

	report_stacks(p->r, p->style->stacks, &to);
}

/* --- the rest -------------------------------------------------------------------------------- */

static void put_headline(struct text_page *p)
{
	const struct report *r = p->r;
	const char *note = report_qualities(r);
	/* Waiting threads are in several places: each has its stack. */
	bool one_place =
		r->file && !r->has_race && (r->t->finding.f.step || r->t->finding.f.file[0]);
	bool new = r->t->finding.f.kind == FINDING_PORTABILITY; /* it need not be an error */
	char *line = one_place ? xprintf("FAILED  %s, %s", r->message, r->place)
			       : new ? xprintf("NEW     %s", r->message)
			       : xprintf("FAILED  %s", r->message);
	size_t n = strlen(line), width = p->style->width < HEADLINE ? p->style->width : HEADLINE;

	fprintf(p->out, "%s", color(p, RED));
	clean_put(line, n, p->out);
	fprintf(p->out, "%s", plain_text(p));
	if (!*note)
		fputc('\n', p->out);
	else if (n + 4 + strlen(note) <= width)
		fprintf(p->out, "%*s%s\n", (int)(width - n - strlen(note)), "", note);
	else
		fprintf(p->out, "\n        %s\n", note);
	if (r->t->nsites)
		fprintf(p->out,
			"        with --orders: %u place%s of the code differ%s from the source\n",
			r->t->nsites, r->t->nsites == 1 ? "" : "s",
			r->t->nsites == 1 ? "s" : "");
}

/* A bar before each line distinguishes it from the report's own. */
static void put_output_text(struct text_page *p)
{
	const struct trace *t = p->r->t;
	bool start = true;

	if (!t->noutputs)
		return;
	put_stack_title(p, "output of this execution");
	for (u32 i = 0; i < t->noutputs; i++) {
		const char *s = t->outputs[i].text, *end = s + t->outputs[i].n;

		while (s < end) {
			const char *newline = memchr(s, '\n', (size_t)(end - s));
			const char *stop = newline ? newline : end;

			if (start)
				fputs("    | ", p->out);
			clean_put(s, (size_t)(stop - s), p->out);
			start = newline;
			if (newline)
				fputc('\n', p->out);
			s = newline ? newline + 1 : end;
		}
	}
	if (!start)
		fputc('\n', p->out);
}

static void put_report(const struct report *r, const struct style *style, FILE *out)
{
	struct text_page p = {.r = r, .style = style, .out = out};

	put_headline(&p);
	if (r->changed)
		fprintf(out, "        %s %s: its functions and lines are unknown\n",
			path_here(r->changed),
			access(r->changed, R_OK) == 0 ? "has changed since" : "cannot be read");
	if (r->t->nevents)
		put_table(&p);
	fputc('\n', out);
	report_paragraphs(r, style->width, page_heading, &p, out);
	put_output_text(&p);
	put_stacks_text(&p);
	fputc('\n', out);
}

/* Text from the program (names, paths) may be on every line: clean all. */
void text_report(const struct report *r, const struct style *style, FILE *out)
{
	char *page;
	size_t n;
	FILE *to = open_memstream(&page, &n);

	if (!to)
		die("not enough memory");
	put_report(r, style, to);
	if (fclose(to) != 0)
		die("not enough memory");
	clean_page(page, n, style->color, out);
	free(page);
}
