/* SPDX-License-Identifier: ISC */
/*
 * drawing.c - from a report to a drawing (drawing.h).
 *
 * Accesses to memory of a single thread are omitted, and so are starts and ends of threads. rf
 * and co come from the trace; co on store buffers is the order in which stores reach memory. Of
 * co and fr only the edges between threads are drawn, and of fr only those to the next write.
 */
#include "document/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"

const char *drawn_relation_name(enum drawn_relation r)
{
	static const char *const names[] = {"po", "rf", "co", "fr", "rf, sw", "hb", "waits for"};

	return names[r];
}

const char *drawn_relation_words(enum drawn_relation r)
{
	static const char *const words[] = {
		"program order: the next step of the thread that is drawn",
		"reads from: the load has the value of this store",
		"coherence order: the second store overwrites the first",
		"from read: the load had an older value than the one of this store",
		"reads from, and synchronises: what was done before the store is visible after the "
		"load",
		"happens before: a thread is created, or has ended and is joined",
		"waits for ever: for an object of the other thread, or for its end",
	};

	return words[r];
}

const char *drawn_colour(const struct drawn_edge *e)
{
	static const char *const colours[] = {
		"#9aa0a6", "#188038", "#b06000", "#1a73e8", "#0d652d", "#5f6368", "#d93025"};

	return e->cycle ? "#d93025" : colours[e->relation];
}

/* --- the text of a node ---------------------------------------------------------------------- */

#define SOURCE_MAX   72
#define SOURCE_ORDER 140 /* of a line with a memory order, which is often at its end */

/* The length at which a line of source is cut: after its last memory order if possible. */
static size_t source_cut(const char *text)
{
	static const char order[] = "memory_order_";
	size_t cut = SOURCE_MAX, end;

	for (const char *at = strstr(text, order); at; at = strstr(at + 1, order)) {
		end = (size_t)(at - text) + strspn(at, "abcdefghijklmnopqrstuvwxyz_");
		end += text[end] == ')';
		if (end <= SOURCE_ORDER && end > cut)
			cut = end;
	}
	return cut;
}

/* A line of a file without white space around it; "" if there is none. */
static char *source_line(const char *path, int line)
{
	int fd = path && line > 0 ? path_open(path) : -1;
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	char *text = NULL, *at;
	size_t room = 0, n;
	ssize_t got = -1;

	while (f && line-- > 0)
		got = getline(&text, &room, f);
	if (f)
		fclose(f);
	if (got < 0)
		return xstrdup("");
	for (at = text; *at == ' ' || *at == '\t'; at++)
		;
	n = strlen(at);
	while (n && (at[n - 1] == '\n' || at[n - 1] == ' ' || at[n - 1] == '\r'))
		at[--n] = 0;
	for (char *c = at; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = ' ';
	return n > source_cut(at) + 3 ? xprintf("%.*s...", (int)source_cut(at), at) : xstrdup(at);
}

static void set_text(struct drawn_node *n, char *what, const struct frames *at)
{
	const struct frame *f = at ? &at->at[0] : NULL;

	n->what = what;
	n->where = at ? frame_place(at, 0) : xstrdup("");
	n->source = f ? source_line(f->file, f->line ? f->line : f->near) : xstrdup("");
	if (f && f->function && (!*n->source || !f->line))
		n->source = xprintf("%s%s%s", f->function, *n->source ? ": " : "", n->source);
}

/* --- which events ---------------------------------------------------------------------------- */

/* Does another thread touch the same memory? */
static bool is_shared(const struct report *r, const struct event *e)
{
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct event *o = &r->t->events[i].e;

		if (o->thread != e->thread && kind_is_read_or_write(o->kind) &&
			events_overlap(o, e))
			return true;
	}
	return false;
}

static bool draws_row(const struct report *r, const struct row *row, bool all)
{
	const struct event *e = &row->ev->e;

	if (e->kind == EV_COMMIT || e->flags & EVENT_SPIN)
		return false;
	if (all || row->key)
		return true;
	if (!row->shown)
		return false;
	switch (e->kind) {
	case EV_READ:
	case EV_WRITE:
	case EV_RMW:
	case EV_CAS:
	case EV_CAS_FAIL: return is_shared(r, e);
	case EV_START:
	case EV_EXIT:
	case EV_PAUSE:
	case EV_YIELD:
	case EV_DRAIN:
	case EV_OP_BEGIN:
	case EV_OP_END:
	case EV_FRAME_END: return false;
	}
	return true;
}

