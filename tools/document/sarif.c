/* SPDX-License-Identifier: ISC */
/*
 * sarif.c - the results as SARIF 2.1.0 (OASIS), which editors and code-scanning services read.
 *
 * One run. Its rules are the kinds of findings. A result for each finding:
 *
 *     ruleId                 assertion, crash, exit, deadlock, livelock, loop, misuse, memory,
 *                            race, leak, ... (event/finding.h)
 *     locations              where it fails; relatedLocations: the other access of a race, where
 *                            the threads of a deadlock wait
 *     codeFlows[0]           the execution as one threadFlow: the steps of the text report that
 *                            have a place, in order, with their threads. GitHub shows only this
 *     codeFlows[1]           the same with a threadFlow for each thread, and all steps (a start is
 *                            where the thread was created, an end at its last place);
 *                            executionOrder is the step's number, over all threads
 *     stacks                 of the failing step, of both accesses of a race and where their
 *                            threads were created, of those that wait
 *     partialFingerprints    heddleFinding/v1: kind, functions and files, without lines
 *     suppressions           if a rule of heddle.supp took it
 *     properties             message, model, strategy, reorderDependent, why (as in json.c),
 *                            replay, execution, test
 *
 * Files below the root of the sources (result.h) are relative to SRCROOT. A test that could not be
 * explored, or not completely, is a notification of the invocation.
 */
#include "document/result.h"

#include <string.h>

#include "die.h"
#include "path.h"
#include "document/js.h"

#define SCHEMA \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" \
	"sarif-schema-2.1.0.json"

static json_t *message(const char *s)
{
	json_t *o = json_object();

	js_put(o, "text", js_text(s));
	return o;
}

/* --- places ---------------------------------------------------------------------------------- */

static json_t *physical_location(const char *file, int line, int column)
{
	json_t *o = json_object(), *artifact = json_object(), *region;
	bool relative;

	js_put(artifact, "uri", js_text(source_uri(file, &relative)));
	if (relative)
		js_put(artifact, "uriBaseId", js_text("SRCROOT"));
	js_put(o, "artifactLocation", artifact);
	if (line > 0) {
		region = json_object();
		js_put(region, "startLine", json_integer(line));
		if (column > 0)
			js_put(region, "startColumn", json_integer(column));
		js_put(o, "region", region);
	}
	return o;
}

/* Any of them may be NULL or 0. */
static json_t *sarif_location(
	const char *file, int line, int column, const char *function, const char *words)
{
	json_t *o = json_object(), *logical;

	if (file)
		js_put(o, "physicalLocation", physical_location(file, line, column));
	if (function) {
		logical = json_object();
		js_put(logical, "name", js_text(function));
		js_put(logical, "kind", js_text("function"));
		js_put(o, "logicalLocations", json_array());
		js_add(json_object_get(o, "logicalLocations"), logical);
	}
	if (words)
		js_put(o, "message", message(words));
	return o;
}

