/* SPDX-License-Identifier: ISC */
/* execute_operation.c - choices, threads, synchronisation objects and ends while following a
 * graph. */
#include "graph/execute_priv.h"
#include "graph/own_memory.h"
#include "process/bytes.h"
#include "heap/heap.h"
#include "heap/heap_check.h"
#include "machine/wait/delivery.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/sync.h"
#include "object/barrier.h"

/* --- operations ------------------------------------------------------------------------------ */

void execute_begin(void)
{
	X.begun = true;
}

static u32 follow_choice(const struct label *l)
{
	X.begun = true;
	execute_progress();
	return (u32)execute_step(l).value;
}

u32 execute_choose(u32 n)
{
	return follow_choice(&(struct label){.type = LABEL_CHOOSE, .value = n});
}

u32 execute_choose_came(u32 call)
{
	return follow_choice(&(struct label){
		.type = LABEL_CHOOSE, .op = LABEL_CAME, .value = 2, .expected = call});
}

void execute_operation(enum label_choice what, u32 call, u64 value)
{
	follow_choice(&(struct label){.type = LABEL_CHOOSE, .value = 1, .op = (u8)what,
		.other = (u16)call, .expected = value});
}

/* A thread's behaviour depends on its function, its argument, and the time at which it begins. */
void execute_create(u32 slot, void *(*start)(void *), void *arg)
{
	struct label l = {.type = LABEL_CREATE, .other = (u16)slot};

	if (slot >= GRAPH_THREADS)
		execute_unsupported("limit: more than %u threads", GRAPH_THREADS);
	X.begun = true;
	execute_progress();
	execute_tick();
	l.value = prng_mix((u64)(uintptr_t)start) ^ (u64)(uintptr_t)arg ^ M.cur->tally.now;
	execute_step(&l);
}

/* The signals and requests that may interrupt its wait. */
void execute_note_interrupts(struct label *l)
{
	if (likely(!M.cur->interruptible))
		return;
	l->flags |= LABEL_INTERRUPT;
	l->expected = interrupt_signals();
	l->fail = interrupt_cancels();
}

void execute_join(u32 slot, u16 flags)
{
	struct label l = {.type = LABEL_JOIN, .other = (u16)slot, .flags = flags,
		.site = (u32)M.cur->call_stack};

	execute_note_interrupts(&l);
	execute_progress();
	execute_step(&l);
}

void execute_end_of_thread(void *result, u16 flags)
{
	struct label l = {
		.type = LABEL_END, .flags = flags, .value = (u64)(uintptr_t)result};

	if (M.options->detect & DETECT_LEAK)
		l.expected = (u64)(i64)heap_balance(M.cur->slot);
	X.unbalanced |= l.expected != 0;
	for (;;)
		execute_step(&l); /* returns only to switch to another thread */
}

bool execute_unbalanced(void)
{
	return X.unbalanced || (M.options->detect & DETECT_LEAK && M.options->jobs > 1);
}

/* Before the first event: the operation works on the object in memory. */
static bool sync_alone(const struct sync_op *op, const void *obj, u64 argument, u64 *result)
{
	if (object_op_has(op->object_op, OP_ROUND))
		return false;
	alone_step();
	if (heap_is_watched((u64)(uintptr_t)obj) && object_op_has(op->object_op, OP_USES))
		heap_check_object(obj, op->kind);
	if (op->ready && !op->ready(M.cur, obj))
		return false;
	*result = op->result ? op->result(M.cur, obj, argument) : 0;
	return true;
}

u64 execute_history(void)
{
	u32 slot = M.cur->slot, e = execute_next_event(slot);
	u32 n = e ? X.g->event[e].node : X.g->thread[slot].node;
	u64 h = slot + 1;

	for (; n; n = X.cache->node[n].parent)
		h = prng_mix(h ^ X.cache->node[n].key);
	return h;
}

/* An arrival at a barrier, or the end of the wait. */
static u64 follow_round(const struct sync_op *op, const void *obj, u64 argument, struct label l)
{
	l.type = object_op_has(l.op, OP_WAITS) ? LABEL_LEAVE : LABEL_ARRIVE;
	l.op = 0;
	l.value = (u32)argument;
	if (!l.value)
		return OBJECT_MISUSE;
	l.loc = execute_object(obj, NULL);
	if (l.type == LABEL_ARRIVE) {
		l.expected = argument >> 32;
		return execute_step(&l).value ? BARRIER_CROWDED : BARRIER_WAITS;
	}
	execute_step(&l);
	return op->result(M.cur, obj, argument);
}

/* It could wait for signals at another object as well. */
static void note_other_signals(struct label *l, const struct sync_op *op, const void *obj)
{
	const void *other = delivery_other_object(obj);

	if (!other)
		return;
	l->other = (u16)execute_object(other, op->state);
	l->flags |= LABEL_EITHER;
}

