/* SPDX-License-Identifier: ISC */
/*
 * text.c - a report for people: what failed, the steps that led there, why, what would repair it.
 *
 * Two shapes of the table: a row a step with a column that names the thread, and, where there is
 * room, a column a thread. Widths are counted in bytes: names in C programs are ASCII.
 */
#include "report/block.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"

#define WIDE	   140 /* from this width on, a column a thread */
#define HEADLINE   120 /* its note stands no farther right */
#define CELL_LEAST 28  /* narrower ones are no help */

struct page {
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

static const char *color(const struct page *p, const char *code)
{
	return p->style->color ? code : "";
}

static const char *plain(const struct page *p)
{
	return color(p, "\033[0m");
}

static void heading(const struct page *p, const char *word)
{
	fprintf(p->out, "  %s%-8s%s  ", color(p, BOLD), word, plain(p));
}

/* --- the table ------------------------------------------------------------------------------- */

static const char *function_of(const struct report *r, const struct row *row)
{
	const struct trace_thread *t = trace_thread(r->t, row->ev->e.thread);

	if (row->ev->e.kind == EV_COMMIT)
		return "(memory)";
	if (row->ev->e.kind == EV_START && t && t->start && symbol_function(r->symbols, t->start))
		return symbol_function(r->symbols, t->start);
	return row->at && row->at->at[0].function ? row->at->at[0].function : "";
}

/* Two accesses on one line are distinguished by their columns. */
static bool needs_column(const struct report *r, const struct row *row)
{
	const struct frame *f = &row->at->at[0];

	for (u32 i = 0; f->line && i < r->t->nevents; i++) {
		const struct row *other = &r->rows[i];

		if (other->shown && other->at && other->at->at[0].line == f->line &&
			other->at->at[0].column != f->column && other->at->at[0].file &&
			!strcmp(other->at->at[0].file, f->file))
			return true;
	}
	return false;
}

static char *place_of(const struct report *r, const struct row *row)
{
	char *place;

	if (!row->at)
		return xstrdup("");
	place = frame_place(row->at, 0);
	if (row->at->at[0].file && row->at->at[0].column && needs_column(r, row))
		place = xprintf("%s:%d", place, row->at->at[0].column);
	return place;
}

static void widen(int *width, size_t n, int most)
{
	if ((int)n > most)
		n = (size_t)most;
	if (*width < (int)n)
		*width = (int)n;
}

/* Count the threads that do something in the rows shown. */
static void find_threads(struct page *p)
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

static void measure(struct page *p)
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
		widen(&p->function, strlen(function_of(r, row)), 24);
		widen(&p->place, strlen(place_of(r, row)), 40);
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

/* How much of s goes on a line of this width: up to a space if there is one. */
static size_t line_break(const char *s, size_t width)
{
	size_t n = strlen(s);

	if (n <= width)
		return n;
	for (n = width; n > 0 && s[n] != ' '; n--)
		;
	return n ? n : width;
}

static void put_cell(struct page *p, const struct row *row, unsigned column)
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

static void put_row(struct page *p, const struct row *row)
{
	const struct event *e = &row->ev->e;
	const char *code = row->key ? BOLD : e->kind == EV_COMMIT ? DIM : "";

	fprintf(p->out, "%s  %*u  ", color(p, code), p->step, e->step);
	if (!p->threads)
		fprintf(p->out, "%-*s  ", p->thread, thread_long_label(p->r, e->thread));
	fprintf(p->out, "%-*.*s  %-*s  ", p->function, p->function, function_of(p->r, row),
		p->place, place_of(p->r, row));
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
	fprintf(p->out, "%s\n", *code ? plain(p) : "");
}

static void put_titles(struct page *p)
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
	fprintf(p->out, "%s%s\n", p->threads ? "" : "what", plain(p));
}