static json_t *location_json(const struct frames *at, const char *words)
{
	const struct frame *f = at && at->n ? &at->at[0] : NULL;

	return sarif_location(f ? f->file : NULL, f ? f->line : 0, f ? f->column : 0,
		f ? f->function : NULL, words);
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void add_frames(json_t *frames, const struct frames *f, u32 thread)
{
	for (unsigned i = 0; i < f->n; i++) {
		const struct frame *at = &f->at[i];
		json_t *o = json_object();

		js_put(o, "location",
			sarif_location(at->file, at->line, at->column,
				at->function ? at->function : "?", NULL));
		if (f->module)
			js_put(o, "module", js_text(path_base(f->module)));
		js_put(o, "threadId", json_integer(thread));
		js_add(frames, o);
	}
}

static void add_sarif_stack(json_t *stacks, const struct report *r, u32 id, u32 thread,
	const char *title)
{
	const struct trace_stack *stack = trace_stack(r->t, id);
	json_t *o = json_object(), *frames = json_array();

	for (u32 i = 0; stack && i < stack->nframes; i++)
		add_frames(frames, symbol_frames(r->symbols, stack->frames[i]), thread);
	js_put(o, "message", message(title));
	js_put(o, "frames", frames);
	if (json_array_size(frames))
		js_add(stacks, o);
	else
		json_decref(o);
}

static void add_creation(json_t *stacks, const struct report *r, u32 thread)
{
	const struct trace_thread *t = trace_thread(r->t, thread);

	if (t && t->stack)
		add_sarif_stack(stacks, r, t->stack, t->parent,
			xprintf("%s was created by %s", thread_long_label(r, thread),
				thread_long_label(r, t->parent)));
}

/* "T1 stores x = 1, not atomic, holding no lock" */
static char *race_words(const struct report *r, unsigned i)
{
	return xprintf("%s, holding %s", race_access(r, i), r->race[i].held);
}

static const char *waiter_words(const struct report *r, const struct trace_wait *w)
{
	char *why = wait_why(r, w);

	return xprintf("%s %s%s%s", thread_long_label(r, w->thread), wait_words(r, w),
		why ? "; " : "", why ? why : "");
}

static json_t *stacks_json(const struct report *r)
{
	const struct finding *f = &r->t->finding.f;
	json_t *stacks = json_array();

	for (unsigned i = 0; i < 2 && r->has_race; i++) {
		const struct event *e = &r->rows[r->race[i].step - 1].ev->e;

		add_sarif_stack(stacks, r, e->stack, e->thread, race_words(r, i));
		add_creation(stacks, r, e->thread);
	}
	if (!r->has_race && f->step) {
		const struct event *e = &r->rows[f->step - 1].ev->e;

		add_sarif_stack(stacks, r, e->stack, e->thread, r->message);
	}
	for (u32 i = 0; i < r->t->nwaits; i++)
		add_sarif_stack(stacks, r, r->t->waits[i].stack, r->t->waits[i].thread,
			waiter_words(r, &r->t->waits[i]));
	return stacks;
}

/* --- the execution, a flow for each thread --------------------------------------------------- */

static void add_kinds(json_t *step, const struct event *e)
{
	json_t *kinds = json_array();

	if (kind_has(e->kind, KIND_TAKES))
		js_add(kinds, js_text("acquire"));
	if (kind_has(e->kind, KIND_RELEASES))
		js_add(kinds, js_text("release"));
	if (kind_has(e->kind, KIND_LOCK))
		js_add(kinds, js_text("lock"));
	if (kind_is_access(e->kind))
		js_add(kinds, js_text("memory"));
	if (json_array_size(kinds))
		js_put(step, "kinds", kinds);
	else
		json_decref(kinds);
}

/* A commit has no place: that of its store. */
static const struct frames *row_frames(const struct report *r, const struct row *row)
{
	return row->at || !row->ev->e.store ? row->at : r->rows[row->ev->e.store - 1].at;
}

/* That of the thread's last step with a place, or of its creation; NULL: there is none. */
static const struct frames *place_before(const struct report *r, const struct row *row)
{
	u32 thread = row->ev->e.thread;

	while (row-- > r->rows) {
		const struct event *e = &row->ev->e;

		if ((e->thread == thread || (e->kind == EV_CREATE && e->old[0] == thread)) &&
			row_frames(r, row))
			return row_frames(r, row);
	}
	return NULL;
}

/* who: "T1: ", or "". */
static json_t *sarif_step(const struct report *r, const struct row *row, const char *who)
{
	const struct frames *at = row_frames(r, row);
	const struct event *e = &row->ev->e;
	json_t *o = json_object();

	js_put(o, "location",
		location_json(at ? at : place_before(r, row),
			xprintf("%s%s%s%s", who, row->what, *row->note ? "  " : "", row->note)));
	js_put(o, "executionOrder", json_integer(e->step));
	js_put(o, "importance",
		js_text(row->key     ? "essential"
			: row->shown ? "important"
				     : "unimportant"));
	add_kinds(o, e);
	return o;
}

static bool is_in_flow(const struct row *row)
{
	return row->shown || row->key;
}

static json_t *sarif_thread(const struct report *r, const struct trace_thread *t)
{
	json_t *o = json_object(), *steps = json_array();

	for (u32 i = 0; i < r->t->nevents; i++)
		if (r->rows[i].ev->e.thread == t->id && is_in_flow(&r->rows[i]))
			js_add(steps, sarif_step(r, &r->rows[i], ""));
	js_put(o, "id", js_text(thread_label(r, t->id)));
	js_put(o, "message", message(thread_long_label(r, t->id)));
	js_put(o, "locations", steps);
	return o;
}

static json_t *flow_json(const char *words, json_t *threads)
{
	json_t *flow = json_object();

	js_put(flow, "message", message(words));
	js_put(flow, "threadFlows", threads);
	return flow;
}

/* All threads in one. */
static json_t *whole_flow(const struct report *r)
{
	json_t *o = json_object(), *steps = json_array(), *threads = json_array();

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct row *row = &r->rows[i];
		const struct frames *at = row_frames(r, row);

		if (is_in_flow(row) && at && at->at[0].file)
			js_add(steps,
				sarif_step(r, row,
					xprintf("%s: ", thread_label(r, row->ev->e.thread))));
	}
	if (!json_array_size(steps)) {
		json_decref(steps);
		return NULL;
	}
	js_put(o, "id", js_text("all"));
	js_put(o, "message", message("all threads"));
	js_put(o, "locations", steps);
	js_add(threads, o);
	return flow_json("the failing execution, step by step", threads);
}

