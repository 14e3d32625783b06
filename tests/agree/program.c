/* SPDX-License-Identifier: ISC */
/*
 * program.c - see program.h. Compiled without Heddle: no events.
 *
 * Deliberately written differently from the machine: a queue per variable instead of one list,
 * states copied instead of re-executed.
 */
#include "program.h"
#include "../random.h"

#include <stdio.h>
#include <string.h>

struct program program;

static bool awaits(struct op o)
{
	return o.kind == OP_AWAIT || o.kind == OP_AWAIT_ANY;
}

/* --- generation ------------------------------------------------------------------------------ */

static uint64_t state;

static unsigned below(unsigned n)
{
	return (unsigned)((random_shift(&state) >> 20) % n);
}

static struct op random_op(int locations, bool waits)
{
	static const enum op_kind kinds[] = {OP_LOAD, OP_LOAD, OP_LOAD, OP_STORE, OP_STORE,
		OP_STORE, OP_STORE, OP_ADD, OP_XCHG, OP_CAS, OP_FENCE, OP_FENCE};
	static const int load[] = {0, 2, 5}, store[] = {0, 0, 0, 3, 5}, rmw[] = {0, 4, 5};
	static const int fence[] = {2, 3, 4, 5};
	struct op o = {kinds[below(12)], (int)below((unsigned)locations), 1 + (int)below(3), 0};

	if (waits && below(4) == 0)
		o.kind = below(2) ? OP_AWAIT : OP_AWAIT_ANY;
	switch (o.kind) {
	case OP_AWAIT:
	case OP_AWAIT_ANY: o.value = (int)below(4); /* fall through */
	case OP_LOAD: o.order = load[below(3)]; break;
	case OP_STORE: o.order = store[below(5)]; break;
	case OP_FENCE: o.order = fence[below(4)]; break;
	default: o.order = rmw[below(3)];
	}
	return o;
}

void program_generate(uint64_t seed, bool waits)
{
	int locations;

	state = seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
	for (int i = 0; i < 8; i++)
		below(2);
	memset(&program, 0, sizeof program);
	locations = 1 + (int)below(LOCATIONS);
	program.nthreads = 2 + (below(4) == 0);
	for (int t = 0; t < program.nthreads; t++) {
		program.nops[t] = 2 + (int)below(program.nthreads == 2 ? OPS - 1 : 2);
		for (int i = 0; i < program.nops[t]; i++) {
			program.op[t][i] = random_op(locations, waits);
			program.waits |= awaits(program.op[t][i]);
		}
	}
}

void program_print(void)
{
	static const char *const names[] = {
		"load", "store", "add", "xchg", "cas", "fence", "await", "await-any"};

	for (int t = 0; t < program.nthreads; t++) {
		printf("# thread %d:", t);
		for (int i = 0; i < program.nops[t]; i++) {
			struct op o = program.op[t][i];

			printf(" %s(%c, %d, order %d);", names[o.kind], 'x' + o.location, o.value,
				o.order);
		}
		printf("\n");
	}
}

struct op program_op(int thread, int i)
{
	return program.op[thread][i];
}

int program_length(int thread)
{
	return program.nops[thread];
}

int program_threads(void)
{
	return program.nthreads;
}

/* --- plain search ---------------------------------------------------------------------------- */

#define QUEUE  16
#define MARKER (-1)

struct queue {
	int n, location[QUEUE], value[QUEUE]; /* value MARKER: an sfence's */
};

struct thread {
	int pc;
	bool issued; /* a seq_cst store is in the buffer, its mfence has not passed */
	uint64_t reads;
	struct queue q[LOCATIONS]; /* TSO: q[0] only */
};

struct world {
	int memory[LOCATIONS];
	struct thread t[THREADS];
};

static enum model_kind model;
static struct outcomes *result;
static uint64_t most;

static void push(struct queue *q, int location, int value)
{
	q->location[q->n] = location;
	q->value[q->n++] = value;
}

static void pop(struct queue *q)
{
	q->n--;
	memmove(q->location, q->location + 1, sizeof q->location[0] * (size_t)q->n);
	memmove(q->value, q->value + 1, sizeof q->value[0] * (size_t)q->n);
}

static bool empty(const struct thread *t)
{
	for (int l = 0; l < LOCATIONS; l++)
		if (t->q[l].n)
			return false;
	return true;
}

/* An sfence: a marker in every queue; it leaves them together when it heads all. */
static void sfence(struct thread *t)
{
	if (model != PSO || empty(t))
		return;
	for (int l = 0; l < LOCATIONS; l++)
		push(&t->q[l], l, MARKER);
}

static void drop_markers(struct thread *t)
{
	for (;;) {
		for (int l = 0; l < LOCATIONS; l++)
			if (!t->q[l].n || t->q[l].value[0] != MARKER)
				return;
		for (int l = 0; l < LOCATIONS; l++)
			pop(&t->q[l]);
	}
}

