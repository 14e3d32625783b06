/* SPDX-License-Identifier: ISC */
/* failure.c - see failure.h. */
#include "repair/failure.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "model/co_solver.h"
#include "verify/verify.h"
#include "repair/failure_priv.h"

#define STEPS_MAX     6000
#define THREADS_MAX   60
#define LOCATIONS_MAX 4000
#define STATES_MEMORY ((size_t)64 << 20)
#define BUDGET	      200000 /* states of a search; beyond: counts as no, which makes clauses
#larger */

/* --- from the trace -------------------------------------------------------------------------- */

struct locations {
	struct {
		u64 addr, size;
		u32 last; /* of an object: the step of its last operation */
	} *at;
	u32 n;
	bool bad; /* some overlap */
};

static u32 location_index(struct locations *l, u64 addr, u64 size)
{
	for (u32 i = 1; i < l->n; i++) {
		if (l->at[i].addr == addr && l->at[i].size == size)
			return i;
		if (size && l->at[i].size && l->at[i].addr < addr + size &&
			addr < l->at[i].addr + l->at[i].size)
			l->bad = true;
	}
	if (!l->n)
		l->n = 1;
	if (l->n >= LOCATIONS_MAX) {
		l->bad = true;
		return 1;
	}
	l->at = xgrow(l->at, (l->n + 1) * sizeof(*l->at));
	l->at[l->n].addr = addr;
	l->at[l->n].size = size;
	l->at[l->n].last = 0;
	return l->n++;
}

/* Is the memory also accessed atomically? (All accesses are known by now.) */
static bool is_accessed_atomically(const struct locations *l, const struct event *e)
{
	for (u32 i = 1; i < l->n; i++)
		if (l->at[i].size && l->at[i].addr < e->addr + e->size &&
			e->addr < l->at[i].addr + l->at[i].size)
			return true;
	return false;
}

/* Memory that only this thread uses in this execution: accesses to it are not observable. */
static bool is_private_access(const struct trace *t, const struct event *e)
{
	for (u32 i = 0; i < t->nevents; i++) {
		const struct event *x = &t->events[i].e;

		if (x->thread != e->thread && kind_is_read_or_write(x->kind) &&
			x->addr < e->addr + e->size && e->addr < x->addr + x->size)
			return false;
	}
	return true;
}

static bool is_plain_access(const struct event *e)
{
	return e->flags & EVENT_PLAIN && kind_is_read_or_write(e->kind);
}

static enum event_role role_of(const struct trace *t, const struct event *e, const struct points *p,
	const struct locations *l)
{
	if (e->flags & EVENT_SPIN)
		return ROLE_NONE; /* only marks a position of the thread */
	if (is_plain_access(e) && !p->plain && !is_accessed_atomically(l, e))
		return ROLE_NONE; /* ordered by others, or there would be a race */
	if (is_plain_access(e) && is_private_access(t, e))
		return ROLE_NONE;
	switch (e->kind) {
	case EV_READ: return ROLE_READ;
	case EV_WRITE: return ROLE_WRITE;
	case EV_RMW:
	case EV_CAS: return ROLE_RMW;
	case EV_CAS_FAIL: return ROLE_CAS_FAIL;
	case EV_FENCE: return e->flags & EVENT_VIRTUAL ? ROLE_NONE : ROLE_FENCE;
	case EV_DRAIN: return ROLE_FULL;
	case EV_CREATE: return ROLE_CREATE;
	case EV_START: return ROLE_START;
	case EV_JOIN: return ROLE_JOIN;
	case EV_EXIT: return ROLE_END;
	case EV_COMMIT:
	case EV_DETACH:
	case EV_SLEEP:
	case EV_FAIL: return ROLE_NONE;
	}
	return kind_has(e->kind, KIND_LOCAL) ? ROLE_NONE : ROLE_SYNC;
}

