/* SPDX-License-Identifier: ISC */
/* history.c - see history.h: operations are called; histories are assembled and judged. */
#include "history/history.h"
#include "base/table.h"
#include "model/graph.h"
#include "trust/cache.h"
#include "machine/core.h"
#include "history/history_priv.h"
#include "machine/record/name.h"
#include "machine/record/record.h"
#include "process/shared.h"
#include "process/pages.h"

#include <stdio.h>
#include <string.h>

#define OBJECTS	    16
#define CALLS	    65000 /* different calls in an exploration; numbers in labels, 1 first */
#define CALL_SLOTS  (1u << 17)
#define OPERATIONS  1024 /* of all objects in an execution; more are not judged */
#define VERDICTS    (1u << 15)

struct history_object {
	const void *object;
	const struct heddle_spec *spec;
	i64 parameter;
};

/* A call's name and arguments, the same in all executions. In shared memory, as labels refer to
 * it. */
struct call {
	struct history_object of;
	i64 arg[2];
	u32 operation;
};

static struct calls {
	u32 n;
	struct call call[CALLS + 1];
	u16 slot[CALL_SLOTS]; /* by hash; open addressing */
} *calls;

/* An operation, with its times (or, of a graph, its events), and while recording its steps. */
struct called {
	u16 slot, call;
	bool ended;
	i64 ret;
	u64 begin, end;
	u32 begin_step, end_step;
};

static struct called *called; /* [OPERATIONS], of the execution that runs */
static struct called *listed; /* [OPERATIONS], of the graph that is judged */
static struct history_object objects[OBJECTS];
static PER_EXECUTION u32 ncalled = 0, nobjects = 0;
static PER_EXECUTION u64 now = 0;

static struct judged {
	u64 hash[2]; /* 0: free */
	enum lin_verdict verdict;
} *verdicts;
static void *memory; /* of lin_check() */

static bool suspected;
struct history_failed history_failed;

void history_begin(void)
{
	if (calls && calls->n)
		memset(calls, 0, sizeof *calls);
	if (verdicts)
		memset(verdicts, 0, VERDICTS * sizeof *verdicts);
}

bool history_wanted(void)
{
	return calls && calls->n;
}

/* --- the interface to the program ------------------------------------------------------------ */

static void need_history_memory(void)
{
	if (called)
		return;
	calls = shared_pages(sizeof *calls);
	if (!calls)
		machine_fail(FINDING_MEMORY, NULL, 0, NULL, "no memory for heddle_op_begin()");
	listed = pages_need(OPERATIONS * sizeof *listed);
	verdicts = pages_need(VERDICTS * sizeof *verdicts);
	memory = pages_need(LIN_MEMORY);
	called = pages_need(OPERATIONS * sizeof *called);
}

static struct history_object *find_object(const void *object)
{
	for (u32 i = 0; i < nobjects; i++)
		if (objects[i].object == object)
			return &objects[i];
	return NULL;
}

void history_specify(const void *object, const struct heddle_spec *spec, i64 parameter)
{
	struct history_object *o = find_object(object);
	const char *wrong = lin_spec_error(spec);

	if (wrong)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL, "heddle_specify(): %s", wrong);
	if (!o && nobjects == OBJECTS)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_specify(): limit: more than %u objects", OBJECTS);
	if (!o)
		o = &objects[nobjects++];
	*o = (struct history_object){object, spec, parameter};
}

static bool same_call(const struct call *a, const struct call *b)
{
	return a->of.object == b->of.object && a->of.spec == b->of.spec &&
	       a->of.parameter == b->of.parameter && a->operation == b->operation &&
	       a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1];
}

