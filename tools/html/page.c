/* SPDX-License-Identifier: ISC */
/* page.c - the page of html.h: its contents without the script. */
#include "html/page.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "program/elffile.h"
#include "repair/patch.h"
#include "report/paragraph.h"
#include "report/stacks.h"

/* --- elements -------------------------------------------------------------------------------- */

void page_start(struct html_page *p, const char *element, const char *class)
{
	xml_start(p->to, element);
	if (class && *class)
		xml_attribute(p->to, "class", class);
}

void page_end(struct html_page *p)
{
	xml_end(p->to);
}

void page_put(struct html_page *p, const char *element, const char *class, const char *text)
{
	page_start(p, element, class);
	xml_text(p->to, text);
	page_end(p);
}

static void fact(struct html_page *p, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	page_put(p, "dt", NULL, name);
	page_put(p, "dd", NULL, value);
}

/* --- the headline ---------------------------------------------------------------------------- */

static const char *build_of(const struct report *r)
{
	const struct trace_build_id *b = &r->t->program.build_id;

	return b->n ? xprintf("build %s", build_id_text(b)) : "";
}

static void put_head(struct html_page *p, const struct result *test, const struct found *f)
{
	const struct report *r = p->r;
	const char *file = found_file(f);

	page_start(p, "header", NULL);
	page_put(p, "p", "verdict", f->suppressed ? "suppressed" : "failed");
	page_put(p, "h2", NULL, found_message(f));
	if (*report_qualities(r))
		page_put(p, "p", "qualities", report_qualities(r));
	if (r->changed)
		page_put(p, "p", "qualities",
			xprintf("%s has changed since: its functions and lines are not known.",
				path_here(r->changed)));
	page_start(p, "dl", "facts");
	if (test->name)
		fact(p, "test",
			test->suite ? xprintf("%s: %s", test->suite, test->name) : test->name);
	if (file)
		fact(p, "place", found_place(f));
	fact(p, "model", report_model(r));
	fact(p, "program", xprintf("%s  %s", path_here(r->t->program.path), build_of(r)));
	fact(p, "replay", xprintf("heddle replay %s", shell_word(path_here(r->path))));
	page_end(p);
	page_end(p);
}

/* --- why ------------------------------------------------------------------------------------- */

/* Is it in the head already? */
static bool is_of_head(const struct paragraph *q)
{
	return !strcmp(q->word, "replay") || !strcmp(q->word, "debug");
}

static void put_paragraphs_html(struct html_page *p)
{
	struct paragraph *list;
	unsigned n = report_paragraph_list(p->r, 110, &list), i = 0;

	while (i < n && is_of_head(&list[i]))
		i++;
	if (i == n)
		return;
	page_start(p, "section", "why");
	page_put(p, "h3", NULL, "Why");
	page_start(p, "dl", "lines");
	for (; i < n; i++) {
		if (is_of_head(&list[i]))
			continue;
		page_put(p, "dt", NULL, list[i].word);
		page_put(p, "dd", NULL, list[i].text);
	}
	page_end(p);
	page_end(p);
}

static bool add_page_edit(struct patch *patch, const struct report *r, u32 step,
	enum edit_kind kind,
	u8 order)
{
	const struct row *row = &r->rows[step - 1];
	const struct frame *f = row->at ? &row->at->at[0] : NULL;
	struct edit e = {.kind = kind,
		.order = order,
		.fail = FAIL_FITS,
		.write = row->ev->e.kind == EV_WRITE};

	if (!f || !f->file || !f->line)
		return false;
	e.file = f->file;
	e.line = f->line;
	e.column = f->column;
	return patch_add(patch, &e);
}

static u8 order_by_name(const char *name)
{
	return !strcmp(name, "acquire")	  ? __ATOMIC_ACQUIRE
	       : !strcmp(name, "release") ? __ATOMIC_RELEASE
					  : __ATOMIC_ACQ_REL;
}