/* The youngest buffered value of the location, or -1. */
static int forwarded(const struct thread *t, int location)
{
	const struct queue *q = &t->q[model == PSO ? location : 0];

	for (int i = q->n; i-- > 0;)
		if (q->location[i] == location && q->value[i] != MARKER)
			return q->value[i];
	return -1;
}

static void note(struct thread *t, int value)
{
	t->reads = t->reads << 4 | (unsigned)(value & 15);
}

static void issue(struct world *w, struct thread *t, struct op o)
{
	if (model == SC) {
		w->memory[o.location] = o.value;
		t->pc++;
		return;
	}
	if (o.order >= 3)
		sfence(t);
	push(&t->q[model == PSO ? o.location : 0], o.location, o.value);
	if (o.order == 5)
		t->issued = true;
	else
		t->pc++;
}

/* The value of a load by the thread: its own youngest buffered store, else memory. */
static int sees(const struct world *w, const struct thread *t, int location)
{
	int own = model == SC ? -1 : forwarded(t, location);

	return own >= 0 ? own : w->memory[location];
}

/* Run the thread's invisible steps. Afterwards it is at a visible operation, waits for its buffer,
 * or has ended. */
static void settle(struct world *w, int thread)
{
	struct thread *t = &w->t[thread];

	while (t->pc < program.nops[thread]) {
		struct op o = program.op[thread][t->pc];

		if (t->issued) {
			if (!empty(t))
				return;
			t->issued = false;
			t->pc++;
		} else if (o.kind == OP_STORE && model != SC) {
			issue(w, t, o);
		} else if (o.kind == OP_FENCE) {
			if (o.order == 5 && !empty(t))
				return;
			if (o.order == 3 || o.order == 4)
				sfence(t);
			t->pc++;
		} else {
			return;
		}
	}
}

/* Is the thread at a visible operation that it may perform now? */
static bool enabled(const struct world *w, int thread)
{
	const struct thread *t = &w->t[thread];
	struct op o;

	if (t->pc >= program.nops[thread] || t->issued)
		return false;
	o = program.op[thread][t->pc];
	if (o.kind == OP_FENCE)
		return false;
	if (awaits(o))
		return sees(w, t, o.location) == o.value ||
		       (o.kind == OP_AWAIT_ANY && sees(w, t, OTHER(o.location)) == o.value);
	return o.kind == OP_LOAD || o.kind == OP_STORE || empty(t);
}

static void perform(struct world *w, int thread)
{
	struct thread *t = &w->t[thread];
	struct op o = program.op[thread][t->pc];
	int *m = &w->memory[o.location];

	if (o.kind == OP_STORE) {
		issue(w, t, o);
		return;
	}
	t->pc++;
	if (awaits(o))
		return;
	note(t, sees(w, t, o.location)); /* an RMW has no buffer */
	if (o.kind == OP_ADD)
		*m += o.value;
	else if (o.kind == OP_XCHG || (o.kind == OP_CAS && *m == o.value - 1))
		*m = o.value;
}

static bool visit(const struct world *w);

static bool commit(const struct world *w, int thread, int queue)
{
	struct world next = *w;
	struct thread *t = &next.t[thread];
	struct queue *q = &t->q[queue];

	next.memory[q->location[0]] = q->value[0];
	pop(q);
	drop_markers(t);
	settle(&next, thread);
	return visit(&next);
}

static bool finish(const struct world *w)
{
	uint64_t reads[THREADS], memory = 0;

	for (int i = 0; i < program.nthreads; i++)
		if (w->t[i].pc < program.nops[i]) {
			result->stuck = true;
			return true;
		}
	for (int i = 0; i < THREADS; i++)
		reads[i] = w->t[i].reads;
	for (int i = 0; i < LOCATIONS; i++)
		memory = memory << 8 | (unsigned)w->memory[i];
	outcomes_add(result, reads, memory);
	return result->executions <= most && !result->overflow;
}

static bool visit(const struct world *w)
{
	bool moved = false;

	for (int i = 0; i < program.nthreads; i++) {
		struct world next = *w;

		if (enabled(w, i)) {
			moved = true;
			perform(&next, i);
			settle(&next, i);
			if (!visit(&next))
				return false;
		}
		for (int l = 0; l < LOCATIONS; l++)
			if (w->t[i].q[l].n && w->t[i].q[l].value[0] != MARKER) {
				moved = true;
				if (!commit(w, i, l))
					return false;
			}
	}
	return moved || finish(w);
}

bool program_search(enum model_kind m, uint64_t limit, struct outcomes *s)
{
	struct world w;

	memset(&w, 0, sizeof w);
	model = m;
	result = s;
	most = limit;
	outcomes_clear(s);
	for (int i = 0; i < program.nthreads; i++)
		settle(&w, i);
	return visit(&w);
}