/* The number of a call, added if new; 0: there are too many. */
static u16 call_number(const struct call *c)
{
	u64 h = prng_mix((u64)(uintptr_t)c->of.object ^ prng_mix((u64)(uintptr_t)c->of.spec)) ^
		(u64)c->of.parameter;
	u32 slot;
	u16 i;

	h = prng_mix(prng_mix(h ^ (u64)c->arg[0]) ^ (u64)c->arg[1] ^ ((u64)c->operation << 32));
	shared_lock();
	TABLE_FIND(slot, h, CALL_SLOTS,
		!calls->slot[slot] || same_call(&calls->call[calls->slot[slot]], c));
	i = calls->slot[slot];
	if (!i && calls->n < CALLS) {
		i = (u16)(calls->n + 1);
		calls->call[i] = *c;
		calls->slot[slot] = i;
		calls->n = i;
	}
	shared_unlock();
	return i;
}

/* The operation that a thread has under way, or NULL. */
static struct called *under_way(u16 slot)
{
	for (u32 i = ncalled; i; i--)
		if (called[i - 1].slot == slot)
			return called[i - 1].ended ? NULL : &called[i - 1];
	return NULL;
}

static struct call match_call(const void *object, const char *name, i64 a, i64 b)
{
	const struct history_object *o = find_object(object);
	const struct heddle_operation *op;

	if (!o)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_op_begin(\"%s\"): the object has no specification (heddle_specify)",
			name);
	for (op = o->spec->operation; op->name && strcmp(op->name, name); op++)
		;
	if (!op->name)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_op_begin(\"%s\"): a %s has no such operation", name, o->spec->name);
	return (struct call){.of = *o, .operation = (u32)(op - o->spec->operation),
		.arg = {op->arguments > 0 ? a : 0, op->arguments > 1 ? b : 0}};
}

void history_op_begin(const void *object, const char *name, i64 a, i64 b)
{
	struct thread *t = M.cur;
	struct called *c;
	struct call call;
	u16 number;

	need_history_memory();
	call = match_call(object, name, a, b);
	if (under_way(t->slot))
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_op_begin(\"%s\"): the thread's last operation has not ended", name);
	number = call_number(&call);
	if (!number || ncalled == OPERATIONS)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_op_begin(): limit: %u operations in an execution, "
			"%u different ones in all",
			OPERATIONS, CALLS);
	M.engine->operation(LABEL_OP_BEGIN, number, 0);
	sync_event(EV_OP_BEGIN, NULL, 0, 0);
	c = &called[ncalled++];
	*c = (struct called){.slot = t->slot, .call = number, .begin = ++now,
		.begin_step = M.recording ? record_steps() : 0};
	t->op_begun = ncalled;
	t->op_steps = (u32)(M.steps + M.alone_steps);
	t->op_buffered = thread_stores(t);
}

void history_op_end(i64 ret)
{
	struct called *c = under_way(M.cur->slot);

	if (!c)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_op_end(): the thread has begun no operation");
	if (calls->call[c->call].of.spec->operation[calls->call[c->call].operation].result ==
		HEDDLE_NOTHING)
		ret = 0;
	M.engine->operation(LABEL_OP_END, 0, (u64)ret);
	sync_event(EV_OP_END, NULL, 0, 0);
	M.cur->op_begun = 0;
	c = under_way(M.cur->slot);
	c->ended = true;
	c->ret = ret;
	c->end = ++now;
	c->end_step = M.recording ? record_steps() : 0;
}

/* Forget the beginning if the operation has made a step, or a store into the buffer, since then. */
void history_before_step(struct thread *t)
{
	if (t->op_steps != (u32)(M.steps + M.alone_steps) || t->op_buffered != thread_stores(t))
		t->op_begun = 0;
}

void history_after_step(struct thread *t)
{
	called[t->op_begun - 1].begin = ++now;
	t->op_begun = 0;
}

/* --- judging --------------------------------------------------------------------------------- */

/* One object's history, and which of `list` its operations are. */
struct history_part {
	struct lin_history h;
	const struct called *list;
	u32 at[LIN_OPS];
};

typedef bool precedes(const struct called *a, const struct called *b, const struct graph *g);

