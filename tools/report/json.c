/* SPDX-License-Identifier: ISC */
/*
 * json.c - the results of a run, or a replay file, as one JSON object. This is its specification.
 *
 * "format" is 1; it changes when a key is removed or changes its meaning, not when one is added.
 * Addresses and values are strings of hex digits ("0x1f"), for they may have more than 53 bits.
 * null means unknown. Bytes that are not UTF-8 are given as U+FFFD.
 *
 *   format            1
 *   version           of heddle
 *   model, strategy   as given: "tso", "dfs"
 *   equivalence       strategy graph: which executions count as one, "rf+co" or "rf"; else null
 *   error             why it could not be explored (exit code 2), else null
 *   executions        complete ones              } null for `heddle report FILE`, which knows
 *   blocked           cut short                  } only the one execution in the file
 *   cut               of these, at a bound on the turns of a loop
 *   failing           of both, those that failed }
 *   promoted          how many data races the search has gone past; no execution counts for them
 *   suppressed        how many of the findings a rule of heddle.supp took; executions that end in
 *                     one of these are in `blocked`, not in `failing`
 *   complete          true only if every execution has been explored
 *   bounds            [{name, text}] the reasons if not: executions, time, steps, buffer, weak-cas,
 *                     spurious, timeouts, sampling, finding, interrupt, range, nondeterminism,
 *                     loops
 *   guarantee         {complete, preemptions, delays, chances, held}: all executions under sc with
 *                     at most so many of these have been explored; null: not known of any number.
 *                     chances: the least with which samples by pct would have met a bug of depth 1,
 *                     2, ... held: how far the program came, if no execution has ended; else null
 *   estimate          of the number of executions, if the search was stopped before its end
 *   coverage          [text] limits of the coverage
 *   seconds, steps    time spent exploring; steps of all executions
 *   exit_code         of the command: 0 complete and clean, 1 finding, 2 usage, 3 cut short, 70 an
 *                     error of heddle
 *   unconfirmed       a finding that the program did not repeat (exit code 70): text, or null
 *   suppressions      [{file, line, reason, findings}] the rules that were read, and how many
 *                     findings each took
 *   outcomes          {names, rows [{values, executions, sc (possible, impossible, unknown; of
 *                     `heddle compare': from, likewise under that model)}], more (were not kept)}
 *   compare           of `heddle compare`, else null: {from, to, verdict (portable, not portable,
 *                     unknown), level, from_explored (by itself, too), findings, outcomes, states,
 *                     executions (numbers of new ones; executions: null unless they were compared),
 *                     of {outcomes, states}, new_states [{executions, items [{name, value, size}],
 *                     more}]}
 *   findings          [{
 *     kind            assertion, crash, exit, deadlock, livelock, loop, misuse, memory,
 *                     heap, race, leak, lock-order, threads, uninit, stack, linearizability,
 *                     starvation
 *     message         one line
 *     in_from         heddle compare: the other model has it, too; else null
 *     suppressed      {file, line, reason}: the rule of heddle.supp that took it; null: it counts
 *     reorder_dependent   true: not possible under sc; false: possible; null: unknown
 *     file, line, function    where it failed; of waiting threads: the place of the first of
 *                     `waits` that does not only join another
 *     thread          number of the thread that failed
 *     execution       in which execution of the search, 1 first
 *     step            which of the steps below failed
 *     signal          of a crash
 *     replay          path of the replay file, null if none could be written
 *     threads         [{id, name, parent, start (function), stack (where it was created)}]
 *     steps           [{step, thread, kind, order, size, place (a name), address, value, old,
 *                     from (step of the write read from, null = the initial value),
 *                     store (of a commit: step of its store), missed (in an execution graph: step
 *                     of a newer write that was there already, null = none), buffered (stores left
 *                     in the thread's buffer), flags [plain, volatile, asm, forwarded, buffered,
 *                     spin], function, file, line, column, text (as in the report), stack}]
 *     stack           [{function, file, line, column, inlined, module, offset}], innermost first
 *     cycle           [{from, to, relation (po, rf, co, fr)}] that sc forbids
 *     reordered       [{store, overtaken_by}] steps: the reorderings of `why`
 *     timing          [{step, other, nanoseconds, text}] sleeps and timed waits that ended while
 *                     thread `other` could still move
 *     why             of what sc forbids, else null: {cycle [{step, thread, place (a name), file,
 *                     line, column, text, relation (to the next one; of the last: to the first)}],
 *                     reorderings [{first, later (steps of one thread: the later one took effect
 *                     first), text}], unsynchronised [{write, read (steps: a value went from the
 *                     one to the other, and orders nothing), text}], orders [{step, thread, place,
 *                     file, line, column, order (make the access that), text}], fences [{..., where
 *                     (after, before the step), order, text}]: all of these together would forbid
 *                     the execution}
 *     minimised       null: the execution found is the one shown; else {tries (executions),
 *                     complete (there was time for all), before, after: {rare, relaxed, delayed,
 *                     switches, steps}}
 *     waits           [{thread, kind, place, holder, text, why, stack}] of deadlocks, livelocks and
 *                     starvation; kind store: it loops, changing the place
 *     repeats         {from, to}: the steps that can be repeated for ever (livelock, starvation);
 *                     else null
 *     race            {accesses [{step, thread, kind, atomic, order, place (a name), value,
 *                     function, file, line, column, text, locks [{place, step, kind}], stack,
 *                     created (the stack that created the thread, null: the first)} (2)], why (the
 *                     missing synchronisation), note}, the earlier access first; null for other
 *                     kinds
 *     history         of linearizability: {object, before (happens: happens-before; steps), state
 *                     (after the placed operations), operations [{thread, call, result, begin, end
 *                     (steps), placed (in the longest order that explains results), why (it cannot
 *                     be next)}]}, else null
 *     blocks          [{name, thread, nth, size, address, stack, freed}] of the heap
 *     output          [{fd, text}]
 *   }]
 *
 * A command that explores several tests has, at the top level, only format, version, suppressions
 * and
 *
 *   exit_code         of the command
 *   tests             [{suite, name, and from `error` to `findings` all that stands above}]
 */
