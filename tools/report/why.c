/* SPDX-License-Identifier: ISC */
/*
 * why.c - why an execution is not sequentially consistent, from the cycle in its trace: the pairs
 * of accesses of a thread that took effect out of program order, the missing synchronisation where
 * the model has orders, and the changes that would forbid the execution.
 *
 * Shasha and Snir, TOPLAS 1988: there is a cycle of po, rf, co and fr; its edges of po that the
 * model does not preserve are the reorderings.
 */
#include "report/report.h"

#include <limits.h>
#include <string.h>

#include "die.h"
#include "model/model.h"

/* --- reorderings ----------------------------------------------------------------------------- */

u32 store_of(const struct report *r, u32 step)
{
	const struct event *e = &r->rows[step - 1].ev->e;

	return e->kind == EV_COMMIT && e->store ? e->store : step;
}

/* The step at which the event took effect on memory; at the end for a store that never left its
 * buffer. */
static u32 effect(const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];

	if (!(row->ev->e.flags & EVENT_BUFFERED))
		return step;
	return row->commit ? row->commit : UINT_MAX;
}

const struct reordering *reordering_of(const struct report *r, u32 first, u32 later)
{
	for (unsigned i = 0; i < r->nreorderings; i++)
		if (r->reorderings[i].store == first && r->reorderings[i].later == later)
			return &r->reorderings[i];
	return NULL;
}

/* --- in words -------------------------------------------------------------------------------- */

const char *access_noun(const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return "load";
	case EV_WRITE: return "store";
	case EV_CAS_FAIL: return "failed compare-and-exchange";
	default: return "read-modify-write";
	}
}

char *step_access(const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];

	return xprintf("%s %s %s (%s)", access_noun(&row->ev->e),
		row->ev->e.kind == EV_WRITE ? "to" : "of", row->place, step_place(r, step));
}

static bool is_load(const struct event *e)
{
	return e->kind == EV_READ || e->kind == EV_CAS_FAIL;
}

static bool is_hardware_report(const struct report *r)
{
	const struct model *m = model_named(trace_option(r->t, "model"));

	return m && m->keeps;
}

/* The means that would have kept the pair, in models of hardware. */
static const char *keeper_words(
	const struct report *r, const struct event *a, const struct event *b)
{
	if (!is_hardware_report(r))
		return "";
	if (!is_load(a))
		return is_load(b) ? ": no barrier between them" : ": no barrier, no release";
	if (!is_load(b))
		return ": no barrier, no acquire, no release, no dependency";
	return model_named(trace_option(r->t, "model"))->keeps_addresses
		       ? ": no barrier, no acquire, no address dependency"
		       : ": no barrier, no acquire";
}

/* The later access of the pair took effect first. */
static char *reordering_words(const struct report *r, u32 first, u32 later)
{
	const struct event *a = &r->rows[first - 1].ev->e, *b = &r->rows[later - 1].ev->e;
	const char *did = is_load(b) ? "took its value" : "became visible";

	return xprintf("%s's %s %s before its %s%s%s", thread_label(r, a->thread),
		step_access(r, later), did, step_access(r, first),
		is_load(a) == is_load(b) ? ""
		: is_load(a)		 ? " took its value"
					 : " became visible",
		keeper_words(r, a, b));
}

static void add_reordering(struct report *r, u32 first, u32 later)
{
	if (reordering_of(r, first, later))
		return;
	r->reorderings[r->nreorderings++] =
		(struct reordering){first, later, reordering_words(r, first, later)};
}

/* Is the edge of the cycle a po edge between accesses? */
static bool is_pair(const struct report *r, const struct trace_edge *edge)
{
	u32 from = store_of(r, edge->from), to = store_of(r, edge->to);
	const struct event *a = &r->rows[from - 1].ev->e, *b = &r->rows[to - 1].ev->e;

	return edge->relation == RELATION_PO && from < to && a->thread == b->thread &&
	       kind_is_access((enum event_kind)a->kind) && kind_is_access((enum event_kind)b->kind);
}

/* Is it the execution of a graph, whose steps are not the order in which accesses took effect? */
static bool is_graph(const struct report *r)
{
	return r->t->nchoices && r->t->choices[0].why >= WHY_GRAPH;
}

