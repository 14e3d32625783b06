/* SPDX-License-Identifier: ISC */
/* js_trace.c - for programs: the execution of a finding, step by step. json.c has the meaning of
 * the keys. */
#include "document/js.h"

#include "die.h"
#include "report/report.h"

/* --- stacks ----------------------------------------------------------------------------------- */

static void add_address(const struct report *r, json_t *array, u64 address)
{
	const struct frames *f = symbol_frames(r->symbols, address);

	for (unsigned i = 0; i < f->n; i++) {
		const struct frame *frame = &f->at[i];
		json_t *o = json_object();

		js_put(o, "function", js_text(frame->function));
		js_put(o, "file", js_text(frame->file));
		js_put(o, "line", js_number_or_null((u64)frame->line));
		js_put(o, "column", js_number_or_null((u64)frame->column));
		js_put(o, "inlined", json_boolean(frame->inlined));
		js_put(o, "module", js_or_null(f->module));
		js_put(o, "offset", js_hex_one(f->offset));
		js_add(array, o);
	}
}

static json_t *stack_json(const struct report *r, u32 id)
{
	const struct trace_stack *stack = trace_stack(r->t, id);
	json_t *array = json_array();

	for (u32 i = 0; stack && i < stack->nframes; i++)
		add_address(r, array, stack->frames[i]);
	return array;
}

/* --- parts ------------------------------------------------------------------------------------ */

static json_t *flags_json(unsigned flags)
{
	json_t *array = json_array();

	for (unsigned bit = 0; event_flag_name(bit); bit++)
		if (flags >> bit & 1)
			js_add(array, js_text(event_flag_name(bit)));
	return array;
}

static void put_location(json_t *o, const struct row *row)
{
	const struct frame *f = row->at ? &row->at->at[0] : NULL;

	js_put(o, "function", js_text(f ? f->function : NULL));
	js_put(o, "file", js_text(f ? f->file : NULL));
	js_put(o, "line", js_number_or_null(f ? (u64)f->line : 0));
	js_put(o, "column", js_number_or_null(f ? (u64)f->column : 0));
}

static json_t *step_json(const struct report *r, u32 i)
{
	const struct row *row = &r->rows[i];
	const struct event *e = &row->ev->e;
	bool access = kind_is_access((enum event_kind)e->kind);
	json_t *o = json_object();

	js_put(o, "step", json_integer(e->step));
	js_put(o, "thread", json_integer(e->thread));
	js_put(o, "kind", js_text(kind_name((enum event_kind)e->kind)));
	js_put(o, "order",
		access || e->kind == EV_FENCE ? js_text(order_name(e->order)) : json_null());
	js_put(o, "size", js_number_or_null(e->size));
	js_put(o, "place", js_or_null(row->place));
	js_put(o, "address", row->ev->place ? js_hex_one(e->addr) : json_null());
	js_put(o, "value", js_hex(e->value));
	js_put(o, "old", js_hex(e->old));
	js_put(o, "from", js_number_or_null(e->from));
	js_put(o, "store", js_number_or_null(e->store));
	js_put(o, "missed", js_number_or_null(e->missed));
	js_put(o, "buffered", json_integer(e->buffered));
	js_put(o, "flags", flags_json(e->flags));
	put_location(o, row);
	js_put(o, "text",
		js_text(row->note[0] ? xprintf("%s %s", row->what, row->note) : row->what));
	js_put(o, "stack", stack_json(r, e->stack));
	return o;
}

static json_t *thread_json(const struct report *r, u32 i)
{
	const struct trace_thread *t = &r->t->threads[i];
	json_t *o = json_object();

	js_put(o, "id", json_integer(t->id));
	js_put(o, "name", js_or_null(t->name));
	js_put(o, "parent", t->id ? json_integer(t->parent) : json_null());
	js_put(o, "start", js_text(t->start ? symbol_function(r->symbols, t->start) : NULL));
	js_put(o, "stack", stack_json(r, t->stack));
	return o;
}

