/* SPDX-License-Identifier: ISC */
/*
 * data.c - a finding as the JSON document that page.js reads. Keys are short, as there is an object
 * for each step; values that are 0, false or empty are omitted.
 *
 *   threads   [{t (id), label, name (with the program's own and its function)}]
 *   steps     [{t, x (text), o (note +), p (place +), v (value written, as text), b (1: into the
 *             store buffer), c (step at which it reached memory), s (of a commit: its store), a (of
 *             a write: the write before it in co), l (location), f (stack), key, held (names of the
 *             locks that the thread holds after this step, if they changed)}]; 0 for a commit that
 *             follows its store at once: that store is not buffered. + is 1 and an index of words
 *   words     [text]
 *   locations [[file, line, column, function]], files [{name, lines {number: text}}]
 *   stacks    [[[function, "file:line", inlined, file, line]]]; file: -1 = cannot be shown
 *   edges     [[from, to, relation, on the cycle]] between steps, without those of co that others
 *             imply
 *   waits     [[t, text]]: threads that wait for ever
 *   heap      [{name, size, at (place of the allocation), a (its step), f (step of the free)}]
 *   before    "hb" under a model of memory orders, else "po and rf": the order that is shown of a
 *             step
 *   buffers   the model has store buffers
 */
#include "html/html.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/block.h"
#include "report/clean.h"
#include "document/drawing.h"
#include "document/js.h"
#include "report/stacks.h"

#define STACKS_MAX 4000 /* all steps have stacks, edges and values; in a longer execution only the
			   steps shown */
#define BLOCKS_MAX 200	/* heap blocks that are listed */

struct data {
	struct report *r;
	struct excerpts *x;
	json_t *locations, *stacks, *words;
	json_t *word_number; /* + 1, by word */
	u32 *location_of; /* by file and line, see add_location(): of each step */
	u32 *stack_number; /* by id of the trace, + 1 */
	bool all;
};

/* --- places ---------------------------------------------------------------------------------- */

static bool same_frame(const struct frame *a, const struct frame *b)
{
	return a->line == b->line && a->column == b->column && a->function == b->function &&
	       a->file == b->file;
}

/* The number of a step's location + 1; 0: it has none. Steps of the same place share it. */
static u32 add_location(struct data *d, u32 i)
{
	const struct row *row = &d->r->rows[i];
	const struct frame *f = row->at ? &row->at->at[0] : NULL;
	json_t *at;
	unsigned file;

	if (!f || !f->file || !f->line)
		return 0;
	for (u32 k = i; k-- > 0 && k + 200 > i;)
		if (d->location_of[k] && same_frame(&d->r->rows[k].at->at[0], f))
			return d->location_of[k];
	excerpts_add(d->x, f->file, f->line, &file);
	at = json_array();
	js_add(at, json_integer(file));
	js_add(at, json_integer(f->line));
	js_add(at, json_integer(f->column));
	js_add(at, js_text(f->function));
	js_add(d->locations, at);
	return (u32)json_array_size(d->locations);
}

static void ignore_title(void *page, const char *title)
{
	(void)page;
	(void)title;
}

struct stack_page {
	struct data *d;
	json_t *frames;
};

static void add_frame_data(void *page, unsigned number, const struct frames *f, unsigned i)
{
	struct stack_page *p = page;
	const struct frame *frame = &f->at[i];
	json_t *at = json_array();
	unsigned file;
	bool shown = frame->file && frame->line &&
		     excerpts_add(p->d->x, frame->file, frame->line, &file);

	(void)number;
	js_add(at, js_text(frame->function ? frame->function : "?"));
	js_add(at, js_text(frame_place(f, i)));
	js_add(at, json_integer(frame->inlined));
	js_add(at, json_integer(shown ? (json_int_t)file : -1));
	js_add(at, json_integer(frame->line));
	js_add(p->frames, at);
}

static u32 add_stack_data(struct data *d, u32 id)
{
	struct stack_page page = {.d = d};

	if (!id || id > d->r->t->nstacks)
		return 0;
	if (!d->stack_number[id]) {
		const struct stack_writer to = {&page, ignore_title, ignore_title, add_frame_data};

		page.frames = json_array();
		report_frames(d->r, id, &to);
		js_add(d->stacks, page.frames);
		d->stack_number[id] = (u32)json_array_size(d->stacks);
	}
	return d->stack_number[id];
}