/* With store buffers, the steps are the order in which accesses took effect. */
static void find_reorderings(struct report *r)
{
	for (u32 i = 0; i < r->t->ncycle; i++) {
		const struct trace_edge *edge = &r->t->cycle[i];
		u32 from = store_of(r, edge->from), to = store_of(r, edge->to);

		if (is_pair(r, edge) && r->rows[from - 1].ev->e.flags & EVENT_BUFFERED &&
			effect(r, from) > effect(r, to))
			add_reordering(r, from, to);
	}
}

/* --- repairs --------------------------------------------------------------------------------- */

static bool is_rmw(const struct event *e)
{
	return e->kind == EV_RMW || e->kind == EV_CAS || e->kind == EV_CAS_FAIL;
}

/* Does e, between two accesses of its thread, already keep them in order? */
static bool keeps_order(const struct event *e, bool stores)
{
	switch (e->kind) {
	case EV_READ:
	case EV_COMMIT:
	case EV_FAIL: return false;
	case EV_WRITE: return e->order == __ATOMIC_SEQ_CST;
	case EV_FENCE:
		return e->order == __ATOMIC_SEQ_CST || (stores && e->order >= __ATOMIC_RELEASE);
	}
	/* Read-modify-writes and synchronisation operations drain the buffer. */
	return !kind_has(e->kind, KIND_LOCAL);
}

static bool in_order_already(const struct report *r, u32 store, u32 later, bool stores)
{
	const struct event *first = &r->rows[store - 1].ev->e, *last = &r->rows[later - 1].ev->e;

	if (first->order == __ATOMIC_SEQ_CST && !(first->flags & EVENT_PLAIN))
		return true;
	if (stores && last->order >= __ATOMIC_RELEASE && !(last->flags & EVENT_PLAIN))
		return true;
	for (u32 step = store + 1; step < later; step++) {
		const struct event *e = &r->rows[step - 1].ev->e;

		if (e->thread == first->thread && keeps_order(e, stores))
			return true;
	}
	return false;
}

/* --- the same for RA and RC11 ---------------------------------------------------------------- */

/* A fence of the thread between two of its steps. */
static bool has_fence(const struct report *r, u32 from, u32 to, unsigned order)
{
	for (u32 step = from + 1; step < to; step++) {
		const struct event *e = &r->rows[step - 1].ev->e;

		if (e->thread == r->rows[from - 1].ev->e.thread && e->kind == EV_FENCE &&
			(e->order == order || e->order == __ATOMIC_SEQ_CST ||
				(e->order == __ATOMIC_ACQ_REL && order != __ATOMIC_SEQ_CST)))
			return true;
	}
	return false;
}

static void add_order(struct report *r, u32 step, bool acquire)
{
	r->orders[r->norders++] = (struct missing_order){step, acquire};
}

/* Is the edge between accesses of memory, not of locks or threads, which are ordered in every
 * model? */
static bool is_data(const struct report *r, const struct trace_edge *edge)
{
	return edge->relation != RELATION_PO &&
	       kind_is_access((enum event_kind)r->rows[edge->from - 1].ev->e.kind) &&
	       kind_is_access((enum event_kind)r->rows[edge->to - 1].ev->e.kind);
}

static bool is_data_rf(const struct report *r, const struct trace_edge *edge)
{
	return edge->relation == RELATION_RF && is_data(r, edge);
}

/* In one thread, perhaps to or from an operation on a lock. */
static bool is_po(const struct report *r, const struct trace_edge *edge)
{
	return edge->relation == RELATION_PO && edge->from < edge->to &&
	       r->rows[edge->from - 1].ev->e.thread == r->rows[edge->to - 1].ev->e.thread;
}

/*
 * Does the machine keep this edge, and is that enough? Where stores reach all other threads at
 * once, and between two threads, it is.
 */
static bool is_kept(const struct report *r, const struct trace_edge *edge)
{
	u32 first = r->rows[r->t->cycle[0].from - 1].ev->e.thread, other = first;
	const struct model *m = model_named(trace_option(r->t, "model"));

	if (!edge->kept || m->is_multicopy_atomic)
		return edge->kept;
	for (u32 i = 0; i < r->t->ncycle; i++) {
		u32 t = r->rows[r->t->cycle[i].from - 1].ev->e.thread;

		if (t != first && other != first && t != other)
			return false;
		other = t != first ? t : other;
	}
	return true;
}

