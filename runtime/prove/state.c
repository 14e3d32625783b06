/* SPDX-License-Identifier: ISC */
/* state.c - see state.h. */
#include "prove/state.h"
#include "base/prng.h"
#include "buffers/sched.h"
#include "cycle/state_cycle.h"
#include "heap/heap_priv.h"
#include "kernel/descriptor.h"
#include "machine/wait/interrupt.h"
#include "machine/execution/tsan_store.h"
#include "machine/wait/vtime.h"
#include "object/counter.h"
#include "object/state_table.h"
#include "process/snapshot.h"
#include "process/stack.h"
#include "prove/hidden.h"

#include <stdio.h>

#define IGNORED_MAX 64

/* Ranges that are ignored: those of this execution come first. */
static struct { u64 start, end; } ignored[IGNORED_MAX];
static PER_EXECUTION u32 nignored;

bool state_has_time;

static struct state_sum sum;
static void (*see_word)(u64 address, u64 value);

/* --- sums ------------------------------------------------------------------------------------- */

static void add_word(u64 place, u64 value)
{
	u64 hash = prng_mix(place) ^ value;

	sum.a += prng_mix(hash);
	sum.b += prng_mix(hash * 0x9fb21c651e98df25u + 0xd6e8feb86659fd93u);
}

/* A hash of a list of words. */
static u64 mix_in(u64 hash, u64 value)
{
	return prng_mix(hash ^ value) + hash;
}

bool state_ignore(u64 start, u64 size)
{
	if (nignored == IGNORED_MAX)
		return false;
	ignored[nignored].start = start;
	ignored[nignored++].end = start + size;
	return true;
}

void state_sum_begin(void)
{
	M.unrepeatable = NULL;
}

/* The word at this address without the bytes that are ignored. */
static u64 without_ignored(u64 address, u64 value)
{
	for (u32 i = 0; i < nignored; i++)
		for (u32 k = 0; k < 8; k++)
			if (address + k >= ignored[i].start && address + k < ignored[i].end)
				value &= ~(0xffull << 8 * k);
	return value;
}

static void see_state_word(u64 address, u64 value)
{
	if (unlikely(nignored))
		value = without_ignored(address, value);
	if (value)
		see_word(address, value);
}

/* --- memory ----------------------------------------------------------------------------------- */

static u64 read_memory_word(u64 address, u64 size)
{
	u64 value = 0;

	__builtin_memcpy(&value, (const void *)(uintptr_t)address, size);
	return value;
}

static void add_range_sum(u64 start, u64 end)
{
	for (; start + 8 <= end; start += 8)
		see_state_word(start, read_memory_word(start, 8));
	if (start < end)
		see_state_word(start, read_memory_word(start, end - start));
}

/* Words that differ from the saved copy; one that has become 0 is seen as its complement. */
static void see_changed(u64 start, u64 copy, u64 size)
{
	for (u64 i = 0; i < size; i += 8) {
		u64 n = size - i < 8 ? size - i : 8;
		u64 now = read_memory_word(start + i, n), was = read_memory_word(copy + i, n);

		if (unlikely(now != was))
			see_state_word(start + i, now ? now : ~was);
	}
}

/*
 * Objects whose state is kept apart: words of two, in an order that depends on the history. The
 * edges of an eventfd (object/counter.h) are seen by epoll alone.
 */
static void see_objects(u64 start, u64 end)
{
	for (; start < end; start += 16) {
		u64 object = read_memory_word(start, 8), state = read_memory_word(start + 8, 8);
		bool counts = descriptor_is_object(object) && !state_is_number(state);

		see_state_word(object,
			counts && !(state & COUNTER_WATCHED) ? state & COUNTER_MAX : state);
	}
}

void state_each_word(void (*see_it)(u64 address, u64 value))
{
	see_word = see_it;
	snapshot_each_copied(see_changed);
	if (machine_hooks.each_state)
		machine_hooks.each_state(see_objects);
	arenas_each(add_range_sum);
	given_each(add_range_sum);
	for (u32 i = 0; i < M.nthreads; i++)
		tls_each(M.created[i], add_range_sum);
}