/* An operation that is no event: memory of the object is used, like that of an access. */
static u64 follow_unordered(const struct sync_op *op, const void *obj, u64 argument)
{
	struct execute_use use;
	u32 block = execute_block((u64)(uintptr_t)obj, 1, NULL, &use);

	execute_use(&use, block);
	return op->result(M.cur, obj, argument);
}

/* Is the thread in a loop, or does it make progress? Of the operation l, before its event. */
static void note_loop(const struct label *l)
{
	if (object_op_has(l->op, OP_TRIES))
		execute_loop_access();
	else if (object_op_has(l->op, OP_WAIT_BEGINS))
		loop_state_wait(&X.f[M.cur->slot].loops);
	else if (!object_op_has(l->op, OP_LOCK | OP_LOOKS | OP_WAIT_ENDS))
		execute_progress();
}

/* The same of its effect s. */
static void note_loop_effect(const struct label *l, const struct step *s)
{
	bool changed = s->excl && s->written != s->value;

	if (changed && object_op_has(l->op, OP_LOCK))
		execute_affects(l->loc, s->value, s->written);
	else if (changed && !object_op_has(l->op, OP_WAIT_BEGINS | OP_WAIT_ENDS))
		execute_progress();
	if (object_op_locks(l->op))
		loop_state_lock(&X.f[M.cur->slot].loops);
}

static u64 follow_sync(const struct sync_op *op, const void *obj, u64 argument, u16 flags)
{
	struct label l = {
		.type = LABEL_SYNC, .op = op->object_op, .flags = flags, .value = argument,
		.site = (u32)M.cur->call_stack};
	struct step s;
	u64 result;

	if ((!X.begun && !op->object_op) || op->kind == EV_EXIT)
		return 0; /* the process ends only when all others are finished or stuck */
	if (!X.begun && sync_alone(op, obj, argument, &result))
		return result;
	if (object_op_has(op->object_op, OP_UNORDERED))
		return follow_unordered(op, obj, argument);
	X.begun = true;
	if (!op->object_op && op->ready)
		execute_unsupported("%s is not explored in graphs", kind_words(op->kind));
	if (!op->object_op) {
		l.op = OBJECT_ORDERED;
		obj = obj ? obj : op;
	}
	if (object_op_has(l.op, OP_HISTORY))
		l.value = execute_history();
	if (sync_is_interruptible(op))
		execute_note_interrupts(&l);
	if (flags & LABEL_TIMED && M.options->sleepers == SLEEPERS_LAST)
		l.expected = M.cur->deadline;
	if (l.op == OBJECT_REPEAT)
		return (execute_repeat(&l), 0);
	note_loop(&l);
	if (object_op_has(l.op, OP_ROUND))
		return follow_round(op, obj, argument, l);
	if (object_op_has(l.op, OP_USES))
		l.other = (u16)execute_block_of(obj, op->kind);
	if (object_op_has(l.op, OP_EITHER))
		note_other_signals(&l, op, obj);
	l.loc = execute_object(obj, op->state);
	M.cur->late = false;
	s = execute_step(&l);
	if (M.cur->late)
		return 0;
	note_loop_effect(&l, &s);
	if (unlikely(object_op_has(l.op, OP_INIT) && !s.excl))
		return OBJECT_MISUSE;
	return object_step(l.op, l.value, M.cur->slot, s.value).result;
}

u64 execute_sync(const struct sync_op *op, const void *obj, u64 argument, u16 flags)
{
	u64 result = follow_sync(op, obj, argument, flags);

	execute_wipe();
	return result;
}

/* --- ends ------------------------------------------------------------------------------------ */

static u64 keep_finding(const struct finding *f)
{
	u32 i;

	for (i = 0; i < X.nfindings; i++)
		if (finding_same(&X.finding[i], f) && X.finding[i].thread == f->thread &&
			X.finding[i].site == f->site)
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
	case OUTCOME_CUT: l.op = LABEL_CUT; break;
	case OUTCOME_ABANDON: case OUTCOME_STEPS: case OUTCOME_STUCK:
		break;
	case OUTCOME_STOPPED:
		execute_leave(EXECUTE_STOPPED);
	default:
		execute_leave(EXECUTE_REFUSED);
	}
	execute_stand_dead(t, &l);
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
	X.alive |= 1ull << slot;
	f->dead_high = 0;
	f->yielded = f->dead = f->ticked = false;
	f->passed = f->marks = f->ordinal = f->steps = f->looked = 0;
	f->again = 0;
	f->skips = false;
	f->used = 0;
	f->foreign_site = f->foreign_writes = 0;
	f->foreign_inside = f->foreign_asks = false;
	region_reset(&f->regions);
	f->counts = 0;
	loop_state_init(&f->loops, slot, (u64)(uintptr_t)stack_end);
	own_memory_thread(slot);
}
