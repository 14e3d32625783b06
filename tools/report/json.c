/* SPDX-License-Identifier: ISC */
/*
 * json.c - all of a run, or of one replay file, as one JSON object. This is its specification.
 *
 * "format" is 1; it changes when a key goes away or changes its meaning, not when one is added.
 * Addresses and values are strings of hex digits ("0x1f"), for they may have more than 53 bits.
 * null stands for what is not known. Bytes that are not UTF-8 are given as U+FFFD.
 *
 *   format            1
 *   version           of heddle
 *   model, strategy   as given: "tso", "dfs"
 *   executions        complete ones              } null for `heddle report FILE`, which knows
 *   blocked           cut short                  } only the one execution in the file
 *   failing           of both, those that failed }
 *   complete          true only if every execution has been explored
 *   bounds            [{name, text}] why not: executions, time, steps, buffer, weak-cas, spurious,
 *                     timeouts, sampling, finding, interrupt, range, nondeterminism
 *   estimate          of the executions there are, when it was stopped before it had them all
 *   coverage          [text] what could not be seen
 *   seconds, steps    time spent exploring; steps of all executions
 *   exit_code         of the command: 0 complete and clean, 1 finding, 2 usage, 3 cut short
 *   findings          [{
 *     kind            assertion, crash, exit, deadlock, livelock, loop, misuse, memory,
 *                     race
 *     message         one line
 *     reorder_dependent   true: not possible under sc; false: possible; null: unknown
 *     file, line, function    where it failed; of threads that wait: where the first of `waits`
 *                     stands that does not just join another
 *     thread          number of the thread that failed
 *     execution       in which execution of the search, 1 first
 *     step            which of the steps below failed
 *     signal          of a crash
 *     replay          path of the replay file, null if none could be written
 *     threads         [{id, name, parent, start (function), stack (where it was created)}]
 *     steps           [{step, thread, kind, order, size, place (a name), address, value, old,
 *                     from (step of the write read from, null = the initial value),
 *                     store (of a commit: step of its store), missed (in an execution graph: step
 *                     of a newer write that was there already, null = none), buffered (stores left in the
 *                     thread's buffer), flags [plain, volatile, asm, forwarded, buffered, spin],
 *                     function, file, line, column, text (as in the report), stack}]
 *     stack           [{function, file, line, column, inlined, module, offset}], innermost first
 *     cycle           [{from, to, relation (po, rf, co, fr)}] that sc forbids
 *     reordered       [{store, overtaken_by}] steps
 *     waits           [{thread, kind, place, holder, stack}] of deadlocks and livelocks
 *     race            {accesses [{step, thread, atomic, locks [{place, step, kind}], stack} (2)],
 *                     why}, the earlier access first; null for other kinds
 *     blocks          [{name, thread, nth, size, address, stack, freed}] of the heap
 *     output          [{fd, text}]
 *   }]
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "die.h"

/* A string, or null. What is not UTF-8 is replaced byte by byte. */
static json_t *text_n(const char *s, size_t n)
{
	json_t *json = s ? json_stringn(s, n) : json_null();
	char *clean, *to;

	if (json)
		return json;
	clean = to = xmalloc(3 * n + 1);
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)s[i] < 0x80)
			*to++ = s[i];
		else
			to = stpcpy(to, "\xef\xbf\xbd");
	}
	json = json_stringn(clean, (size_t)(to - clean));
	free(clean);
	return json;
}

static json_t *text(const char *s)
{
	return text_n(s, s ? strlen(s) : 0);
}

static json_t *text_or_null(const char *s)
{
	return s && *s ? text(s) : json_null();
}

static json_t *number_or_null(u64 n)
{
	return n ? json_integer((json_int_t)n) : json_null();
}

static json_t *hex(const u64 *value)
{
	if (value[1])
		return text(xprintf("0x%llx%016llx", (unsigned long long)value[1],
			(unsigned long long)value[0]));
	return text(xprintf("0x%llx", (unsigned long long)value[0]));
}

static json_t *hex_one(u64 value)
{
	return text(xprintf("0x%llx", (unsigned long long)value));
}

static void put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		die("not enough memory");
}