#include "report/result.h"

#include <string.h>

#include "die.h"
#include "report/js.h"

/* --- stacks ---------------------------------------------------------------------------------- */

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

/* --- the parts of a finding ------------------------------------------------------------------ */

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

static json_t *race_json(const struct report *r)
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

/* --- findings -------------------------------------------------------------------------------- */

static void put_trace(json_t *o, const struct report *r)
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

static void put_empty_trace(json_t *o)
{
	static const char *const keys[] = {
		"threads", "steps", "cycle", "reordered", "timing", "waits", "blocks", "output"};

	for (size_t i = 0; i < array_size(keys); i++)
		js_put(o, keys[i], json_array());
	js_put(o, "history", json_null());
	js_put(o, "minimised", json_null());
	js_put(o, "why", json_null());
}

static json_t *rule_json(const struct suppression *rule)
{
	json_t *o = json_object();

	js_put(o, "file", js_text(rule->file));
	js_put(o, "line", json_integer(rule->line));
	js_put(o, "reason", js_text(rule->reason));
	return o;
}

static json_t *finding_json(const struct found *f, bool in_compare)
{
	const struct report *r = f->report;
	const struct finding *base = found_base(f);
	u64 execution = f->status ? f->status->execution : r->t->finding.execution;
	int reorder = found_reorder(f);
	json_t *o = json_object();

	js_put(o, "kind", js_text(finding_name(base->kind)));
	js_put(o, "message", js_text(found_message(f)));
	js_put(o, "reorder_dependent", reorder < 0 ? json_null() : json_boolean(reorder));
	js_put(o, "in_from",
		in_compare ? json_boolean(f->status && f->status->in_from) : json_null());
	js_put(o, "suppressed", f->suppressed ? rule_json(f->suppressed) : json_null());
	js_put(o, "file", js_text(found_file(f)));
	js_put(o, "line", js_number_or_null((u64)found_line(f)));
	js_put(o, "function", js_text(found_function(f)));
	js_put(o, "thread", json_integer(base->thread));
	js_put(o, "execution", js_number_or_null(execution));
	js_put(o, "step", js_number_or_null(base->step));
	js_put(o, "signal", js_number_or_null((u64)base->signal));
	js_put(o, "race", r && r->has_race ? race_json(r) : json_null());
	js_put(o, "replay", js_text(found_replay(f)));
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

		js_put(o, "name", js_text(name));
		js_put(o, "text", js_text(words));
		js_add(array, o);
	}
	return array;
}

