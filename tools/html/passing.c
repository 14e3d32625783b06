/* SPDX-License-Identifier: ISC */
/*
 * passing.c - the closest passing execution beside the failing one, from the first step that
 * differs.
 */
#include "html/page.h"

#include <string.h>

#include "die.h"

#define BEFORE	 2  /* common steps above the difference */
#define ROWS_MAX 40 /* of each execution, from there on */

/* A step that a reader sees. */
static bool is_listed(const struct report *r, u32 i)
{
	return !r->rows[i].prompt;
}

/* The first listed step from i on; the number of steps: none. */
static u32 next_listed(const struct report *r, u32 i)
{
	while (i < r->t->nevents && !is_listed(r, i))
		i++;
	return i;
}

static bool same_row_place(const struct row *x, const struct row *y)
{
	const struct frame *a = x->at ? &x->at->at[0] : NULL, *b = y->at ? &y->at->at[0] : NULL;

	if (!a || !b || !a->file || !b->file)
		return !a == !b;
	return a->line == b->line && a->column == b->column && !strcmp(a->file, b->file);
}

static bool same_step(const struct report *a, u32 i, const struct report *b, u32 k)
{
	const struct row *x = &a->rows[i], *y = &b->rows[k];
	u8 kind = x->ev->e.kind;

	if ((kind == EV_OP_BEGIN || kind == EV_OP_END) && y->ev->e.kind == kind)
		return x->ev->e.thread == y->ev->e.thread; /* only a failing history has names */
	return x->ev->e.thread == y->ev->e.thread && !strcmp(x->what, y->what) &&
	       !strcmp(x->note, y->note) && same_row_place(x, y);
}

/* The first steps that differ. */
static void find_difference(const struct report *a, const struct report *b, u32 *i, u32 *k)
{
	*i = next_listed(a, 0);
	*k = next_listed(b, 0);
	while (*i < a->t->nevents && *k < b->t->nevents && same_step(a, *i, b, *k)) {
		*i = next_listed(a, *i + 1);
		*k = next_listed(b, *k + 1);
	}
}

/* Is the step one of the other execution as well, from its first difference on? */
static bool is_common(const struct report *a, u32 i, const struct report *b, u32 from)
{
	for (; from < b->t->nevents; from++)
		if (is_listed(b, from) && same_step(a, i, b, from))
			return true;
	return false;
}

/* "T1 store x = 1 -> into T1's store buffer (sb.c:30)" */
static char *passing_step_words(const struct report *r, u32 i)
{
	const struct row *row;
	const char *place;

	if (i == r->t->nevents)
		return xstrdup("the end");
	row = &r->rows[i];
	place = row_place(r, row);
	return xprintf("%s %s%s%s%s%s%s", thread_label(r, row->ev->e.thread), row->what,
		*row->note ? "  " : "", row->note, *place ? " (" : "", place, *place ? ")" : "");
}

static void put_sentence(struct html_page *p, const struct report *b, u32 i, u32 k)
{
	const struct report *a = p->r;

	page_start(p, "p", NULL);
	if (i)
		xml_text(p->to, i == 1 ? "Step 1 is the same. "
				       : xprintf("Steps 1 to %u are the same. ", i));
	xml_text(p->to, "The first difference: here ");
	page_put(p, "code", NULL, passing_step_words(a, i));
	xml_text(p->to, ", in the passing execution ");
	page_put(p, "code", NULL, passing_step_words(b, k));
	xml_text(p->to, ".");
	page_end(p);
}

static void put_entry(struct html_page *p, const struct report *r, u32 i, bool differs)
{
	const struct row *row = &r->rows[i];

	page_start(p, "li", differs ? "differs" : NULL);
	xml_format(p->to, "value", "%u", i + 1);
	page_put(p, "b", NULL, thread_label(r, row->ev->e.thread));
	xml_text(p->to, " ");
	page_put(p, "span", "what", row->what);
	if (*row->note)
		page_put(p, "span", "note", row->note);
	xml_text(p->to, " ");
	page_put(p, "span", "where", row_place(r, row));
	page_end(p);
}

static void put_waits_html(struct html_page *p, const struct report *r)
{
	for (u32 i = 0; i < r->t->nwaits && waits_are_final(r); i++) {
		page_start(p, "li", "differs unnumbered");
		page_put(p, "b", NULL, thread_label(r, r->t->waits[i].thread));
		xml_text(p->to, " ");
		page_put(p, "span", "what", wait_words(r, &r->t->waits[i]));
		page_end(p);
	}
}

/* Steps of r, from a few before `from` on. */
static void put_list(struct html_page *p, const char *title, const struct report *r, u32 from,
	const struct report *other, u32 other_from)
{
	u32 first = from, rows = 0, i;

	for (u32 n = 0; first && n < BEFORE; n += is_listed(r, first))
		first--;
	page_start(p, "div", NULL);
	page_put(p, "h4", NULL, title);
	page_start(p, "ol", "compared");
	for (i = first; i < r->t->nevents && rows < ROWS_MAX; i++) {
		if (!is_listed(r, i))
			continue;
		put_entry(p, r, i, i >= from && !is_common(r, i, other, other_from));
		rows++;
	}
	i = next_listed(r, i);
	if (i == r->t->nevents)
		put_waits_html(p, r);
	page_end(p);
	page_put(p, "p", "note",
		i < r->t->nevents ? xprintf("and %u more steps", r->t->nevents - i) : "the end");
	page_end(p);
}

void page_passing(struct html_page *p, const struct report *passing)
{
	u32 i, k;

	find_difference(p->r, passing, &i, &k);
	page_start(p, "section", "passing");
	page_put(p, "h3", NULL, "The closest passing execution");
	put_sentence(p, passing, i, k);
	page_start(p, "div", "beside");
	put_list(p, "This execution fails", p->r, i, passing, k);
	put_list(p, "This one passes", passing, k, p->r, i);
	page_end(p);
	page_end(p);
}