static json_t *flows_json(const struct report *r)
{
	json_t *flows = json_array(), *threads = json_array(), *whole;

	for (u32 i = 0; i < r->t->nthreads; i++) {
		json_t *t = sarif_thread(r, &r->t->threads[i]);

		if (json_array_size(json_object_get(t, "locations")))
			js_add(threads, t);
		else
			json_decref(t);
	}
	if (!json_array_size(threads)) {
		json_decref(threads);
		return flows;
	}
	whole = whole_flow(r);
	if (whole)
		js_add(flows, whole);
	js_add(flows, flow_json("the failing execution, by threads", threads));
	return flows;
}

/* --- findings -------------------------------------------------------------------------------- */

static json_t *related_json(const struct report *r)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < 2 && r->has_race; i++)
		js_add(array, location_json(r->rows[r->race[i].step - 1].at, race_words(r, i)));
	for (u32 i = 0; i < r->t->nwaits; i++) {
		const struct trace_stack *s = trace_stack(r->t, r->t->waits[i].stack);

		js_add(array,
			location_json(s ? symbol_place(r->symbols, s->frames, s->nframes) : NULL,
				waiter_words(r, &r->t->waits[i])));
	}
	for (size_t i = 0; i < json_array_size(array); i++)
		js_put(json_array_get(array, i), "id", json_integer((json_int_t)i + 1));
	return array;
}