/* names, and for each outcome the values in their order: null where it was not observed. */
static json_t *outcomes_json(const struct summary *s)
{
	const struct status_outcomes *o = s->outcomes;
	json_t *all = json_object(), *names = json_array(), *rows = json_array();

	for (u32 k = 0; o && k < o->nnames; k++)
		js_add(names, js_text(o->name[k]));
	for (u32 i = 0; o && i < o->n; i++) {
		json_t *row = json_object(), *values = json_array();

		for (u32 k = 0; k < o->nnames; k++)
			js_add(values, o->row[i].has >> k & 1 ? json_integer(o->row[i].value[k])
							   : json_null());
		js_put(row, "values", values);
		js_put(row, "executions", json_integer((json_int_t)o->row[i].executions));
		js_put(row, s->from ? "from" : "sc", js_text(outcome_sc(o, i)));
		js_add(rows, row);
	}
	js_put(all, "names", names);
	js_put(all, "rows", rows);
	js_put(all, "more", json_boolean(o && o->more));
	return all;
}

/* --- compare --------------------------------------------------------------------------------- */

static json_t *items_json(const struct end_state *s, const struct report *names)
{
	json_t *array = json_array();

	for (u32 i = 0; i < s->n; i++) {
		json_t *o = json_object();

		js_put(o, "name", js_text(item_name(names, &s->item[i])));
		js_put(o, "value", js_hex_one(s->item[i].value));
		js_put(o, "size", json_integer(s->item[i].size));
		js_add(array, o);
	}
	return array;
}

static json_t *states_json(const struct status_compare *c, const struct report *names)
{
	json_t *array = json_array();

	for (u64 i = 0; i < c->new_states && i < NEW_STATES; i++) {
		json_t *o = json_object();

		js_put(o, "executions", json_integer((json_int_t)c->state[i].executions));
		js_put(o, "items", items_json(&c->state[i], names));
		js_put(o, "more", json_integer(c->state[i].more));
		js_add(array, o);
	}
	return array;
}

static json_t *compare_json(const struct result *r)
{
	const struct status_compare *c = r->summary.compare;
	json_t *o = json_object(), *of = json_object();

	js_put(of, "outcomes", json_integer((json_int_t)c->outcomes));
	js_put(of, "states", json_integer((json_int_t)c->states));
	js_put(o, "from", js_text(r->summary.from));
	js_put(o, "to", js_text(r->summary.model));
	js_put(o, "verdict", js_text(portable_name(c->portable)));
	js_put(o, "level", js_text(level_name((enum compare_level)c->level)));
	js_put(o, "from_explored", json_boolean(c->by_itself));
	js_put(o, "findings", json_integer(c->nfindings));
	js_put(o, "outcomes", json_integer((json_int_t)c->new_outcomes));
	js_put(o, "states", json_integer((json_int_t)c->new_states));
	js_put(o, "executions",
		c->level == LEVEL_EXECUTIONS ? json_integer((json_int_t)c->executions)
					     : json_null());
	js_put(o, "of", of);
	js_put(o, "new_states", states_json(c, result_names(r)));
	return o;
}