/* --- threads ---------------------------------------------------------------------------------- */

static bool is_by_operation(const struct thread *t)
{
	if (!t->op)
		return t->pending.kind && t->pending.kind < PENDING_READS;
	if (t->may_time_out)
		return false;
	return state_cycle_is_simple(t->op, t->obj) || kind_has(t->op->kind, KIND_SPLIT) ||
	       (kind_has(t->op->kind, KIND_THREAD) && t->joins);
}

static bool find_thread_caller(const struct thread *t, struct stack_caller *c)
{
	return is_by_operation(t) && stack_caller_again(t->fiber.sp, c);
}

u32 state_control(const struct thread *t)
{
	struct stack_caller c;
	u64 hash = t->number;

	if (t->finished)
		return 1;
	if (stack_caller_again(t->fiber.sp, &c))
		hash = mix_in(hash, c.ip);
	hash = mix_in(hash, (u64)(uintptr_t)t->op);
	return (u32)mix_in(hash, t->pending.kind);
}

static u64 mix_pending(u64 hash, const struct pending *p)
{
	hash = mix_in(hash, p->kind | (u64)p->flags << 8 | (u64)p->part << 24 | (u64)p->size << 32);
	hash = mix_in(hash, (u64)(u32)p->order | (u64)(u32)p->op << 32);
	hash = mix_in(hash, p->addr);
	for (u32 i = 0; i < array_size(p->value); i++)
		hash = mix_in(hash, p->value[i]);
	return hash;
}

/* Does it matter when a wait ends? */
static bool is_time_seen(void)
{
	return state_has_time || M.options->sleepers == SLEEPERS_LAST;
}

/* The runtime's data on the thread and its operation. */
static u64 mix_thread(const struct thread *t)
{
	const struct sched_thread *o = sched_of(t);
	u64 flags = t->finished | t->detached << 1 | t->joined << 2 | t->exiting << 3 |
		    t->may_time_out << 4 | t->asleep << 5 | o->need_empty << 6 | o->stalled << 7 |
		    o->full << 8 | o->eager << 9 | o->timed_out << 10 | o->in_step << 11 |
		    t->started << 12 | t->ends << 13 | o->stored << 14;
	u64 hash = mix_in(t->slot, flags | (u64)t->number << 32);

	hash = mix_in(hash, (u64)(uintptr_t)t->result);
	hash = mix_in(hash, (u64)(uintptr_t)t->robust);
	hash = mix_in(hash, t->joins);
	if (t->finished)
		return hash;
	hash = mix_in(hash, (u64)(uintptr_t)t->op);
	hash = mix_in(hash, (u64)(uintptr_t)t->obj);
	hash = mix_in(hash, t->op ? t->argument : 0);
	hash = mix_in(hash, (u64)(uintptr_t)o->then);
	hash = mix_in(hash, o->then ? (u64)(uintptr_t)o->then_obj : 0);
	hash = mix_in(hash, o->stalled ? o->stall_addr ^ (u64)o->stall_size << 56 : 0);
	if ((t->asleep || t->may_time_out) && is_time_seen())
		hash = mix_in(hash, vtime_until(t->deadline));
	if (tls_mode == TLS_ERRNO)
		hash = mix_in(hash, (u32)t->fiber.saved_errno);
	hash = mix_in(hash, arch_floats_word(&t->fiber.floats));
	return t->op ? hash : mix_pending(hash, &t->pending);
}

static u64 mix_buffer(const struct thread *t)
{
	const struct buffer *b = &sched_of(t)->buffer;
	u64 hash = t->slot;

	for (u32 i = b->head; i < b->head + b->n; i++) {
		const struct store *s = &b->entry[i];

		hash = mix_in(hash, s->size);
		if (!s->size)
			continue;
		hash = mix_in(hash, s->addr);
		hash = mix_in(hash, s->value[0]);
		hash = mix_in(hash, s->size > 8 ? s->value[1] : 0);
	}
	return hash;
}

