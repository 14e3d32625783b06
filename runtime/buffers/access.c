/* SPDX-License-Identifier: ISC */
/*
 * access.c - loads, stores, RMWs and fences of the explored program on the store-buffer machine.
 *
 * The mapping of C operations:
 *
 *     operation              TSO                PSO
 *     store                  into the buffer    into the buffer
 *     release store          same               marker; store
 *     seq_cst store          store; drain       marker; store; drain
 *     load                   own buffer, else memory
 *     RMW, CAS, failing too  drain; memory      drain; memory
 *     fence seq_cst          drain              drain
 *     fence release, acq_rel nothing            marker
 *
 * Issuing a store is not observable, so the thread does not arrive. At a load it does, even if its
 * own buffer has the value, which may leave the buffer before the load is made. Under SC a store
 * arrives and goes to memory. A single thread needs no buffer.
 */
#include "buffers/access.h"
#include "buffers/buffers.h"
#include "buffers/happens.h"
#include "machine/record/record.h"
#include "machine/access/spinning.h"
#include "machine/execution/tsan_store.h"
#include "heap/stack_check.h"
#include "heap/uninit.h"

#include <heddle/abi.h>

__attribute__((noinline, cold)) void buffers_record(struct thread *t, enum event_kind kind,
	const void *p, u32 size, int order, u16 flags, const u64 value[2], const u64 *old, u32 from)
{
	struct event e = {
		.thread = t->number,
		.kind = (u8)kind,
		.order = order & HEDDLE_ORDER_MASK,
		.flags = flags,
		.size = size,
		.addr = (u64)(uintptr_t)p,
		.value = {value[0], value[1]},
		.from = from,
		.buffered = sched_of(t)->buffer.nstores,
	};

	if (order & HEDDLE_VOLATILE)
		e.flags |= EVENT_VOLATILE;
	if (order & HEDDLE_ASM)
		e.flags |= EVENT_ASM;
	if (order & ACCESS_VIRTUAL)
		e.flags |= EVENT_VIRTUAL;
	if (old) {
		e.old[0] = old[0];
		e.old[1] = old[1];
	}
	record_event(&e);
}

/* --- loads ----------------------------------------------------------------------------------- */

static void park_thread(struct thread *t)
{
	t->parked = true;
	S.nparked++;
	if (M.recording)
		buffers_record(t, EV_READ, (void *)(uintptr_t)t->spin.read[0].addr,
			t->spin.read[0].size, __ATOMIC_RELAXED, EVENT_SPIN, t->spin.read[0].value,
			NULL, 0);
	arrive_blocked(t);
	spin_reset(&t->spin);
}

/* Wait until the overlapping stores in t's own buffer have reached memory. */
void buffers_stall_load(struct thread *t, u64 addr, u32 size)
{
	sched_of(t)->stalled = true;
	sched_of(t)->stall_addr = addr;
	sched_of(t)->stall_size = size;
	arrive_unready(t);
	sched_of(t)->stalled = false;
}

/*
 * When sampling, it is enough that one in several loads of own stores arrives. An overwrite at that
 * moment is rare, and each step is one more chance for all stores to leave their buffers, which
 * would make behaviour that needs long delays several times rarer.
 */
#define OWN_LOADS 4

/* In a schedule to be read, without a step in between: the thread may be in a loop that waits for
 * its own store to be overwritten. */
#define OWN_LOADS_FINE 2

bool buffers_skips_arrival(void)
{
	static PER_EXECUTION u32 loads, step;

	if (!M.fine)
		return M.sampling && buffers_choose(OWN_LOADS, CHOICE_SCHEDULE);
	loads = step == M.steps ? loads + 1 : 0;
	step = M.steps;
	return loads < OWN_LOADS_FINE;
}

void buffers_spinning(struct thread *t)
{
	if (unlikely(thread_spins(t, &sched_of(t)->buffer)))
		park_thread(t);
}