static void add_reordering_of(struct report *r, const struct trace_edge *edge)
{
	if (!edge->kept && is_pair(r, edge))
		add_reordering(r, edge->from, edge->to);
}

/* An edge of program order between an rf before and an rf after it: note the order that
 * happens-before lacks. */
static void find_weak_ends(struct report *r, u32 i)
{
	u32 n = r->t->ncycle;
	const struct trace_edge *edge = &r->t->cycle[i];
	const struct event *a = &r->rows[edge->from - 1].ev->e, *b = &r->rows[edge->to - 1].ev->e;
	bool acquire = is_data_rf(r, &r->t->cycle[(i + n - 1) % n]) &&
		       a->order != __ATOMIC_ACQUIRE && a->order < __ATOMIC_ACQ_REL &&
		       !has_fence(r, edge->from, edge->to, __ATOMIC_ACQUIRE);
	bool release = is_data_rf(r, &r->t->cycle[(i + 1) % n]) && b->order < __ATOMIC_RELEASE &&
		       !has_fence(r, edge->from, edge->to, __ATOMIC_RELEASE);

	if (is_kept(r, edge))
		return;
	if (acquire)
		add_order(r, edge->from, true);
	if (release)
		add_order(r, edge->to, false);
	if (acquire || release)
		add_reordering_of(r, edge);
}

/*
 * Between two edges that are not happens-before a seq_cst fence is needed; one is enough if the
 * path crosses several threads by locks.
 */
static void find_sc_fences(struct report *r)
{
	const struct trace_edge *cycle = r->t->cycle, *first = NULL;
	u32 n = r->t->ncycle, start = 0;
	bool fenced = false;

	while (start < n && !is_data(r, &cycle[start]))
		start++;
	for (u32 k = 1; k <= n; k++) {
		const struct trace_edge *edge = &cycle[(start + k) % n];

		if (is_data(r, edge)) {
			if (first && !fenced)
				r->fences[r->nfences++] =
					(struct missing_fence){first->from, first->to, false};
			first = NULL;
			fenced = false;
		} else if (is_po(r, edge)) {
			fenced |= has_fence(r, edge->from, edge->to, __ATOMIC_SEQ_CST) ||
				  is_kept(r, edge);
			first = first ? first : edge;
			if (!fenced)
				add_reordering_of(r, edge);
		}
	}
}

static bool lacks_order(const struct report *r, u32 step, bool acquire)
{
	for (unsigned i = 0; i < r->norders; i++)
		if (r->orders[i].step == step && r->orders[i].acquire == acquire)
			return true;
	return false;
}

static char *sync_words(const struct report *r, u32 write, u32 read, bool release, bool acquire)
{
	const struct event *w = &r->rows[write - 1].ev->e, *e = &r->rows[read - 1].ev->e;
	char *lacks = release && acquire ? xprintf("neither does the %s release nor the %s acquire",
						   access_noun(w), access_noun(e))
		      : release		 ? xprintf("the %s does not release", access_noun(w))
					 : xprintf("the %s does not acquire", access_noun(e));

	return xprintf("%s's %s does not synchronise with %s's %s: %s", thread_label(r, w->thread),
		step_access(r, write), thread_label(r, e->thread), step_access(r, read), lacks);
}

/* Reads-from edges between threads that do not synchronise. */
static void find_missing_sync(struct report *r)
{
	for (u32 i = 0; i < r->t->ncycle; i++) {
		const struct trace_edge *edge = &r->t->cycle[i];
		bool release = lacks_order(r, edge->from, false),
		     acquire = lacks_order(r, edge->to, true);

		if (is_data_rf(r, edge) && (release || acquire))
			r->syncs[r->nsyncs++] = (struct missing_sync){edge->from, edge->to,
				sync_words(r, edge->from, edge->to, release, acquire)};
	}
}

/*
 * A cycle with one edge of co or fr is forbidden by coherence if all other edges are
 * happens-before, so release and acquire are enough. With more of them each of its threads needs a
 * seq_cst fence.
 */