static void put_table(struct page *p)
{
	const struct report *r = p->r;
	u32 omitted = 0;

	measure(p);
	put_titles(p);
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

/* --- why ------------------------------------------------------------------------------------- */

static void put_race(struct page *p)
{
	const struct report *r = p->r;

	for (unsigned i = 0; i < 2 && r->has_race; i++) {
		const struct row *row = &r->rows[r->race[i].step - 1];

		heading(p, i ? "and" : r->t->finding.f.kind == FINDING_RACE ? "race" : "between");
		if (row->ev->e.kind == EV_EXIT)
			fprintf(p->out, "%s\n", race_access(r, i));
		else
			fprintf(p->out, "%s  (%s %s), holding %s\n", race_access(r, i),
				function_of(r, row), place_of(r, row), r->race[i].held);
	}
	if (!r->has_race || !*r->race_why)
		return;
	heading(p, "why");
	fprintf(p->out, "%s\n", r->race_why);
	if (!r->race_note)
		return;
	heading(p, "");
	fprintf(p->out, "%s\n", r->race_note);
}

/* What the i-th wait is, and why nothing ends it. */
static char *wait_line(const struct report *r, u32 i)
{
	char *why = wait_why(r, &r->t->waits[i]);

	return xprintf("%s%s%s", wait_words(r, &r->t->waits[i]), why ? "; " : "", why ? why : "");
}

/* Threads of which the same is to be said share a line. */
static void put_waits(struct page *p)
{
	const struct report *r = p->r;
	bool *said = xmalloc(r->t->nwaits * sizeof(*said));
	const char *word = r->t->finding.f.kind == FINDING_LOCK_ORDER ? "locks" : "waits";

	for (u32 i = 0; i < r->t->nwaits; i++) {
		char *line = wait_line(r, i);
		bool several = false;

		if (said[i])
			continue;
		heading(p, word);
		word = "";
		fprintf(p->out, "%s", thread_long_label(r, r->t->waits[i].thread));
		for (u32 k = i + 1; k < r->t->nwaits; k++) {
			if (said[k] || strcmp(wait_line(r, k), line) != 0)
				continue;
			said[k] = several = true;
			fprintf(p->out, ", %s", thread_long_label(r, r->t->waits[k].thread));
		}
		fprintf(p->out, ": %s%s\n", several ? "each " : "", line);
	}
	free(said);
	if (wait_repeats(r)) {
		heading(p, "repeats");
		fprintf(p->out, "%s\n", wait_repeats(r));
	}
}

static void page_heading(void *page, const char *word)
{
	heading(page, word);
}

static void put_timing(struct page *p)
{
	for (unsigned i = 0; i < p->r->ntimings; i++) {
		heading(p, i ? "" : "timing");
		fprintf(p->out, "%s\n", p->r->timings[i].text);
	}
}

/* --- the heap -------------------------------------------------------------------------------- */

static bool block_is_named(const struct report *r, u32 index)
{
	const char *name = r->blocks[index].name;
	size_t n = strlen(name);

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct row *row = &r->rows[i];
		const char *what = row->shown ? row->what : "";

		while ((what = strstr(what, name))) {
			if (!(what[n] >= '0' && what[n] <= '9'))
				return true;
			what += n;
		}
	}
	return false;
}

static void put_blocks(struct page *p)
{
	const struct report *r = p->r;
	const char *word = "heap";

	for (u32 i = 0; i < r->t->nblocks; i++) {
		const struct trace_block *b = &r->t->blocks[i];
		const char *site = block_site(r, i), *wrapper = block_wrapper(r, i);

		if (!block_is_named(r, i))
			continue;
		heading(p, word);
		word = "";
		fprintf(p->out, "%s: block of %llu bytes allocated %s%s%sby %s%s%s\n",
			r->blocks[i].name, (unsigned long long)b->size, site ? "at " : "",
			site ? site : "", site ? " " : "", thread_long_label(r, b->thread),
			wrapper ? ", through " : "", wrapper ? wrapper : "");
	}
}

/* --- stacks ---------------------------------------------------------------------------------- */

static unsigned put_address(struct page *p, u64 address, unsigned number)
{
	const struct frames *f = symbol_frames(p->r->symbols, address);

	for (unsigned i = 0; i < f->n; i++) {
		const struct frame *frame = &f->at[i];

		fprintf(p->out, "    #%-3u%-20s ", number++,
			frame->function ? frame->function : "?");
		if (frame->file && frame->line && frame->column)
			fprintf(p->out, "%s:%d:%d", path_here(frame->file), frame->line,
				frame->column);
		else if (frame->file && frame->line)
			fprintf(p->out, "%s:%d", path_here(frame->file), frame->line);
		else
			fprintf(p->out, "%s", frame_place(f, i));
		fprintf(p->out, "%s\n", frame->inlined ? "  (inlined)" : "");
	}
	return number;
}

static void put_frames(struct page *p, u32 id)
{
	const struct trace_stack *stack = trace_stack(p->r->t, id);
	unsigned number = 0;

	for (u32 i = 0; stack && i < stack->nframes; i++)
		number = put_address(p, stack->frames[i], number);
}