static bool is_earlier(const struct called *a, const struct called *b, const struct graph *g)
{
	return a->end < b->begin;
}

static bool ordered_steps(const struct called *a, const struct called *b, const struct graph *g)
{
	return history_ordered(a->end_step, b->begin_step);
}

static bool call_happens_before(const struct called *a, const struct called *b,
	const struct graph *g)
{
	return clock_has(g, graph_hb(g, (u32)b->begin), (u32)a->end);
}

/* False: it has too many operations. */
static bool put_together(struct history_part *p, const struct called *list, u32 n,
	const struct history_object *o, precedes *before, const struct graph *g)
{
	p->h.spec = o->spec;
	p->h.parameter = o->parameter;
	p->h.n = 0;
	p->list = list;
	for (u32 i = 0; i < n; i++) {
		const struct call *c = &calls->call[list[i].call];
		struct lin_op *op = &p->h.op[p->h.n];

		if (c->of.object != o->object)
			continue;
		if (p->h.n == LIN_OPS)
			return false;
		*op = (struct lin_op){.op = {.operation = (int)c->operation,
			.thread = list[i].slot, .returned = list[i].ended,
			.arg = {c->arg[0], c->arg[1]}, .ret = list[i].ret}};
		p->at[p->h.n++] = i;
	}
	for (u32 k = 0; k < p->h.n; k++)
		for (u32 i = 0; i < p->h.n; i++)
			if (i != k && list[p->at[i]].ended &&
				before(&list[p->at[i]], &list[p->at[k]], g))
				p->h.op[k].before |= 1ull << i;
	return true;
}

/* Two independent numbers; the same for the same history. */
static void hash_history(const struct history_part *p, u64 hash[2])
{
	u64 a = (u64)(uintptr_t)p->h.spec, b = (u64)p->h.parameter + 1;

	for (u32 i = 0; i < p->h.n; i++) {
		const struct called *c = &p->list[p->at[i]];

		a = prng_mix(a ^ ((u64)c->call << 32 | (u64)c->slot << 1 | c->ended));
		a = prng_mix(a ^ (u64)c->ret);
		a = prng_mix(a ^ p->h.op[i].before);
		b = (b ^ a) * 0x9e3779b97f4a7c15u;
		b ^= b >> 31;
	}
	hash[0] = a | 1;
	hash[1] = b;
}

static void keep_failed(const struct history_part *p, const struct lin_order *order, bool graph)
{
	struct history_failed *f = &history_failed;

	f->h = p->h;
	f->order = *order;
	f->graph = graph;
	f->object = calls->call[p->list[p->at[0]].call].of.object;
	for (u32 i = 0; i < p->h.n; i++) {
		const struct called *c = &p->list[p->at[i]];
		u32 nth = 0;

		for (const struct called *o = p->list; o < c; o++)
			nth += o->slot == c->slot;
		f->op[i] = (struct failed_op){.slot = c->slot, .nth = nth};
	}
}

/* keep: report a failure. */
static enum lin_verdict judge_part(const struct history_part *p, bool keep, bool hb)
{
	struct lin_order order;
	enum lin_verdict verdict;
	struct judged *v;
	u64 hash[2];

	hash_history(p, hash);
	v = &verdicts[table_start(hash[1], VERDICTS)];
	if (v->hash[0] == hash[0] && v->hash[1] == hash[1] && !(v->verdict == LIN_NO && keep))
		return v->verdict;
	verdict = lin_check(&p->h, memory, LIN_MEMORY, &order);
	*v = (struct judged){{hash[0], hash[1]}, verdict};
	if (verdict == LIN_NO && keep)
		keep_failed(p, &order, hb);
	return verdict;
}

