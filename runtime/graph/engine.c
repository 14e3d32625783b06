/* SPDX-License-Identifier: ISC */
/*
 * engine.c - an execution graph as an engine (machine/engine.h).
 *
 * When control returns to the program, the stack below is wiped: see execute_wipe().
 */
#include "graph/deps.h"
#include "graph/execute.h"
#include "graph/own_memory.h"
#include "heap/fresh.h"
#include "heap/heap_check.h"
#include "heap/uninit.h"
#include "machine/wait/sync_events.h"
#include "machine/execution/tsan_store.h"
#include "machine/wait/vtime.h"

/* --- accesses --------------------------------------------------------------------------------- */

/* Is there no event yet, and nothing to check? Such an access leaves nothing below the stack. */
static inline bool is_plain_memory(u64 addr, u32 size)
{
	return !execute_begun() && !uninit_on &&
	       (heap_is_known(addr, size) || !access_is_watched(addr));
}

static void load_value(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	if (is_plain_memory((u64)(uintptr_t)p, size)) {
		memory_read((u64)(uintptr_t)p, size, out);
		if (likely(!fresh_may((u64)(uintptr_t)p, size, out[0]))) {
			alone_step();
			return;
		}
	}
	graph_load((u64)(uintptr_t)p, size, order, flags, out);
	execute_wipe();
}

static void store_value(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	if (is_plain_memory((u64)(uintptr_t)p, size) &&
		!module_is_runtime_data((u64)(uintptr_t)p, size)) {
		alone_step();
		memory_write((u64)(uintptr_t)p, size, value);
		return;
	}
	graph_store((u64)(uintptr_t)p, size, value, order, flags);
	execute_wipe();
}

static void update_value(void *p, u32 size, u64 value[2], int op, int order)
{
	graph_rmw((u64)(uintptr_t)p, size, value, op, order);
	execute_wipe();
}

static bool compare_and_swap(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	bool ok = graph_cas((u64)(uintptr_t)p, size, expected, desired, orders);

	execute_wipe();
	return ok;
}

static void fence_thread(int order)
{
	graph_fence(order);
	execute_wipe();
}

static void fence_all(void)
{
	if (M.buffers != BUFFERS_NONE)
		execute_unsupported("membarrier() is not explored in graphs");
}

static void drain_nothing(void)
{
}

static void read_range(void *to, const void *from, size_t n)
{
	graph_read(to, from, n);
	execute_wipe();
}

static void write_range(void *to, const void *from, size_t n)
{
	graph_write(to, from, n);
	execute_wipe();
}

/* Shared from the beginning: discovering it late would end an execution in which another thread's
 * race is about to be reported. */
static void read_init(void *to, const void *from, size_t n)
{
	execute_know((u64)(uintptr_t)from, (u32)n, false);
	read_range(to, from, n);
}

static void write_init(void *to, const void *from, size_t n)
{
	execute_know((u64)(uintptr_t)to, (u32)n, false);
	write_range(to, from, n);
}

static void fill_range(void *to, int byte, size_t n)
{
	graph_fill(to, byte, n);
	execute_wipe();
}

static void announce_store(const void *p, size_t n, u64 code)
{
	u8 unused[LATE_MAX];

	if (!tsan_store_reads || n > LATE_MAX)
		return;
	machine_site = code;
	read_range(unused, p, n);
}

/* --- synchronisation and waiting -------------------------------------------------------------- */

static u64 synchronise_object(
	const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	return execute_sync(op, obj, argument, how == ARRIVE_TIMED ? LABEL_TIMED : 0);
}

/* Linux has a full barrier before, (A) in its source; those of models with store
 * buffers are in the operations on objects. */
static u32 read_object_word(const u32 *word)
{
	struct label l = {.type = LABEL_READ,
		.fail = LABEL_FUTEX,
		.order = __ATOMIC_RELAXED,
		.size = sizeof *word};
	u32 value;

	if (!execute_begun()) {
		graph_read(&value, word, sizeof value);
		return value;
	}
	if (M.buffers == BUFFERS_UNDEFINED)
		graph_fence(__ATOMIC_SEQ_CST);
	l.loc = execute_location((u64)(uintptr_t)word, sizeof *word);
	return (u32)execute_step(&l).value;
}

/* --strategy rf has no time. */
static void check_strategy(void)
{
	if (M.options->strategy == STRATEGY_RF)
		execute_unsupported("sleeps and timed waits with --sleepers last are not explored "
				    "by --strategy rf");
}

