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
 *   symmetric         strategy graph: executions that differ in the names of threads only are one
 *   error             why it could not be explored (exit code 2), else null
 *   executions        complete ones              } null for `heddle report FILE`, which knows
 *   blocked           cut short                  } only the one execution in the file
 *   cut               of these, at a bound on the iterations of a loop
 *   failing           of both, those that failed }
 *   promoted          data races past which the search continued; no execution counts for them
 *   suppressed        number of findings that match a rule of heddle.supp; executions that end in
 *                     one of these are in `blocked`, not in `failing`
 *   complete          true only if every execution has been explored
 *   races_unknown     executions on store buffers (dfs, mixed): no data race is looked for
 *   bounds            [{name, text}] the reasons if not: executions, time, steps, buffer, weak-cas,
 *                     spurious, timeouts, sampling, finding, interrupt, range, nondeterminism,
 *                     loops
 *   guarantee         {complete, preemptions, delays, chances, held}: all executions under sc with
 *                     at most so many of these have been explored; null: not known of any number.
 *                     chances: the least with which samples by pct would have met a bug of depth 1,
 *                     2, ... held: the progress of the program, if no execution has ended; or the
 *                     loop whose iteration counts are separate executions; else null
 *   states            strategy states: different ones; else null
 *   estimate          of the number of executions, if the search was stopped before its end
 *   coverage          [text] limits of the coverage
 *   reached           {lines, lines_reached, not_reached, branches, both_ways, one_way,
 * reads_from}: run
 *                     --coverage; not_reached: places {file, line, function}; one_way: {at,
 * never_to}, null: on the same line; reads_from: {read, write}, null: the initial value; of graphs,
 * else null seconds, steps    time spent exploring; steps of all executions exit_code         of
 * the command: 0 complete and clean, 1 finding, 2 usage, 3 cut short, 70 an error of heddle
 *   unconfirmed       a finding that the program did not repeat (exit code 70): text, or null
 *   suppressions      [{file, line, reason, findings}] the rules that were read, and how many
 *                     findings each took
 *   shard             of `heddle run --shard', else null: {number, of, search (a hash of program,
 *                     arguments and options), tree, facts (hashes of what all shards have to
 *                     agree on)}; `heddle merge' adds shards: null, as for the whole search
 *   outcomes          {names, rows [{values, executions, sc (possible, impossible, unknown; of
 *                     `heddle compare': from, likewise under that model)}], more (were not kept)}
 *   compare           of `heddle compare`, else null: {from, to, verdict (portable, not portable,
 *                     unknown), level, from_explored (by itself, too), findings, outcomes, states,
 *                     executions (numbers of new ones; executions: null unless they were compared),
 *                     of {outcomes, states}, new_states [{executions, items [{name, value, size}],
 *                     more}]}
 *   findings          [{
 *     kind            assertion, crash, exit, deadlock, livelock, loop, misuse, memory,
 *                     heap, race, flag, leak, lock-order, threads, uninit, stack, linearizability,
 *                     starvation, signal
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
 * A command that explores several tests has, at the top level, only format, version, suppressions,
 * shard (without tree and facts) and
 *
 *   exit_code         of the command
 *   tests             [{suite, name, number (in the order of the suite), and from `error` to
 *                     `findings` all that stands above}]
 */
#include "document/result.h"

#include <string.h>

#include "die.h"
#include "document/js.h"
#include "document/reached.h"

/* --- findings -------------------------------------------------------------------------------- */

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
	js_put(o, "race", r && r->has_race ? js_race(r) : json_null());
	js_put(o, "replay", js_text(found_replay(f)));
	if (r)
		js_put_trace(o, r);
	else
		js_put_no_trace(o);
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

static json_t *json_figure(const struct summary *s, u64 n)
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
	js_put(o, "delays", s->delays ? json_integer(s->delays - 1) : json_null());
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
	js_put(o, "symmetric", json_boolean(s->symmetric));
	js_put(o, "executions", json_figure(s, s->executions));
	js_put(o, "blocked", json_figure(s, s->blocked));
	js_put(o, "cut", json_figure(s, s->cut));
	js_put(o, "failing", json_figure(s, s->failing));
	js_put(o, "promoted", json_figure(s, s->promoted));
	js_put(o, "suppressed", json_figure(s, s->suppressed));
	js_put(o, "complete", s->known ? json_boolean(s->complete) : json_null());
	js_put(o, "races_unknown", json_boolean(s->races_unknown));
	js_put(o, "bounds", bounds_json(s));
	js_put(o, "guarantee", guarantee_json(s));
	js_put(o, "states", js_number_or_null(s->states));
	js_put(o, "estimate", js_number_or_null(s->estimate));
	for (unsigned i = 0; i < s->ncoverage; i++)
		js_add(coverage, js_text(s->coverage[i]));
	js_put(o, "coverage", coverage);
	js_put(o, "seconds", s->known ? json_real(s->seconds) : json_null());
	js_put(o, "steps", json_figure(s, s->steps));
	js_put(o, "exit_code", json_integer(s->exit_code));
	js_put(o, "unconfirmed", js_text(s->doubt));
	for (unsigned i = 0; i < r->nfindings; i++)
		js_add(findings, finding_json(&r->findings[i], s->compare));
	js_put(o, "reached", reached_json(s->reached));
	js_put(o, "outcomes", outcomes_json(s));
	js_put(o, "compare", s->compare ? compare_json(r) : json_null());
	js_put(o, "findings", findings);
}

static json_t *shard_json(const struct shard *s)
{
	json_t *o;

	if (!s)
		return json_null();
	o = json_object();
	js_put(o, "number", json_integer(s->number));
	js_put(o, "of", json_integer(s->of));
	js_put(o, "search", js_hex_one(s->search));
	js_put(o, "tree", s->seen ? js_hex_one(s->seen->tree) : json_null());
	js_put(o, "facts", s->seen ? js_hex_one(s->seen->facts) : json_null());
	return o;
}

static json_t *test_json(const struct result *r)
{
	json_t *o = json_object();

	js_put(o, "suite", js_text(r->suite));
	js_put(o, "name", js_text(r->name));
	js_put(o, "number", json_integer(r->number));
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
	js_put(o, "shard", shard_json(all->shard));
	js_put(o, "suppressions", suppressions_json(all));
	js_write(o, out);
}