static void describe_history(struct finding *f)
{
	const struct lin_history *h = &history_failed.h;
	const char *name = NULL;
	u64 into = 0;

	if (history_failed.object)
		name = name_find((u64)(uintptr_t)history_failed.object, &into);
	*f = (struct finding){.kind = FINDING_LINEARIZABILITY};
	snprintf(f->message, sizeof f->message,
		"the history of the %s%s%s is not linearizable: no order of its operations "
		"explains their results",
		h->spec->name, name ? " " : "", name ? name : "");
}

/* *f is filled in if it is not NULL. */
static bool part_fails(const struct called *list, u32 n, precedes *before, const struct graph *g,
	struct finding *f)
{
	static struct history_part part;
	u32 first, i;

	for (i = 0; i < n; i++) {
		const struct history_object *o = &calls->call[list[i].call].of;
		enum lin_verdict verdict = LIN_UNKNOWN;

		for (first = 0; calls->call[list[first].call].of.object != o->object; first++)
			;
		if (first < i)
			continue;
		if (put_together(&part, list, n, o, before, g))
			verdict = judge_part(&part, f, before != is_earlier);
		if (verdict == LIN_UNKNOWN)
			coverage_note("some histories of a %s were not judged: too many operations "
				"or states", o->spec->name);
		if (verdict != LIN_NO)
			continue;
		if (f)
			describe_history(f);
		return true;
	}
	return false;
}

static bool is_ordered(void)
{
	if (history_order())
		return true;
	coverage_note("some histories were not judged: the executions have too many events");
	return false;
}

bool history_fails(struct finding *f)
{
	bool hb = !M.options->real_time, bad;

	suspected = false;
	if (!ncalled)
		return false;
	M.in_execution = false; /* a crash of a specification has no schedule */
	bad = part_fails(called, ncalled, is_earlier, NULL, hb ? NULL : f);
	if (bad && hb && M.recording)
		bad = is_ordered() && part_fails(called, ncalled, ordered_steps, NULL, f);
	else if (bad && hb)
		suspected = !(bad = false);
	M.in_execution = true;
	if (bad)
		history_record(f);
	return bad;
}

bool history_suspected(void)
{
	return suspected;
}

bool history_fails_graph(const struct graph *g, const struct cache *cache, struct finding *f)
{
	u32 n = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		struct called *open = NULL;

		if (!graph_has_thread(g, t))
			continue;
		for (u32 e = g->thread[t].first; e; e = g->event[e].po_next) {
			const struct label *l;

			if (g->event[e].type != LABEL_CHOOSE)
				continue;
			l = &cache->node[g->event[e].node].label;
			if (l->op == LABEL_OP_BEGIN && n < OPERATIONS) {
				open = &listed[n++];
				*open = (struct called){
					.slot = (u16)t, .call = l->other, .begin = e};
			} else if (l->op == LABEL_OP_END && open) {
				open->ended = true;
				open->ret = (i64)l->expected;
				open->end = e;
			}
		}
	}
	return n && part_fails(listed, n, call_happens_before, g, f);
}

/* --- for the report -------------------------------------------------------------------------- */

static const struct called *find_called(const struct failed_op *op)
{
	u32 nth = op->nth;

	for (u32 i = 0; i < ncalled; i++)
		if (called[i].slot == op->slot && !nth--)
			return &called[i];
	return NULL;
}

void history_record(struct finding *f)
{
	struct history_failed *x = &history_failed;
	u64 placed = 0;
	bool found = false;

	for (u32 i = 0; i < x->order.n; i++)
		placed |= 1ull << x->order.op[i];
	for (u32 i = 0; i < x->h.n; i++) {
		const struct called *c = find_called(&x->op[i]);

		x->op[i].thread = M.thread[x->op[i].slot].number;
		x->op[i].begin = c ? c->begin_step : 0;
		x->op[i].end = c && c->ended ? c->end_step : 0;
		if (found || placed >> i & 1 || !x->h.op[i].op.returned ||
			x->h.op[i].before & ~placed)
			continue;
		found = true; /* the first candidate to be next, which fails */
		f->thread = x->op[i].thread;
		f->step = x->op[i].end;
	}
}