/* With --sleepers last only when no other thread is enabled. */
static bool times_out(void)
{
	if (M.options->sleepers == SLEEPERS_ANY)
		return choose_rare(CHOICE_TIMEOUT, M.options->timeouts);
	check_strategy();
	return false;
}

static bool synchronise_timed(const struct sync_op *op, const void *obj)
{
	if (M.options->sleepers == SLEEPERS_LAST)
		execute_unsupported("%s with a time limit and --sleepers last is not explored in "
				    "graphs",
			kind_words(op->kind));
	if (times_out())
		return false;
	execute_sync(op, obj, 0, LABEL_TIMED);
	return true;
}

static bool graph_sleep_last(u64 nanoseconds)
{
	if (M.nthreads == 1)
		return false;
	check_strategy();
	execute_sleep(vtime_after(nanoseconds));
	return true;
}

static void note_progress(void)
{
	if (execute_begun())
		execute_progress();
	spin_reset(&M.cur->spin);
}

/* --- choices ---------------------------------------------------------------------------------- */

static u32 choose_data(u32 n, enum choice_why why)
{
	if (why == CHOICE_INTERRUPT && M.cur->call)
		return execute_choose_came(M.cur->call);
	return why == CHOICE_SCHEDULE ? 0 : execute_choose(n);
}

static bool keep_operation(enum label_choice what, u32 call, u64 value)
{
	execute_operation(what, call, value);
	return true;
}

/* --- threads ---------------------------------------------------------------------------------- */

static struct thread *let_run(struct thread *self, struct thread *t)
{
	return t;
}

static void graph_start_thread(void)
{
	execute_step(&(struct label){.type = LABEL_START});
	if (unlikely(deps_on))
		deps_thread_begin();
}

static _Noreturn void end_thread(void *result)
{
	execute_end_of_thread(result, 0);
}

static void join_thread(struct thread *t, bool timed)
{
	execute_join(thread_id(t), timed ? LABEL_TIMED : 0);
}

/* --- the heap --------------------------------------------------------------------------------- */

static void graph_note_alloc(const void *p, size_t size, const void *caller)
{
	if (execute_heap_on())
		execute_alloc(p, size, caller);
	else
		sync_event(EV_MALLOC, p, size, 0);
}

static void graph_note_free(const void *p, const void *caller)
{
	own_memory_forget((u64)(uintptr_t)p, heap_size(p));
	if (execute_heap_on())
		execute_free(p, caller);
	else
		sync_event(EV_FREE, p, 0, 0);
}

static void refuse_program(const char *words)
{
	execute_unsupported("%s", words);
}

static bool store_id(void *to, const void *id, size_t n)
{
	write_range(to, id, n);
	return true;
}

const struct engine graph_engine = {
	.late = true,
	.own_history = true,
	.load = load_value,
	.store = store_value,
	.rmw = update_value,
	.cas = compare_and_swap,
	.fence = fence_thread,
	.fence_all = fence_all,
	.drain = drain_nothing,
	.read = read_range,
	.write = write_range,
	.fill = fill_range,
	.announce = announce_store,
	.own_write = execute_own_write,
	.sync = synchronise_object,
	.sync_timed = synchronise_timed,
	.sync_limited = events_limited,
	.sync_until = events_until,
	.sync_woken_late = events_woken_late,
	.sync_join = events_join,
	.sync_times_out = times_out,
	.read_word = read_object_word,
	.init_read = read_init,
	.init_write = write_init,
	.yield = alone_step,
	.sleep = graph_sleep_last,
	.look = execute_look,
	.await = execute_await,
	.progress = note_progress,
	.loop_head = execute_loop_head,
	.variable = execute_variable,
	.frame_leave = execute_frame_leave,
	.foreign_call = execute_foreign_call,
	.learnt = execute_begin_again,
	.choose = choose_data,
	.operation = keep_operation,
	.thread_new = execute_created,
	.thread_create = execute_create,
	.store_id = store_id,
	.thread_created = let_run,
	.thread_start = graph_start_thread,
	.thread_exit = end_thread,
	.thread_join = join_thread,
	.alloc = graph_note_alloc,
	.free = graph_note_free,
	.hand_over = execute_hands_over,
	.orders_frees = execute_heap_on,
	.history = execute_history,
	.begun = execute_begun,
	.keeps_private = graph_keeps_private,
	.end = execute_end,
	.returns = execute_wipe,
	.unsupported = refuse_program,
};