/* --- steps ----------------------------------------------------------------------------------- */

static json_t *held_json(const struct data *d, u32 step)
{
	u32 *steps;
	unsigned n = locks_held(d->r, d->r->t->events[step - 1].e.thread, step + 1, &steps);
	json_t *names = json_array();

	for (unsigned i = 0; i < n; i++)
		js_add(names, js_text(d->r->rows[steps[i] - 1].place));
	free(steps);
	return names;
}

static bool changes_locks(const struct event *e)
{
	return kind_has(e->kind, KIND_LOCK);
}

static void put_number(json_t *o, const char *key, u64 n)
{
	if (n)
		js_put(o, key, json_integer((json_int_t)n));
}

static void put_json_text(json_t *o, const char *key, const char *s)
{
	if (s && *s)
		js_put(o, key, js_text(s));
}

/* Put a text that several steps may share, written once. */
static void put_word(struct data *d, json_t *o, const char *key, const char *s)
{
	json_int_t n;

	if (!s || !*s)
		return;
	s = clean_utf8(s, strlen(s));
	n = json_integer_value(json_object_get(d->word_number, s));
	if (!n) {
		js_add(d->words, js_text(s));
		n = (json_int_t)json_array_size(d->words);
		js_put(d->word_number, s, json_integer(n));
	}
	js_put(o, key, json_integer(n));
}

static void put_buffer(json_t *o, const struct report *r, const struct row *row)
{
	const struct event *e = &row->ev->e;
	bool buffered = e->flags & EVENT_BUFFERED && kind_is_write((enum event_kind)e->kind);

	if (buffered && row->commit && r->rows[row->commit - 1].prompt)
		return;
	put_number(o, "b", buffered);
	put_number(o, "c", row->commit);
}

static json_t *step_page_json(struct data *d, u32 i)
{
	const struct report *r = d->r;
	const struct row *row = &r->rows[i];
	const struct event *e = &row->ev->e;
	json_t *o;

	if (e->kind == EV_COMMIT && row->prompt)
		return json_integer(0);
	o = json_object();
	js_put(o, "t", json_integer(e->thread));
	put_json_text(o, "x", row->what);
	put_word(d, o, "o", row->note);
	put_word(d, o, "p", row->place);
	if (kind_is_write((enum event_kind)e->kind))
		put_json_text(o, "v", name_of_value(r, &row->leaf, e->value, e->size));
	put_buffer(o, r, row);
	put_number(o, "s", e->store);
	put_number(o, "a", e->co);
	d->location_of[i] = add_location(d, i);
	put_number(o, "l", d->location_of[i]);
	if (d->all || row->shown)
		put_number(o, "f", add_stack_data(d, e->stack));
	put_number(o, "key", html_is_key(r, i + 1));
	if (changes_locks(e) && d->all)
		js_put(o, "held", held_json(d, i + 1));
	return o;
}

/* --- relations ------------------------------------------------------------------------------- */

static json_t *edges_json(const struct drawing *g)
{
	json_t *edges = json_array();

	for (unsigned i = 0; i < g->nedges; i++) {
		const struct drawn_edge *e = &g->edges[i];
		json_t *one;

		if (g->nodes[e->from].waits || g->nodes[e->to].waits)
			continue;
		one = json_array();
		js_add(one, json_integer(g->nodes[e->from].step));
		js_add(one, json_integer(g->nodes[e->to].step));
		js_add(one, js_text(drawn_relation_name(e->relation)));
		js_add(one, json_integer(e->cycle));
		js_add(edges, one);
	}
	return edges;
}

/* --- the rest -------------------------------------------------------------------------------- */

static json_t *threads_json(const struct report *r)
{
	json_t *threads = json_array();

	for (u32 i = 0; i < r->t->nthreads; i++) {
		const struct trace_thread *t = &r->t->threads[i];
		const char *start = t->start ? symbol_function(r->symbols, t->start) : NULL;
		json_t *o = json_object();

		js_put(o, "t", json_integer(t->id));
		js_put(o, "label", js_text(thread_label(r, t->id)));
		js_put(o, "name",
			js_text(start ? xprintf("%s %s", thread_long_label(r, t->id), start)
				      : thread_long_label(r, t->id)));
		js_add(threads, o);
	}
	return threads;
}