static void put_stack_title(struct page *p, const char *title)
{
	fprintf(p->out, "\n  %s", color(p, BOLD));
	clean_put(title, strlen(title), p->out);
	fprintf(p->out, "%s\n", plain(p));
}

/* What has been said of threads and steps. */
struct told {
	bool *thread, *step;
};

static bool same_frames(const struct report *r, u32 a, u32 b)
{
	const struct trace_stack *x = trace_stack(r->t, a), *y = trace_stack(r->t, b);

	return a == b || (x && y && x->nframes == y->nframes &&
				 !memcmp(x->frames, y->frames, x->nframes * sizeof(*x->frames)));
}

/* Where these threads came from, once for each; those that came from one place together. */
static void put_creations(struct page *p, const u32 *ids, unsigned n, struct told *told)
{
	const struct report *r = p->r;

	for (unsigned i = 0; i < n; i++) {
		const struct trace_thread *t = trace_thread(r->t, ids[i]), *u;
		u32 *same = xmalloc(n * sizeof(*same));
		unsigned many = 0;

		for (unsigned k = i; k < n && t && t->stack; k++) {
			u = trace_thread(r->t, ids[k]);
			if (told->thread[ids[k]] || !u || !u->stack || u->parent != t->parent ||
				!same_frames(r, t->stack, u->stack))
				continue;
			told->thread[ids[k]] = true;
			same[many++] = ids[k];
		}
		if (many) {
			fprintf(p->out, "    %s %s created by %s at\n", thread_list(r, same, many),
				many == 1 ? "was" : "were", thread_label(r, t->parent));
			put_frames(p, t->stack);
		}
		free(same);
	}
}

static void put_step_stack(struct page *p, u32 step, struct told *told)
{
	const struct row *row = &p->r->rows[step - 1];
	const struct event *e = &row->ev->e;
	u32 thread = e->thread;

	if (!e->stack || e->kind == EV_COMMIT || told->step[step])
		return;
	told->step[step] = true;
	put_stack_title(p,
		xprintf("%s at step %u: %s", thread_long_label(p->r, e->thread), step, row->what));
	put_frames(p, e->stack);
	put_creations(p, &thread, 1, told);
}

/* Who frees the block. */
static const struct event *free_of(const struct report *r, const struct trace_block *b)
{
	for (u32 i = 0; i < r->t->nevents; i++)
		if (r->t->events[i].e.kind == EV_FREE && r->t->events[i].e.addr == b->address)
			return &r->t->events[i].e;
	return NULL;
}

/* Where the block that the finding is about comes from, and where it has gone. */
static void put_block_stacks(struct page *p)
{
	const struct report *r = p->r;
	const struct finding *f = &r->t->finding.f;
	const struct trace_event *e = f->step ? trace_event(r->t, f->step) : NULL;
	const struct trace_place *at = e ? trace_place(r->t, e->place) : NULL;
	const struct trace_block *b = at ? trace_block(r->t, at->block) : NULL;
	const struct event *freed = b ? free_of(r, b) : NULL;
	const char *name;

	if (!b || (f->kind != FINDING_HEAP && f->kind != FINDING_UNINIT))
		return;
	name = r->blocks[b - r->t->blocks].name;
	if (b->stack) {
		put_stack_title(p, xprintf("%s was allocated by %s at", name,
			thread_long_label(r, b->thread)));
		put_frames(p, b->stack);
	}
	/* The free of a pair has been printed. */
	if (b->freed && freed &&
		!(r->has_race && (freed->step == f->step || freed->step == f->other))) {
		put_stack_title(p, xprintf("%s was freed by %s at", name,
			thread_long_label(r, freed->thread)));
		put_frames(p, b->freed);
	}
}