static void take_event(struct failure *f, const struct points *p, struct locations *l, u32 i)
{
	const struct trace_event *ev = &f->trace->events[i];
	const struct event *e = &ev->e;
	const struct override *site =
		e->flags & EVENT_VIRTUAL ? NULL : points_site(p, f->trace, ev);
	struct failure_step *s = &f->step[i + 1];

	s->role = (u8)role_of(f->trace, e, p, l);
	s->thread = e->thread;
	s->point = site && s->role ? site->point : POINT_NONE;
	s->strength =
		strength_of(site ? e->kind == EV_CAS_FAIL ? site->fail : site->order : e->order);
	s->limit = STRENGTH_SEQ_CST;
	if (site && site->relaxed) {
		s->limit = s->strength;
		s->strength = 0;
	}
	if (s->point != POINT_NONE)
		f->at[s->point] = true;
	if (s->thread >= f->nthreads)
		f->nthreads = s->thread + 1u;
	switch (s->role) {
	case ROLE_READ:
	case ROLE_WRITE:
	case ROLE_RMW:
	case ROLE_CAS_FAIL:
		s->location = location_index(l, e->addr, e->size);
		s->from = e->from;
		break;
	case ROLE_SYNC:
		s->location = location_index(l, e->addr, 0);
		s->from = l->at ? l->at[s->location].last : 0;
		l->at[s->location].last = i + 1;
		break;
	case ROLE_CREATE:
	case ROLE_JOIN: s->other = (u16)e->old[0]; break;
	}
}

/*
 * The thread spins there: the sources of its last iteration are the last writes. The iteration
 * begins with the previous read of the same call, or else after the last event that is no read.
 */
static void take_turn(struct failure *f, u32 spin)
{
	const struct event *e = &f->trace->events[spin - 1].e;
	u32 i, from = 0;

	for (i = spin - 1; i; i--) {
		const struct failure_step *s = &f->step[i];
		const struct event *x = &f->trace->events[i - 1].e;

		if (s->thread != e->thread || x->kind == EV_COMMIT)
			continue;
		if (s->role != ROLE_NONE && s->role != ROLE_READ && s->role != ROLE_CAS_FAIL)
			break;
		from = i;
		if (x->stack == e->stack && s->role != ROLE_NONE)
			break;
	}
	for (i = from; from && i < spin; i++)
		if (f->step[i].thread == e->thread && step_reads(&f->step[i]))
			f->step[i].last = true;
}

/*
 * In a graph the read of a spinning thread is no event: `wait' records have its location. The last
 * write in co is then the last one of the trace that is not before another.
 */
static void take_waits(struct failure *f, const struct locations *l)
{
	const struct trace *t = f->trace;

	for (u32 i = 0; i < t->nwaits; i++) {
		const struct trace_place *p =
			t->waits[i].kind == EV_READ ? trace_place(t, t->waits[i].place) : NULL;
		u32 k = 1, write = 0;

		while (p && k < l->n && (l->at[k].addr != p->address || !l->at[k].size))
			k++;
		if (!p || k >= l->n || f->nlast == array_size(f->last))
			continue;
		for (u32 s = 1; s <= f->nsteps; s++)
			if (step_writes(&f->step[s]) && f->step[s].location == k &&
				!t->events[s - 1].e.missed)
				write = s;
		f->last[f->nlast].location = k;
		f->last[f->nlast++].write = write;
	}
}

static void take_pair(struct failure *f)
{
	const struct finding *x = &f->trace->finding.f;

	if ((x->kind == FINDING_RACE || x->kind == FINDING_HEAP) && x->other && x->step) {
		f->race[0] = x->other;
		f->race[1] = x->step;
	}
}

/* Does a read come before its source? Then the graphs made here do not have the execution. */
static bool has_early_read(const struct failure *f)
{
	for (u32 i = 1; i <= f->nsteps; i++)
		if (step_reads(&f->step[i]) && f->step[i].from > i)
			return true;
	return false;
}