static unsigned thread_column(struct drawing *d, const struct report *r, u32 thread)
{
	unsigned i = 0;

	while (i < d->ncolumns && d->columns[i].thread < thread)
		i++;
	if (i < d->ncolumns && d->columns[i].thread == thread)
		return i;
	memmove(&d->columns[i + 1], &d->columns[i], (d->ncolumns++ - i) * sizeof(*d->columns));
	d->columns[i].thread = thread;
	d->columns[i].title = xstrdup(thread_title(r, thread));
	return i;
}

/* The number of wait i, as that of a step beyond the last. */
static u32 wait_number(const struct report *r, u32 i)
{
	return r->t->nevents + 1 + i;
}

static u32 thread_of(const struct report *r, u32 step)
{
	return step > r->t->nevents ? r->t->waits[step - r->t->nevents - 1].thread
				    : r->rows[step - 1].ev->e.thread;
}

static void add_waits(struct drawing *d, const struct report *r, unsigned *node)
{
	for (u32 i = 0; i < r->t->nwaits && waits_are_final(r); i++) {
		const struct trace_wait *w = &r->t->waits[i];
		const struct trace_stack *s = trace_stack(r->t, w->stack);
		struct drawn_node *n = &d->nodes[d->nnodes];

		node[wait_number(r, i)] = ++d->nnodes;
		*n = (struct drawn_node){.step = wait_number(r, i), .key = true, .waits = true};
		set_text(n, wait_words(r, w),
			s ? symbol_place(r->symbols, s->frames, s->nframes) : NULL);
		thread_column(d, r, w->thread);
	}
}

/* nodes[] by step, plus 1. */
static unsigned *add_nodes(struct drawing *d, const struct report *r, bool all)
{
	unsigned *node = xmalloc((r->t->nevents + r->t->nwaits + 1) * sizeof(*node));

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct row *row = &r->rows[i];
		struct drawn_node *n = &d->nodes[d->nnodes];

		if (!draws_row(r, row, all)) {
			d->omitted += row->ev->e.kind != EV_COMMIT;
			continue;
		}
		node[i + 1] = ++d->nnodes;
		n->step = i + 1;
		n->failed = r->t->finding.f.step == i + 1 || r->t->finding.f.other == i + 1;
		set_text(n, row->what, row->at);
		thread_column(d, r, row->ev->e.thread);
	}
	add_waits(d, r, node);
	for (unsigned i = 0; i < d->nnodes; i++)
		d->nodes[i].column = thread_column(d, r, thread_of(r, d->nodes[i].step));
	return node;
}

/* --- edges ----------------------------------------------------------------------------------- */

static bool is_on_cycle(const struct report *r, u32 from, u32 to, unsigned relation)
{
	for (u32 i = 0; i < r->t->ncycle; i++) {
		const struct trace_edge *e = &r->t->cycle[i];

		if (e->from == from && e->to == to && e->relation == relation)
			return true;
	}
	return false;
}

static struct drawn_edge *grown(const struct drawn_edge *edges, unsigned n, unsigned room)
{
	struct drawn_edge *to = xmalloc(room * sizeof(*to));

	if (n)
		memcpy(to, edges, n * sizeof(*to));
	return to;
}

static void draw_edge(struct drawing *d, const struct report *r, const unsigned *node, u32 from,
	u32 to, enum drawn_relation relation)
{
	static const unsigned plain[] = {
		RELATION_PO, RELATION_RF, RELATION_CO, RELATION_FR, RELATION_RF, RELATION_PO,
		RELATION_PO};

	if (!from || !to || from == to || !node[from] || !node[to])
		return;
	for (unsigned i = 0; i < d->nedges; i++)
		if (d->edges[i].from == node[from] - 1 && d->edges[i].to == node[to] - 1 &&
			(d->edges[i].relation == relation || d->edges[i].cycle))
			return;
	if (!(d->nedges & (d->nedges - 1)))
		d->edges = grown(d->edges, d->nedges, 2 * d->nedges + 1);
	d->edges[d->nedges++] = (struct drawn_edge){node[from] - 1, node[to] - 1, relation,
		is_on_cycle(r, from, to, plain[relation])};
}