/* Where threads wait, those at one place together; then what is to blame. */
static void put_wait_stacks(struct page *p, struct told *told)
{
	const struct report *r = p->r;
	bool order = r->t->finding.f.kind == FINDING_LOCK_ORDER,
	     *said = xmalloc(r->t->nwaits * sizeof(*said));
	u32 *ids = xmalloc(r->t->nwaits * sizeof(*ids));

	for (u32 i = 0; i < r->t->nwaits; i++) {
		const struct trace_wait *w = &r->t->waits[i];
		bool round = w->kind == EV_WRITE;
		unsigned n = 0;

		for (u32 k = i; k < r->t->nwaits && w->stack && !said[i]; k++) {
			const struct trace_wait *x = &r->t->waits[k];

			if (said[k] || (x->kind == EV_WRITE) != round ||
				!same_frames(r, w->stack, x->stack))
				continue;
			said[k] = k > i;
			ids[n++] = x->thread;
		}
		if (!n)
			continue;
		said[i] = true;
		put_stack_title(p, n == 1 ? xprintf("%s %s here", thread_long_label(r, ids[0]),
						    order   ? "locks"
						    : round ? "goes round"
							    : "waits")
					  : xprintf("%s %s here", thread_list(r, ids, n),
						    order   ? "lock"
						    : round ? "go round"
							    : "wait"));
		put_frames(p, w->stack);
		put_creations(p, ids, n, told);
		if (wait_cause(r, w) && !p->style->stacks)
			put_step_stack(p, wait_cause(r, w), told);
	}
	free(said);
	free(ids);
}

static void put_stacks(struct page *p)
{
	const struct report *r = p->r;
	struct told told = {xmalloc(65536), xmalloc(r->t->nevents + 1)};

	put_wait_stacks(p, &told);
	if (r->t->finding.f.step)
		put_step_stack(p, r->t->finding.f.step, &told);
	for (u32 i = 0; i < r->t->nwaits && !p->style->stacks; i++)
		if (wait_cause(r, &r->t->waits[i]))
			put_step_stack(p, wait_cause(r, &r->t->waits[i]), &told);
	for (u32 i = 0; i < r->t->nevents; i++)
		if (p->style->stacks || r->rows[i].key)
			put_step_stack(p, i + 1, &told);
	put_block_stacks(p);
	free(told.thread);
	free(told.step);
}

/* --- the rest -------------------------------------------------------------------------------- */

static void put_headline(struct page *p)
{
	const struct report *r = p->r;
	const char *reorder = r->t->finding.reorder == REORDER_YES
				      ? "needs reordering: this execution is impossible under sc"
			      : r->t->finding.reorder == REORDER_NO
				      ? "also possible without reordering"
				      : "";
	const char *note = !r->ntimings ? reorder
			   : *reorder   ? xprintf("depends on timing; %s", reorder)
					: "depends on timing";
	/* Threads that wait do so in several places: each has its stack. */
	bool one_place =
		r->file && !r->has_race && (r->t->finding.f.step || r->t->finding.f.file[0]);
	bool new = r->t->finding.f.kind == FINDING_PORTABILITY; /* it need not be wrong */
	char *line = one_place ? xprintf("FAILED  %s, %s:%d", r->message, r->file, r->line)
			       : new ? xprintf("NEW     %s", r->message)
			       : xprintf("FAILED  %s", r->message);
	size_t n = strlen(line), width = p->style->width < HEADLINE ? p->style->width : HEADLINE;

	fprintf(p->out, "%s", color(p, RED));
	clean_put(line, n, p->out);
	fprintf(p->out, "%s", plain(p));
	if (!*note)
		fputc('\n', p->out);
	else if (n + 4 + strlen(note) <= width)
		fprintf(p->out, "%*s%s\n", (int)(width - n - strlen(note)), "", note);
	else
		fprintf(p->out, "\n        %s\n", note);
	if (r->t->nsites)
		fprintf(p->out,
			"        with --orders: %u place%s of the code %s not do what the source "
			"says\n",
			r->t->nsites, r->t->nsites == 1 ? "" : "s",
			r->t->nsites == 1 ? "does" : "do");
}

static void put_replay(struct page *p)
{
	const char *file = shell_word(path_here(p->r->path));

	heading(p, "replay");
	fprintf(p->out, "heddle replay %s\n", file);
	heading(p, "debug");
	fprintf(p->out, "heddle replay --gdb %s\n", file);
}

/* A bar before each line, so that it is not taken for ours. */
static void put_output(struct page *p)
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
	struct page p = {.r = r, .style = style, .out = out};

	put_headline(&p);
	if (r->changed)
		fprintf(out, "        %s %s: its functions and lines are not known\n",
			path_here(r->changed),
			access(r->changed, R_OK) == 0 ? "has changed since" : "cannot be read");
	if (r->t->nevents)
		put_table(&p);
	fputc('\n', out);
	put_waits(&p);
	put_race(&p);
	put_timing(&p);
	text_history(r, page_heading, &p, style->width, out);
	text_why(r, page_heading, &p, out);
	put_blocks(&p);
	put_replay(&p);
	put_output(&p);
	put_stacks(&p);
	fputc('\n', out);
}

/* What came from the program (names, paths) is on every line. */
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
