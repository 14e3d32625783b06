/* SPDX-License-Identifier: ISC */
/*
 * model.c - from a trace to rows, and to the reorderings.
 *
 * One pass over the rows in the order of steps, with the buffered stores at each step: for a load
 * of an old value this gives the newer store that it did not see.
 */
#include "report/block.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "heddle/abi.h"
#include "model/model.h"
#include "path.h"
#include "report/clean.h"

/* --- labels ---------------------------------------------------------------------------------- */

const char *thread_label(const struct report *r, u32 id)
{
	return id ? xprintf("T%u", id) : "main";
}

const char *thread_long_label(const struct report *r, u32 id)
{
	const struct trace_thread *t = trace_thread(r->t, id);

	if (!t || !t->name[0])
		return thread_label(r, id);
	return xprintf("%s (%s)", thread_label(r, id), clean_text(t->name));
}

const char *thread_title(const struct report *r, u32 id)
{
	const struct trace_thread *t = trace_thread(r->t, id);
	const char *start = t && t->start ? symbol_function(r->symbols, t->start) : NULL;

	return start ? xprintf("%s %s", thread_long_label(r, id), start) : thread_long_label(r, id);
}

const char *report_model(const struct report *r)
{
	const char *model = trace_option(r->t, "model"), *file = trace_option(r->t, "cat");

	return file && *file ? path_base(file) : model ? model : "rc11";
}

const char *report_qualities(const struct report *r)
{
	const char *reorder = r->t->finding.reorder == REORDER_YES
				      ? "needs reordering: this execution is impossible under sc"
			      : r->t->finding.reorder == REORDER_NO
				      ? "also possible without reordering"
				      : "";

	const char *depends = report_depends(r);

	return *depends && *reorder ? xprintf("%s; %s", depends, reorder)
	       : *depends	    ? depends
				    : reorder;
}

char *frame_place(const struct frames *f, unsigned i)
{
	const struct frame *frame = &f->at[i];

	if (frame->file && frame->line)
		return xprintf("%s:%d", clean_text(path_base(frame->file)), frame->line);
	if (frame->file && frame->near)
		return xprintf("%s:~%d", clean_text(path_base(frame->file)), frame->near);
	if (f->module)
		return xprintf("%s+0x%llx", clean_text(path_base(f->module)),
			(unsigned long long)f->offset);
	return xprintf("0x%llx", (unsigned long long)f->offset);
}

char *step_place(const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];

	return row->at ? frame_place(row->at, 0) : xprintf("step %u", step);
}

/* --- the effect of an event ------------------------------------------------------------------ */

static char *row_value_words(const struct report *r, const struct row *row, const u64 *value)
{
	return name_of_value(r, &row->leaf, value, row->ev->e.size);
}

/* "store x = 1", without the verb: as in a note about this store */
static char *assignment(const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];

	return xprintf("%s = %s", row->place, row_value_words(r, row, row->ev->e.value));
}

static const char *order_suffix(const struct event *e)
{
	if (e->flags & (EVENT_PLAIN | EVENT_VOLATILE) || !e->order)
		return "";
	return xprintf(", %s", order_name(e->order));
}

/* Is it an access of the variable that a descriptor is to the race detector
 * (kernel/descriptor.c)? */
static bool is_descriptor(const struct row *row)
{
	return kind_is_access((enum event_kind)row->ev->e.kind) && row->place &&
	       !strncmp(row->place, "descriptor ", strlen("descriptor "));
}

const char *descriptor_verb(const struct row *row)
{
	const struct event *e = &row->ev->e;

	if (!is_descriptor(row))
		return NULL;
	return e->kind == EV_READ ? "use" : e->value[0] ? "open" : "close";
}

/* "SIGUSR1" */
static const char *signal_words(int sig)
{
	const char *name = sigabbrev_np(sig);

	return name ? xprintf("SIG%s", name) : xprintf("signal %d", sig);
}

