/* SPDX-License-Identifier: ISC */
/*
 * abi.c - the compiler pass's entry points while exploring; all they do is forward.
 *
 * Loads, RMWs and CASes come through the entry stubs of arch/entry.def, the others directly.
 */
#include "intercept/given.h"
#include "intercept/entry.h"
#include "intercept/intercept.h"
#include "buffers/access.h"
#include "buffers/race.h"
#include "cycle/state_cycle.h"
#include "machine/wait/foreign.h"
#include "machine/execution/loop_bound.h"
#include "machine/execution/tsan_store.h"
#include "machine/wait/unsafe.h"
#include "machine/wait/vtime.h"
#include "process/bytes.h"
#include "process/module.h"
#include "override/override.h"
#include "graph/deps.h"
#include "graph/execute.h"
#include "graph/loop_state.h"
#include "search/limit/model_file.h"
#include "heap/stack_check.h"
#include "heap/uninit.h"

#include <heddle/abi.h>
#include <string.h>

#define CODE ((u64)(uintptr_t)__builtin_return_address(0))

static inline u128 join_words(const u64 v[2])
{
	return (u128)v[1] << 64 | v[0];
}

/* Whether a CAS writes depends on the dependencies of the expected value, which then is the value
 * read. */
static inline u32 expect_deps(const void *expected, u32 size)
{
	u32 of = unlikely(deps_on) ? deps_load((u64)(uintptr_t)expected, size) : 0;

	if (unlikely(of))
		__heddle_deps[HEDDLE_DEPS_DATA + 3] = of | HEDDLE_DEPS_PICK;
	return of;
}

static inline void found_deps(const void *expected, u32 size, u32 of, bool ok)
{
	if (unlikely(deps_on))
		deps_store((u64)(uintptr_t)expected, size, deps_found(of, ok));
}

/* e: the value that is expected. */
static __attribute__((noinline)) int engine_cas(
	void *p, u32 size, void *expected, u64 e[2], const u64 d[2], int orders)
{
	u32 of = expect_deps(expected, size);
	bool ok = access_cas(p, size, e, d, orders);

	found_deps(expected, size, of, ok);
	if (ok)
		return 1;
	if (unlikely(M.engine->own_write && !(orders & HEDDLE_TEMPORARY)))
		M.engine->own_write((u64)(uintptr_t)expected, size, e);
	bytes_copy(expected, e, size);
	return 0;
}

#define FORWARD(size, type) \
	type explore_load##size(const void *p, int order) \
	{ \
		u64 v[2]; \
\
		access_load_fast(p, size, order, 0, v); \
		return (type)join_words(v); \
	} \
	type explore_plain_load##size(const void *p) \
	{ \
		u64 v[2]; \
\
		access_load_fast(p, size, 0, EVENT_PLAIN, v); \
		return (type)join_words(v); \
	} \
	type explore_rmw##size(void *p, type operand, int op, int order) \
	{ \
		u64 v[2] = {(u64)operand, (u64)((u128)operand >> 64)}; \
\
		access_rmw(p, size, v, op, order); \
		return (type)join_words(v); \
	} \
	int explore_cas##size(void *p, type *expected, type desired, int orders) \
	{ \
		u64 e[2] = {(u64)*expected, (u64)((u128)*expected >> 64)}; \
		u64 d[2] = {(u64)desired, (u64)((u128)desired >> 64)}; \
\
		if (unlikely(!access_cas_is_fast(p, orders))) \
			return engine_cas(p, size, expected, e, d, orders); \
		if (access_cas_fast(p, size, e, d, orders)) \
			return 1; \
		*expected = (type)join_words(e); \
		return 0; \
	} \
	EXPORT void __heddle_store##size(void *p, type value, int order) \
	{ \
		u64 v[2] = {(u64)value, (u64)((u128)value >> 64)}; \
\
		if (unlikely(!machine_entered())) \
			native_store##size(p, value, order); \
		else \
			access_store_fast(p, size, v, order, 0, CODE); \
	} \
	static __attribute__((noinline)) void plain_store##size(void *p, type value, u64 code) \
	{ \
		u64 v[2] = {(u64)value, (u64)((u128)value >> 64)}; \
\
		access_store_fast(p, size, v, 0, EVENT_PLAIN, code); \
	} \
	EXPORT void __heddle_plain_store##size(void *p, type value) \
	{ \
		if (unlikely(!machine_entered())) { \
			memcpy(p, &value, size); \
		} else if (private_again(M.cur, (u64)(uintptr_t)p, size, true)) { \
			spin_reset(&M.cur->spin); \
			*(volatile type *)p = value; \
		} else { \
			plain_store##size(p, value, CODE); \
		} \
	}