static json_t *figure(const struct summary *s, u64 n)
{
	return s->known ? json_integer((json_int_t)n) : json_null();
}

/* By depth, from 1. */
static json_t *chances_json(const struct summary *s)
{
	json_t *list = json_array();

	for (unsigned d = 1; d <= STATUS_DEPTHS && chance_of_depth(s, d) > 0; d++)
		js_add(list, json_real(chance_of_depth(s, d)));
	return list;
}

/* Executions that have all been seen: all, or those under sc with so many preemptions. */
static json_t *guarantee_json(const struct summary *s)
{
	json_t *o;

	if (!s->known)
		return json_null();
	o = json_object();
	js_put(o, "complete", json_boolean(s->complete));
	js_put(o, "held", js_text(s->held));
	js_put(o, "delays", s->delays ? json_integer(s->delays) : json_null());
	js_put(o, "chances", chances_json(s));
	js_put(o, "preemptions", s->levels ? json_integer(s->levels - 1) : json_null());
	return o;
}

static void put_result(json_t *o, const struct result *r)
{
	const struct summary *s = &r->summary;
	json_t *findings = json_array(), *coverage = json_array();

	js_put(o, "error", js_text(r->error));
	js_put(o, "model", js_text(s->model));
	js_put(o, "strategy", js_text(s->strategy));
	js_put(o, "equivalence", js_text(s->equivalence));
	js_put(o, "executions", figure(s, s->executions));
	js_put(o, "blocked", figure(s, s->blocked));
	js_put(o, "cut", figure(s, s->cut));
	js_put(o, "failing", figure(s, s->failing));
	js_put(o, "promoted", figure(s, s->promoted));
	js_put(o, "suppressed", figure(s, s->suppressed));
	js_put(o, "complete", s->known ? json_boolean(s->complete) : json_null());
	js_put(o, "bounds", bounds_json(s));
	js_put(o, "guarantee", guarantee_json(s));
	js_put(o, "estimate", js_number_or_null(s->estimate));
	for (unsigned i = 0; i < s->ncoverage; i++)
		js_add(coverage, js_text(s->coverage[i]));
	js_put(o, "coverage", coverage);
	js_put(o, "seconds", s->known ? json_real(s->seconds) : json_null());
	js_put(o, "steps", figure(s, s->steps));
	js_put(o, "exit_code", json_integer(s->exit_code));
	js_put(o, "unconfirmed", js_text(s->doubt));
	for (unsigned i = 0; i < r->nfindings; i++)
		js_add(findings, finding_json(&r->findings[i], s->compare));
	js_put(o, "outcomes", outcomes_json(s));
	js_put(o, "compare", s->compare ? compare_json(r) : json_null());
	js_put(o, "findings", findings);
}

static json_t *test_json(const struct result *r)
{
	json_t *o = json_object();

	js_put(o, "suite", js_text(r->suite));
	js_put(o, "name", js_text(r->name));
	put_result(o, r);
	return o;
}

static json_t *suppressions_json(const struct results *all)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < all->nsuppressions; i++) {
		json_t *o = rule_json(&all->suppressions[i]);

		js_put(o, "findings", json_integer((json_int_t)all->suppressions[i].findings));
		js_add(array, o);
	}
	return array;
}

void json_results(const struct results *all, FILE *out)
{
	json_t *o = json_object(), *tests = json_array();

	js_put(o, "format", json_integer(1));
	js_put(o, "version", js_text(HEDDLE_VERSION));
	if (all->n == 1 && !all->at[0].name) {
		put_result(o, &all->at[0]);
		json_decref(tests);
	} else {
		for (unsigned i = 0; i < all->n; i++)
			js_add(tests, test_json(&all->at[i]));
		js_put(o, "exit_code", json_integer(all->exit_code));
		js_put(o, "tests", tests);
	}
	js_put(o, "suppressions", suppressions_json(all));
	js_write(o, out);
}