static void add(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		die("not enough memory");
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void add_address(const struct report *r, json_t *array, u64 address)
{
	const struct frames *f = symbol_frames(r->symbols, address);

	for (unsigned i = 0; i < f->n; i++) {
		const struct frame *frame = &f->at[i];
		json_t *o = json_object();

		put(o, "function", text(frame->function));
		put(o, "file", text(frame->file));
		put(o, "line", number_or_null((u64)frame->line));
		put(o, "column", number_or_null((u64)frame->column));
		put(o, "inlined", json_boolean(frame->inlined));
		put(o, "module", text_or_null(f->module));
		put(o, "offset", hex_one(f->offset));
		add(array, o);
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

/* --- the parts of a finding ------------------------------------------------------------------ */

static json_t *flags_json(unsigned flags)
{
	json_t *array = json_array();

	for (unsigned bit = 0; event_flag_name(bit); bit++)
		if (flags >> bit & 1)
			add(array, text(event_flag_name(bit)));
	return array;
}

static void put_location(json_t *o, const struct row *row)
{
	const struct frame *f = row->at ? &row->at->at[0] : NULL;

	put(o, "function", text(f ? f->function : NULL));
	put(o, "file", text(f ? f->file : NULL));
	put(o, "line", number_or_null(f ? (u64)f->line : 0));
	put(o, "column", number_or_null(f ? (u64)f->column : 0));
}

static json_t *step_json(const struct report *r, const struct row *row)
{
	const struct event *e = &row->ev->e;
	bool access = kind_is_access((enum event_kind)e->kind);
	json_t *o = json_object();

	put(o, "step", json_integer(e->step));
	put(o, "thread", json_integer(e->thread));
	put(o, "kind", text(kind_name((enum event_kind)e->kind)));
	put(o, "order", access || e->kind == EV_FENCE ? text(order_name(e->order)) : json_null());
	put(o, "size", number_or_null(e->size));
	put(o, "place", text_or_null(row->place));
	put(o, "address", row->ev->place ? hex_one(e->addr) : json_null());
	put(o, "value", hex(e->value));
	put(o, "old", hex(e->old));
	put(o, "from", number_or_null(e->from));
	put(o, "store", number_or_null(e->store));
	put(o, "missed", number_or_null(e->missed));
	put(o, "buffered", json_integer(e->buffered));
	put(o, "flags", flags_json(e->flags));
	put_location(o, row);
	put(o, "text", text(row->note[0] ? xprintf("%s %s", row->what, row->note) : row->what));
	put(o, "stack", stack_json(r, e->stack));
	return o;
}

static json_t *steps_json(const struct report *r)
{
	json_t *array = json_array();

	for (u32 i = 0; i < r->t->nevents; i++)
		add(array, step_json(r, &r->rows[i]));
	return array;
}

static json_t *threads_json(const struct report *r)
{
	json_t *array = json_array();

	for (u32 i = 0; i < r->t->nthreads; i++) {
		const struct trace_thread *t = &r->t->threads[i];
		json_t *o = json_object();

		put(o, "id", json_integer(t->id));
		put(o, "name", text_or_null(t->name));
		put(o, "parent", t->id ? json_integer(t->parent) : json_null());
		put(o, "start", text(t->start ? symbol_function(r->symbols, t->start) : NULL));
		put(o, "stack", stack_json(r, t->stack));
		add(array, o);
	}
	return array;
}

static json_t *cycle_json(const struct report *r)
{
	json_t *array = json_array();

	for (u32 i = 0; i < r->t->ncycle; i++) {
		json_t *o = json_object();

		put(o, "from", json_integer(r->t->cycle[i].from));
		put(o, "to", json_integer(r->t->cycle[i].to));
		put(o, "relation", text(relation_name(r->t->cycle[i].relation)));
		add(array, o);
	}
	return array;
}

static json_t *reordered_json(const struct report *r)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < r->nreorderings; i++) {
		json_t *o = json_object();

		put(o, "store", json_integer(r->reorderings[i].store));
		put(o, "overtaken_by", json_integer(r->reorderings[i].later));
		add(array, o);
	}
	return array;
}

static json_t *waits_json(const struct report *r)
{
	json_t *array = json_array();

	for (u32 i = 0; i < r->t->nwaits; i++) {
		const struct trace_wait *w = &r->t->waits[i];
		json_t *o = json_object();

		put(o, "thread", json_integer(w->thread));
		put(o, "kind", text(kind_name((enum event_kind)w->kind)));
		put(o, "place", text_or_null(name_of_place(r, w->place, 1, NULL)));
		put(o, "holder", w->holder < 0 ? json_null() : json_integer(w->holder));
		put(o, "stack", stack_json(r, w->stack));
		add(array, o);
	}
	return array;
}

static json_t *locks_json(const struct report *r, const struct race_side *side)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < side->nlocks; i++) {
		const struct row *row = &r->rows[side->locks[i] - 1];
		json_t *o = json_object();

		put(o, "place", text_or_null(row->place));
		put(o, "step", json_integer(side->locks[i]));
		put(o, "kind", text(kind_name((enum event_kind)row->ev->e.kind)));
		add(array, o);
	}
	return array;
}

static json_t *race_json(const struct report *r)
{
	json_t *race = json_object(), *array = json_array();

	for (unsigned i = 0; i < 2; i++) {
		const struct event *e = &r->rows[r->race[i].step - 1].ev->e;
		json_t *o = json_object();

		put(o, "step", json_integer(e->step));
		put(o, "thread", json_integer(e->thread));
		put(o, "atomic", json_boolean(!(e->flags & EVENT_PLAIN)));
		put(o, "locks", locks_json(r, &r->race[i]));
		put(o, "stack", stack_json(r, e->stack));
		add(array, o);
	}
	put(race, "accesses", array);
	put(race, "why", text(r->race_why));
	return race;
}