static bool is_synchronising(const struct report *r, const struct event *w, const struct event *e)
{
	return report_has_orders(r) && !((w->flags | e->flags) & EVENT_PLAIN) &&
	       w->order >= __ATOMIC_RELEASE && e->order && e->order != __ATOMIC_RELEASE;
}

/* The write before step's in co, and so of all; 0: the initial one. */
static u32 co_before(const struct report *r, u32 step)
{
	const struct event *e = &r->rows[step - 1].ev->e;
	u32 time = r->rows[step - 1].commit ? r->rows[step - 1].commit : step, best = 0, when = 0;

	if (e->co)
		return e->co;
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct row *row = &r->rows[i];
		u32 t = row->commit ? row->commit : i + 1;

		if (row->ev->e.co || (row->ev->e.flags & EVENT_BUFFERED && !row->commit))
			continue; /* of a graph; not in memory */
		if (kind_is_write((enum event_kind)row->ev->e.kind) &&
			events_overlap(&row->ev->e, e) && t < time && t > when) {
			best = i + 1;
			when = t;
		}
	}
	return best;
}

/* In a graph every write but the first of its place has a predecessor. */
static bool is_graph_drawing(const struct report *r)
{
	return r->t->nchoices && r->t->choices[0].why >= WHY_GRAPH;
}

static u32 before_in_co(const struct report *r, u32 step)
{
	return is_graph_drawing(r) ? r->rows[step - 1].ev->e.co : co_before(r, step);
}

static bool same_thread(const struct report *r, u32 a, u32 b)
{
	return r->rows[a - 1].ev->e.thread == r->rows[b - 1].ev->e.thread;
}

/* The reads of w's predecessor, or of the initial value, come before w. */
static void add_fr(
	struct drawing *d, const struct report *r, const unsigned *node, u32 w, u32 before)
{
	const struct event *e = &r->rows[w - 1].ev->e;

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct event *x = &r->t->events[i].e;

		if (kind_is_read((enum event_kind)x->kind) && x->from == before && i + 1 != w &&
			events_overlap(x, e) && !same_thread(r, i + 1, w) &&
			!(x->flags & EVENT_SPIN))
			draw_edge(d, r, node, i + 1, w, DRAWN_FR);
	}
}

static void add_memory(struct drawing *d, const struct report *r, const unsigned *node)
{
	for (u32 step = 1; step <= r->t->nevents; step++) {
		const struct event *e = &r->rows[step - 1].ev->e;
		u32 before;

		if (!node[step])
			continue;
		if (kind_is_read((enum event_kind)e->kind) && e->from &&
			!same_thread(r, e->from, step))
			draw_edge(d, r, node, e->from, step,
				is_synchronising(r, &r->rows[e->from - 1].ev->e, e) ? DRAWN_SW
										: DRAWN_RF);
		if (!kind_is_write((enum event_kind)e->kind))
			continue;
		before = before_in_co(r, step);
		if (before && !same_thread(r, before, step))
			draw_edge(d, r, node, before, step, DRAWN_CO);
		add_fr(d, r, node, step, before);
	}
}

/* The next event of the thread that is drawn. */
static u32 next_drawn(const struct report *r, const unsigned *node, u32 thread, u32 step)
{
	for (step++; step <= r->t->nevents; step++)
		if (node[step] && r->rows[step - 1].ev->e.thread == thread)
			return step;
	return 0;
}

static u32 last_drawn(const struct report *r, const unsigned *node, u32 thread, u32 step)
{
	for (step--; step; step--)
		if (node[step] && r->rows[step - 1].ev->e.thread == thread)
			return step;
	return 0;
}