struct failure *failure_open(const struct trace *t, const struct points *p, enum model_id m,
	const struct stronger *under)
{
	struct failure *f = xmalloc(sizeof(*f));
	struct locations l = {NULL};
	bool spins = false;

	f->trace = t;
	f->model = m;
	f->at = xmalloc(p->npoints + 1);
	f->under = xmalloc((p->npoints + 1) * sizeof(*f->under));
	memcpy(f->under, under, p->npoints * sizeof(*under));
	f->npoints = p->npoints;
	f->nsteps = t->nevents;
	f->step = xmalloc((f->nsteps + 1) * sizeof(*f->step));
	for (u32 i = 0; i < t->nevents; i++)
		if (kind_is_read_or_write(t->events[i].e.kind) && t->events[i].e.size &&
			!is_plain_access(&t->events[i].e))
			location_index(&l, t->events[i].e.addr, t->events[i].e.size);
	for (u32 i = 0; i < t->nevents; i++)
		take_event(f, p, &l, i);
	f->nlocations = l.n ? l.n : 1;
	take_pair(f);
	for (u32 i = 1; i <= f->nsteps; i++) {
		spins |= t->events[i - 1].e.flags & EVENT_SPIN;
		if (t->events[i - 1].e.flags & EVENT_SPIN)
			take_turn(f, i);
	}
	if (!spins)
		take_waits(f, &l);
	f->exact = !l.bad && !model_of(m)->is_file && !has_early_read(f);
	f->exact &= f->nsteps < STEPS_MAX && f->nthreads < THREADS_MAX;
	free(l.at);
	if (f->exact)
		f->exact = failure_remains(f, p, under);
	return f;
}

/* --- the execution as a graph ---------------------------------------------------------------- */

struct builder {
	const struct failure *f;
	const struct stronger *at;
	bool relax;
	struct graph g;
	u32 *event;   /* [step]: its (last) event */
	u32 create[THREADS_MAX], end[THREADS_MAX];
	struct co_solver *coherence; /* RA, RC11 */
};

static struct co_solver *coherence(void)
{
	static struct co_solver *c;

	if (!c) {
		c = xmalloc(sizeof(*c));
		co_solver_init(c, xmalloc(co_solver_memory()));
	}
	return c;
}

static void make_failure_graph(struct builder *b)
{
	static struct places places;
	static void *memory;
	static size_t size;
	u32 lanes = (b->f->nthreads + 1 + CLOCK_LANES - 1) / CLOCK_LANES * CLOCK_LANES;
	size_t wanted = graph_memory(lanes, CLOCKS);

	if (!places.place)
		places.place = xmalloc(LOCATIONS_MAX * sizeof(*places.place));
	if (size < wanted) {
		free(memory);
		if (posix_memalign(&memory, 64, wanted) != 0)
			die("not enough memory");
		memset(memory, 0, wanted);
		size = wanted;
	}
	graph_init(&b->g, memory, model_of(b->f->model), lanes, &places);
}

static u32 push(struct builder *b, u32 thread, u8 type, u32 location, u16 flags)
{
	struct label l = {.type = type, .loc = location};

	return graph_push(&b->g, thread, &l, 0, flags);
}

/* Add an event that does not communicate. */
static u32 push_other(struct builder *b, u32 thread, u8 type, u8 order)
{
	struct label l = {.type = type, .order = order};
	u32 e = graph_push(
		&b->g, thread, &l, 0, type == LABEL_CHOOSE ? 0 : graph_other_flags(b->g.model, &l));

	graph_clocks(&b->g, e);
	return e;
}

static void push_fence(struct builder *b, u32 thread, u8 bits)
{
	if (bits)
		push_other(b, thread, LABEL_FENCE, order_of_strength(bits));
}

/* Add a read. Its source must be an earlier event: rf and po have no cycle here. */
static bool push_read(struct builder *b, const struct failure_step *s, u16 flags, u8 type)
{
	u32 e = push(b, s->thread, type, s->location, flags);

	graph_set_source(&b->g, e, s->from ? b->event[s->from] : 0);
	graph_clocks(&b->g, e);
	return !b->coherence || co_solver_read(b->coherence, &b->g, e, 0);
}

/* Add a write; rmw: directly after the source of its read, the previous event. */
static bool push_write(
	struct builder *b, const struct failure_step *s, u16 flags, u8 type, bool rmw)
{
	u32 e = push(b, s->thread, type, s->location, flags);

	graph_co_insert(&b->g, e, rmw ? b->g.event[e - 1].rf : b->g.place[s->location].co_last);
	graph_clocks(&b->g, e);
	return !b->coherence || !rmw || co_solver_write(b->coherence, &b->g, e);
}

