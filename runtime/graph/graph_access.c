/* SPDX-License-Identifier: ISC */
/*
 * graph_access.c - loads, stores, RMWs and fences of a program that follows an execution graph.
 *
 * Plain accesses are split into their locations (sharing.h), one label each. A part of an atomic
 * location is written by reading all of it and writing it back: not observable, unless another
 * thread accesses another part at the same time, which is not a race, and is not explored
 * (graph_search.c).
 */
#include "graph/deps.h"
#include "graph/execute.h"
#include "graph/loop_state.h"
#include "graph/own_memory.h"
#include "graph/region.h"
#include "heap/heap_check.h"
#include "model/addition.h"
#include "model/file/cat_model.h"
#include "model/hardware/hardware.h"
#include "machine/access/spinning.h"
#include "heap/fresh.h"
#include "heap/stack_check.h"
#include "heap/uninit.h"
#include "process/bytes.h"

static inline struct label access_label(u32 type, u32 loc, u32 size, int order)
{
	int mo = order & HEDDLE_ORDER_MASK;

	if (unlikely(order & HEDDLE_ASM))
		M.status->assembly = true;
	return (struct label){
		.type = (u8)type,
		.order = (u8)(mo == __ATOMIC_CONSUME ? __ATOMIC_ACQUIRE : mo),
		.size = (u8)size,
		.flags = (order & (HEDDLE_VOLATILE | HEDDLE_ASM) ? LABEL_VOLATILE : 0) |
			 (order & ACCESS_VIRTUAL ? LABEL_VIRTUAL : 0) |
			 (unlikely(execute_has_pieces(loc)) ? LABEL_PIECES : 0),
		.loc = loc,
		.site = (u32)machine_site,
	};
}

static u8 lock_kind(int order)
{
	return order & HEDDLE_LOCK ? LABEL_OF_LOCK : 0;
}

/* --- plain ----------------------------------------------------------------------------------- */

/* Part of a plain access: in one location, or in none that is shared. */
struct access_part {
	u32 loc;  /* 0: not shared */
	u32 size; /* bytes of the access */
	u32 whole; /* bytes of the location */
	u32 skip; /* bytes of the location before the part */
	bool region; /* in a region: no location of its own */
	bool atomic; /* promoted: an atomic access in place of a race */
	u32 site; /* of the access: others may run between its parts */
};

static struct access_part part_at(u64 at, u64 end, u32 site, bool writes)
{
	u64 stop = (at | 7) + 1 < end ? (at | 7) + 1 : end, last;
	struct place place;
	struct access_part p = {.size = (u32)(stop - at), .site = site};

	p.loc = execute_plain_location(at, p.size, writes, &place, &p.atomic, &p.region);
	if (!p.loc)
		return p;
	if (!p.atomic)
		region_count(at);
	last = place.addr + place.size;
	p.size = (u32)((last < stop ? last : stop) - at);
	p.whole = place.size;
	p.skip = (u32)(at - place.addr);
	return p;
}

static struct label part_label(const struct access_part *p, bool writes)
{
	static const u8 type[2][2] = {
		{LABEL_PLAIN_READ, LABEL_PLAIN_WRITE}, {LABEL_READ, LABEL_WRITE}};
	struct label l = access_label(type[p->atomic][writes], p->loc, p->whole, 0);
	u32 bytes = p->size < p->whole && !p->atomic ? ((1u << p->size) - 1) << p->skip : 0;

	l.site = p->site;
	l.fail = (u8)(p->atomic ? LABEL_PROMOTED : bytes);
	l.op = (u8)(bytes >> 8);
	return l;
}

static u16 uninit_flag(u64 addr, u32 bytes)
{
	return unlikely(uninit_on) && bytes && addr - ARENA_BASE < ARENA_SPAN &&
			       uninit_bytes(addr, bytes)
		       ? LABEL_UNINIT
		       : 0;
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

/* The thread uses these bytes of the value that it has read from loc. */
static void use_local(u64 addr, u32 size, u32 loc, u32 bytes, const u64 v[2])
{
	if (unlikely(stack_has(addr)) && unlikely(fresh_may(addr, size, v[0])) &&
		execute_is_fresh(loc))
		stack_check_value(addr, v, bytes);
}

/* Returns the dependencies of the value. */
static u32 read_part(const struct access_part *p, u32 block, u16 flags, u32 address, u64 v[2])
{
	struct label l = part_label(p, false);

	l.other = (u16)block;
	l.flags |= flags;
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, 0);
	execute_unpack(p->whole, execute_step(&l).value, v);
	return unlikely(deps_on) ? deps_of_event(&l) : 0;
}

static void write_part(
	const struct access_part *p, u32 block, u32 address, u32 data, const u8 *from)
{
	struct label l = part_label(p, true);
	u64 v[2] = {0, 0};

	if (p->size < p->whole)
		read_part(p, block, 0, address, v);
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, data);
	l.other = (u16)block;
	bytes_copy((u8 *)v + p->skip, from, p->size);
	l.value = execute_pack(p->whole, v);
	execute_step(&l);
}

/* Of private memory at `at', part of an access there; returns that of the value read. */
static u32 read_private_deps(u64 at, u32 size, u32 address)
{
	deps_branch(address);
	return deps_union(deps_load(at, size), address);
}

