/* SPDX-License-Identifier: ISC */
/* page.c - the page of html.h: its contents without the script. */
#include "html/html.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "elffile.h"
#include "path.h"
#include "repair/patch.h"
#include "report/block.h"
#include "report/result.h"
#include "report/stacks.h"

#define COLUMNS_MAX 16 /* with more threads, all share one column */

struct page {
	struct xml *to;
	const struct results *all;
	struct report *r;
	struct excerpts *excerpts;
	unsigned number; /* of the finding, 1 first */
	u32 *column;	 /* by thread, + 1 */
	u32 *threads;	 /* by column */
	unsigned ncolumns;
	bool shared; /* one column for all threads */
	bool open; /* an element that a callback has begun */
};

/* --- elements -------------------------------------------------------------------------------- */

static void start(struct page *p, const char *element, const char *class)
{
	xml_start(p->to, element);
	if (class && *class)
		xml_attribute(p->to, "class", class);
}

static void end(struct page *p)
{
	xml_end(p->to);
}

static void put(struct page *p, const char *element, const char *class, const char *text)
{
	start(p, element, class);
	xml_text(p->to, text);
	end(p);
}

static void fact(struct page *p, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	put(p, "dt", NULL, name);
	put(p, "dd", NULL, value);
}

/* --- the headline ---------------------------------------------------------------------------- */

static const char *build_of(const struct report *r)
{
	const struct trace_build_id *b = &r->t->program.build_id;

	return b->n ? xprintf("build %s", build_id_text(b)) : "";
}

static void put_head(struct page *p, const struct result *test, const struct found *f)
{
	const struct report *r = p->r;
	const char *model = trace_option(r->t, "model");
	const char *file = found_file(f);

	start(p, "header", NULL);
	put(p, "p", "verdict", f->suppressed ? "suppressed" : "failed");
	put(p, "h2", NULL, found_message(f));
	if (*report_qualities(r))
		put(p, "p", "qualities", report_qualities(r));
	if (r->changed)
		put(p, "p", "qualities",
			xprintf("%s has changed since: its functions and lines are not known.",
				path_here(r->changed)));
	start(p, "dl", "facts");
	if (test->name)
		fact(p, "test",
			test->suite ? xprintf("%s: %s", test->suite, test->name) : test->name);
	if (file)
		fact(p, "place", xprintf("%s:%d", file, found_line(f)));
	fact(p, "model", model ? model : "rc11");
	fact(p, "program", xprintf("%s  %s", path_here(r->t->program.path), build_of(r)));
	fact(p, "replay", xprintf("heddle replay %s", shell_word(path_here(r->path))));
	end(p);
	end(p);
}