static json_t *waits_json(const struct report *r)
{
	json_t *waits = json_array();

	for (u32 i = 0; i < r->t->nwaits && waits_are_final(r); i++) {
		json_t *one = json_array();

		js_add(one, json_integer(r->t->waits[i].thread));
		js_add(one, js_text(wait_words(r, &r->t->waits[i])));
		js_add(waits, one);
	}
	return waits;
}

/* The step of this kind on a heap block; 0: none. */
static u32 block_step(const struct report *r, u32 block, enum event_kind kind)
{
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct trace_place *p = trace_place(r->t, r->t->events[i].place);

		if (r->t->events[i].e.kind == kind && p && p->block == block)
			return i + 1;
	}
	return 0;
}

static json_t *heap_json(const struct report *r)
{
	json_t *heap = json_array();

	for (u32 i = 0; i < r->t->nblocks && i < BLOCKS_MAX; i++) {
		const struct trace_block *b = &r->t->blocks[i];
		json_t *o = json_object();

		js_put(o, "name", js_text(r->blocks[i].name));
		js_put(o, "size", json_integer((json_int_t)b->size));
		put_json_text(o, "at", block_site(r, i));
		put_number(o, "a", block_step(r, b->id, EV_MALLOC));
		put_number(o, "f", block_step(r, b->id, EV_FREE));
		js_add(heap, o);
	}
	return heap;
}

static json_t *files_json(const struct excerpts *x)
{
	json_t *files = json_array();
	const char *name;

	for (unsigned i = 0; excerpts_file(x, i, &name); i++) {
		json_t *o = json_object(), *lines = json_object();

		for (int k = 1; k <= excerpts_last(x, i); k++)
			if (excerpts_line(x, i, k))
				js_put(lines, xprintf("%d", k), js_text(excerpts_line(x, i, k)));
		js_put(o, "name", js_text(name));
		js_put(o, "lines", lines);
		js_add(files, o);
	}
	return files;
}

/* Escape `<', which could end the document's element, or begin a comment. */
static char *without_angles(const char *json)
{
	size_t n = 1;
	char *text, *to;

	for (const char *c = json; *c; c++)
		n += *c == '<' ? 6 : 1;
	to = text = xmalloc(n);
	for (; *json; json++) {
		if (*json == '<')
			to = stpcpy(to, "\\u003c");
		else
			*to++ = *json;
	}
	*to = 0;
	return text;
}

char *html_data(struct report *r, struct excerpts *x)
{
	struct data d = {.r = r,
		.x = x,
		.locations = json_array(),
		.stacks = json_array(),
		.words = json_array(),
		.word_number = json_object()};
	json_t *o = json_object(), *steps = json_array();
	char *json, *text;

	d.all = r->t->nevents <= STACKS_MAX;
	d.location_of = xmalloc((r->t->nevents + 1) * sizeof(*d.location_of));
	d.stack_number = xmalloc((r->t->nstacks + 1) * sizeof(*d.stack_number));
	for (u32 i = 0; i < r->t->nevents; i++)
		js_add(steps, step_page_json(&d, i));
	js_put(o, "heap", heap_json(r));
	js_put(o, "threads", threads_json(r));
	js_put(o, "steps", steps);
	js_put(o, "locations", d.locations);
	js_put(o, "files", files_json(x));
	js_put(o, "stacks", d.stacks);
	js_put(o, "words", d.words);
	js_put(o, "waits", waits_json(r));
	js_put(o, "before", js_text(report_has_orders(r) ? "hb" : "po and rf"));
	js_put(o, "buffers", json_boolean(!report_has_orders(r)));
	js_put(o, "edges", edges_json(drawing_make(r, d.all)));
	json = json_dumps(o, JSON_COMPACT);
	if (!json)
		die("not enough memory");
	text = without_angles(json);
	free(json);
	free(d.location_of);
	free(d.stack_number);
	json_decref(d.word_number);
	json_decref(o);
	return text;
}
