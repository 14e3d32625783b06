/* SPDX-License-Identifier: ISC */
/* execute.c - see execute.h. */
#include "machine/execute.h"
#include "machine/bytes.h"
#include "machine/extent.h"
#include "machine/heap.h"
#include "machine/output.h"
#include "machine/search.h"
#include "machine/signal.h"
#include "machine/snapshot.h"
#include "machine/turn.h"
#include "model/object.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#define FINDINGS 256

/* A native thread. */
struct follower {
	bool alive;
	bool standing; /* behind its last event, at `label` */
	bool dead;     /* it cannot be switched to: has crashed, or ended */
	u32 passed;    /* events; index of the last one */
	struct label label;
	struct turn turn;
};

/* `thread` has to pass its event `index`; then `who` goes on (NULL: the explorer). */
struct need {
	struct thread *who;
	u16 thread;
	u32 index;
};

/* What a thread has passed; node 0: a failed look, that does not matter. */
struct passed {
	u64 value;
	u32 node;
	u32 stamp;  /* of a write */
	u32 source; /* of a read: thread << 16 | index */
	u16 flags;
};

static struct {
	struct follower *f; /* [GRAPH_THREADS] */
	u16 (*map)[GRAPH_EVENTS + 1];	/* by thread and index: event of g */
	struct passed (*passed)[GRAPH_EVENTS + 1];
	u32 (*record)[GRAPH_EVENTS + 1]; /* when it was recorded */
	u64 *written; /* [PLACES_MAX] run << 32 | thread << 16 | index of the write that memory holds */
	bool *promoted; /* [PLACES_MAX] */
	const struct graph *g;
	const struct cache *cache;
	struct places *places;
	u32 target;
	enum answer answer;
	bool answered;
	bool open;    /* there is a native execution, */
	bool running; /* which can go on */
	bool begun;   /* accesses are events */
	bool again; /* the explorer has to begin again, and has not yet */
	u32 run;      /* native executions so far */
	u32 nneeds;
	struct need need[GRAPH_THREADS * 2];
	enum execute_stop stopped;
	char words[400];
	struct finding finding[FINDINGS];
	u32 nfindings;
} X;

/* --- memory of our own ----------------------------------------------------------------------- */