static void add_thread(const struct thread *t)
{
	u64 place = prng_mix(t->slot + 1), end = fiber_end(t->slot), low;
	struct stack_caller c;

	add_word(place, mix_thread(t));
	if (t->finished || t->ends)
		return;
	if (find_thread_caller(t, &c)) {
		add_word(place + 1, c.ip);
		add_word(place + 2, c.sp);
		for (u32 i = 0; i < ARCH_SAVED; i++)
			add_word(place + 3 + i, c.saved[i]);
		low = c.sp;
	} else {
		low = sched_of(t)->low ? sched_of(t)->low : (u64)(uintptr_t)t->fiber.sp;
		add_word(place + 2, low);
	}
	see_word = add_word;
	add_range_sum(low, end);
}

/* --- looking at threads ----------------------------------------------------------------------- */

#define LOOK_STACK (64u << 10)

static struct {
	struct fiber fiber;
	void (*work)(void);
	_Alignas(16) u8 stack[LOOK_STACK];
} look;

static void look_on(void)
{
	for (;;) {
		look.work();
		fiber_switch(&look.fiber, &M.cur->fiber);
	}
}

void state_look(void (*work)(void))
{
	look.work = work;
	if (!look.fiber.sp)
		fiber_start(&look.fiber, look.stack + LOOK_STACK, look_on);
	look.fiber.tls = M.scheduler.tls;
	look.fiber.floats = M.scheduler.floats;
	fiber_switch(&M.cur->fiber, &look.fiber);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Are such events bounded in number? */
static bool is_counted(enum choice_why why)
{
	switch (why) {
	case CHOICE_WEAK_CAS: return M.options->weak_cas != WEAK_CAS_AUTO;
	case CHOICE_TIMEOUT: return M.options->timeouts != NUMBER_ANY;
	case CHOICE_SPURIOUS: return M.options->spurious != NUMBER_ANY;
	default: return true;
	}
}

static void add_buffers(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (!t->finished && sched_of(t)->buffer.n)
			add_word(i + 1, mix_buffer(t));
	}
}

static struct state_sum sum_of(bool buffers)
{
	u64 control = 0;

	sum = (struct state_sum){0};
	state_each_word(add_word);
	if (buffers)
		add_buffers();
	add_word(0, state_has_time ? vtime_after(0) : 0);
	for (u32 i = 0; i < CHOICE_KINDS; i++)
		if (is_counted((enum choice_why)i))
			add_word(~(u64)i, M.tally.rare[i]);
	sum.shared = (u32)prng_mix(sum.a);
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		add_thread(t);
		control = mix_in(control, state_control(t));
	}
	sum.control = (u32)control;
	return sum;
}

struct state_sum state_sum(void)
{
	return sum_of(true);
}

struct state_sum state_sum_without_buffers(void)
{
	return sum_of(false);
}

/* Are all states that the operation depends on in the program's memory, or among those of objects
 * that are waited for? */
static bool is_known_operation(const struct sync_op *op)
{
	if (op->object_op == OBJECT_REPEAT)
		return op->kind == EV_FD_POLL; /* it waits */
	return object_op_has(op->object_op, OP_COMPARED) ||
	       kind_has(op->kind, KIND_ONE_STATE) || kind_has(op->kind, KIND_COMPARED);
}

static const char *not_compared(const char *things)
{
	static char words[160];

	snprintf(words, sizeof words, "%s are not part of a state", things);
	return words;
}

const char *state_limit(void)
{
	if (interrupts_on)
		return "signals and cancellation are not part of a state";
	if (tsan_store_used)
		return "stores of code that heddle-cc has not compiled are not part of a state";
	if (M.options->reuse != REUSE_NEVER)
		return "memory that is allocated again is not part of a state (--reuse)";
	if (machine_mapped)
		return not_compared("contents of memory that is mapped (mmap)");
	if (M.unrepeatable)
		return not_compared(M.unrepeatable);
	if (hidden_has_changed())
		return "data that the C library keeps between calls are not part of a state";
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (t->op_begun)
			return "histories (heddle/lin.h) are not part of a state";
		if (!t->finished && t->op && !is_known_operation(t->op))
			return "files, pipes, sockets, clocks, settings of the process and "
			       "generators of random numbers are not part of a state";
	}
	return NULL;
}