static bool push_failure_access(struct builder *b, const struct failure_step *s, u8 bits)
{
	const struct model *m = b->g.model;
	struct label read = {.type = LABEL_READ, .order = order_of_strength(bits)};
	struct label write = {.type = LABEL_WRITE, .order = order_of_strength(bits)};

	switch (s->role) {
	case ROLE_READ: return push_read(b, s, graph_read_flags(m, &read, false), LABEL_READ);
	case ROLE_WRITE:
		return push_write(b, s, graph_write_flags(m, &write, false), LABEL_WRITE, false);
	case ROLE_CAS_FAIL:
		read.type = LABEL_CAS;
		read.fail = read.order;
		return push_read(b, s, graph_read_flags(m, &read, false), LABEL_CAS);
	}
	read.type = write.type = LABEL_RMW;
	return push_read(b, s, graph_read_flags(m, &read, true), LABEL_RMW) &&
	       push_write(b, s, graph_write_flags(m, &write, true), LABEL_RMW, true);
}

/* Add an operation on an object, an RMW that acquires and releases, in the order of the trace. */
static bool push_sync(struct builder *b, const struct failure_step *s)
{
	u16 both = E_SYNC | E_EXCL;

	return push_read(b, s, both | E_READ | E_FULL | E_ACQUIRE, LABEL_SYNC) &&
	       push_write(b, s, both | E_WRITE | E_RELEASE, LABEL_SYNC, true);
}

static void push_thread(struct builder *b, const struct failure_step *s)
{
	static const u8 type[] = {[ROLE_CREATE] = LABEL_CREATE, [ROLE_START] = LABEL_START,
		[ROLE_JOIN] = LABEL_JOIN, [ROLE_END] = LABEL_END};
	struct label l = {.type = type[s->role]};
	u32 e = graph_push(&b->g, s->thread, &l, 0, graph_other_flags(b->g.model, &l)), source = 0;

	if (s->role == ROLE_CREATE && s->other < THREADS_MAX)
		b->create[s->other] = e;
	if (s->role == ROLE_END)
		b->end[s->thread] = e;
	if (s->role == ROLE_START)
		source = b->create[s->thread];
	if (s->role == ROLE_JOIN && s->other < THREADS_MAX)
		source = b->end[s->other];
	if (source)
		graph_set_source(&b->g, e, source);
	graph_clocks(&b->g, e);
}

static bool push_step(struct builder *b, u32 i)
{
	const struct failure_step *s = &b->f->step[i];
	struct stronger none = {0}, more = s->point == POINT_NONE ? none : b->at[s->point];
	u8 bits = s->strength |
		  (s->limit & (s->role == ROLE_CAS_FAIL && b->relax ? more.fail
								    : more.order | more.fail));
	bool possible = true;

	push_fence(b, s->thread, more.before);
	switch (s->role) {
	case ROLE_NONE: push_other(b, s->thread, LABEL_CHOOSE, 0); break;
	case ROLE_FENCE:
		push_fence(b, s->thread, bits);
		break;
	case ROLE_FULL: push_other(b, s->thread, LABEL_END, 0); break;
	case ROLE_SYNC: possible = push_sync(b, s); break;
	case ROLE_CREATE:
	case ROLE_START:
	case ROLE_JOIN:
	case ROLE_END: push_thread(b, s); break;
	default: possible = push_failure_access(b, s, bits);
	}
	b->event[i] = b->g.n;
	push_fence(b, s->thread, more.after);
	return possible;
}

/* --- is it possible -------------------------------------------------------------------------- */

/* The writes that waiting threads must see for ever. */
static u32 last_writes(const struct builder *b, u16 *write, u32 *location)
{
	u32 n = 0;

	for (u32 i = 1; i <= b->f->nsteps; i++) {
		const struct failure_step *s = &b->f->step[i];
		u32 k = 0;

		if (!s->last)
			continue;
		while (k < n && location[k] != s->location)
			k++;
		location[k] = s->location;
		write[k] = (u16)(s->from ? b->event[s->from] : 0);
		n = k == n ? n + 1 : n;
		if (n == THREADS_MAX)
			return n;
	}
	for (u32 i = 0; i < b->f->nlast && n < THREADS_MAX; i++) {
		location[n] = b->f->last[i].location;
		write[n++] = (u16)(b->f->last[i].write ? b->event[b->f->last[i].write] : 0);
	}
	return n;
}

static struct verify *verifier(void)
{
	static struct verify *v;
	size_t size = verify_memory(3 * STEPS_MAX, THREADS_MAX + 2, LOCATIONS_MAX) + STATES_MEMORY;
	void *memory;

