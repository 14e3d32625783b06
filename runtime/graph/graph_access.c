/* SPDX-License-Identifier: ISC */
/*
 * graph_access.c - loads, stores, RMWs and fences of a program that follows an execution graph;
 * graph_plain.c has the plain ones.
 */
#include "graph/graph_access_priv.h"
#include "graph/loop_state.h"
#include "heap/heap_check.h"
#include "model/addition.h"
#include "model/file/cat_model.h"
#include "model/hardware/hardware.h"
#include "machine/access/spinning.h"
#include "process/bytes.h"

static u8 lock_kind(int order)
{
	return order & HEDDLE_LOCK ? LABEL_OF_LOCK : 0;
}

/*
 * An atomic access to a location that begins as malloc() left it. If the first access found another
 * value, code that is not instrumented has stored it, and the block may not be from malloc().
 */
static u16 unwritten_flag(u64 addr, u32 size, u32 loc, int order)
{
	u64 v[2];

	if (addr - ARENA_BASE >= ARENA_SPAN || size < FRESH_SURE ||
		order & (HEDDLE_VOLATILE | HEDDLE_ASM) || !(M.options->detect & DETECT_UNWRITTEN))
		return 0;
	execute_initial(loc, size, v);
	return fresh_has(addr, v, (1u << size) - 1) ? LABEL_UNINIT : 0;
}

/* If the memory is not writable, fault now, in the thread that writes. */
static void probe_writable(u64 addr, u32 size)
{
	volatile u8 *p = (volatile u8 *)(uintptr_t)addr;

	heap_check_not_ours(addr, size);
	p[0] = p[0];
	p[size - 1] = p[size - 1];
}

/* --- before the first event ------------------------------------------------------------------ */

static const struct buffer no_buffer;

/* The thread is alone: update memory directly. False: it spins, for which an event is needed. */
static bool begin_alone(u64 addr, u32 size, u64 old[2])
{
	if (unlikely(thread_spins(M.cur, &no_buffer))) {
		execute_begin();
		return false;
	}
	alone_step();
	heap_check(addr, size, true);
	memory_read(addr, size, old);
	uninit_used(addr, size, uninit_all(0, size), 0, old);
	return true;
}

static void update_alone(u64 addr, u32 size, const u64 old[2], const u64 new[2])
{
	memory_write(addr, size, new);
	uninit_wrote(addr, size);
	if (old[0] == new[0] && old[1] == new[1])
		spin_note(&M.cur->spin, addr, size, old);
	else
		spin_reset(&M.cur->spin);
}

static bool rmw_alone(u64 addr, u32 size, u64 value[2], int op)
{
	u64 old[2], new[2];

	if (execute_begun() || !begin_alone(addr, size, old))
		return false;
	memory_update(size, old, value, op, new);
	update_alone(addr, size, old, new);
	value[0] = old[0];
	value[1] = old[1];
	return true;
}

static bool fails_alone(struct thread *t, int orders)
{
	if (!(orders & HEDDLE_WEAK) ||
		!choose_rare(CHOICE_WEAK_CAS, M.options->weak_cas))
		return false;
	spin_reset(&t->spin); /* it may succeed next time */
	return true;
}

static bool cas_alone(
	u64 addr, u32 size, u64 expected[2], const u64 desired[2], int orders, bool *ok)
{
	u64 old[2];

	if (execute_begun() || !begin_alone(addr, size, old))
		return false;
	*ok = old[0] == expected[0] && old[1] == expected[1] && !fails_alone(M.cur, orders);
	if (*ok)
		update_alone(addr, size, old, desired);
	else
		spin_note(&M.cur->spin, addr, size, old);
	expected[0] = old[0];
	expected[1] = old[1];
	return true;
}

/* --- accesses -------------------------------------------------------------------------------- */

bool graph_keeps_private(u64 addr, u32 size)
{
	u64 end = addr + size;
	struct place place;
	bool atomic, region;

	if (!execute_begun())
		return false;
	for (u64 stop; addr < end; addr = stop) {
		stop = (addr | 7) + 1 < end ? (addr | 7) + 1 : end;
		if (execute_plain_location(addr, (u32)(stop - addr), false, &place, &atomic,
			    &region) ||
			region)
			return false;
	}
	return true;
}