/* Is the last event the same load, of the same instruction? A loop that waits makes many. */
static bool is_repeated_load(const struct thread *t, u64 addr, const u64 value[2])
{
	static u64 site;
	const struct event *e = record_steps() ? &record.event[record_steps() - 1] : NULL;
	bool same = e && e->thread == t->number && e->kind == EV_READ && e->addr == addr &&
		    e->value[0] == value[0] && site == machine_frame->return_address;

	site = machine_frame->return_address;
	return same;
}

/* Memory of this thread alone, or ordered with other accesses: not a step (private.h). */
static void load_private(
	struct thread *t, const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	u64 addr = (u64)(uintptr_t)p;

	memory_read(addr, size, out);
	if (unlikely(M.recording) && !is_repeated_load(t, addr, out))
		buffers_record(t, EV_READ, p, size, order, flags, out, NULL, record_writer(addr));
	uninit_used(addr, size, order, flags, out);
}

/*
 * Is the access of a single thread that no detector has to see (but for --detect=heap and the
 * like), and that cannot be part of a spin loop yet? Most programs begin and end with many.
 */
static inline bool runs_alone(const struct thread *t)
{
	return M.alone && !M.careful && !private_on && t->spin.loads < SPIN_ALONE;
}

static __attribute__((noinline)) void load_alone(
	struct thread *t, const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	u64 addr = (u64)(uintptr_t)p;

	spin_count_alone(&t->spin);
	heap_check(addr, size, false);
	memory_read(addr, size, out);
	alone_step();
	spin_note(&t->spin, addr, size, out);
	uninit_used(addr, size, order, flags, out);
}

static __attribute__((noinline)) void load_shared(
	struct thread *t, const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	u64 addr = (u64)(uintptr_t)p;
	struct store found;
	bool arrived = false, forwarded = false;

	if (flags & EVENT_PLAIN && private_load(t, addr, size)) {
		load_private(t, p, size, order, flags, out);
		return;
	}
	if (unlikely(thread_spins(t, &sched_of(t)->buffer))) {
		park_thread(t);
		arrived = true;
	}
	if (M.alone) {
		heap_check(addr, size, false);
		memory_read(addr, size, found.value);
		alone_step();
	} else {
		forwarded = see_value(t, addr, size, arrived, &found);
		memory_mask(size, found.value);
	}
	spin_note(&t->spin, addr, size, found.value);
	out[0] = found.value[0];
	out[1] = found.value[1];
	if (private_on && !(flags & EVENT_PLAIN))
		private_atomic_load(t, addr, size, order);
	if (unlikely(M.recording))
		buffers_record(t, EV_READ, p, size, order,
			flags | (forwarded ? EVENT_FORWARDED : 0), out, NULL,
			forwarded ? found.step : record_writer(addr));
	if (!forwarded)
		uninit_used(addr, size, order, flags, out);
}

void buffers_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	struct thread *t = M.cur;

	if (likely(runs_alone(t)))
		load_alone(t, p, size, order, flags, out);
	else
		load_shared(t, p, size, order, flags, out);
}

void buffers_load_watched(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p;

	arrive(t);
	INVARIANT(buffer_check_lookup(&sched_of(t)->buffer, addr, size, LOOKUP_MISS, NULL));
	heap_check(addr, size, false);
	memory_read(addr, size, out);
	uninit_used(addr, size, order, flags, out);
	spin_note(&t->spin, addr, size, out);
}

/* --- stores ---------------------------------------------------------------------------------- */

static void store_now(struct thread *t, void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	if (private_on && !(flags & EVENT_PLAIN))
		private_atomic_commit((u64)(uintptr_t)p, size,
			private_atomic_store(t, (u64)(uintptr_t)p, size, order, value));
	heap_check((u64)(uintptr_t)p, size, true);
	memory_write((u64)(uintptr_t)p, size, value);
	uninit_wrote((u64)(uintptr_t)p, size);
	if (unlikely(M.recording))
		buffers_record(t, EV_WRITE, p, size, order, flags, value, NULL, 0);
	if (unlikely(S.nparked))
		memory_changed((u64)(uintptr_t)p, size);
}

static void wait_for_room(struct thread *t)
{
	M.bounds |= BOUND_BUFFER;
	sched_of(t)->full = sched_of(t)->eager = true;
	arrive_unready(t);
	sched_of(t)->full = false;
}

