/* SPDX-License-Identifier: ISC */
/*
 * js_why.c - for programs: the cycle that sequential consistency forbids, the reorderings, missing
 * synchronisation, and the changes that would forbid the execution. JSON and SARIF have the same
 * object; json.c documents it.
 */
#include "document/js.h"
#include "report/report.h"

#include "die.h"

static void add_place_json(json_t *o, const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];
	const struct frame *f = row->at ? &row->at->at[0] : NULL;

	js_put(o, "step", json_integer(step));
	js_put(o, "thread", json_integer(row->ev->e.thread));
	js_put(o, "place", js_text(row->place[0] ? row->place : NULL));
	js_put(o, "file", js_text(f ? f->file : NULL));
	js_put(o, "line", js_number_or_null(f ? (u64)f->line : 0));
	js_put(o, "column", js_number_or_null(f ? (u64)f->column : 0));
}

static json_t *step_of_cycle(const struct report *r, u32 i)
{
	const struct trace_edge *e = &r->t->cycle[i];
	json_t *o = json_object();

	add_place_json(o, r, e->from);
	js_put(o, "text", js_text(r->rows[e->from - 1].what));
	js_put(o, "relation", js_text(relation_name(e->relation)));
	return o;
}

static json_t *reordering(const struct report *r, u32 i)
{
	json_t *o = json_object();

	js_put(o, "first", json_integer(r->reorderings[i].store));
	js_put(o, "later", json_integer(r->reorderings[i].later));
	js_put(o, "text", js_text(r->reorderings[i].text));
	return o;
}

static json_t *missing_sync(const struct report *r, u32 i)
{
	json_t *o = json_object();

	js_put(o, "write", json_integer(r->syncs[i].write));
	js_put(o, "read", json_integer(r->syncs[i].read));
	js_put(o, "text", js_text(r->syncs[i].text));
	return o;
}

static json_t *missing_order(const struct report *r, u32 i)
{
	char *words = repair_order_words(r, i);
	json_t *o;

	if (!words)
		return NULL;
	o = json_object();
	add_place_json(o, r, r->orders[i].step);
	js_put(o, "order", js_text(repair_order_name(r, i)));
	js_put(o, "text", js_text(words));
	return o;
}

static json_t *missing_fence(const struct report *r, u32 i)
{
	const struct missing_fence *f = &r->fences[i];
	char *words = repair_fence_words(r, i);
	json_t *o;

	if (!words)
		return NULL;
	o = json_object();
	add_place_json(o, r, f->release ? f->later : f->store);
	js_put(o, "where", js_text(f->release ? "before" : "after"));
	js_put(o, "order", js_text(f->release ? "release" : "seq_cst"));
	js_put(o, "text", js_text(words));
	return o;
}

json_t *js_why(const struct report *r)
{
	json_t *o;

	if (!r || !r->t->ncycle)
		return json_null();
	o = json_object();
	js_put(o, "cycle", js_list(r, r->t->ncycle, step_of_cycle));
	js_put(o, "reorderings", js_list(r, r->nreorderings, reordering));
	js_put(o, "unsynchronised", js_list(r, r->nsyncs, missing_sync));
	js_put(o, "orders", js_list(r, r->norders, missing_order));
	js_put(o, "fences", js_list(r, r->nfences, missing_fence));
	return o;
}