/* --- the steps ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	return (int)*(const u32 *)a - (int)*(const u32 *)b;
}

static void find_columns(struct page *p)
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
	qsort(p->threads, p->ncolumns, sizeof(*p->threads), by_number);
	p->shared = p->ncolumns > COLUMNS_MAX;
	for (unsigned i = 0; i < p->ncolumns && !p->shared; i++)
		p->column[p->threads[i]] = i + 1;
	if (p->shared)
		p->ncolumns = 1;
}

static void put_titles(struct page *p)
{
	start(p, "thead", NULL);
	start(p, "tr", NULL);
	put(p, "th", "n", "step");
	if (p->shared)
		put(p, "th", NULL, "thread");
	for (unsigned i = 0; i < p->ncolumns && !p->shared; i++) {
		const struct trace_thread *t = trace_thread(p->r->t, p->threads[i]);
		const char *function =
			t && t->start ? symbol_function(p->r->symbols, t->start) : NULL;

		xml_start(p->to, "th");
		xml_attribute(p->to, "scope", "col");
		xml_text(p->to, thread_long_label(p->r, p->threads[i]));
		if (function)
			put(p, "small", NULL, function);
		end(p);
	}
	put(p, "th", "where", "where");
	end(p);
	end(p);
}

/* A place of the source, with a link to its line on this page. */
static void put_place(struct page *p, const struct row *row)
{
	const struct frame *f = row->at ? &row->at->at[0] : NULL;
	unsigned file;

	if (*row_function(p->r, row))
		put(p, "span", "function", row_function(p->r, row));
	if (!f)
		return;
	xml_text(p->to, " ");
	if (f->file && f->line && excerpts_add(p->excerpts, f->file, f->line, &file)) {
		xml_start(p->to, "a");
		xml_format(p->to, "href", "#l%u-%d", file, f->line);
		xml_text(p->to, row_place(p->r, row));
		end(p);
	} else {
		xml_text(p->to, row_place(p->r, row));
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

static void put_step(struct page *p, u32 i)
{
	const struct row *row = &p->r->rows[i];
	unsigned column = p->column[row->ev->e.thread] - 1;

	start(p, "tr", row_class(p->r, i));
	xml_format(p->to, "id", "f%u-s%u", p->number, i + 1);
	xml_format(p->to, "data-n", "%u", i + 1);
	put(p, "td", "n", xprintf("%u", i + 1));
	for (unsigned k = 0; k < p->ncolumns; k++) {
		start(p, "td", k == column ? "what" : "none");
		if (k == column) {
			xml_attribute(p->to, "data-thread",
				thread_label(p->r, row->ev->e.thread));
			xml_text(p->to, row->what);
			if (row->note[0])
				put(p, "span", "note", row->note);
		}
		end(p);
	}
	start(p, "td", "where");
	put_place(p, row);
	end(p);
	end(p);
}

static void put_omitted(struct page *p, u32 from, u32 to, u32 n)
{
	if (!n)
		return;
	start(p, "tr", "fold");
	xml_format(p->to, "data-from", "%u", from);
	xml_format(p->to, "data-to", "%u", to);
	xml_start(p->to, "td");
	xml_format(p->to, "colspan", "%u", p->ncolumns + 2);
	xml_text(p->to, xprintf("%u step%s omitted", n, n == 1 ? "" : "s"));
	end(p);
	end(p);
}

static void put_steps(struct page *p)
{
	const struct report *r = p->r;
	u32 omitted = 0, from = 0;

	find_columns(p);
	start(p, "section", "steps");
	put(p, "h3", NULL, "Steps");
	start(p, "div", "scroll");
	start(p, "table", p->shared ? "shared" : NULL);
	put_titles(p);
	start(p, "tbody", NULL);
	for (u32 i = 0; i <= r->t->nevents; i++) {
		bool shown = i < r->t->nevents && r->rows[i].shown;

		if (shown || i == r->t->nevents) {
			put_omitted(p, from, i, omitted);
			omitted = 0;
		}
		if (shown)
			put_step(p, i);
		else if (i < r->t->nevents && !r->rows[i].prompt && !omitted++)
			from = i + 1;
	}
	end(p);
	end(p);
	end(p);
	end(p);
}

/* --- why ------------------------------------------------------------------------------------- */

/* The text of report_paragraphs(), split at the beginnings of paragraphs. */
struct cut {
	FILE *out;
	const char *word[1000];
	size_t at[1001];
	unsigned n;
};

static void begin_line(void *to, const char *word)
{
	struct cut *c = to;

	fflush(c->out);
	if (c->n == array_size(c->word))
		return;
	c->word[c->n] = xstrdup(word);
	c->at[c->n++] = (size_t)ftell(c->out);
}

static void put_paragraphs(struct page *p)
{
	struct cut *c = xmalloc(sizeof(*c));
	char *text;
	size_t n;

	c->out = open_memstream(&text, &n);
	if (!c->out)
		die("not enough memory");
	report_paragraphs(p->r, 110, begin_line, c, c->out);
	if (fclose(c->out) != 0)
		die("not enough memory");
	c->at[c->n] = n;
	start(p, "section", "why");
	put(p, "h3", NULL, "Why");
	start(p, "dl", "lines");
	for (unsigned i = 0; i < c->n; i++) {
		size_t length = c->at[i + 1] - c->at[i];

		if (!strcmp(c->word[i], "replay") || !strcmp(c->word[i], "debug"))
			continue;
		while (length && text[c->at[i] + length - 1] == '\n')
			length--;
		put(p, "dt", NULL, c->word[i]);
		put(p, "dd", NULL, xprintf("%.*s", (int)length, text + c->at[i]));
	}
	end(p);
	end(p);
	free(text);
	free(c);
}

static bool add_edit(struct patch *patch, const struct report *r, u32 step, enum edit_kind kind,
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

static u8 order_of(const char *name)
{
	return !strcmp(name, "acquire")	  ? __ATOMIC_ACQUIRE
	       : !strcmp(name, "release") ? __ATOMIC_RELEASE
					  : __ATOMIC_ACQ_REL;
}

/* The repair as a diff, if the source has a place for each change. */
static void put_repair(struct page *p)
{
	const struct report *r = p->r;
	struct patch *patch = patch_new(NULL);
	bool done = r->nfences + r->norders > 0;

	for (unsigned i = 0; i < r->norders; i++)
		done = add_edit(patch, r, r->orders[i].step, EDIT_ORDER,
			       order_of(repair_order_name(r, i))) &&
		       done;
	for (unsigned i = 0; i < r->nfences; i++) {
		const struct missing_fence *f = &r->fences[i];

		done = add_edit(patch, r, f->release ? f->later : f->store,
			       f->release ? EDIT_FENCE_BEFORE : EDIT_FENCE_AFTER,
			       f->release ? __ATOMIC_RELEASE : __ATOMIC_SEQ_CST) &&
		       done;
	}
	if (!done)
		return;
	start(p, "section", "repair");
	put(p, "h3", NULL, "Repair");
	put(p, "p", NULL,
		"This would forbid the execution above; heddle fences finds what all executions "
		"need.");
	start(p, "pre", "diff");
	xml_text(p->to, patch_text(patch));
	end(p);
	end(p);
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void stack_title(void *page, const char *title)
{
	struct page *p = page;

	if (p->open) {
		end(p);
		end(p);
	}
	p->open = true;
	start(p, "details", NULL);
	xml_attribute(p->to, "open", "open");
	put(p, "summary", NULL, title);
	start(p, "ol", "stack");
}

static void stack_note(void *page, const char *note)
{
	struct page *p = page;

	end(p);
	put(p, "p", NULL, note);
	start(p, "ol", "stack");
}

static void stack_frame(void *page, unsigned number, const struct frames *f, unsigned i)
{
	struct page *p = page;
	const struct frame *frame = &f->at[i];
	unsigned file;

	(void)number;
	start(p, "li", NULL);
	put(p, "span", "function", frame->function ? frame->function : "?");
	xml_text(p->to, " ");
	if (frame->file && frame->line &&
		excerpts_add(p->excerpts, frame->file, frame->line, &file)) {
		xml_start(p->to, "a");
		xml_format(p->to, "href", "#l%u-%d", file, frame->line);
		xml_text(p->to, frame_place(f, i));
		end(p);
	} else {
		xml_text(p->to, frame_place(f, i));
	}
	if (frame->inlined)
		put(p, "span", "note", "inlined");
	end(p);
}

static void put_stacks(struct page *p)
{
	const struct stack_writer to = {p, stack_title, stack_note, stack_frame};

	start(p, "section", "stacks");
	put(p, "h3", NULL, "Stacks");
	report_stacks(p->r, false, &to);
	if (p->open) {
		end(p);
		end(p);
	}
	p->open = false;
	end(p);
}

static void put_output(struct page *p)
{
	const struct trace *t = p->r->t;

	if (!t->noutputs)
		return;
	start(p, "section", "output");
	put(p, "h3", NULL, "Output of this execution");
	start(p, "pre", NULL);
	for (u32 i = 0; i < t->noutputs; i++)
		xml_text(p->to, xprintf("%.*s", (int)t->outputs[i].n, t->outputs[i].text));
	end(p);
	end(p);
}

/* --- source ---------------------------------------------------------------------------------- */

static void put_file(struct page *p, unsigned file, const char *name)
{
	bool gap = true;

	start(p, "figure", NULL);
	put(p, "figcaption", NULL, name);
	start(p, "pre", "source");
	for (int i = 1; i <= excerpts_last(p->excerpts, file); i++) {
		const char *line = excerpts_line(p->excerpts, file, i);

		if (!line) {
			if (!gap)
				put(p, "span", "gap", "\n");
			gap = true;
			continue;
		}
		gap = false;
		start(p, "span", "line");
		xml_format(p->to, "id", "l%u-%d", file, i);
		put(p, "span", "number", xprintf("%d", i));
		put(p, "span", "text", line);
		xml_text(p->to, "\n");
		end(p);
	}
	end(p);
	end(p);
}

static void put_source(struct page *p)
{
	const char *name;

	if (!excerpts_file(p->excerpts, 0, &name))
		return;
	start(p, "section", "sources");
	put(p, "h2", NULL, "Source");
	for (unsigned i = 0; excerpts_file(p->excerpts, i, &name); i++)
		put_file(p, i, name);
	end(p);
}

/* --- all ------------------------------------------------------------------------------------- */

static void put_finding(struct page *p, const struct result *test, struct found *f)
{
	p->r = (struct report *)f->report;
	p->number++;
	xml_start(p->to, "article");
	xml_format(p->to, "id", "f%u", p->number);
	if (!p->r) {
		put(p, "p", "verdict", "failed");
		put(p, "h2", NULL, found_message(f));
		put(p, "p", NULL, "No replay file could be written: nothing else is known.");
		end(p);
		return;
	}
	report_select(p->r, false);
	put_head(p, test, f);
	put_paragraphs(p);
	put_repair(p);
	put_steps(p);
	put_stacks(p);
	put_output(p);
	xml_start(p->to, "script");
	xml_attribute(p->to, "type", "application/json");
	xml_text(p->to, html_data(p->r, p->excerpts));
	end(p);
	report_select(p->r, false);
	end(p);
}

static const char *page_title(const struct results *all)
{
	const struct found *f = NULL;

	for (unsigned i = 0; i < all->n && !f; i++)
		f = result_first_failure(&all->at[i]);
	return f ? found_message(f) : xprintf("%s: nothing found", path_base(all->program));
}

static void put_document_head(struct page *p)
{
	xml_attribute(p->to, "lang", "en");
	xml_start(p->to, "head");
	xml_start(p->to, "meta");
	xml_attribute(p->to, "charset", "utf-8");
	end(p);
	xml_start(p->to, "meta");
	xml_attribute(p->to, "name", "viewport");
	xml_attribute(p->to, "content", "width=device-width, initial-scale=1");
	end(p);
	put(p, "title", NULL, page_title(p->all));
	put(p, "style", NULL, html_style);
	end(p);
}

/* A line a test, with links to its findings. */
static void put_tests(struct page *p)
{
	unsigned number = 0;

	start(p, "ul", "tests");
	for (unsigned i = 0; i < p->all->n; i++) {
		const struct result *t = &p->all->at[i];
		const char *name = t->name && t->suite ? xprintf("%s: %s", t->suite, t->name)
						       : result_name(p->all, t);

		start(p, "li", result_failures(t) || t->error ? "bad" : "good");
		put(p, "strong", NULL, name);
		xml_text(p->to, " ");
		if (t->error)
			put(p, "span", NULL, t->error);
		else if (t->summary.known)
			put(p, "span", "summary", summary_text(&t->summary));
		for (unsigned k = 0; k < t->nfindings; k++) {
			xml_start(p->to, "a");
			xml_format(p->to, "href", "#f%u", ++number);
			xml_text(p->to, found_message(&t->findings[k]));
			end(p);
		}
		end(p);
	}
	end(p);
}

void html_results(const struct results *all, FILE *out)
{
	struct page p = {.to = xml_open_html(out), .all = all, .excerpts = excerpts_new()};

	xml_start(p.to, "html");
	put_document_head(&p);
	start(&p, "body", NULL);
	start(&p, "header", "top");
	put(&p, "h1", NULL, xprintf("Heddle: %s", path_base(all->program)));
	if (all->command_line)
		put(&p, "code", NULL, all->command_line);
	put_tests(&p);
	end(&p);
	start(&p, "main", NULL);
	for (unsigned i = 0; i < all->n; i++)
		for (unsigned k = 0; k < all->at[i].nfindings; k++)
			put_finding(&p, &all->at[i], &all->at[i].findings[k]);
	put_source(&p);
	end(&p);
	put(&p, "footer", NULL, xprintf("Made by heddle %s.", HEDDLE_VERSION));
	put(&p, "script", NULL, html_script);
	xml_close(p.to, "the page");
}
