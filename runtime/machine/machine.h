/* SPDX-License-Identifier: ISC */
/*
 * machine.h - the machine's interface to interception and the synchronisation objects.
 *
 * While an execution is explored, everything runs on one OS thread; a program thread is a fiber.
 * A thread runs until it *arrives* at an operation that others can see; there the strategy chooses
 * the next agent: a thread, or a store that leaves a buffer. So code between two arrivals is
 * atomic, and none of the functions here needs a lock.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/base.h"
#include "base/option.h"
#include "event/event.h"
#include "event/finding.h"
#include "machine/entered.h"
#include "process/coverage.h"
#include "process/tls.h"

struct signal_info;
struct thread;

/* True while a failing execution is run again to record its events. */
extern bool machine_recording;
extern bool machine_lock_order; /* --detect=lock-order */

/* --- threads --------------------------------------------------------------------------------- */

__attribute__((pure)) struct thread *thread_self(void);
__attribute__((pure)) unsigned thread_id(const struct thread *t); /* 0 = main */
unsigned thread_number(const struct thread *t); /* T<number> is its name in reports; 0 = main */
const char *thread_words(u32 number); /* that: "main", "T2". Valid until the next call */
struct thread *thread_by_id(unsigned id);   /* NULL if there is none such in this execution */

/* Create a thread of this execution in its slot; it runs at once until it arrives for the first
 * time, then the caller continues. Returns NULL without memory; slot < 0: THREADS_MAX exist at once
 * (the caller reports EAGAIN). `arg` is passed to start; a detached thread cannot be joined. stack:
 * bytes of its stack at least, if that is more than the default. */
int thread_take_slot(void);
struct thread *thread_create(
	int slot, void *(*start)(void *), void *arg, bool detached, u64 stack);

/* End the calling thread: thread-local destructors have been run by the caller. Its buffer
 * drains. */
_Noreturn void thread_exit(void *result);

bool thread_is_finished(const struct thread *t); /* has exited and its buffer is empty */
void *thread_result(const struct thread *t);
void thread_name(struct thread *t, const char *name);
bool thread_is_detached(const struct thread *t);
void thread_detach(struct thread *t);
bool thread_is_joined(const struct thread *t);
/* Wait until t is finished, mark it joined. Arrives; blocked until then. False: interrupted. */
bool thread_join(struct thread *t, bool timed);

/* --- arriving at a synchronisation operation ------------------------------------------------- */

/* A kind of operation that may wait: one static const struct each. */
struct sync_op {
	enum event_kind kind;
	/* May thread t perform the operation on obj now? NULL = always. Pure; called often. */
	bool (*ready)(const struct thread *t, const void *obj);
	/* The thread id of the thread that keeps obj from being ready, or -1. NULL = no particular
	 * one. */
	int (*holder)(const void *obj);
	/* Its effect: enum object_op (object/object.h); OBJECT_NONE = only waits. / The object's
	 * state in memory, NULL = 0. */
	u8 object_op;
	u64 (*state)(const void *obj);
	/* object_step()'s result for that state; it keeps the next state if the library's object
	 * has no room for it (sync/waiting.h). NULL = 0. */
	u64 (*result)(const struct thread *t, const void *obj, u64 argument);
	/* Do more threads, *users, use obj than its count, *room? NULL = any number may. */
	bool (*crowded)(const void *obj, u32 *users, u32 *room);
};

/*
 * The calling thread arrives at operation `op` on `obj`: its buffered stores drain, it waits until
 * op->ready, and returns when the strategy has chosen it. It is then ready; all steps of the caller
 * before its next arrival are one atomic step.
 */
void sync_arrive(const struct sync_op *op, const void *obj);

/*
 * The same, with an argument and a result, object_step()'s, on which the caller's next steps
 * depend. Along an execution graph it may be of an older state than the one in memory.
 */
u64 sync_step(const struct sync_op *op, const void *obj, u64 argument);

/* The same, but the wait may time out, which returns false. The moment is a choice. */
bool sync_arrive_timed(const struct sync_op *op, const void *obj);

/* The state of obj has changed: check again whether its waiters are ready. */
void sync_changed(const void *obj);

/* Record an operation of the calling thread, for the report. No effect while exploring. */
void sync_event_recorded(enum event_kind kind, const void *obj, u64 argument, u64 result);

/* Checked by lock_order.c. */
void lock_order_note(enum event_kind kind, const void *obj, u64 argument, u64 result);

/* The library's object of this shadow (sync/shadow.h), for events and findings; else itself. */
#define SHADOW_BASE 0x500000000000u
#define SHADOW_SIZE 64 /* bytes: the library's object, then one of pthread's */
#define SHADOWS	    (1u << 20)

static inline u64 sync_named(u64 obj)
{
	if (likely(obj - SHADOW_BASE >= (u64)SHADOWS * SHADOW_SIZE))
		return obj;
	return *(const u64 *)(uintptr_t)(obj & ~(u64)(SHADOW_SIZE - 1));
}

static inline void sync_event(enum event_kind kind, const void *obj, u64 argument, u64 result)
{
	if (unlikely(machine_recording))
		sync_event_recorded(kind, obj, argument, result);
	if (unlikely(machine_lock_order))
		lock_order_note(kind, obj, argument, result);
}