void graph_load(u64 addr, u32 size, int order, u16 flags, u64 out[2])
{
	u32 loc, block, address, bytes = (u32)order >> HEDDLE_USED;
	struct execute_use use;
	struct label l;
	bool counts;

	if (!execute_begun()) {
		alone_step();
		heap_check(addr, size, false);
		memory_read(addr, size, out);
		uninit_used(addr, size, order, flags, out);
		return;
	}
	machine_site = machine_frame->return_address;
	if (flags & EVENT_PLAIN) {
		out[0] = out[1] = 0;
		graph_read_plain(addr, size, (u8 *)out, true, bytes);
		return;
	}
	address = deps_take_address();
	block = execute_block(addr, size, NULL, &use);
	loc = execute_location(addr, size);
	execute_loop_access();
	counts = execute_load_counts(addr, size, bytes, TALLY_LOAD);
	l = access_label(LABEL_READ, loc, size, order);
	l.op = lock_kind(order);
	l.other = (u16)block;
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, 0);
	if (likely(!label_has_pieces(&l))) /* else each piece has an initial value */
		l.flags |= uninit_flag(addr, bytes & ((1u << size) - 1)) |
			   unwritten_flag(addr, size, loc, order);
	execute_unpack(size, execute_step(&l).value, out);
	if (unlikely(counts))
		execute_counted(addr, 0);
	if (unlikely(deps_on))
		deps_result(deps_of_event(&l));
	if (!(order & (HEDDLE_VOLATILE | HEDDLE_ASM)) && !label_has_pieces(&l))
		use_local(addr, size, loc, (1u << size) - 1, out);
}

void graph_store(u64 addr, u32 size, const u64 value[2], int order, u16 flags)
{
	struct execute_use use;
	struct label l;
	u32 block, address, data;
	bool counts;

	if (!execute_begun()) {
		alone_step();
		heap_check(addr, size, true);
		memory_write(addr, size, value);
		uninit_wrote(addr, size);
		return;
	}
	probe_writable(addr, size);
	if (flags & EVENT_PLAIN) {
		graph_write_plain(addr, size, (const u8 *)value);
		return;
	}
	address = deps_take_address();
	data = deps_take_data();
	block = execute_block(addr, size, (const u8 *)value, &use);
	l = access_label(LABEL_WRITE, execute_location(addr, size), size, order);
	l.op = lock_kind(order);
	l.other = (u16)block;
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, data);
	l.value = execute_pack(size, value);
	counts = execute_store_counts(addr, size, TALLY_STORE);
	execute_step(&l);
	if (unlikely(counts))
		execute_counted(addr, size);
	else
		execute_affects(addr, LOOP_UNKNOWN, l.value);
}

/* The label of an RMW or a CAS, without its values. */
static struct label begin_rmw(u32 type, u64 addr, u32 size, const u64 value[2], int order)
{
	struct execute_use use;
	struct label l;
	u32 block, address = deps_take_address(), data = deps_take_data();

	machine_site = machine_frame->return_address;
	block = execute_block(addr, size, (const u8 *)value, &use);
	probe_writable(addr, size);
	l = access_label(type, execute_location(addr, size), size, order);
	execute_updates(l.loc);
	l.other = (u16)block;
	l.flags |= order & HEDDLE_NO_RESULT ? LABEL_NO_RESULT : 0;
	if (likely(!label_has_pieces(&l)))
		l.flags |= uninit_flag(addr, (1u << size) - 1) |
			   unwritten_flag(addr, size, l.loc, order);
	execute_loop_access();
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, data);
	return l;
}

static void use_updated(
	u64 addr, u32 size, const struct label *l, int order, const u64 old[2])
{
	if (unlikely(deps_on))
		deps_result(deps_of_event(l));
	if (!(order & (HEDDLE_VOLATILE | HEDDLE_ASM)) && !label_has_pieces(l))
		use_local(addr, size, l->loc, (1u << size) - 1, old);
}

u64 graph_compared;