static char *what_access(const struct report *r, const struct row *row)
{
	const struct event *e = &row->ev->e;
	char *value = row_value_words(r, row, e->value);

	if (descriptor_verb(row))
		return xprintf("%s %s", descriptor_verb(row), row->place);
	switch (e->kind) {
	case EV_READ: return xprintf("load  %s = %s%s", row->place, value, order_suffix(e));
	case EV_WRITE: return xprintf("store %s = %s%s", row->place, value, order_suffix(e));
	case EV_COMMIT: return xprintf("%s = %s reaches memory", row->place, value);
	case EV_CAS_FAIL:
		return xprintf("cas   %s fails%s, is %s%s", row->place,
			spurious_suffix(e), value, order_suffix(e));
	}
	return xprintf("%s   %s: %s -> %s%s", kind_name((enum event_kind)e->kind), row->place,
		row_value_words(r, row, e->old), value, order_suffix(e));
}

static char *what_heap(const struct report *r, const struct event *e)
{
	struct leaf leaf = {.kind = LEAF_POINTER};
	char *name = name_of_value(r, &leaf, &e->addr, 8);

	if (e->kind == EV_FREE)
		return xprintf("free %s", name);
	return xprintf("allocate %llu bytes: %s", (unsigned long long)e->old[0], name);
}

static char *what_op(const struct report *r, const struct row *row)
{
	const struct event *e = &row->ev->e;
	const struct trace_operation *o = operation_at(r, e->step);

	if (!o)
		return xstrdup(kind_words((enum event_kind)e->kind));
	return xprintf("%s %s", e->kind == EV_OP_BEGIN ? "begin" : "end",
		e->kind == EV_OP_BEGIN ? clean_text(o->call) : operation_words(o));
}

static char *what_signal(const struct report *r, const struct event *e)
{
	if (e->kind == EV_SEND_SIGNAL)
		return xprintf("send %s to %s", signal_words((int)e->value[0]),
			e->old[0] < r->t->nthreads ? thread_long_label(r, (u32)e->old[0])
						   : "the process");
	return xprintf("%s %s%s", kind_words((enum event_kind)e->kind),
		signal_words((int)e->old[0]),
		e->flags & EVENT_EINTR ? ": the call fails (EINTR)" : "");
}

/* Of conditions and futexes: a wait, or a call that wakes waiting threads. */
static char *what_wait(const struct row *row)
{
	const struct event *e = &row->ev->e;
	const char *words = kind_words((enum event_kind)e->kind), *ending = result_suffix(e);

	switch (e->kind) {
	case EV_COND_SIGNAL:
	case EV_COND_BROADCAST:
		ending = !e->old[0]    ? ""
			 : e->value[0] ? xprintf(": woke %llu", (unsigned long long)e->value[0])
				       : ": woke no thread";
		break;
	case EV_FUTEX_WAKE:
		ending = xprintf(": woke %llu", (unsigned long long)e->value[0]);
		break;
	case EV_COND_WAKE:
		ending = e->old[0] ? ", spuriously" : ending;
		break;
	case EV_FUTEX_WAIT:
		ending = e->old[0] ? ", woken spuriously" : ending;
		break;
	}
	return xprintf("%s %s%s", words, row->place, ending);
}

/* By its memory order, or by the name of a primitive of the Linux kernel. */
static char *what_fence(const struct row *row)
{
	static const char *const primitives[] = {
		[HEDDLE_FENCE_AROUND] = "full barrier of a read-modify-write",
		[HEDDLE_FENCE_BEFORE_ATOMIC] = "smp_mb__before_atomic",
		[HEDDLE_FENCE_AFTER_ATOMIC] = "smp_mb__after_atomic",
		[HEDDLE_FENCE_AFTER_SPINLOCK] = "smp_mb__after_spinlock",
		[HEDDLE_FENCE_AFTER_UNLOCK_LOCK] = "smp_mb__after_unlock_lock",
		[HEDDLE_FENCE_RCU_LOCK] = "rcu_read_lock",
		[HEDDLE_FENCE_RCU_UNLOCK] = "rcu_read_unlock",
		[HEDDLE_FENCE_RCU_SYNC] = "synchronize_rcu",
		[HEDDLE_FENCE_AFTER_SRCU_UNLOCK] = "smp_mb__after_srcu_read_unlock",
		[HEDDLE_FENCE_SRCU_LOCK] = "srcu_read_lock",
		[HEDDLE_FENCE_SRCU_UNLOCK] = "srcu_read_unlock",
		[HEDDLE_FENCE_SRCU_SYNC] = "synchronize_srcu",
	};
	const struct event *e = &row->ev->e;
	u64 kind = e->old[0];

	if (kind < sizeof(primitives) / sizeof(*primitives) && primitives[kind])
		return xprintf("%s%s%s", primitives[kind], e->addr ? " " : "",
			e->addr ? row->place : "");
	return xprintf("fence %s%s", order_name(e->order) ? order_name(e->order) : "",
		e->flags & EVENT_VIRTUAL ? " (virtual)" : "");
}