static json_t *blocks_json(const struct report *r)
{
	json_t *array = json_array();

	for (u32 i = 0; i < r->t->nblocks; i++) {
		const struct trace_block *b = &r->t->blocks[i];
		json_t *o = json_object();

		put(o, "name", text(r->blocks[i].name));
		put(o, "thread", json_integer(b->thread));
		put(o, "nth", json_integer(b->nth));
		put(o, "size", json_integer((json_int_t)b->size));
		put(o, "address", hex_one(b->address));
		put(o, "stack", stack_json(r, b->stack));
		put(o, "freed", b->freed ? stack_json(r, b->freed) : json_null());
		add(array, o);
	}
	return array;
}

static json_t *output_json(const struct report *r)
{
	json_t *array = json_array();

	for (u32 i = 0; i < r->t->noutputs; i++) {
		json_t *o = json_object();

		put(o, "fd", json_integer(r->t->outputs[i].fd));
		put(o, "text", text_n(r->t->outputs[i].text, r->t->outputs[i].n));
		add(array, o);
	}
	return array;
}

/* --- findings -------------------------------------------------------------------------------- */

static json_t *reorder_json(const struct json_finding *f)
{
	int reorder = -1;

	if (f->report && f->report->t->finding.reorder != REORDER_UNKNOWN)
		reorder = f->report->t->finding.reorder == REORDER_YES;
	else if (f->status)
		reorder = f->status->reorder;
	return reorder < 0 ? json_null() : json_boolean(reorder);
}

static void put_trace(json_t *o, const struct report *r)
{
	put(o, "threads", threads_json(r));
	put(o, "steps", steps_json(r));
	put(o, "cycle", cycle_json(r));
	put(o, "reordered", reordered_json(r));
	put(o, "waits", waits_json(r));
	put(o, "blocks", blocks_json(r));
	put(o, "output", output_json(r));
}

static void put_empty_trace(json_t *o)
{
	static const char *const keys[] = {
		"threads", "steps", "cycle", "reordered", "waits", "blocks", "output"};

	for (size_t i = 0; i < array_size(keys); i++)
		put(o, keys[i], json_array());
}

static json_t *finding_json(const struct json_finding *f)
{
	const struct report *r = f->report;
	const struct finding *base = r ? &r->t->finding.f : &f->status->finding;
	u64 execution = f->status ? f->status->execution : r->t->finding.execution;
	json_t *o = json_object();

	put(o, "kind", text(finding_name(base->kind)));
	put(o, "message", text(r ? r->message : base->message));
	put(o, "reorder_dependent", reorder_json(f));
	put(o, "file", text_or_null(r ? r->file : base->file));
	put(o, "line", number_or_null((u64)(r ? r->line : base->line)));
	put(o, "function", text_or_null(r ? r->function : base->function));
	put(o, "thread", json_integer(base->thread));
	put(o, "execution", number_or_null(execution));
	put(o, "step", number_or_null(base->step));
	put(o, "signal", number_or_null((u64)base->signal));
	put(o, "race", r && r->has_race ? race_json(r) : json_null());
	put(o, "replay", text_or_null(r ? r->path : f->status->replay));
	if (r)
		put_trace(o, r);
	else
		put_empty_trace(o);
	return o;
}

static json_t *bounds_json(const struct summary *s)
{
	json_t *array = json_array();
	const char *name;
	char *words;

	for (unsigned i = 0; bound_words(s, i, &name, &words); i++) {
		json_t *o = json_object();

		put(o, "name", text(name));
		put(o, "text", text(words));
		add(array, o);
	}
	return array;
}

static json_t *figure(const struct summary *s, u64 n)
{
	return s->known ? json_integer((json_int_t)n) : json_null();
}

void json_report(
	const struct summary *s, const struct json_finding *findings, unsigned n, FILE *out)
{
	json_t *o = json_object(), *array = json_array(), *coverage = json_array();

	put(o, "format", json_integer(1));
	put(o, "version", text(HEDDLE_VERSION));
	put(o, "model", text(s->model));
	put(o, "strategy", text(s->strategy));
	put(o, "executions", figure(s, s->executions));
	put(o, "blocked", figure(s, s->blocked));
	put(o, "failing", figure(s, s->failing));
	put(o, "complete", s->known ? json_boolean(s->complete) : json_null());
	put(o, "bounds", bounds_json(s));
	put(o, "estimate", number_or_null(s->estimate));
	for (unsigned i = 0; i < s->ncoverage; i++)
		add(coverage, text(s->coverage[i]));
	put(o, "coverage", coverage);
	put(o, "seconds", s->known ? json_real(s->seconds) : json_null());
	put(o, "steps", figure(s, s->steps));
	put(o, "exit_code", json_integer(s->exit_code));
	for (unsigned i = 0; i < n; i++)
		add(array, finding_json(&findings[i]));
	put(o, "findings", array);
	if (json_dumpf(o, out, JSON_INDENT(2)) != 0 || fputc('\n', out) == EOF || fflush(out) != 0)
		die("the JSON could not be written");
	json_decref(o);
}