static json_t *edge_json(const struct report *r, u32 i)
{
	json_t *o = json_object();

	js_put(o, "from", json_integer(r->t->cycle[i].from));
	js_put(o, "to", json_integer(r->t->cycle[i].to));
	js_put(o, "relation", js_text(relation_name(r->t->cycle[i].relation)));
	return o;
}

static json_t *timing_json(const struct report *r, u32 i)
{
	json_t *o = json_object();

	js_put(o, "step", json_integer(r->timings[i].step));
	js_put(o, "other", json_integer(r->timings[i].other));
	js_put(o, "nanoseconds", json_integer((json_int_t)r->timings[i].ns));
	js_put(o, "text", js_text(r->timings[i].text));
	return o;
}

static json_t *overtaking_json(const struct report *r, u32 i)
{
	json_t *o = json_object();

	js_put(o, "store", json_integer(r->reorderings[i].store));
	js_put(o, "overtaken_by", json_integer(r->reorderings[i].later));
	return o;
}

static json_t *cost_json(u32 rare, u32 relaxed, u32 delayed, u32 switches, u32 steps)
{
	json_t *o = json_object();

	js_put(o, "rare", json_integer(rare));
	js_put(o, "relaxed", json_integer(relaxed));
	js_put(o, "delayed", json_integer(delayed));
	js_put(o, "switches", json_integer(switches));
	js_put(o, "steps", json_integer(steps));
	return o;
}

/* Figures of the execution found, and of the simpler one shown. */
static json_t *minimised_json(const struct report *r)
{
	const struct trace_minimised *m = &r->t->minimised;
	json_t *o;

	if (!m->tries)
		return json_null();
	o = json_object();
	js_put(o, "tries", json_integer(m->tries));
	js_put(o, "complete", json_boolean(m->complete));
	js_put(o, "before", cost_json(m->rare, m->relaxed, m->delayed, m->switches, m->steps));
	js_put(o, "after", cost_json(m->to_rare, m->to_relaxed, m->to_delayed, m->to_switches,
		m->to_steps));
	return o;
}

static json_t *repeats_json(const struct report *r)
{
	json_t *o;

	if (!r->t->finding.f.repeats)
		return json_null();
	o = json_object();
	js_put(o, "from", json_integer(r->t->finding.f.repeats));
	js_put(o, "to", json_integer(r->t->nevents));
	return o;
}

static json_t *wait_json(const struct report *r, u32 i)
{
	const struct trace_wait *w = &r->t->waits[i];
	json_t *o = json_object();

	js_put(o, "thread", json_integer(w->thread));
	js_put(o, "kind", js_text(kind_name((enum event_kind)w->kind)));
	js_put(o, "place", js_or_null(name_of_place(r, w->place, 1, NULL)));
	js_put(o, "holder", w->holder < 0 ? json_null() : json_integer(w->holder));
	js_put(o, "text", js_text(wait_words(r, w)));
	js_put(o, "why", js_or_null(wait_why(r, w)));
	js_put(o, "stack", stack_json(r, w->stack));
	return o;
}

static json_t *history_json(const struct report *r)
{
	json_t *h, *array;

	if (!r->t->nhistories)
		return json_null();
	h = json_object();
	array = json_array();
	for (u32 i = 0; i < r->t->noperations; i++) {
		const struct trace_operation *op = &r->t->operations[i];
		json_t *o = json_object();

		js_put(o, "thread", json_integer(op->thread));
		js_put(o, "call", js_text(op->call));
		js_put(o, "result", js_or_null(op->result));
		js_put(o, "begin", js_number_or_null(op->begin));
		js_put(o, "end", js_number_or_null(op->end));
		js_put(o, "placed", js_number_or_null(op->placed));
		js_put(o, "why", js_or_null(op->why));
		js_add(array, o);
	}
	js_put(h, "object", js_text(r->t->histories->object));
	js_put(h, "before", js_text(before_name(r->t->histories->before)));
	js_put(h, "state", js_or_null(r->t->histories->state));
	js_put(h, "operations", array);
	return h;
}