static char *what_operation(const struct report *r, const struct row *row)
{
	const struct event *e = &row->ev->e;
	const char *words = kind_words((enum event_kind)e->kind);

	switch (e->kind) {
	case EV_FENCE: return what_fence(row);
	case EV_CREATE:
	case EV_JOIN:
	case EV_DETACH:
	case EV_CANCEL:
		return xprintf(
			"%s %s%s", words, thread_long_label(r, (u32)e->old[0]), result_suffix(e));
	case EV_MALLOC:
	case EV_FREE: return what_heap(r, e);
	case EV_FRAME_END: return xstrdup("return");
	case EV_CANCELLED: return xstrdup(words);
	case EV_SEND_SIGNAL:
	case EV_GET_SIGNAL:
	case EV_SIGNAL_END: return what_signal(r, e);
	case EV_OP_BEGIN:
	case EV_OP_END: return what_op(r, row);
	case EV_CHOOSE:
		return xprintf("choose %llu of %llu", (unsigned long long)e->value[0],
			(unsigned long long)e->old[0]);
	case EV_FAIL: return xprintf("fails: %s", r->message);
	case EV_COND_SIGNAL:
	case EV_COND_BROADCAST:
	case EV_COND_WAKE:
	case EV_FUTEX_WAIT:
	case EV_FUTEX_WAKE: return what_wait(row);
	case EV_PAUSE:
	case EV_DRAIN:
	case EV_START:
	case EV_EXIT:
	case EV_YIELD: return xstrdup(words);
	case EV_SLEEP:
		return e->value[0] ? xprintf("%s %s", words, time_words(e->value[0]))
				   : xstrdup(words);
	}
	return xprintf("%s %s%s", words, row->place, result_suffix(e));
}

/* --- buffers --------------------------------------------------------------------------------- */

/* The stores that have been issued and have not reached memory, by step. */
struct pending {
	u32 *step;
	unsigned n;
};

bool report_has_orders(const struct report *r)
{
	const struct model *m = model_named(trace_option(r->t, "model"));

	return m && m->has_orders;
}