FORWARD(1, u8)
FORWARD(2, u16)
FORWARD(4, u32)
FORWARD(8, u64)
FORWARD(16, u128)

#define USED(size, type)                                                                           \
	type explore_used_load##size(const void *p, int bytes)                                     \
	{                                                                                          \
		u64 v[2];                                                                          \
                                                                                                   \
		access_load_fast(p, size, bytes << HEDDLE_USED, EVENT_PLAIN, v);                   \
		return (type)v[0];                                                                 \
	}

USED(1, u8)
USED(2, u16)
USED(4, u32)
USED(8, u64)

EXPORT void __heddle_compared(u64 with)
{
	if (machine_entered())
		graph_compared = with;
}

/* Elsewhere it would be a fence, but waits for readers, too. */
static void refuse_grace_period(int order)
{
	u32 kind = (u32)order >> HEDDLE_FENCE & HEDDLE_FENCE_MASK;

	if (kind == HEDDLE_FENCE_RCU_SYNC && !model_file_has_fence(kind))
		machine_refuse("synchronize_rcu(): only under models with grace periods, as "
			       "--model lkmm (heddle help linux)");
}

EXPORT void __heddle_fence(int order)
{
	if (machine_entered()) {
		machine_site = CODE;
		refuse_grace_period(order);
		access_fence(order);
	} else
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORT u32 __heddle_srcu(void *domain, u32 reader, int kind)
{
	if (!machine_entered())
		return 0;
	machine_site = CODE;
	if (kind == HEDDLE_FENCE_SRCU_SYNC && !model_file_has_fence((u32)kind))
		machine_refuse("synchronize_srcu(): only under models with grace periods, as "
			       "--model lkmm (heddle help linux)");
	if (kind == HEDDLE_FENCE_SRCU_LOCK)
		reader |= M.cur->slot << 24;
	graph_fence_object = (struct fence_object){domain, reader};
	access_fence((kind == HEDDLE_FENCE_SRCU_SYNC ? __ATOMIC_SEQ_CST : __ATOMIC_RELAXED) |
		     kind << HEDDLE_FENCE);
	return reader;
}

EXPORT void __heddle_pause(void)
{
	if (machine_entered())
		machine_yield(EV_PAUSE);
	else
		arch_pause();
}

/* A cycle is a nanosecond. */
EXPORT u64 __heddle_cycles(void)
{
	if (!machine_entered())
		return arch_cycles();
	return vtime_read();
}

/* Around accesses that have no single size: virtual fences. */
static void before_range(u64 code, enum site_kind kind, size_t n)
{
	if (unlikely(override_on))
		override_before_range(code, kind, n);
}

static void after_range(u64 code)
{
	if (unlikely(override_on))
		override_after_range(code);
}

/* The next access copies, to or from private memory. */
static inline void give_deps(u32 address)
{
	if (unlikely(deps_on))
		deps_give(address);
}

EXPORT void __heddle_plain_read(void *private_to, const void *p, size_t n)
{
	if (!machine_entered()) {
		memcpy(private_to, p, n);
		return;
	}
	before_range(CODE, SITE_LOAD, n);
	give_deps(deps_take_address());
	machine_read(private_to, p, n);
	after_range(CODE);
}

EXPORT void __heddle_plain_write(void *p, const void *private_from, size_t n)
{
	if (!machine_entered()) {
		memcpy(p, private_from, n);
		return;
	}
	before_range(CODE, SITE_STORE, n);
	give_deps(deps_take_address());
	machine_write(p, private_from, n);
	after_range(CODE);
}

/* Of the two pointers. */
struct copy_deps {
	u32 from, to;
};

/* Copies of at most this many bytes go through a private buffer; larger ones are two steps. */
#define COPY_CHUNK 4096

static void copy_chunk(
	char *to, const char *from, size_t n, char *chunk, const struct copy_deps *deps)
{
	give_deps(deps->from);
	machine_read(chunk, from, n);
	give_deps(deps->to);
	machine_write(to, chunk, n);
}

static void copy_forward(char *to, const char *from, size_t n)
{
	struct copy_deps deps = {deps_take_address(), deps_take_data()};
	char chunk[COPY_CHUNK];

	for (size_t i = 0, part; i < n; i += part) {
		part = n - i < sizeof chunk ? n - i : sizeof chunk;
		copy_chunk(to + i, from + i, part, chunk, &deps);
	}
}

static void copy_backward(char *to, const char *from, size_t n)
{
	struct copy_deps deps = {deps_take_address(), deps_take_data()};
	char chunk[COPY_CHUNK];

	for (size_t part; n; n -= part) {
		part = n < sizeof chunk ? n : sizeof chunk;
		copy_chunk(to + n - part, from + n - part, part, chunk, &deps);
	}
}

EXPORT void *__heddle_memmove(void *to, const void *from, size_t n)
{
	if (!machine_entered())
		return memmove(to, from, n);
	before_range(CODE, SITE_STORE, n);
	if ((u64)(uintptr_t)to - (u64)(uintptr_t)from >= n)
		copy_forward(to, from, n);
	else
		copy_backward(to, from, n);
	after_range(CODE);
	return to;
}

EXPORT void *__heddle_memcpy(void *to, const void *from, size_t n)
{
	if (!machine_entered())
		return memcpy(to, from, n);
	before_range(CODE, SITE_STORE, n);
	copy_forward(to, from, n);
	after_range(CODE);
	return to;
}

EXPORT void *__heddle_memset(void *to, int byte, size_t n)
{
	if (!machine_entered())
		return memset(to, byte, n);
	before_range(CODE, SITE_STORE, n);
	machine_fill(to, byte, n);
	after_range(CODE);
	return to;
}

EXPORT int __heddle_turn(const void *loop, const void *frame, void *values, size_t n,
	int counters, int entered)
{
	struct loop_visit v = {
		.loop = loop,
		.counter = values,
		.ncounters = (u32)counters,
		.values = (struct heddle_counter *)values + counters,
		.frame = (u64)(uintptr_t)frame,
		.sp = (u64)(uintptr_t)__builtin_frame_address(0),
		.n = (u32)n,
		.entered = entered,
	};

	if (!machine_entered())
		return 0;
	if (M.engine->loop_head && M.engine->loop_head(&v, CODE))
		return 1; /* called again */
	if (unlikely(loop_bound_on))
		loop_bound_iteration(loop, v.frame, entered);
	return 0;
}

EXPORT void __heddle_unseen(void)
{
	if (!machine_entered())
		return;
	races_unknown();
	if (state_cycle_on)
		machine_unrepeatable("effects of assembly");
	machine_progress();
}

static const struct sync_op op_opaque = {EV_DRAIN};

static void opaque_note(void)
{
	coverage_note("unknown inline assembly accesses memory (heddle-cc has named it): its "
		      "accesses are not explored");
}

EXPORT void __heddle_opaque(void)
{
	if (!machine_entered())
		return;
	machine_drain();
	races_unknown();
	machine_progress();
	opaque_note();
}

/* It may order any accesses: races may be false, and reads may have other sources. */
EXPORT void __heddle_opaque_order(void)
{
	if (!machine_entered())
		return;
	opaque_note();
	races_unknown();
	machine_unsupported("unknown inline assembly is not explored in graphs");
	sync_arrive(&op_opaque, NULL);
	machine_progress();
}

EXPORT void __heddle_frame_leave(const void *frame)
{
	if (machine_entered())
		M.engine->frame_leave((u64)(uintptr_t)__builtin_dwarf_cfa(),
			(u64)(uintptr_t)frame);
}

EXPORT void __heddle_variable(void *p, size_t n)
{
	if (machine_entered())
		M.engine->variable((u64)(uintptr_t)p, n);
}

/* The module whose uninstrumented code was called last, already noted. */
static const struct module *last_named;

/* May it be instrumented by another compiler, with -fsanitize=thread? */
static bool is_of_tsan(const struct module *m)
{
	static const struct module *last;
	static bool is;

	if (likely(!tsan_store_used))
		return false;
	if (m != last) {
		last = m;
		is = m->is_program || module_refers_to(m, "__tsan_init");
	}
	return is;
}

/* The function's writes are not looked for if its own accesses are announced, or it is silent. */
static const struct module *find_writing_module(const void *function, const struct module *m)
{
	return is_of_tsan(m) || (m->is_libc && silent_function(function)) ? NULL : m;
}

/* Of module m, from the place site. sp: of the caller; its frames are below. */
static __attribute__((noinline)) void call_foreign(
	const void *function, const struct module *m, u64 site, u64 sp,
	const struct foreign_range *range)
{
	machine_drain();
	if (!m->is_libc && !(tsan_store_used && m->is_program))
		foreign_call(m);
	if (M.engine->foreign_call)
		M.engine->foreign_call(find_writing_module(function, m), site, sp, range);
	uninit_foreign();
	if (!m->is_libc) {
		races_unknown();
		stack_check_foreign(sp);
	}
	machine_progress(); /* it may have state, so calls may not be repeatable */
	if (tsan_store_used && m->is_program)
		return; /* it may be instrumented by another compiler */
	if (unlikely(!m->is_libc && m != last_named)) {
		last_named = m;
		coverage_note("%s%s is not instrumented: its accesses to memory are not explored",
			m->instrumented ? "a part of " : "", m->path);
	}
}

void foreign_writes(const void *function, const struct foreign_range *range, u64 site, u64 sp)
{
	const struct module *m = module_find((u64)(uintptr_t)function);

	if (!m)
		return;
	call_foreign(function, m, site, sp, range);
	machine_returns();
}

EXPORT void __heddle_extern_call(const void *function)
{
	const struct module *m;

	if (!machine_entered())
		return;
	m = module_find((u64)(uintptr_t)function);
	if (unlikely(interrupts_on) && m &&
		(m->is_libc || module_in_runtime((u64)(uintptr_t)function)))
		unsafe_function(function, __builtin_return_address(0));
	if (unlikely(given_has(function)))
		m = module_find((u64)(uintptr_t)real(regcomp));
	else if (m && module_is_instrumented((u64)(uintptr_t)function))
		m = NULL;
	if (m) {
		call_foreign(function, m, (u64)(uintptr_t)__builtin_return_address(0),
			(u64)(uintptr_t)__builtin_dwarf_cfa(), NULL);
		machine_returns();
	}
}

void explore_called(const void *function);

/* __heddle_called(): gcc's functions have no mark. */
void explore_called(const void *function)
{
	const struct module *m = module_find((u64)(uintptr_t)function);

	if (machine_entered() && m && !m->instrumented) {
		call_foreign(function, m, (u64)(uintptr_t)__builtin_return_address(0),
			(u64)(uintptr_t)__builtin_dwarf_cfa(), NULL);
		machine_returns();
	}
}

/* --- dependencies ----------------------------------------------------------------------------- */

EXPORT u32 __heddle_deps_union(u32 a, u32 b)
{
	return deps_on ? deps_union(a, b) : 0;
}

EXPORT void __heddle_deps_branch(u32 deps)
{
	if (deps_on)
		deps_branch(deps);
}

EXPORT u32 __heddle_deps_load(const void *p, size_t n, u32 address)
{
	return deps_on ? deps_union(deps_load((u64)(uintptr_t)p, n), address) : 0;
}

EXPORT void __heddle_deps_store(void *p, size_t n, u32 deps, u32 address)
{
	if (deps_on)
		deps_store((u64)(uintptr_t)p, n, deps_union(deps, address));
}

EXPORT void __heddle_deps_copy(void *to, const void *from, size_t n)
{
	if (deps_on)
		deps_copy((u64)(uintptr_t)to, (u64)(uintptr_t)from, n);
}

EXPORT u32 __heddle_deps_call(const void *function)
{
	u64 at = (u64)(uintptr_t)function;
	const struct module *m;

	if (!deps_on)
		return 0;
	m = module_find(at);
	if (m && module_is_instrumented(at) && !module_in_runtime(at))
		return HEDDLE_DEPS_TRACKED;
	return deps_call_foreign();
}

EXPORT void __heddle_deps_collect(u32 address)
{
	if (deps_on)
		deps_collect(address);
}

EXPORT u32 __heddle_deps_collected(void)
{
	return deps_on ? deps_collected() : 0;
}

EXPORT void __heddle_deps_variadic(void)
{
	if (deps_on)
		deps_variadic();
}

EXPORT void __heddle_deps_argument(u32 place, u32 deps)
{
	if (deps_on)
		deps_argument(place, deps);
}

EXPORT void __heddle_deps_va_start(const void *list)
{
	if (deps_on)
		deps_va_start(list);
}