static void *reserve(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

bool execute_init(struct places *places, const struct cache *cache)
{
	if (!X.f) {
		X.f = reserve(GRAPH_THREADS * sizeof *X.f);
		X.map = reserve(GRAPH_THREADS * sizeof *X.map);
		X.passed = reserve(GRAPH_THREADS * sizeof *X.passed);
		X.record = reserve(GRAPH_THREADS * sizeof *X.record);
		X.written = reserve(PLACES_MAX * sizeof *X.written);
		X.promoted = reserve(PLACES_MAX * sizeof *X.promoted);
	}
	if (!X.f || !X.map || !X.passed || !X.record || !X.written || !X.promoted)
		return false;
	for (u32 i = 0; i < PLACES_MAX; i++)
		X.promoted[i] = false;
	X.places = places;
	X.cache = cache;
	X.running = X.begun = X.again = false;
	X.stopped = EXECUTE_GOES_ON;
	X.nfindings = 0;
	extent_clear();
	return true;
}

enum execute_stop execute_stopped(void)
{
	return X.stopped;
}

const char *execute_words(void)
{
	return X.words;
}

void execute_promote(u32 loc)
{
	X.promoted[loc] = X.places->place[loc].atomic = true;
}

/* --- where the events of g are --------------------------------------------------------------- */

static void read_graph(const struct graph *g)
{
	X.g = g;
	for (u32 t = 0; t < g->nthreads; t++)
		for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
			X.map[t][g->event[e].index] = (u16)e;
}

static u32 source_of(const struct graph *g, const struct gevent *e)
{
	return e->rf && !(e->flags & E_WRITE)
		       ? (u32)g->event[e->rf].thread << 16 | g->event[e->rf].index
		       : 0;
}

static void note(const struct gevent *e)
{
	X.passed[e->thread][e->index] = (struct passed){.value = e->value, .node = e->node,
		.stamp = e->flags & E_WRITE ? e->stamp : 0, .source = source_of(X.g, e),
		.flags = e->flags & (E_EXCL | E_RARE)};
}

/* A write must be the same one: its place in co, and whom a revisit has cut away, are in its stamp. A
 * read is the same if it reads the same. */
static bool is_same(const struct passed *p, const struct gevent *e)
{
	return !p->node || (p->node == e->node && p->value == e->value &&
			    p->flags == (e->flags & (E_EXCL | E_RARE)) &&
			    p->stamp == (e->flags & E_WRITE ? e->stamp : 0) &&
			    p->source == source_of(X.g, e));
}

/* Does g have all that the native threads have passed? */
static bool goes_on(const struct graph *g)
{
	for (u32 t = 0; t < GRAPH_THREADS; t++) {
		if (!X.f[t].alive)
			continue;
		if (X.f[t].passed > (t < g->nthreads ? g->thread[t].n : 0))
			return false;
		for (u32 i = X.f[t].passed; i; i--)
			if (!is_same(&X.passed[t][i], &g->event[X.map[t][i]]))
				return false;
	}
	return true;
}

/* The next event of the thread that is not just a failed look; 0 = none. */
static u32 next_event(u32 slot)
{
	u32 n = slot < X.g->nthreads ? X.g->thread[slot].n : 0;

	for (u32 i = X.f[slot].passed + 1; i <= n; i++)
		if (!(X.g->event[X.map[slot][i]].flags & E_WAIT))
			return X.map[slot][i];
	return 0;
}

/* --- switching ------------------------------------------------------------------------------- */

static void switch_to(struct thread *from, u32 slot)
{
	struct thread *to = &M.thread[slot];

	M.cur = to;
	M.steps++;
	fiber_switch(&from->fiber, &to->fiber);
}

static void switch_back(struct thread *from)
{
	M.steps++;
	fiber_switch(&from->fiber, &M.scheduler);
}

/* From the explorer's stack to a native thread's and back. */
static void switch_in(u32 slot)
{
	M.cur = &M.thread[slot];
	M.in_execution = machine_exploring = true;
	fiber_switch(&M.scheduler, &M.cur->fiber);
	M.in_execution = machine_exploring = false;
}

/* t should have passed more events than it has come to. */
static void lag(const struct thread *t)
{
	X.answer = ANSWER_STOP;
	X.stopped = EXECUTE_DIVERGED;
	snprintf(X.words, sizeof X.words, "the program is not deterministic: T%u does not get as far as "
		"it did with the same values", t->number);
}

static _Noreturn void stop(enum execute_stop why)
{
	struct fiber gone;

	X.stopped = why;
	X.answer = ANSWER_STOP;
	X.answered = true;
	X.f[M.cur->slot].dead = true;
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

void execute_unsupported(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(X.words, sizeof X.words, format, ap);
	va_end(ap);
	stop(EXECUTE_UNSUPPORTED);
}

/* What has been learnt makes all that was found so far void. */
static _Noreturn void begin_again(void)
{
	struct fiber gone;

	X.answer = ANSWER_RESTART;
	X.answered = X.again = true;
	X.running = false;
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

/* --- needs ----------------------------------------------------------------------------------- */

/* Who must pass what first, so that `slot` passes `index`? Threads that do not exist are created. */
static struct need first_need(struct thread *who, u32 slot, u32 index)
{
	while (!X.f[slot].alive) {
		const struct gevent *create;

		BUG_ON(slot >= X.g->nthreads || !X.g->thread[slot].first);
		create = &X.g->event[X.g->event[X.g->thread[slot].first].rf];
		slot = create->thread;
		index = create->index;
	}
	return (struct need){who, (u16)slot, index};
}

/* The running thread waits until `slot` has passed its event `index`. */
static void require(struct thread *t, u32 slot, u32 index)
{
	while (X.f[slot].passed < index || !X.f[slot].alive) {
		struct need n = first_need(t, slot, index);

		BUG_ON(X.nneeds == array_size(X.need));
		X.need[X.nneeds++] = n;
		if (X.f[n.thread].dead) {
			lag(&M.thread[n.thread]);
			stop(EXECUTE_DIVERGED);
		}
		switch_to(t, n.thread);
	}
}

/* The running thread has passed something: does somebody wait for that? */
static bool is_needed(const struct thread *t)
{
	const struct need *n = &X.need[X.nneeds - 1];

	return X.nneeds && n->thread == t->slot && X.f[t->slot].passed >= n->index;
}

static void give_back(struct thread *t)
{
	struct need n;

	if (!is_needed(t))
		return;
	n = X.need[--X.nneeds];
	if (n.who)
		switch_to(t, n.who->slot);
	else
		switch_back(t);
}

static void require_sources(struct thread *t, const struct gevent *e)
{
	const struct graph *g = X.g;

	if (e->rf && !(e->flags & E_WRITE))
		require(t, g->event[e->rf].thread, g->event[e->rf].index);
	if (e->type != LABEL_LEAVE)
		return;
	for (u32 i = g->place[e->loc].reads; i; i = g->event[i].loc_prev)
		if (g->event[i].type == LABEL_ARRIVE && g->event[i].round == e->round)
			require(t, g->event[i].thread, g->event[i].index);
}

/* --- real memory ----------------------------------------------------------------------------- */

static u64 write_key(const struct gevent *e)
{
	return (u64)X.run << 32 | (u64)e->thread << 16 | e->index;
}

/* The write that real memory holds at loc, 0 = none of this execution. */
static u32 held(u32 loc)
{
	u64 w = X.written[loc];

	return w >> 32 == X.run ? X.map[w >> 16 & 0xffff][w & 0xffff] : 0;
}

static bool is_before(u32 a, u32 b)
{
	for (u32 w = X.g->event[b].co_prev; w; w = X.g->event[w].co_prev)
		if (w == a)
			return true;
	return false;
}

static void words_of(u32 size, u64 value, u64 v[2])
{
	v[0] = value;
	v[1] = 0;
	if (size == 16) {
		u128 w = wide_value(X.places, value);

		v[0] = (u64)w;
		v[1] = (u64)(w >> 64);
	}
}

static u64 value_of(u32 size, const u64 v[2])
{
	if (size == 16)
		return wide_intern(X.places, v[0], v[1]);
	return size < 8 ? v[0] & ((1ull << (8 * size)) - 1) : v[0];
}

static void write_memory(u32 id)
{
	const struct gevent *e = &X.g->event[id];
	const struct place *p = &X.places->place[e->loc];
	u32 before = held(e->loc);
	u64 v[2];

	if (!p->size || (before && is_before(id, before)))
		return;
	words_of(p->size, e->value, v);
	memory_write(p->addr, p->size, v);
	X.written[e->loc] = write_key(e);
}

/* Does memory hold something else than what was written last? Then code that is not instrumented has
 * written it, a system call for example. On stacks it may be what was there before a variable. */
static bool is_foreign(u32 loc, u64 *value)
{
	const struct place *p = &X.places->place[loc];
	u64 v[2];

	if (!p->size || p->addr - FIBER_STACKS < (u64)THREADS_MAX * FIBER_STACK_STRIDE)
		return false;
	memory_read(p->addr, p->size, v);
	*value = value_of(p->size, v);
	return *value != graph_write_value(X.g, held(loc), loc);
}

/* --- the running thread ---------------------------------------------------------------------- */

/* Stand at l, which is in no graph yet, until there is more. */
static void stand(struct thread *t, const struct label *l)
{
	struct follower *f = &X.f[t->slot];

	f->label = *l;
	f->standing = true;
	if (unlikely(M.recording))
		record_arrival(t);
	X.answered = true;
	X.answer = ANSWER_LABEL;
	if (X.target != t->slot || X.nneeds)
		lag(t);
	switch_back(t);
	f->standing = false;
}

/* Stand at l for ever: the thread cannot be switched to any more, it may have crashed. */
static _Noreturn void stand_dead(struct thread *t, const struct label *l)
{
	struct follower *f = &X.f[t->slot];
	struct fiber gone;
	struct need n;

	f->label = *l;
	f->standing = f->dead = true;
	if (is_needed(t)) {
		n = X.need[--X.nneeds];
		M.cur = n.who;
		fiber_switch(&gone, n.who ? &n.who->fiber : &M.scheduler);
	}
	X.answered = true;
	X.answer = ANSWER_LABEL;
	if (X.target != t->slot || X.nneeds)
		lag(t);
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

static bool is_access(const struct label *l)
{
	return l->type == LABEL_READ || l->type == LABEL_RMW || l->type == LABEL_CAS ||
	       l->type == LABEL_PLAIN_READ;
}

static const char *label_words(u8 type)
{
	static const char *const words[] = {"nothing", "an atomic load", "an atomic store", "an RMW",
		"a compare and exchange", "a fence", "a load", "a store",
		"an operation on a synchronisation object", "the arrival at a barrier",
		"the departure from a barrier", "the creation of a thread", "its start",
		"the join of a thread", "its end", "a choice", "heddle_assume(false)",
		"a loop that does not end", "a failure"};

	return type < array_size(words) ? words[type] : "?";
}

static void name_label(char *to, size_t room, const struct label *l)
{
	const struct place *p = &X.places->place[l->loc];

	if (l->loc)
		snprintf(to, room, "%s at 0x%llx (%u bytes, value 0x%llx)", label_words(l->type),
			(unsigned long long)p->addr, p->size, (unsigned long long)l->value);
	else
		snprintf(to, room, "%s (value 0x%llx)", label_words(l->type),
			(unsigned long long)l->value);
}

static _Noreturn void diverge(struct thread *t, const struct label *was, const struct label *is)
{
	char a[150], b[150];

	name_label(a, sizeof a, was);
	name_label(b, sizeof b, is);
	snprintf(X.words, sizeof X.words, "the program is not deterministic: what T%u did was %s, with the "
		"same values it is %s", t->number, a, b);
	stop(EXECUTE_DIVERGED);
}

/* Is what the thread does what g has? A plain write before a read stands for code that is not
 * instrumented (see is_foreign). */
static bool fits(const struct label *l, const struct gevent *e)
{
	const struct label *was = &X.cache->node[e->node].label;

	return e->type == l->type && e->loc == l->loc &&
	       (was->type == LABEL_UNKNOWN || label_equal(was, l));
}

static bool is_write_before(const struct label *l, const struct gevent *e)
{
	return is_access(l) && e->type == LABEL_PLAIN_WRITE && e->loc == l->loc;
}

static void record(struct thread *t, const struct label *l, const struct gevent *e,
	const struct gevent *write)
{
	static const u8 kinds[LABEL_FAIL + 1] = {[LABEL_READ] = EV_READ + 1,
		[LABEL_PLAIN_READ] = EV_READ + 1, [LABEL_WRITE] = EV_WRITE + 1,
		[LABEL_PLAIN_WRITE] = EV_WRITE + 1, [LABEL_RMW] = EV_RMW + 1,
		[LABEL_CAS] = EV_CAS_FAIL + 1, [LABEL_FENCE] = EV_FENCE + 1};
	const struct place *p = &X.places->place[e->loc];
	struct event r = {.thread = t->number, .order = l->order, .addr = p->addr, .size = p->size};
	const struct gevent *source = e->rf ? &X.g->event[e->rf] : NULL;
	u32 step;

	if (!kinds[e->type]) {
		X.record[t->slot][e->index] = record_steps();
		return;
	}
	r.kind = kinds[e->type] - 1;
	if (e->type == LABEL_CAS)
		r.order = l->fail;
	words_of(p->size, e->value, r.value);
	if (write && e->type == LABEL_CAS) {
		r.kind = EV_CAS;
		r.order = l->order;
	}
	if (write) {
		r.old[0] = r.value[0];
		r.old[1] = r.value[1];
		words_of(p->size, write->value, r.value);
	}
	if (e->flags & E_PLAIN)
		r.flags |= EVENT_PLAIN;
	if (l->flags & LABEL_VOLATILE)
		r.flags |= EVENT_VOLATILE;
	if (source && e->flags & E_READ)
		r.from = X.record[source->thread][source->index];
	step = record_event(&r);
	X.record[t->slot][e->index] = step;
	if (write)
		X.record[t->slot][write->index] = step;
}

/* What these do is not done yet when they have been passed: the thread goes on to its next arrival. */
static bool is_begun_only(u8 type)
{
	return type == LABEL_SYNC || type == LABEL_CREATE || type == LABEL_JOIN ||
	       type == LABEL_ARRIVE || type == LABEL_LEAVE;
}

/* Pass event id, of a thread whose needs are met. */
static struct step pass(struct thread *t, const struct label *l, u32 id)
{
	struct follower *f = &X.f[t->slot];
	const struct gevent *e = &X.g->event[id], *write = NULL;
	struct step s = {.value = e->value};

	for (u32 i = f->passed + 1; i < e->index; i++)
		X.passed[t->slot][i].node = 0;
	note(e);
	f->passed = e->index;
	if (e->flags & E_READ && e->flags & E_EXCL) {
		BUG_ON(!e->po_next);
		write = &X.g->event[e->po_next];
		note(write);
		f->passed = write->index;
		s.excl = true;
		s.written = write->value;
	}
	f->turn.reads += (e->flags & E_READ) != 0;
	if (e->flags & E_WRITE)
		write_memory(id);
	if (write)
		write_memory(e->po_next);
	if (unlikely(M.recording))
		record(t, l, e, write);
	if (!is_begun_only(e->type))
		give_back(t);
	return s;
}

struct step execute_step(const struct label *l)
{
	struct thread *t = M.cur;
	struct follower *f = &X.f[t->slot];
	struct label foreign;
	u64 value;
	u32 e;

	M.steps++;
	give_back(t);
	for (;;) {
		e = next_event(t->slot);
		if (!e) {
			foreign = *l;
			if (is_access(l) && is_foreign(l->loc, &value))
				foreign = (struct label){.type = LABEL_PLAIN_WRITE, .loc = l->loc,
					.size = l->size, .site = l->site, .value = value};
			else if (f->passed >= M.max_steps && l->type < LABEL_END) {
				M.bounds |= BOUND_STEPS;
				foreign = (struct label){.type = LABEL_BLOCK};
			}
			stand(t, &foreign);
			continue;
		}
		if (!fits(l, &X.g->event[e])) {
			if (!is_write_before(l, &X.g->event[e]))
				diverge(t, &X.cache->node[X.g->event[e].node].label, l);
			pass(t, l, e);
			continue;
		}
		if (X.g->event[e].rf || X.g->event[e].type == LABEL_LEAVE) {
			require_sources(t, &X.g->event[e]);
			e = next_event(t->slot); /* g may be another one by now */
			if (!e)
				continue;
		}
		return pass(t, l, e);
	}
}

/* --- spinning -------------------------------------------------------------------------------- */

void execute_door(void)
{
	struct thread *t = M.cur;
	u64 end = FIBER_STACKS + t->slot * (u64)FIBER_STACK_STRIDE + FIBER_STACK_SIZE + FIBER_GUARD;
	struct label l = {.type = LABEL_SPIN, .site = (u32)machine_frame->return_address};

	if (!X.begun)
		return;
	l.value = turn_returns(&X.f[t->slot].turn, machine_frame, end);
	if (unlikely(l.value))
		execute_step(&l); /* does not return: nothing follows it in a graph */
}

void execute_progress(void)
{
	turn_reset(&X.f[M.cur->slot].turn);
}

/* --- locations ------------------------------------------------------------------------------- */

static u32 intern(u64 addr, u32 size, u64 init)
{
	u32 loc = place_intern(X.places, addr, size, init);

	if (!loc)
		execute_unsupported("limit: more than %u locations", PLACES_MAX);
	return loc;
}

u32 execute_object(const void *obj, u64 (*state)(const void *obj))
{
	u64 addr = (u64)(uintptr_t)obj;
	u32 loc = place_find(X.places, addr, 0);

	return loc ? loc : intern(addr, 0, state ? state(obj) : 0);
}

static u32 location(u64 addr, u32 size)
{
	u32 loc = place_find(X.places, addr, size);
	u64 v[2];

	if (loc)
		return loc;
	memory_read(addr, size, v);
	return intern(addr, size, value_of(size, v));
}

static bool is_shared(enum extent how, u64 addr, u32 size)
{
	switch (how) {
	case EXTENT_PRIVATE: return false;
	case EXTENT_SHARED: return true;
	case EXTENT_CHANGED: begin_again();
	case EXTENT_MIXED:
		execute_unsupported("atomic accesses of different sizes overlap (%u bytes at 0x%llx)",
			size, (unsigned long long)addr);
	case EXTENT_FULL: break;
	}
	execute_unsupported("limit: too much memory is shared between threads");
}

u32 execute_location(u64 addr, u32 size)
{
	u32 loc;

	is_shared(extent_atomic(M.cur->slot, addr, size), addr, size);
	loc = location(addr, size);
	X.places->place[loc].atomic = true;
	return loc;
}

u32 execute_plain_location(u64 addr, u32 size, struct place *out, bool *atomic)
{
	struct extent_location l;
	u32 loc;

	if (!is_shared(extent_plain(M.cur->slot, addr, size), addr, size))
		return 0;
	l = extent_location(addr);
	loc = location(l.addr, l.size);
	*out = X.places->place[loc];
	*atomic = X.promoted[loc];
	return loc;
}

void execute_know(u64 addr, u32 size, bool atomic)
{
	for (u32 i = 0; i < 4; i++) { /* as if two threads had accessed it */
		if (atomic)
			extent_atomic(i & 1, addr, size);
		else if (addr % 8 + size <= 8)
			extent_plain(i & 1, addr, size);
	}
}

u64 execute_wide(u64 low, u64 high)
{
	return wide_intern(X.places, low, high);
}

u128 execute_wide_value(u64 number)
{
	return wide_value(X.places, number);
}

/* --- operations ------------------------------------------------------------------------------ */

u32 execute_choose(u32 n)
{
	struct label l = {.type = LABEL_CHOOSE, .value = n};

	X.begun = true;
	execute_progress();
	return (u32)execute_step(&l).value;
}

/* What a thread does depends on what it was given. */
void execute_create(u32 slot, void *(*start)(void *), void *arg)
{
	struct label l = {.type = LABEL_CREATE, .other = (u16)slot,
		.value = prng_mix((u64)(uintptr_t)start) ^ (u64)(uintptr_t)arg};

	if (slot >= GRAPH_THREADS)
		execute_unsupported("limit: more than %u threads", GRAPH_THREADS);
	X.begun = true;
	execute_progress();
	execute_step(&l);
}

void execute_join(u32 slot)
{
	struct label l = {.type = LABEL_JOIN, .other = (u16)slot};

	execute_progress();
	execute_step(&l);
}

void execute_end_of_thread(void *result, u8 flags)
{
	struct label l = {
		.type = LABEL_END, .flags = flags, .value = (u64)(uintptr_t)result};

	for (;;)
		execute_step(&l); /* returns only to pass on to somebody else */
}

static bool is_attempt(u8 op)
{
	return op == OBJECT_TRYLOCK || op == OBJECT_TRYRDLOCK || op == OBJECT_TRYWRLOCK ||
	       op == OBJECT_SEM_TRYWAIT;
}

/* Before there are events: the operation works on the object as it is. */
static bool sync_alone(const struct sync_op *op, const void *obj, u64 argument, u64 *result)
{
	struct object_step s;

	if (op->object_op >= OBJECT_OPS)
		return false;
	s = object_step(op->object_op, argument, M.cur->slot, op->state ? op->state(obj) : 0);
	*result = s.result;
	alone_step();
	return s.ready;
}

/* All that the thread has done, as a number: its place in the explorer's cache. */
static u32 history(u32 slot)
{
	u32 e = next_event(slot);

	return e ? X.g->event[e].node : X.g->thread[slot].node;
}

u64 execute_sync(const struct sync_op *op, const void *obj, u64 argument, u8 flags)
{
	struct label l = {.type = LABEL_SYNC, .op = op->object_op, .flags = flags, .value = argument};
	struct step s;
	u64 result;

	if ((!X.begun && !op->object_op) || op->kind == EV_EXIT)
		return 0; /* the process ends when all others are finished or stuck, never before */
	if (!X.begun && sync_alone(op, obj, argument, &result))
		return result;
	X.begun = true;
	if (!op->object_op && op->ready)
		execute_unsupported("%s is not explored in graphs", kind_words(op->kind));
	if (!op->object_op) {
		l.op = OBJECT_ORDERED;
		l.value = history(M.cur->slot);
		obj = obj ? obj : op;
	}
	if (is_attempt(l.op))
		execute_door();
	else
		execute_progress();
	l.loc = execute_object(obj, op->state);
	if (l.op >= OBJECT_OPS) {
		l.type = l.op == OBJECT_ARRIVE ? LABEL_ARRIVE : LABEL_LEAVE;
		l.op = 0;
		return execute_step(&l).value;
	}
	s = execute_step(&l);
	if (s.excl && s.written != s.value)
		execute_progress();
	return object_step(l.op, l.value, M.cur->slot, s.value).result;
}

/* --- ends ------------------------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

static u64 keep_finding(const struct finding *f)
{
	u32 i;

	for (i = 0; i < X.nfindings; i++)
		if (X.finding[i].kind == f->kind && X.finding[i].line == f->line &&
			X.finding[i].thread == f->thread &&
			same_text(X.finding[i].file, f->file) &&
			same_text(X.finding[i].message, f->message))
			return i;
	if (X.nfindings == FINDINGS)
		return FINDINGS - 1;
	bytes_copy(&X.finding[i], f, sizeof *f);
	return X.nfindings++;
}

const struct finding *execute_finding(const struct label *l)
{
	return &X.finding[l->value];
}

void execute_end(enum outcome outcome)
{
	struct label l = {.type = LABEL_BLOCK};
	struct thread *t = M.cur;

	switch (outcome) {
	case OUTCOME_FAIL:
		l.type = LABEL_FAIL;
		l.value = keep_finding(&M.finding);
		break;
	case OUTCOME_EXIT:
		execute_end_of_thread(NULL, LABEL_EXIT);
	case OUTCOME_ABANDON: case OUTCOME_STEPS: case OUTCOME_STUCK:
		break;
	default:
		stop(EXECUTE_REFUSED);
	}
	stand_dead(t, &l);
}

#define WIPED 2048

__attribute__((noinline)) void execute_wipe(void)
{
	u64 dead[WIPED / 8];

	bytes_fill(dead, 0, sizeof dead);
	__asm__ volatile("" : : "r"(dead) : "memory");
}

void execute_created(u32 slot, void *stack_end)
{
	struct follower *f = &X.f[slot];

	bytes_fill((char *)stack_end - 2 * SPIN_STACK, 0, 2 * SPIN_STACK);
	f->alive = true;
	f->standing = f->dead = false;
	f->passed = 0;
	turn_reset(&f->turn);
}

/* --- questions ------------------------------------------------------------------------------- */

bool execute_begun(void)
{
	return X.begun;
}

void execute_begin(void)
{
	X.begun = true;
}

void execute_finish(void)
{
	if (!X.open)
		return;
	X.running = X.open = false;
	execution_over();
}

static void restart(void)
{
	if (X.open)
		execution_over();
	X.open = true;
	X.run++;
	X.begun = false;
	for (u32 i = 0; i < GRAPH_THREADS; i++)
		X.f[i].alive = false;
	execution_prepare();
	X.running = true;
}

/* Bring t to where it stands in g; false: X.answer says what happened instead. */
static bool bring(u32 t)
{
	X.target = t;
	X.nneeds = 0;
	X.answered = false;
	while (!X.f[t].alive) {
		struct need n = first_need(NULL, t, 1);

		X.need[X.nneeds++] = n;
		switch_in(n.thread);
		if (X.answered)
			return false;
	}
	if (X.f[t].standing && !next_event(t))
		return true;
	if (X.f[t].dead) {
		lag(&M.thread[t]);
		return false;
	}
	switch_in(t);
	return X.answer == ANSWER_LABEL;
}

static bool is_over(void)
{
	return signals_time_up || M.status->stop;
}

enum answer execute_next(struct program *p, const struct graph *g, u32 t, struct label *out)
{
	if (X.stopped)
		return ANSWER_STOP;
	if (X.again && g->n)
		return ANSWER_RESTART;
	X.again = false;
	*out = (struct label){.type = LABEL_START};
	if (t && !g->thread[t].n)
		return ANSWER_LABEL;
	if (is_over()) {
		X.stopped = EXECUTE_STOPPED;
		return ANSWER_STOP;
	}
	read_graph(g);
	if (!X.running || !goes_on(g))
		restart();
	if (!bring(t))
		return X.answer;
	*out = X.f[t].label;
	return ANSWER_LABEL;
}

/* --- following a plan ------------------------------------------------------------------------ */

static bool run_up_to(const struct gevent *e)
{
	u32 t = e->thread;

	X.target = t;
	while (!X.f[t].alive || X.f[t].passed < e->index) {
		X.nneeds = 0;
		X.answered = false;
		X.need[X.nneeds++] = first_need(NULL, t, e->index);
		switch_in(X.need[0].thread);
		if (X.answered)
			return false;
	}
	return true;
}

bool execute_replay(const struct graph *g, const struct plan *p)
{
	read_graph(g);
	restart();
	for (u32 i = 0; i < p->n; i++) {
		if (!plan_commits(p->item[i]) && !run_up_to(&g->event[plan_event(p->item[i])]))
			return false;
	}
	return true;
}

bool execute_bring(u32 t)
{
	return bring(t);
}

u32 execute_recorded(const struct graph *g, u32 e)
{
	return e ? X.record[g->event[e].thread][g->event[e].index] : 0;
}