static json_t *block_json(const struct report *r, u32 i)
{
	const struct trace_block *b = &r->t->blocks[i];
	json_t *o = json_object();

	js_put(o, "name", js_text(r->blocks[i].name));
	js_put(o, "thread", json_integer(b->thread));
	js_put(o, "nth", json_integer(b->nth));
	js_put(o, "size", json_integer((json_int_t)b->size));
	js_put(o, "address", js_hex_one(b->address));
	js_put(o, "stack", stack_json(r, b->stack));
	js_put(o, "freed", b->freed ? stack_json(r, b->freed) : json_null());
	return o;
}

static json_t *piece_json(const struct report *r, u32 i)
{
	json_t *o = json_object();

	js_put(o, "fd", json_integer(r->t->outputs[i].fd));
	js_put(o, "text", js_text_n(r->t->outputs[i].text, r->t->outputs[i].n));
	return o;
}

/* --- races ------------------------------------------------------------------------------------ */

static json_t *locks_json(const struct report *r, const struct race_side *side)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < side->nlocks; i++) {
		const struct row *row = &r->rows[side->locks[i] - 1];
		json_t *o = json_object();

		js_put(o, "place", js_or_null(row->place));
		js_put(o, "step", json_integer(side->locks[i]));
		js_put(o, "kind", js_text(kind_name((enum event_kind)row->ev->e.kind)));
		js_add(array, o);
	}
	return array;
}

json_t *js_race(const struct report *r)
{
	json_t *race = json_object(), *array = json_array();

	for (unsigned i = 0; i < 2; i++) {
		const struct row *row = &r->rows[r->race[i].step - 1];
		const struct event *e = &row->ev->e;
		const struct trace_thread *t = trace_thread(r->t, e->thread);
		json_t *o = json_object();

		js_put(o, "step", json_integer(e->step));
		js_put(o, "thread", json_integer(e->thread));
		js_put(o, "kind", js_text(kind_name((enum event_kind)e->kind)));
		js_put(o, "atomic", json_boolean(!(e->flags & EVENT_PLAIN)));
		js_put(o, "order", js_text(e->flags & EVENT_PLAIN ? NULL : order_name(e->order)));
		js_put(o, "place", js_or_null(row->place));
		js_put(o, "value", js_hex(e->value));
		put_location(o, row);
		js_put(o, "text", js_text(race_access(r, i)));
		js_put(o, "locks", locks_json(r, &r->race[i]));
		js_put(o, "stack", stack_json(r, e->stack));
		js_put(o, "created", t && t->stack ? stack_json(r, t->stack) : json_null());
		js_add(array, o);
	}
	js_put(race, "accesses", array);
	js_put(race, "why", js_or_null(r->race_why));
	js_put(race, "note", js_text(r->race_note));
	return race;
}

/* --- all -------------------------------------------------------------------------------------- */

void js_put_trace(json_t *o, const struct report *r)
{
	js_put(o, "threads", js_list(r, r->t->nthreads, thread_json));
	js_put(o, "minimised", minimised_json(r));
	js_put(o, "steps", js_list(r, r->t->nevents, step_json));
	js_put(o, "cycle", js_list(r, r->t->ncycle, edge_json));
	js_put(o, "reordered", js_list(r, r->nreorderings, overtaking_json));
	js_put(o, "timing", js_list(r, r->ntimings, timing_json));
	js_put(o, "why", js_why(r));
	js_put(o, "waits", js_list(r, r->t->nwaits, wait_json));
	js_put(o, "repeats", repeats_json(r));
	js_put(o, "history", history_json(r));
	js_put(o, "blocks", js_list(r, r->t->nblocks, block_json));
	js_put(o, "output", js_list(r, r->t->noutputs, piece_json));
}

void js_put_no_trace(json_t *o)
{
	static const char *const keys[] = {
		"threads", "steps", "cycle", "reordered", "timing", "waits", "blocks", "output"};

	for (size_t i = 0; i < array_size(keys); i++)
		js_put(o, keys[i], json_array());
	js_put(o, "history", json_null());
	js_put(o, "minimised", json_null());
	js_put(o, "why", json_null());
}