void graph_rmw(u64 addr, u32 size, u64 value[2], int op, int order)
{
	struct label l;
	struct step s;
	bool counts;

	if (rmw_alone(addr, size, value, op))
		return;
	l = begin_rmw(LABEL_RMW, addr, size, value, order);
	l.op = (u8)op;
	l.value = execute_pack(size, value);
	if (likely(!label_has_pieces(&l))) {
		l.fail = (u8)(order >> HEDDLE_RESULT);
		l.expected = l.fail > HEDDLE_RESULT_UNUSED ? graph_compared : 0;
	}
	counts = execute_update_counts(addr, size,
		label_adds(&l) && l.fail == HEDDLE_RESULT_UNUSED && !label_has_pieces(&l));
	s = execute_step(&l);
	if (unlikely(counts))
		execute_counted(addr, size);
	else if (s.written != s.value && label_adds(&l))
		execute_adds(addr, s.value, s.written, &l);
	else if (s.written != s.value)
		execute_affects(addr, s.value, s.written);
	execute_unpack(size, s.value, value);
	use_updated(addr, size, &l, order, value);
}

bool graph_cas(u64 addr, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	int fail = orders >> 8 & HEDDLE_ORDER_MASK;
	struct label l;
	struct step s;
	bool ok;

	if (cas_alone(addr, size, expected, desired, orders, &ok))
		return ok;
	l = begin_rmw(LABEL_CAS, addr, size, desired, orders);
	l.op = lock_kind(orders);
	l.fail = (u8)(fail == __ATOMIC_CONSUME ? __ATOMIC_ACQUIRE : fail);
	l.flags |= orders & HEDDLE_WEAK ? LABEL_WEAK : 0;
	l.expected = execute_pack(size, expected);
	l.value = execute_pack(size, desired);
	execute_update_counts(addr, size, false);
	s = execute_step(&l);
	if (s.excl && s.written != s.value)
		execute_affects(addr, s.value, s.written);
	execute_unpack(size, s.value, expected);
	use_updated(addr, size, &l, orders, expected);
	return s.excl;
}

/* The instruction that it is on the model's machine; FENCE_C: that of its order. */
static u8 fence_instruction(u32 kind)
{
	const struct model *m = model_of((enum model_id)M.model);

	if (unlikely(m->is_file))
		return cat_model_has_fence(execute_model_file(), kind) ? (u8)kind : FENCE_C;
	return m->fences && kind < MODEL_FENCES ? m->fences[kind] : FENCE_C;
}

struct fence_object graph_fence_object;

void graph_fence(int order)
{
	struct label l = access_label(LABEL_FENCE, 0, 0, order);

	l.op = fence_instruction((u32)order >> HEDDLE_FENCE & HEDDLE_FENCE_MASK);
	if ((l.order == __ATOMIC_RELAXED && !l.op && !(order & ACCESS_EVENT)) || !execute_begun())
		return;
	if (unlikely(l.op >= FENCE_SRCU_LOCK)) {
		l.loc = (u16)execute_object(graph_fence_object.object, NULL);
		l.value = graph_fence_object.value;
	}
	if (unlikely(deps_on))
		l.deps = deps_record(&l, 0, 0);
	execute_step(&l);
}

void graph_read(void *to, const void *from, size_t n)
{
	if (execute_begun()) {
		graph_read_plain((u64)(uintptr_t)from, n, to, false, 0);
		return;
	}
	heap_check((u64)(uintptr_t)from, n, false);
	bytes_copy(to, from, n);
}

void graph_write(void *to, const void *from, size_t n)
{
	if (!n)
		return;
	if (!execute_begun()) {
		heap_check((u64)(uintptr_t)to, n, true);
		__builtin_memmove(to, from, n);
		uninit_wrote((u64)(uintptr_t)to, n);
		return;
	}
	heap_check_not_ours((u64)(uintptr_t)to, n);
	probe_writable((u64)(uintptr_t)to, 1);
	graph_write_plain((u64)(uintptr_t)to, n, from);
}

void graph_fill(void *to, int byte, size_t n)
{
	u64 at = (u64)(uintptr_t)to, end = at + n, site = machine_site;
	u8 chunk[8];

	if (!execute_begun()) {
		heap_check(at, n, true);
		bytes_fill(to, (u8)byte, n);
		uninit_wrote(at, n);
		return;
	}
	heap_check_not_ours(at, n);
	for (u32 i = 0; i < sizeof chunk; i++)
		chunk[i] = (u8)byte;
	for (u64 part; at < end; at += part) {
		part = (at | 7) + 1 < end ? (at | 7) + 1 - at : end - at;
		machine_site = site;
		graph_write_plain(at, part, chunk);
	}
}