static void draw_orders(struct drawing *d, const struct report *r, const unsigned *node)
{
	for (u32 step = 1; step <= r->t->nevents; step++) {
		const struct event *e = &r->rows[step - 1].ev->e;

		if (!node[step])
			continue;
		draw_edge(d, r, node, step, next_drawn(r, node, e->thread, step), DRAWN_PO);
		if (e->kind == EV_CREATE)
			draw_edge(
				d, r, node, step, next_drawn(r, node, (u32)e->old[0], 0), DRAWN_HB);
		if (e->kind == EV_JOIN)
			draw_edge(d, r, node, last_drawn(r, node, (u32)e->old[0], step), step,
				DRAWN_HB);
	}
}

/* The wait of a thread, as a step; 0: it does not wait. */
static u32 wait_number_of(const struct report *r, i32 thread)
{
	for (u32 i = 0; i < r->t->nwaits; i++)
		if ((i32)r->t->waits[i].thread == thread)
			return wait_number(r, i);
	return 0;
}

/* Edges from each wait to the step that causes it, or to the wait of the thread that would end
 * it. */
static void add_causes(struct drawing *d, const struct report *r, const unsigned *node)
{
	for (u32 i = 0; i < r->t->nwaits && waits_are_final(r); i++) {
		const struct trace_wait *w = &r->t->waits[i];
		u32 cause = wait_cause(r, w);

		draw_edge(d, r, node, last_drawn(r, node, w->thread, r->t->nevents + 1),
			wait_number(r, i), DRAWN_PO);
		if (!cause || !node[cause])
			cause = wait_number_of(r, w->holder);
		draw_edge(d, r, node, wait_number(r, i), cause, DRAWN_WAIT);
	}
}

/* Edges of the cycle that are not drawn yet: po edges that skip events, and those of locks. */
static void add_cycle(struct drawing *d, const struct report *r, const unsigned *node)
{
	static const enum drawn_relation drawn[] = {DRAWN_PO, DRAWN_RF, DRAWN_CO, DRAWN_FR};

	for (u32 i = 0; i < r->t->ncycle; i++) {
		const struct trace_edge *e = &r->t->cycle[i];

		draw_edge(d, r, node, e->from, e->to, drawn[e->relation]);
		if (node[e->from])
			d->nodes[node[e->from] - 1].key = true;
	}
}

/* Nodes are in the order of steps, and so are their predecessors. */
static void set_levels(struct drawing *d)
{
	bool changed = true;

	for (unsigned round = 0; changed && round <= d->nnodes; round++) {
		changed = false;
		for (unsigned i = 0; i < d->nedges; i++) {
			const struct drawn_edge *e = &d->edges[i];
			unsigned least = d->nodes[e->from].level + 1;

			if (e->relation == DRAWN_CO || e->relation == DRAWN_FR ||
				e->relation == DRAWN_WAIT ||
				d->nodes[e->from].step > d->nodes[e->to].step ||
				d->nodes[e->to].level >= least)
				continue;
			d->nodes[e->to].level = least;
			changed = true;
		}
	}
	for (unsigned i = 0; i < d->nnodes; i++)
		if (d->nodes[i].level >= d->nlevels)
			d->nlevels = d->nodes[i].level + 1;
}

/* "sb, model tso, needs reordering: this execution is impossible under sc" */
static const char *subject_of(const struct report *r)
{
	const char *qualities = report_qualities(r);

	return xprintf("%s, model %s%s%s", path_base(r->t->program.path), report_model(r),
		*qualities ? ", " : "", qualities);
}

struct drawing *drawing_make(struct report *r, bool all)
{
	struct drawing *d = xmalloc(sizeof(*d));
	unsigned *node;

	report_select(r, all);
	d->title = r->message;
	d->report = r;
	d->subject = subject_of(r);
	d->columns = xmalloc((r->t->nthreads + 1) * sizeof(*d->columns));
	d->nodes = xmalloc((r->t->nevents + r->t->nwaits + 1) * sizeof(*d->nodes));
	node = add_nodes(d, r, all);
	add_cycle(d, r, node);
	draw_orders(d, r, node);
	add_memory(d, r, node);
	add_causes(d, r, node);
	set_levels(d);
	return d;
}