static void drain_buffer(struct thread *t)
{
	if (unlikely(M.stepwise) && stepwise_drain(t))
		return;
	if (buffer_empty(&sched_of(t)->buffer))
		return;
	sched_of(t)->need_empty = sched_of(t)->eager = true;
	arrive_unready(t);
	sched_of(t)->need_empty = false;
}

static void mark_buffer(struct thread *t)
{
	if (M.buffers != BUFFERS_BY_LOCATION || buffer_empty(&sched_of(t)->buffer))
		return;
	while (sched_of(t)->buffer.n >= M.buffer_size)
		wait_for_room(t);
	buffer_mark(&sched_of(t)->buffer);
}

/* The message of an atomic store (happens.h) is in its second word until the store reaches memory;
 * without a spare second word it is sent at once. */
static void keep_message(struct thread *t, const void *p, u32 size, int order, u64 value[2])
{
	u64 addr = (u64)(uintptr_t)p;
	u32 message = private_atomic_store(t, addr, size, order, value);

	if (size <= 8)
		value[1] = message;
	else
		private_atomic_commit(addr, size, message);
}

static void store_buffered(
	struct thread *t, void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	u64 kept[2] = {value[0], value[1]};
	u32 before, step = 0;

	heap_check((u64)(uintptr_t)p, size, true);
	memory_probe((u64)(uintptr_t)p, size);
	while (unlikely(sched_of(t)->buffer.n >= M.buffer_size))
		wait_for_room(t);
	before = buffer_ready(t);
	if (unlikely(M.recording))
		step = record_steps() + 1;
	if (private_on && !(flags & EVENT_PLAIN))
		keep_message(t, p, size, order, kept);
	buffer_push(&sched_of(t)->buffer, (u64)(uintptr_t)p, size, kept, step);
	buffer_changed(t, before);
	if (unlikely(M.recording))
		buffers_record(t, EV_WRITE, p, size, order, flags | EVENT_BUFFERED, value, NULL, 0);
}

static __attribute__((noinline)) void store_alone(
	struct thread *t, void *p, u32 size, const u64 value[2])
{
	u64 addr = (u64)(uintptr_t)p;

	spin_reset(&t->spin);
	alone_step();
	heap_check(addr, size, true);
	memory_write(addr, size, value);
	uninit_wrote(addr, size);
}

static __attribute__((noinline)) void store_shared(
	struct thread *t, void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	int mo = order & HEDDLE_ORDER_MASK;

	spin_reset(&t->spin);
	if (flags & EVENT_PLAIN && private_store(t, (u64)(uintptr_t)p, size, value)) {
		store_now(t, p, size, value, order, flags);
		return;
	}
	if (unlikely(M.careful && !M.alone && M.buffers != BUFFERS_NONE))
		stepwise_store(t);
	if (M.alone) {
		alone_step();
		store_now(t, p, size, value, order, flags);
		return;
	}
	if (M.buffers == BUFFERS_NONE) {
		arrive(t);
		store_now(t, p, size, value, order, flags);
		return;
	}
	if (mo >= __ATOMIC_RELEASE)
		mark_buffer(t);
	store_buffered(t, p, size, value, order, flags);
	if (mo == __ATOMIC_SEQ_CST)
		drain_buffer(t);
}

void buffers_store(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	struct thread *t = M.cur;

	if (likely(runs_alone(t)))
		store_alone(t, p, size, value);
	else
		store_shared(t, p, size, value, order, flags);
}