static u64 hash(u64 h, const char *s)
{
	for (s = s ? s : "?"; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3; /* FNV-1a */
	return (h ^ 0xff) * 0x100000001b3;
}

/* A fingerprint that does not change when lines are added above. */
static json_t *fingerprints_json(const struct found *f)
{
	u64 h = hash(0xcbf29ce484222325, finding_name(found_base(f)->kind));
	json_t *o = json_object();

	h = hash(h, found_function(f));
	h = hash(h, found_file(f) ? path_base(found_file(f)) : NULL);
	for (unsigned i = 0; i < 2 && f->report && f->report->has_race; i++) {
		const struct frames *at = f->report->rows[f->report->race[i].step - 1].at;

		h = hash(h, at ? at->at[0].function : NULL);
		h = hash(h, f->report->rows[f->report->race[i].step - 1].place);
	}
	if (!f->report || !f->report->has_race)
		h = hash(h, found_base(f)->message);
	js_put(o, "heddleFinding/v1", js_text(xprintf("%016llx", (unsigned long long)h)));
	return o;
}

static json_t *sarif_suppressions(const struct suppression *s)
{
	json_t *array = json_array(), *o = json_object();

	js_put(o, "kind", js_text("external"));
	js_put(o, "status", js_text("accepted"));
	js_put(o, "location", sarif_location(s->file, s->line, 0, NULL, NULL));
	if (s->reason)
		js_put(o, "justification", js_text(s->reason));
	js_add(array, o);
	return array;
}

static json_t *properties_json(const struct result *test, const struct found *f)
{
	json_t *o = json_object();
	int reorder = found_reorder(f);
	u64 execution = f->status ? f->status->execution : f->report->t->finding.execution;

	js_put(o, "model", js_text(test->summary.model));
	js_put(o, "strategy", js_text(test->summary.strategy));
	js_put(o, "reorderDependent", reorder < 0 ? json_null() : json_boolean(reorder));
	js_put(o, "why", js_why(f->report));
	js_put(o, "replay", js_text(found_replay(f)));
	js_put(o, "execution", js_number_or_null(execution));
	if (test->name)
		js_put(o, "test", js_text(test->suite ? xprintf("%s: %s", test->suite, test->name)
						      : test->name));
	return o;
}

static json_t *sarif_finding(const struct result *test, const struct found *f)
{
	json_t *o = json_object(), *locations = json_array();
	int kind = (int)found_base(f)->kind;

	js_put(o, "ruleId", js_text(finding_name(found_base(f)->kind)));
	js_put(o, "ruleIndex", json_integer(kind));
	js_put(o, "kind", js_text("fail"));
	js_put(o, "level", js_text("error"));
	js_put(o, "message", message(f->report && f->report->has_race && *f->report->race_why
					? xprintf("%s\n%s", found_message(f), f->report->race_why)
					: found_message(f)));
	if (found_file(f) || found_function(f))
		js_add(locations,
			sarif_location(found_file(f), found_line(f), 0, found_function(f), NULL));
	js_put(o, "locations", locations);
	js_put(o, "partialFingerprints", fingerprints_json(f));
	if (f->report) {
		js_put(o, "relatedLocations", related_json(f->report));
		js_put(o, "codeFlows", flows_json(f->report));
		js_put(o, "stacks", stacks_json(f->report));
	}
	if (f->suppressed)
		js_put(o, "suppressions", sarif_suppressions(f->suppressed));
	js_put(o, "properties", properties_json(test, f));
	return o;
}

/* --- the run --------------------------------------------------------------------------------- */

static json_t *sarif_rule(enum finding_kind kind, const char *name, const char *words)
{
	json_t *o = json_object(), *level = json_object();

	js_put(o, "id", js_text(finding_name(kind)));
	js_put(o, "name", js_text(name));
	js_put(o, "shortDescription", message(words));
	js_put(level, "level", js_text("error"));
	js_put(o, "defaultConfiguration", level);
	return o;
}

static json_t *rules_json(void)
{
	static const struct {
		const char *name, *words;
	} rules[FINDING_KINDS] = {
		[FINDING_ASSERTION] = {"FailedAssertion", "An assertion fails in some execution."},
		[FINDING_CRASH] = {"Crash", "A fatal signal in some execution."},
		[FINDING_EXIT] = {"FailedExit", "The program ends with a status other than 0."},
		[FINDING_DEADLOCK] = {"Deadlock",
			"Threads wait for each other, and none is enabled."},
		[FINDING_LIVELOCK] = {"Livelock",
			"A thread spins for a write that no thread will make."},
		[FINDING_LOOP] = {"EndlessLoop", "An endless loop has no effect on other threads."},
		[FINDING_MISUSE] = {"Misuse",
			"A lock, a condition, a thread or the heap is misused."},
		[FINDING_MEMORY] = {"Memory", "A stack overflows, or memory is exhausted."},
		[FINDING_HEAP] = {"HeapUse",
			"Heap memory is used that is not allocated, or is freed twice."},
		[FINDING_RACE] = {"DataRace",
			"Two unordered accesses to the same memory, not both atomic."},
		[FINDING_LEAK] = {"Leak", "A heap block is unreachable at the end."},
		[FINDING_THREADS] = {"ThreadLeak",
			"A thread is neither joined nor detached when the program ends."},
		[FINDING_UNINIT] = {"UninitialisedMemory",
			"A value from the heap is used before any store."},
		[FINDING_LOCK_ORDER] = {"LockOrder",
			"Threads take locks in different orders: a deadlock may be possible."},
		[FINDING_STACK] = {"StackUse",
			"A thread accesses the stack of another one that has exited."},
		[FINDING_LINEARIZABILITY] = {"Linearizability",
			"No order of an object's operations explains their results."},
		[FINDING_STARVATION] = {"Starvation",
			"A thread waits for ever while others make progress."},
		[FINDING_PORTABILITY] = {"Portability",
			"An execution, or how it ends, is impossible under another memory model."},
		[FINDING_SIGNAL] = {"SignalHandler",
			"A signal handler makes a call that is unsafe in the interrupted call."},
		[FINDING_FLAG] = {"ModelFlag", "The memory model flags an execution."},
	};
	json_t *array = json_array();

	_Static_assert(FINDING_KINDS == FINDING_FLAG + 1, "each kind has its rule");

	for (int kind = 0; kind < FINDING_KINDS; kind++)
		js_add(array,
			sarif_rule((enum finding_kind)kind, rules[kind].name, rules[kind].words));
	return array;
}

static json_t *tool_json(void)
{
	json_t *o = json_object(), *driver = json_object();

	js_put(driver, "name", js_text("Heddle"));
	js_put(driver, "version", js_text(HEDDLE_VERSION));
	js_put(driver, "semanticVersion", js_text(HEDDLE_VERSION));
	js_put(driver, "rules", rules_json());
	js_put(o, "driver", driver);
	return o;
}

static void add_notification(
	json_t *array, const struct result *r, const char *level, const char *words)
{
	json_t *o = json_object();

	js_put(o, "level", js_text(level));
	js_put(o, "message", message(r->name ? xprintf("%s: %s", r->name, words) : words));
	js_add(array, o);
}

static void add_sarif_words(json_t *array, const struct result *r)
{
	char *words;

	if (r->error)
		add_notification(array, r, "error", r->error);
	if (r->error || !r->summary.known || r->summary.complete)
		return;
	words = summary_text(&r->summary);
	words[strlen(words) - 1] = 0; /* its newline */
	add_notification(array, r, result_failures(r) ? "note" : "warning", words);
}

static json_t *invocations_json(const struct results *all)
{
	json_t *array = json_array(), *o = json_object(), *notes = json_array();

	for (unsigned i = 0; i < all->n; i++)
		add_sarif_words(notes, &all->at[i]);
	js_put(o, "executionSuccessful", json_boolean(all->exit_code != EXIT_USAGE));
	js_put(o, "exitCode", json_integer(all->exit_code));
	if (all->command_line)
		js_put(o, "commandLine", js_text(all->command_line));
	js_put(o, "toolExecutionNotifications", notes);
	js_add(array, o);
	return array;
}

static json_t *run_json(const struct results *all)
{
	json_t *o = json_object(), *found = json_array(), *bases = json_object(),
	       *root = json_object();

	for (unsigned i = 0; i < all->n; i++)
		for (unsigned k = 0; k < all->at[i].nfindings; k++)
			js_add(found, sarif_finding(&all->at[i], &all->at[i].findings[k]));
	js_put(root, "uri", js_text(source_root_uri()));
	js_put(bases, "SRCROOT", root);
	js_put(o, "tool", tool_json());
	js_put(o, "invocations", invocations_json(all));
	js_put(o, "originalUriBaseIds", bases);
	js_put(o, "results", found);
	return o;
}

void sarif_results(const struct results *r, FILE *out)
{
	json_t *o = json_object(), *runs = json_array();

	js_add(runs, run_json(r));
	js_put(o, "$schema", js_text(SCHEMA));
	js_put(o, "version", js_text("2.1.0"));
	js_put(o, "runs", runs);
	js_write(o, out);
}