/*
 * The same for an attempt that may fail (trylock), which is always ready. For the spin detector a
 * failed attempt is a load: the caller names the memory on which it depended, and a thread that
 * keeps failing is parked until that memory changes. Only after an entry stub
 * (arch/entry.def).
 */
u64 sync_try(const struct sync_op *op, const void *obj); /* answers like sync_step() */
void sync_failed(const void *state, u32 size);

/* Let other threads run: sched_yield, pause. Not progress for the spin detector. */
void machine_yield(enum event_kind kind);

/* The same, and so much time passes. False: a signal has interrupted it. */
bool machine_sleep(u64 nanoseconds);

/* The calling thread's buffered stores reach memory before it continues (others may move
 * meanwhile): for code that reads memory directly. A bound, unless there are none. */
void machine_drain(void);

/* The buffered stores of all threads do: membarrier(). */
void machine_fence_all(void);

/* The calling thread begins a loop whose failed iterations have no effect; `again`: one has
 * ended. */
void machine_await(bool again);

/* The thread depends on an input that changes by itself (a clock): it is not spinning. */
void machine_progress(void);
/* The thread depends on these things, a plural, that are not compared between states: no state
 * cycle (state_cycle.h) contains such an event. */
void machine_unrepeatable(const char *things);
/* PER_EXECUTION: it has mapped memory, which comparisons of states do not see. */
extern bool machine_mapped;
/* The thread has changed an object, by an operation that graphs represent. */
void machine_wrote(void);

/* --- accesses made on the program's behalf (memory functions) -------------------------------- */

/* Plain accesses of shared memory through the store buffers, any size; one event per 8 bytes. */
void machine_read(void *to, const void *from, size_t n);
void machine_write(void *to, const void *from, size_t n);
void machine_fill(void *to, int byte, size_t n);

/* --- choices --------------------------------------------------------------------------------- */

enum choice_why {
	CHOICE_SCHEDULE,
	CHOICE_WEAK_CAS,
	CHOICE_SPURIOUS,
	CHOICE_TIMEOUT,
	CHOICE_INTERRUPT,
	CHOICE_USER,
	CHOICE_KINDS
};

/* A number in [0, n): USER is heddle_choose(). */
u32 machine_choose(u32 n, enum choice_why why);

/* Does a spurious wake-up happen here? Respects the bounds of the options. */
bool machine_spurious(void);

/* --- time ------------------------------------------------------------------------------------ */

/* Virtual nanoseconds since the execution began; each call moves it by 1 microsecond. */
u64 vtime_now(void);
void vtime_advance(u64 nanoseconds);

/* --- ends of an execution -------------------------------------------------------------------- */

/* The program called exit(status) or main returned: atexit handlers have been run by the caller. */
_Noreturn void machine_exit(int status);

/* This execution is to end by the signal, or if 0 with the status: any other end is a finding. */
void machine_expect_end(int signal, int status);

/* Is that the signal? */
bool machine_expects_signal(int signal);

/* The calling thread ends the process by a signal. Returns if that is not the expected end. */
void machine_end_by(int signal);

/* A finding by the calling thread; file and function may be NULL, line 0. Ends the execution. */
_Noreturn void machine_fail(enum finding_kind kind, const char *file, int line,
	const char *function, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same, about memory at addr. */
_Noreturn void machine_fail_at(u64 addr, enum finding_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* heddle_assume(false): the execution does not count. */
_Noreturn void machine_abandon(void);

/* A loop has begun more iterations than its bound allows: the execution does not count either. */
_Noreturn void machine_cut(void);

/* Heddle cannot test this program (it forks, ...): one line, exit code 2. Never returns. */
_Noreturn void machine_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- hooks for the layers above -------------------------------------------------------------- */

/* Filled in by interception, sync/ and cycle/ before their first use (hooks.c); NULL: nothing to
 * do. */
struct machine_hooks {
	/* A thread's start function has returned: run its destructors and call thread_exit(). */
	void (*thread_returns)(void *result);
	/* A signal is delivered to the running thread; enum delivered. */
	u32 (*signalled)(const struct signal_info *info);
	/* The set of pending signals has changed: waiting threads check again. */
	void (*signals_changed)(void);
	/* The running thread has been cancelled: run its handlers and call thread_exit(). */
	void (*cancelled)(void) __attribute__((noreturn));
	/* An execution has ended, its memory is not yet restored; on the scheduler's stack. Close
	 * its descriptors. Must not arrive. */
	void (*execution_ends)(void);
	/* The program's memory is about to be saved: snapshot_add() more of it. */
	void (*snapshot_begins)(void);
	/* Memory of the runtime that is part of the program's state, and is not restored. */
	void (*each_state)(void (*see)(u64 start, u64 end));
	/* Is the finding in this replay file a known one? Between executions; NULL: the tool
	 * decides. */
	bool (*known)(const char *replay);
	/* The running thread computes without an event: check whether it ever ends
	 * (cycle/endless.h). */
	void (*computes)(void *ucontext);
	/* SIGTRAP after an instruction. True: it belongs to that check. */
	bool (*trapped)(void *ucontext);
};
extern struct machine_hooks machine_hooks;

#endif
