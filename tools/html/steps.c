/* SPDX-License-Identifier: ISC */
/* steps.c - the steps of a finding: a table with a column a thread. */
#include "html/page.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

#define COLUMNS_MAX 16 /* with more threads, all share one column */

/* --- columns ---------------------------------------------------------------------------------- */

static int compare_step_numbers(const void *a, const void *b)
{
	return (int)*(const u32 *)a - (int)*(const u32 *)b;
}

static void find_step_columns(struct html_page *p)
{
	const struct report *r = p->r;

	p->column = xmalloc(65536 * sizeof(*p->column));
	p->threads = xmalloc((r->t->nthreads + 1) * sizeof(*p->threads));
	p->ncolumns = 0;
	for (u32 i = 0; i < r->t->nevents; i++) {
		u32 t = r->t->events[i].e.thread;

		if (!p->column[t]) {
			p->column[t] = 1;
			p->threads[p->ncolumns++] = t;
		}
	}
	qsort(p->threads, p->ncolumns, sizeof(*p->threads), compare_step_numbers);
	p->shared = p->ncolumns > COLUMNS_MAX;
	for (unsigned i = 0; i < p->ncolumns && !p->shared; i++)
		p->column[p->threads[i]] = i + 1;
	if (p->shared)
		p->ncolumns = 1;
}

static void put_titles_html(struct html_page *p)
{
	page_start(p, "thead", NULL);
	page_start(p, "tr", NULL);
	page_put(p, "th", "n", "step");
	if (p->shared)
		page_put(p, "th", NULL, "thread");
	for (unsigned i = 0; i < p->ncolumns && !p->shared; i++) {
		const struct trace_thread *t = trace_thread(p->r->t, p->threads[i]);
		const char *function =
			t && t->start ? symbol_function(p->r->symbols, t->start) : NULL;

		xml_start(p->to, "th");
		xml_attribute(p->to, "scope", "col");
		xml_text(p->to, thread_long_label(p->r, p->threads[i]));
		if (function)
			page_put(p, "small", NULL, function);
		page_end(p);
	}
	page_put(p, "th", "where", "where");
	page_end(p);
	page_end(p);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A long file name may be broken in a narrow column: behind "_". */
static void put_breakable(struct html_page *p, const char *place)
{
	const char *end;

	for (; (end = strchr(place, '_')); place = end + 1) {
		xml_text(p->to, xprintf("%.*s", (int)(end + 1 - place), place));
		xml_start(p->to, "wbr");
		page_end(p);
	}
	xml_text(p->to, place);
}

/* A place of the source, with a link to its line on this page. */
static void put_place_link(
	struct html_page *p, const char *function, const struct frames *at, const char *place)
{
	const struct frame *f = at ? &at->at[0] : NULL;
	unsigned file;

	if (function && *function)
		page_put(p, "span", "function", function);
	if (!f)
		return;
	xml_text(p->to, " ");
	if (f->file && f->line && excerpts_add(p->excerpts, f->file, f->line, &file)) {
		xml_start(p->to, "a");
		xml_format(p->to, "href", "#l%u-%d", file, f->line);
		put_breakable(p, place);
		page_end(p);
	} else {
		put_breakable(p, place);
	}
}

bool html_is_key(const struct report *r, u32 step)
{
	for (u32 i = 0; i < r->t->nwaits; i++) {
		u32 steps[WAIT_STEPS];
		unsigned n = wait_steps(r, &r->t->waits[i], steps);

		while (n--)
			if (steps[n] == step)
				return true;
	}
	return r->rows[step - 1].key;
}

static const char *row_class(const struct report *r, u32 i)
{
	const struct row *row = &r->rows[i];

	return xprintf("step%s%s%s", html_is_key(r, i + 1) ? " key" : "",
		row->ev->e.kind == EV_COMMIT ? " memory" : "",
		r->t->finding.f.step == i + 1 || r->t->finding.f.other == i + 1 ? " fails" : "");
}

static void put_step_html(struct html_page *p, u32 i)
{
	const struct row *row = &p->r->rows[i];
	unsigned column = p->column[row->ev->e.thread] - 1;

	page_start(p, "tr", row_class(p->r, i));
	xml_format(p->to, "id", "f%u-s%u", p->number, i + 1);
	xml_format(p->to, "data-n", "%u", i + 1);
	page_put(p, "td", "n", xprintf("%u", i + 1));
	for (unsigned k = 0; k < p->ncolumns; k++) {
		page_start(p, "td", k == column ? "what" : "none");
		if (k == column) {
			xml_attribute(p->to, "data-thread",
				thread_label(p->r, row->ev->e.thread));
			xml_text(p->to, row->what);
			if (row->note[0])
				page_put(p, "span", "note", row->note);
		}
		page_end(p);
	}
	page_start(p, "td", "where");
	put_place_link(p, row_function(p->r, row), row->at, row_place(p->r, row));
	page_end(p);
	page_end(p);
}

static void put_omitted(struct html_page *p, u32 from, u32 to, u32 n)
{
	if (!n)
		return;
	page_start(p, "tr", "fold");
	xml_format(p->to, "data-from", "%u", from);
	xml_format(p->to, "data-to", "%u", to);
	xml_start(p->to, "td");
	xml_format(p->to, "colspan", "%u", p->ncolumns + 2);
	xml_text(p->to, xprintf("%u step%s omitted", n, n == 1 ? "" : "s"));
	page_end(p);
	page_end(p);
}

/* At the end, a row for each thread that waits for ever. */
static void put_wait(struct html_page *p, const struct trace_wait *w)
{
	const struct report *r = p->r;
	const struct trace_stack *s = trace_stack(r->t, w->stack);
	const struct frames *at = s ? symbol_place(r->symbols, s->frames, s->nframes) : NULL;
	unsigned column = p->column[w->thread] - 1;

	page_start(p, "tr", "wait");
	page_put(p, "td", "n", "\u221e");
	for (unsigned k = 0; k < p->ncolumns; k++) {
		page_start(p, "td", k == column ? "what" : "none");
		if (k == column) {
			xml_attribute(p->to, "data-thread", thread_label(r, w->thread));
			xml_text(p->to, wait_words(r, w));
		}
		page_end(p);
	}
	page_start(p, "td", "where");
	if (at)
		put_place_link(p, at->at[0].function, at, frame_place(at, 0));
	page_end(p);
	page_end(p);
}

void page_steps(struct html_page *p)
{
	const struct report *r = p->r;
	u32 omitted = 0, from = 0;

	find_step_columns(p);
	page_start(p, "section", "steps");
	page_put(p, "h3", NULL, "Steps");
	page_start(p, "div", "scroll");
	page_start(p, "table", p->shared ? "shared" : NULL);
	put_titles_html(p);
	page_start(p, "tbody", NULL);
	for (u32 i = 0; i <= r->t->nevents; i++) {
		bool shown = i < r->t->nevents && r->rows[i].shown;

		if (shown || i == r->t->nevents) {
			put_omitted(p, from, i, omitted);
			omitted = 0;
		}
		if (shown)
			put_step_html(p, i);
		else if (i < r->t->nevents && !r->rows[i].prompt && !omitted++)
			from = i + 1;
	}
	for (u32 i = 0; i < r->t->nwaits && waits_are_final(r); i++)
		if (p->column[r->t->waits[i].thread])
			put_wait(p, &r->t->waits[i]);
	page_end(p);
	page_end(p);
	page_end(p);
	page_end(p);
}