	if (v)
		return v;
	v = xmalloc(sizeof(*v));
	if (posix_memalign(&memory, 64, size) != 0)
		die("not enough memory");
	verify_init(v, memory, size, 3 * STEPS_MAX, THREADS_MAX + 2, LOCATIONS_MAX);
	v->budget = BUDGET;
	return v;
}

/* SC, TSO, PSO: at the end, an additional thread reads the writes that have to be last. */
static bool has_schedule(struct builder *b)
{
	struct verify *v = verifier();
	u16 write[THREADS_MAX];
	u32 location[THREADS_MAX], end[THREADS_MAX], n = last_writes(b, write, location), first = 0;

	verify_graph(v, &b->g, b->g.model->buffers);
	for (u32 t = 0; n && t < b->g.nthreads; t++)
		end[t] = verify_push(v, t, 0, E_FENCE | E_FULL);
	for (u32 i = 0; i < n; i++) {
		u32 e = verify_push(v, b->g.nthreads, location[i], E_READ);

		verify_source(v, e, write[i]);
		first = first ? first : e;
	}
	for (u32 t = 0; n && t < b->g.nthreads; t++)
		verify_order(v, end[t], first);
	return verify_decide(v) == VERIFY_YES;
}

static bool has_order(struct builder *b)
{
	u16 write[THREADS_MAX];
	u32 location[THREADS_MAX], n = last_writes(b, write, location), some = 0;

	for (u32 i = 0; i < n; i++) {
		if (!write[i] && b->g.place[location[i]].co_first)
			return false; /* the initial write is last only if it is the only one */
		if (write[i])
			write[some++] = write[i];
	}
	return !some || co_solver_last(b->coherence, &b->g, write, some);
}

static bool is_unordered(const struct builder *b)
{
	u32 x = b->event[b->f->race[0]], y = b->event[b->f->race[1]];

	return !b->f->race[0] || (!clock_has(&b->g, graph_hb(&b->g, y), x) &&
					 !clock_has(&b->g, graph_hb(&b->g, x), y));
}

bool failure_remains(const struct failure *f, const struct points *p, const struct stronger *at)
{
	struct builder b = {.f = f, .at = at, .relax = p->relax};
	bool weak = model_of(f->model)->has_orders, possible = true;

	b.coherence = weak ? coherence() : NULL;
	b.event = xmalloc((f->nsteps + 1) * sizeof(*b.event));
	make_failure_graph(&b);
	for (u32 i = 1; possible && i <= f->nsteps; i++)
		possible = push_step(&b, i);
	possible = possible && is_unordered(&b) && (weak ? has_order(&b) : has_schedule(&b));
	free(b.event);
	return possible;
}

/* --- clauses --------------------------------------------------------------------------------- */

static const struct points *sorting;

static int by_cost(const void *a, const void *b)
{
	const struct option *x = &sorting->option[*(const u32 *)a],
			    *y = &sorting->option[*(const u32 *)b];

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return *(const u32 *)a < *(const u32 *)b ? -1 : 1;
}

static bool is_in_execution(const struct failure *f, u32 point)
{
	return point < f->npoints && f->at[point];
}

u32 failure_clause(
	const struct failure *f, const struct points *p, const struct stronger *under, u32 *option)
{
	struct stronger *at = xmalloc((p->npoints + 1) * sizeof(*at)), before;
	u32 *order = xmalloc((p->noptions + 1) * sizeof(*order)), n = 0, kept = 0;

	if (f->exact)
		memcpy(at, under, p->npoints * sizeof(*at));
	else
		memcpy(at, f->under, f->npoints * sizeof(*at));
	for (u32 i = 0; i < p->noptions; i++)
		if (is_in_execution(f, p->option[i].point) && !option_is_in(p, &p->option[i], at))
			order[n++] = i;
	sorting = p;
	qsort(order, n, sizeof(*order), by_cost);
	for (u32 i = 0; i < n; i++) {
		const struct option *o = &p->option[order[i]];

		before = at[o->point];
		option_add(o, at);
		if (f->exact && failure_remains(f, p, at))
			continue;
		at[o->point] = before;
		option[kept++] = order[i];
	}
	free(order);
	free(at);
	return kept;
}