/* --- RMW and fences -------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void arrive_rmw(struct thread *t)
{
	bool arrived = false;

	if (unlikely(thread_spins(t, &sched_of(t)->buffer))) {
		sched_of(t)->need_empty = true;
		park_thread(t);
		sched_of(t)->need_empty = false;
		arrived = true;
	}
	if (M.alone)
		alone_step();
	else if (!arrived)
		arrive_drained(t);
}

void buffers_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p, old[2], new[2];

	arrive_rmw(t);
	heap_check(addr, size, true);
	memory_read(addr, size, old);
	uninit_used(addr, size, uninit_all(order, size), 0, old);
	memory_update(size, old, value, op, new);
	update_memory(t, addr, size, old, new);
	if (private_on)
		private_atomic_rmw(t, addr, size, order);
	if (unlikely(M.recording))
		buffers_record(t, EV_RMW, p, size, order, 0, new, old, record_writer(addr));
	value[0] = old[0];
	value[1] = old[1];
}

/* Graphs have their own limit, in the explorer. */
static u64 weak_cas_allowed(bool plan)
{
	u64 n = M.options->weak_cas;

	return n == WEAK_CAS_AUTO && !plan && M.options->strategy != STRATEGY_STATES ? 0 : n;
}

static inline __attribute__((always_inline)) bool update_if_equal(
	bool plan, void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p, old[2];
	int order = (orders & HEDDLE_ASM);
	bool ok, rare = false;

	arrive_rmw(t);
	heap_check(addr, size, true);
	memory_read(addr, size, old);
	uninit_used(addr, size, uninit_all(orders, size), 0, old);
	ok = old[0] == expected[0] && old[1] == expected[1];
	if (ok && (orders & HEDDLE_WEAK) && (!M.alone || plan) &&
		choose_rare(CHOICE_WEAK_CAS, weak_cas_allowed(plan))) {
		ok = false;
		rare = true;
		spin_reset(&t->spin); /* it may succeed next time */
	}
	finish_cas(t, addr, size, old, ok ? desired : NULL, orders);
	if (unlikely(M.recording))
		buffers_record(t, ok ? EV_CAS : EV_CAS_FAIL, p, size,
			order | ((ok ? orders : orders >> 8) & HEDDLE_ORDER_MASK),
			rare ? EVENT_RARE : 0,
			ok ? desired : old, old, record_writer(addr));
	expected[0] = old[0];
	expected[1] = old[1];
	return ok;
}

bool buffers_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	return update_if_equal(false, p, size, expected, desired, orders);
}

bool buffers_plan_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	return update_if_equal(true, p, size, expected, desired, orders);
}

void buffers_fence(int order)
{
	struct thread *t = M.cur;
	int mo = order & HEDDLE_ORDER_MASK;
	u64 none[2] = {0, 0};

	if (unlikely(M.stepwise))
		stepwise_fence(t, mo);
	if (mo == __ATOMIC_SEQ_CST)
		drain_buffer(t);
	else if (mo >= __ATOMIC_RELEASE)
		mark_buffer(t);
	if (private_on)
		happens_fence(t, mo);
	if (unlikely(M.recording))
		buffers_record(t, EV_FENCE, NULL, 0, order, 0, none, NULL, 0);
}

/* --- on the program's behalf ----------------------------------------------------------------- */

void buffers_frame_leave(u64 sp, u64 frame)
{
	struct thread *t = M.cur;
	u64 low = fiber_low(t->slot);
	u32 before;

	stack_check_leave(sp, frame);
	if (likely(!sched_of(t)->buffer.n) || frame - low >= FIBER_STACK_STRIDE ||
		!buffer_overlaps(&sched_of(t)->buffer, low, frame - low))
		return;
	before = buffer_ready(t);
	buffer_discard(&sched_of(t)->buffer, low, frame);
	buffer_changed(t, before);
}

void buffers_drain(void)
{
	if (!M.alone)
		drain_buffer(M.cur);
}

/* The kernel reads a word: atomically, so it takes no part in races. */
u32 buffers_word(const u32 *word)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)word;
	struct store found = {.value = {*word}};
	bool forwarded = !M.alone && see_value(t, addr, sizeof *word, false, &found);

	memory_mask(sizeof *word, found.value);
	if (private_on)
		private_atomic_load(t, addr, sizeof *word, __ATOMIC_RELAXED);
	if (unlikely(M.recording))
		buffers_record(t, EV_READ, word, sizeof *word, __ATOMIC_RELAXED,
			EVENT_PLAIN | (forwarded ? EVENT_FORWARDED : 0), found.value, NULL,
			forwarded ? found.step : record_writer(addr));
	return (u32)found.value[0];
}