bool events_overlap(const struct event *a, const struct event *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* " (x = 1 is still in T1's buffer)" for the newest store of another thread that `e` misses. */
static char *note_missed(const struct report *r, const struct pending *p, const struct event *e)
{
	for (unsigned i = p->n; i-- > 0;) {
		const struct event *store = &r->rows[p->step[i] - 1].ev->e;

		if (store->thread == e->thread || !events_overlap(store, e))
			continue;
		return xprintf("(%s is still in %s's buffer)", assignment(r, store->step),
			thread_label(r, store->thread));
	}
	return xstrdup("");
}

/* For a commit that leaves the buffer before an older store. */
static char *note_overtaken(const struct report *r, const struct pending *p, const struct event *e)
{
	for (unsigned i = 0; i < p->n && p->step[i] < e->store; i++) {
		const struct event *store = &r->rows[p->step[i] - 1].ev->e;

		if (store->thread == e->thread)
			return xprintf("(before %s, which is still in %s's buffer)",
				assignment(r, store->step), thread_label(r, e->thread));
	}
	return xstrdup("");
}

/* In an execution graph: a newer write that existed, but that it did not see, or that it precedes
 * in co. */
static char *note_stale(const struct report *r, const struct event *e)
{
	const struct row *row = &r->rows[e->missed - 1];
	const char *thread = thread_label(r, row->ev->e.thread);
	char *who = row->at ? xprintf("%s, %s", thread, frame_place(row->at, 0)) : xstrdup(thread);

	if (kind_is_read((enum event_kind)e->kind))
		return xprintf(
			"although %s (%s) is already in memory", assignment(r, e->missed), who);
	return xprintf("(goes before %s (%s))", assignment(r, e->missed), who);
}

/* Is this step the commit of the previous step's store, without a reordering? Then the buffer has
 * no effect. */
static bool is_prompt(const struct report *r, u32 step)
{
	const struct event *e =
		step > 1 && step <= r->t->nevents ? &r->t->events[step - 1].e : NULL;

	return e && e->kind == EV_COMMIT && e->store == step - 1 && !e->buffered &&
	       r->t->finding.f.step != step;
}

/* Is it a function's return, of another function than the one whose variable is used later? */
static bool is_other_return(const struct report *r, const struct event *e)
{
	return e->kind == EV_FRAME_END && r->t->finding.f.kind == FINDING_STACK &&
	       e->step != r->t->finding.f.other;
}

/* The next event of the same thread, if it is recorded at the same place; else NULL. */
static const struct event *next_at_place(const struct report *r, const struct event *e)
{
	for (u32 i = e->step; i < r->t->nevents; i++) {
		const struct event *next = &r->t->events[i].e;

		if (next->thread == e->thread && next->kind != EV_COMMIT)
			return next->stack == e->stack ? next : NULL;
	}
	return NULL;
}

/* An access of a barrier's count: arrivals load it, so that a late initialisation, or an early
 * destruction, is a race. */
static bool is_of_barrier(const struct report *r, const struct event *e)
{
	const struct event *next = NULL;

	if (e->kind == EV_COMMIT && e->store)
		e = &r->t->events[e->store - 1].e;
	if (e->stack && (e->kind == EV_READ || e->kind == EV_WRITE))
		next = next_at_place(r, e);
	if (!next)
		return false;
	return e->kind == EV_READ ? next->kind == EV_BARRIER
				  : next->kind == EV_INIT || next->kind == EV_DESTROY;
}

static char *note_of(const struct report *r, const struct pending *p, const struct event *e)
{
	if (is_prompt(r, e->step + 1))
		return xstrdup("");
	if (e->flags & EVENT_BUFFERED)
		return xprintf("-> into %s's store buffer", thread_label(r, e->thread));
	if (e->flags & EVENT_FORWARDED)
		return xprintf("(from %s's own buffer)", thread_label(r, e->thread));
	if (e->flags & EVENT_SPIN)
		return xstrdup("(spins until this changes)");
	if (e->missed)
		return note_stale(r, e);
	if (e->kind == EV_COMMIT)
		return note_overtaken(r, p, e);
	if (kind_is_read((enum event_kind)e->kind))
		return note_missed(r, p, e);
	return xstrdup("");
}

static void pending_update(struct report *r, struct pending *p, const struct event *e)
{
	if (e->flags & EVENT_BUFFERED)
		p->step[p->n++] = e->step;
	if (e->kind != EV_COMMIT || !e->store)
		return;
	r->rows[e->store - 1].commit = e->step;
	for (unsigned i = 0; i < p->n; i++)
		if (p->step[i] == e->store) {
			memmove(&p->step[i], &p->step[i + 1], (--p->n - i) * sizeof(*p->step));
			return;
		}
}

/* --- rows ------------------------------------------------------------------------------------ */

static void set_row_place(struct report *r, struct row *row)
{
	const struct trace_event *ev = row->ev;
	const struct trace_stack *stack = trace_stack(r->t, ev->e.stack);

	row->what = row->note = (char *)"";
	row->place = name_of_access(r, ev, &row->leaf);
	if (stack && stack->nframes && ev->e.kind != EV_COMMIT)
		row->at = symbol_place(r->symbols, stack->frames, stack->nframes);
}

static void make_rows(struct report *r)
{
	struct pending pending = {xmalloc(r->t->nevents * sizeof(u32)), 0};

	r->rows = xmalloc(r->t->nevents * sizeof(*r->rows));
	for (u32 i = 0; i < r->t->nevents; i++) {
		r->rows[i].ev = &r->t->events[i];
		set_row_place(r, &r->rows[i]);
	}
	for (u32 i = 0; i < r->t->nevents; i++) {
		struct row *row = &r->rows[i];
		const struct event *e = &row->ev->e;

		row->what = kind_is_access((enum event_kind)e->kind) ? what_access(r, row)
								     : what_operation(r, row);
		row->prompt = is_prompt(r, i + 1) ||
			      ((is_descriptor(row) || is_of_barrier(r, e)) &&
				      r->t->finding.f.kind != FINDING_RACE) ||
			      is_other_return(r, e);
		pending_update(r, &pending, e);
		row->note = note_of(r, &pending, e);
	}
}

/* --- the failure's place --------------------------------------------------------------------- */

/* "main" of "int main(int, char **)", as in clang's assert(). */
static char *bare_function(const char *s)
{
	size_t end = strcspn(s, "("), start;

	for (start = end; start > 0 && s[start - 1] != ' ' && s[start - 1] != '*'; start--)
		;
	return (char *)clean_text(xprintf("%.*s", (int)(end - start), s + start));
}

/* The place of the first thread that does not only wait for another one's end. */
static const struct frames *waiting_place(const struct report *r)
{
	const struct trace_wait *first = NULL;
	const struct trace_stack *stack;

	for (u32 i = 0; i < r->t->nwaits; i++)
		if (r->t->waits[i].stack && (!first || first->kind == EV_JOIN))
			first = &r->t->waits[i];
	stack = first ? trace_stack(r->t, first->stack) : NULL;
	return stack ? symbol_place(r->symbols, stack->frames, stack->nframes) : NULL;
}

/* __FILE__ is relative to the compiler's directory, which debug information has. */
static const char *found_at(const char *file, const struct frames *at)
{
	size_t n = strlen(file);

	for (unsigned i = 0; at && *file != '/' && i < at->n; i++) {
		const char *whole = at->at[i].file;
		size_t m = whole ? strlen(whole) : 0;

		if (m > n && whole[m - n - 1] == '/' && !strcmp(whole + m - n, file))
			return whole;
	}
	return file;
}

static void find_failure(struct report *r)
{
	const struct finding *f = &r->t->finding.f;
	const struct frames *at = NULL;
	bool near = false;

	if (f->step) {
		r->rows[f->step - 1].key = true;
		at = r->rows[f->step - 1].at;
	} else if (!f->file[0]) {
		at = waiting_place(r);
	}
	r->function = f->function[0] ? bare_function(f->function) : NULL;
	if (f->file[0]) {
		r->file = xstrdup(path_here(found_at(f->file, at)));
		r->line = f->line;
	} else if (at && at->at[0].file) {
		r->file = xstrdup(path_here(at->at[0].file));
		r->line = at->at[0].line ? at->at[0].line : at->at[0].near;
		near = !at->at[0].line;
	}
	if (r->file)
		r->place = r->line ? xprintf("%s:%s%d", r->file, near ? "~" : "", r->line)
				   : r->file;
	if (!r->function && at)
		r->function = at->at[0].function;
}

struct report *report_open(const struct trace *t, const char *path)
{
	struct report *r = xmalloc(sizeof(*r));

	r->t = t;
	r->path = path;
	r->symbols = symbols_open(t, &r->changed);
	r->message = t->finding.f.message;
	blocks_prepare(r);
	r->message = block_message(r, r->message);
	make_rows(r);
	why_prepare(r);
	find_failure(r);
	race_prepare(r);
	wait_prepare(r);
	timing_prepare(r);
	spurious_prepare(r);
	return r;
}