static void find_orders(struct report *r)
{
	u32 unordered = 0;

	for (u32 i = 0; i < r->t->ncycle; i++)
		unordered += is_data(r, &r->t->cycle[i]) && r->t->cycle[i].relation != RELATION_RF;
	for (u32 i = 0; i < r->t->ncycle && unordered < 2; i++)
		if (is_po(r, &r->t->cycle[i]))
			find_weak_ends(r, i);
	if (unordered > 1)
		find_sc_fences(r);
	find_missing_sync(r);
}

/* Plain accesses have no orders. */
static void add_atomic_order(struct report *r, u32 step, bool acquire)
{
	if (!(r->rows[step - 1].ev->e.flags & EVENT_PLAIN))
		add_order(r, step, acquire);
}

/*
 * A model in a file: the changes that the runtime has tried with it. The program order that lacks a
 * fence is not kept, and every rf of the cycle lacks orders, or none.
 */
static void find_tried(struct report *r)
{
	u32 n = r->t->ncycle, repair = r->t->axioms[0].repair;

	for (u32 i = 0; i < n; i++) {
		const struct trace_edge *e = &r->t->cycle[i];

		if (e->relation == RELATION_RF && repair == REPAIR_ORDERS) {
			add_atomic_order(r, e->to, true);
			add_atomic_order(r, e->from, false);
		} else if (is_po(r, e) && !e->kept && repair == REPAIR_FENCES) {
			add_reordering_of(r, e);
			r->fences[r->nfences++] = (struct missing_fence){e->from, e->to, false};
		}
	}
	find_missing_sync(r);
}

/* POWER: a store that one thread has read, and another one could not read yet. */
static void find_late_stores(struct report *r)
{
	u32 n = r->t->ncycle;

	for (u32 i = 0; i < n; i++) {
		const struct trace_edge *late = &r->t->cycle[i], *soon = &r->t->cycle[(i + 1) % n];
		u32 reader = r->rows[late->from - 1].ev->e.thread,
		    writer = r->rows[soon->from - 1].ev->e.thread,
		    first = r->rows[soon->to - 1].ev->e.thread;

		if (late->relation == RELATION_FR && is_data_rf(r, soon) && reader != first &&
			reader != writer && writer != first)
			r->reorderings[r->nreorderings++] =
				(struct reordering){late->to, late->from,
					xprintf("%s's %s had reached %s, and not %s: no barrier of "
						"%s's makes "
						"it visible to all",
						thread_label(r, writer), step_access(r, late->to),
						thread_label(r, first), thread_label(r, reader),
						thread_label(r, first))};
	}
}

/* --- store buffers --------------------------------------------------------------------------- */

/* A cycle is gone when each of its program-order edges that the model may reorder is fenced. */
static void find_fences(struct report *r)
{
	const struct model *m = model_named(trace_option(r->t, "model"));
	bool pso = m && m->buffers == BUFFERS_BY_LOCATION;

	for (u32 i = 0; i < r->t->ncycle; i++) {
		const struct trace_edge *edge = &r->t->cycle[i];
		u32 from = store_of(r, edge->from), to = store_of(r, edge->to);
		const struct event *a = &r->rows[from - 1].ev->e, *b = &r->rows[to - 1].ev->e;
		bool stores = b->kind == EV_WRITE;

		if (!is_pair(r, edge) || a->kind != EV_WRITE || is_rmw(b))
			continue;
		if ((stores && !pso) || in_order_already(r, from, to, stores))
			continue;
		r->fences[r->nfences++] = (struct missing_fence){from, to, stores};
		if (is_graph(r))
			add_reordering(r, from, to);
	}
}

void why_prepare(struct report *r)
{
	u32 n = r->t->ncycle;

	r->reorderings = xmalloc(n * sizeof(*r->reorderings));
	r->fences = xmalloc(n * sizeof(*r->fences));
	r->orders = xmalloc(2 * n * sizeof(*r->orders));
	r->syncs = xmalloc(n * sizeof(*r->syncs));
	for (u32 i = 0; i < n; i++)
		r->rows[store_of(r, r->t->cycle[i].from) - 1].key = true;
	if (r->t->naxioms && r->t->axioms[0].repair != REPAIR_NONE) {
		find_tried(r);
		return;
	}
	if (report_has_orders(r)) {
		find_orders(r);
		if (!strcmp(trace_option(r->t, "model"), "power"))
			find_late_stores(r);
		return;
	}
	find_reorderings(r);
	find_fences(r);
}