/* The repair as a diff, if the source has a place for each change. */
static void put_repair_html(struct html_page *p)
{
	const struct report *r = p->r;
	struct patch *patch = patch_new(NULL);
	bool done = r->nfences + r->norders > 0;

	for (unsigned i = 0; i < r->norders; i++)
		done = add_page_edit(patch, r, r->orders[i].step, EDIT_ORDER,
			       order_by_name(repair_order_name(r, i))) &&
		       done;
	for (unsigned i = 0; i < r->nfences; i++) {
		const struct missing_fence *f = &r->fences[i];

		done = add_page_edit(patch, r, f->release ? f->later : f->store,
			       f->release ? EDIT_FENCE_BEFORE : EDIT_FENCE_AFTER,
			       f->release ? __ATOMIC_RELEASE : __ATOMIC_SEQ_CST) &&
		       done;
	}
	if (!done)
		return;
	page_start(p, "section", "repair");
	page_put(p, "h3", NULL, "Repair");
	page_put(p, "p", NULL,
		"This would forbid the execution above; heddle fences finds what all executions "
		"need.");
	page_start(p, "pre", "diff");
	xml_text(p->to, patch_text(patch));
	page_end(p);
	page_end(p);
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void stack_title(void *page, const char *title)
{
	struct html_page *p = page;

	if (p->open) {
		page_end(p);
		page_end(p);
	}
	p->open = true;
	page_start(p, "details", NULL);
	xml_attribute(p->to, "open", "open");
	page_put(p, "summary", NULL, title);
	page_start(p, "ol", "stack");
}

static void stack_note(void *page, const char *note)
{
	struct html_page *p = page;

	page_end(p);
	page_put(p, "p", NULL, note);
	page_start(p, "ol", "stack");
}

static void stack_frame(void *page, unsigned number, const struct frames *f, unsigned i)
{
	struct html_page *p = page;
	const struct frame *frame = &f->at[i];
	unsigned file;

	(void)number;
	page_start(p, "li", NULL);
	page_put(p, "span", "function", frame->function ? frame->function : "?");
	xml_text(p->to, " ");
	if (frame->file && frame->line &&
		excerpts_add(p->excerpts, frame->file, frame->line, &file)) {
		xml_start(p->to, "a");
		xml_format(p->to, "href", "#l%u-%d", file, frame->line);
		xml_text(p->to, frame_place(f, i));
		page_end(p);
	} else {
		xml_text(p->to, frame_place(f, i));
	}
	if (frame->inlined)
		page_put(p, "span", "note", "inlined");
	page_end(p);
}

static void put_stacks_html(struct html_page *p)
{
	const struct stack_writer to = {p, stack_title, stack_note, stack_frame};

	page_start(p, "section", "stacks");
	page_put(p, "h3", NULL, "Stacks");
	report_stacks(p->r, false, &to);
	if (p->open) {
		page_end(p);
		page_end(p);
	}
	p->open = false;
	page_end(p);
}

static void put_output_html(struct html_page *p)
{
	const struct trace *t = p->r->t;

	if (!t->noutputs)
		return;
	page_start(p, "section", "output");
	page_put(p, "h3", NULL, "Output of this execution");
	page_start(p, "pre", NULL);
	for (u32 i = 0; i < t->noutputs; i++)
		xml_text(p->to, xprintf("%.*s", (int)t->outputs[i].n, t->outputs[i].text));
	page_end(p);
	page_end(p);
}

/* --- source ---------------------------------------------------------------------------------- */

static void put_source_file(struct html_page *p, unsigned file, const char *name)
{
	bool gap = true;

	page_start(p, "figure", NULL);
	page_put(p, "figcaption", NULL, name);
	page_start(p, "pre", "source");
	for (int i = 1; i <= excerpts_last(p->excerpts, file); i++) {
		const char *line = excerpts_line(p->excerpts, file, i);

		if (!line) {
			if (!gap)
				page_put(p, "span", "gap", "\n");
			gap = true;
			continue;
		}
		gap = false;
		page_start(p, "span", "line");
		xml_format(p->to, "id", "l%u-%d", file, i);
		page_put(p, "span", "number", xprintf("%d", i));
		page_put(p, "span", "text", line);
		xml_text(p->to, "\n");
		page_end(p);
	}
	page_end(p);
	page_end(p);
}

static void put_source(struct html_page *p)
{
	const char *name;

	if (!excerpts_file(p->excerpts, 0, &name))
		return;
	page_start(p, "section", "sources");
	page_put(p, "h2", NULL, "Source");
	for (unsigned i = 0; excerpts_file(p->excerpts, i, &name); i++)
		put_source_file(p, i, name);
	page_end(p);
}

/* --- all ------------------------------------------------------------------------------------- */

static void put_finding_link(struct html_page *p, const struct result *test, struct found *f)
{
	p->r = (struct report *)f->report;
	p->number++;
	xml_start(p->to, "article");
	xml_format(p->to, "id", "f%u", p->number);
	if (!p->r) {
		page_put(p, "p", "verdict", "failed");
		page_put(p, "h2", NULL, found_message(f));
		page_put(p, "p", NULL, "No replay file could be written: nothing else is known.");
		page_end(p);
		return;
	}
	report_select(p->r, false);
	put_head(p, test, f);
	put_paragraphs_html(p);
	put_repair_html(p);
	page_steps(p);
	if (f->passing)
		page_passing(p, f->passing);
	put_stacks_html(p);
	put_output_html(p);
	xml_start(p->to, "script");
	xml_attribute(p->to, "type", "application/json");
	xml_text(p->to, html_data(p->r, p->excerpts));
	page_end(p);
	report_select(p->r, false);
	page_end(p);
}

static const char *page_title(const struct results *all)
{
	const struct found *f = NULL;

	for (unsigned i = 0; i < all->n && !f; i++)
		f = result_first_failure(&all->at[i]);
	return f ? found_message(f) : xprintf("%s: nothing found", path_base(all->program));
}

void page_begin(struct html_page *p, const char *title)
{
	xml_start(p->to, "html");
	xml_attribute(p->to, "lang", "en");
	xml_start(p->to, "head");
	xml_start(p->to, "meta");
	xml_attribute(p->to, "charset", "utf-8");
	page_end(p);
	xml_start(p->to, "meta");
	xml_attribute(p->to, "name", "viewport");
	xml_attribute(p->to, "content", "width=device-width, initial-scale=1");
	page_end(p);
	page_put(p, "title", NULL, title);
	page_put(p, "style", NULL, html_style);
	page_end(p);
	page_start(p, "body", NULL);
	page_start(p, "header", "top");
	page_put(p, "h1", NULL, xprintf("Heddle: %s", path_base(p->all->program)));
	if (p->all->command_line)
		page_put(p, "code", NULL, p->all->command_line);
}

void page_close(struct html_page *p)
{
	page_put(p, "footer", NULL, xprintf("Made by heddle %s.", HEDDLE_VERSION));
	page_put(p, "script", NULL, html_script);
	xml_close(p->to, "the page");
}

/* A line for a test, with links to its findings. */
static void put_test_line(struct html_page *p, const struct result *t, unsigned *number)
{
	const char *name = t->name && t->suite ? xprintf("%s: %s", t->suite, t->name)
					       : result_name(p->all, t);

	page_start(p, "li", result_failures(t) ? "bad" : t->error ? "unknown" : "good");
	page_put(p, "strong", NULL, name);
	xml_text(p->to, " ");
	if (t->error)
		page_put(p, "span", NULL, t->error);
	else if (t->summary.known)
		page_put(p, "span", "summary", summary_text(&t->summary));
	for (unsigned k = 0; k < t->nfindings; k++) {
		++*number;
		xml_start(p->to, "a");
		xml_attribute(p->to, "href",
			p->link ? p->link(&t->findings[k], *number) : xprintf("#f%u", *number));
		xml_text(p->to, found_message(&t->findings[k]));
		page_end(p);
	}
	page_end(p);
}

void page_tests(struct html_page *p)
{
	unsigned number = 0;

	page_start(p, "ul", "tests");
	for (unsigned i = 0; i < p->all->n; i++)
		put_test_line(p, &p->all->at[i], &number);
	page_end(p);
}

void page_write(const struct results *all, const char *index, FILE *out)
{
	struct html_page p = {.to = xml_open_html(out), .all = all, .excerpts = excerpts_new()};

	page_begin(&p, page_title(all));
	if (index) {
		xml_start(p.to, "a");
		xml_attribute(p.to, "href", index);
		xml_text(p.to, "all tests");
		page_end(&p);
	}
	page_tests(&p);
	page_end(&p);
	page_start(&p, "main", NULL);
	for (unsigned i = 0; i < all->n; i++)
		for (unsigned k = 0; k < all->at[i].nfindings; k++)
			put_finding_link(&p, &all->at[i], &all->at[i].findings[k]);
	for (unsigned i = 0; i < all->n; i++)
		if (all->at[i].summary.reached)
			page_reached(&p, &all->at[i].summary);
	put_source(&p);
	page_end(&p);
	page_close(&p);
}

void html_results(const struct results *all, FILE *out)
{
	page_write(all, NULL, out);
}