/* from: where the value has been copied from; NULL: it depends on `data'. */
static void write_private_deps(u64 at, u32 size, u32 address, u32 data, const u8 *from)
{
	deps_branch(address);
	if (from && !address)
		deps_copy(at, (u64)(uintptr_t)from, size);
	else
		deps_store(at, size, deps_union(data, address));
}

/* Part of an access was read to `to', and depends on `of'; bytewise: as its bytes do. */
static void note_dependent_read(bool copies, const u8 *to, u64 at, u32 size, bool bytewise, u32 of)
{
	deps_collect_read(of);
	if (!copies)
		return;
	if (bytewise)
		deps_copy((u64)(uintptr_t)to, at, size);
	else
		deps_store((u64)(uintptr_t)to, size, of);
}

/* stub: called through an entry stub. bytes: the bytes that are used, a bit each. */
static void read_plain_bytes(u64 addr, size_t n, u8 *to, bool stub, u32 bytes)
{
	const u8 *all = to;
	u64 at = addr, end = addr + n, v[2];
	u32 site = (u32)machine_site, block, address = deps_take_address(), all_deps = 0, deps;
	bool copies = deps_take_copy(), own = false, counts;
	struct execute_use use;

	counts = execute_load_counts(addr, n, bytes, TALLY_PLAIN);
	bytes &= ~(u32)HEDDLE_USED_COUNTS;
	if (region_has(addr, n, false)) {
		bytes_copy(to, (const void *)(uintptr_t)addr, n);
		if (bytes)
			uninit_used(addr, (u32)n, (int)(bytes << HEDDLE_USED), EVENT_PLAIN,
				(const u64 *)(const void *)all);
		if (unlikely(deps_on))
			deps_result(0);
		if (counts)
			execute_counted(addr, 0);
		return;
	}
	if (unlikely(deps_on))
		address = deps_union(address, deps_collecting());
	block = execute_block(addr, n, NULL, &use);
	while (at < end) {
		struct access_part p = part_at(at, end, site, false);

		if ((p.loc || p.region) && stub) {
			execute_loop_access();
			stub = false;
		}
		if (p.loc) {
			deps = read_part(&p, block, p.size == n ? uninit_flag(addr, bytes) : 0,
				address, v);
			bytes_copy(to, (u8 *)v + p.skip, p.size);
			if (unlikely(p.size == n && stack_has(at)))
				use_local(at, p.size, p.loc, bytes, (const u64 *)(const void *)all);
		} else {
			if (p.region)
				region_enter(at, false, block);
			else
				own = execute_use(&use, block);
			deps = unlikely(deps_on) ? read_private_deps(at, p.size, address) : 0;
			bytes_copy(to, (const void *)(uintptr_t)at, p.size);
			if (p.size == n && bytes)
				uninit_used(addr, (u32)n, (int)(bytes << HEDDLE_USED), EVENT_PLAIN,
					(const u64 *)(const void *)all);
			if (p.size == n && own && !(counts && tally_has(addr, (u32)n)))
				own_memory_note(at, p.size, false);
		}
		if (unlikely(deps_on)) {
			note_dependent_read(copies, to, at, p.size, !p.loc && !address, deps);
			all_deps = deps_union(all_deps, deps);
		}
		at += p.size;
		to += p.size;
	}
	if (unlikely(deps_on))
		deps_result(all_deps);
	if (counts)
		execute_counted(addr, 0);
}

/* The thread has entered the region. */
static void write_region(u64 addr, u64 n, const u8 *from)
{
	for (u64 i = 0; i < n; i += 8)
		execute_stores(addr + i, n - i < 8 ? (u32)(n - i) : 8, from + i);
	uninit_wrote(addr, n);
	bytes_copy((void *)(uintptr_t)addr, from, n);
}

static void write_plain(u64 addr, size_t n, const u8 *from)
{
	u64 at = addr, end = addr + n;
	u32 site = (u32)machine_site, block, address = deps_take_address(), data = deps_take_data();
	bool copies = deps_take_copy(), own, counts;
	struct execute_use use;

	if (region_has(addr, n, true)) {
		write_region(addr, n, from);
		return;
	}
	counts = execute_store_counts(addr, (u32)n, TALLY_PLAIN);
	block = execute_block(addr, n, from, &use);

	while (at < end) {
		struct access_part p = part_at(at, end, site, true);

		if (copies)
			data = deps_load((u64)(uintptr_t)from, p.size);
		if (p.loc) {
			write_part(&p, block, address, data, from);
			if (p.atomic)
				execute_progress();
			else if (!counts)
				execute_stores(at, p.size, from);
		} else if (p.region) {
			region_enter(at, true, block);
			write_region(at, p.size, from);
		} else {
			own = execute_use(&use, block);
			if (unlikely(deps_on))
				write_private_deps(at, p.size, address, data, copies ? from : NULL);
			if (!counts)
				execute_own_write(at, p.size, from);
			uninit_wrote(at, p.size);
			bytes_copy((void *)(uintptr_t)at, from, p.size);
			if (p.size == n && own)
				own_memory_note(at, p.size, true);
		}
		at += p.size;
		from += p.size;
	}
	if (counts)
		execute_counted(addr, (u32)n);
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
		read_plain_bytes(addr, size, (u8 *)out, true, bytes);
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
		write_plain(addr, size, (const u8 *)value);
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
		read_plain_bytes((u64)(uintptr_t)from, n, to, false, 0);
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
	write_plain((u64)(uintptr_t)to, n, from);
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
		write_plain(at, part, chunk);
	}
}
