/* SPDX-License-Identifier: ISC */
/*
 * engine.h - an engine, which runs the program: one table of operations.
 *
 * There are two engines. On store buffers (buffers/) the strategy chooses the thread or store that
 * moves next; along an execution graph (graph/) the graph determines the effect of each operation.
 * All operations of the program that differ between them are operations of M.engine. The common
 * part - threads, time, the recorder - is in this folder, and includes neither.
 *
 * A decorator replaces some operations of an engine, and calls those of the next: order overrides
 * (override/), and the search for state cycles (cycle/).
 *
 * Operations that may be NULL, without effect, are marked.
 */
#ifndef MACHINE_ENGINE_H
#define MACHINE_ENGINE_H

#include "machine/machine.h"
#include "model/label.h"

struct loop_visit;
struct module;

enum outcome {
	OUTCOME_EXIT,	 /* the program ended */
	OUTCOME_FAIL,	 /* M.finding says how */
	OUTCOME_ABANDON, /* heddle_assume(false) */
	OUTCOME_KNOWN,	 /* all that follows has been explored: explore/trace_cache.h */
	OUTCOME_CUT,	 /* a bound on the iterations of a loop: loop_bound.h */
	OUTCOME_STEPS,	 /* max-steps */
	OUTCOME_DIVERGE, /* the program did not follow the given choices */
	OUTCOME_STUCK,	 /* no thread is enabled, not to be reported */
	OUTCOME_REFUSE,	 /* cannot be explored: the status page's note has the reason */
	OUTCOME_STOPPED, /* abandoned: the time is up, or an interrupt (clock.h) */
};

enum arrive_how {
	ARRIVE_WAITS,
	ARRIVE_ONLY,  /* the same, without an answer */
	ARRIVE_TRIES, /* an attempt that may fail: always ready */
	ARRIVE_TIMED, /* a timed wait */
	ARRIVE_QUIET, /* neither progress nor an iteration */
};

/* or'ed to the order of a fence that is not in the program; that is an event even if relaxed. */
#define ACCESS_VIRTUAL 0x40
#define ACCESS_EVENT   0x80

struct foreign_range;

struct engine {
	/* --- properties --- */
	bool fast;	/* the common accesses may be made inline (buffers/access.h) */
	bool schedules; /* the strategy chooses each step: states can recur */
	bool late;	/* a read may return a value other than memory's */
	/* The steps of a thread depend on its own history only, as in a graph: it has its own time
	 * and count of rare events (tally()), and cannot tell whether it is the last thread. */
	bool own_history;

	/* --- accesses of 1 to 16 bytes; orders and flags as in heddle/abi.h and event.h --- */
	void (*load)(const void *p, u32 size, int order, u16 flags, u64 out[2]);
	void (*store)(void *p, u32 size, const u64 value[2], int order, u16 flags);
	void (*rmw)(void *p, u32 size, u64 value[2], int op, int order);
	bool (*cas)(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders);
	void (*fence)(int order);
	void (*fence_all)(void); /* of all threads: membarrier() */
	void (*drain)(void);	 /* the thread's stores reach memory */

	/* --- plain accesses of any number of bytes --- */
	void (*read)(void *to, const void *from, size_t n);
	void (*write)(void *to, const void *from, size_t n);
	void (*fill)(void *to, int byte, size_t n);

	/* --- stores that the program makes itself (tsan_store.h): one of n bytes is announced; it
	 * has been made. False: not a step yet, write() it. NULL: never */
	void (*announce)(const void *p, size_t n, u64 code);
	bool (*stored)(const void *p, size_t n);
	/* The thread is about to change a private variable. May be NULL */
	void (*own_write)(u64 addr, u32 size, const void *from);

	/* --- synchronisation: as the function sync_NAME() in machine.h or sync.h --- */
	u64 (*sync)(const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how);
	bool (*sync_timed)(const struct sync_op *op, const void *obj); /* sync_arrive_timed() */
	u64 (*sync_limited)(const struct sync_op *op, const void *obj, bool *late);
	u64 (*sync_until)(const struct sync_op *waits, const struct sync_op *tries,
		const void *obj, bool *late);
	bool (*sync_woken_late)(
		const struct sync_op *takes, const struct sync_op *leaves, const void *obj);
	bool (*sync_join)(const struct sync_op *join, const struct sync_op *leave, u64 argument,
		const u32 *word, u32 expected);
	void (*sync_one_step)(bool on);				  /* may be NULL */
	void (*sync_then)(const struct sync_op *then, const void *obj); /* may be NULL */
	bool (*sync_then_ready)(const struct thread *t);	  /* may be NULL: always */
	void (*sync_failed)(const void *state, u32 size);	  /* may be NULL */
	void (*sync_changed)(const void *obj);			  /* may be NULL */
	bool (*sync_times_out)(void);				  /* may be NULL: never */
	u32 (*read_word)(const u32 *word); /* the kernel does, for a futex */
	/* The initialisation of an object writes this, and its operations read it: an access that
	 * may race. May be NULL: the initialisation is an ordinary step. */
	void (*init_write)(void *to, const void *from, size_t n);
	void (*init_read)(void *to, const void *from, size_t n);

	/* --- waiting for others --- */
	void (*yield)(void);
	bool (*sleep)(u64 nanoseconds); /* --sleepers last; false: nothing to wait for */
	void (*look)(u64 takes); /* at a clock: so many nanoseconds, included; may be NULL */
	void (*await)(bool again);
	void (*progress)(void);
	/* at the head of a loop; may be NULL. True: counters have been moved. */
	bool (*loop_head)(const struct loop_visit *v, u64 site);

	/* --- the thread's stack --- */
	/* A variable of n bytes comes to life, without a value. */
	void (*variable)(u64 addr, u64 n);
	/* A function returns: the memory between the stack pointer and `frame` is dead. */
	void (*frame_leave)(u64 sp, u64 frame);
	/* Code that reads memory directly is about to empty the buffer. / A call of code that is
	 * not instrumented, at the place site, with this stack pointer: of this module, or NULL,
	 * what it writes is known otherwise; range: it writes there only, NULL: unknown. May be
	 * NULL */
	void (*foreign_begins)(void);
	void (*foreign_call)(const struct module *m, u64 site, u64 sp,
		const struct foreign_range *range);

	/* End t's wait, if it is interruptible, or let t go on spinning; may be NULL: t has made a
	 * choice before. */
	void (*interrupt)(struct thread *t, u8 by);
	/* The program does something for the first time (learnt_add()): end the execution, the
	 * search begins again. */
	void (*learnt)(void) __attribute__((noreturn));

	/* --- choices --- */
	u32 (*choose)(u32 n, enum choice_why why); /* n > 1 */
	/* An observation, or the beginning or end of an operation of a history: a choice of one.
	 * True: the engine keeps it. */
	bool (*operation)(enum label_choice what, u32 call, u64 value);

	/* --- threads --- */
	void (*thread_new)(u32 slot, void *stack_end); /* started */
	/* Before a thread is created; may be NULL */
	void (*thread_create)(u32 slot, void *(*start)(void *), void *arg);
	/* Its creator stores its id there, before. False, or NULL: not an event, as no other thread
	 * accesses that: the caller stores it once the thread exists. */
	bool (*store_id)(void *to, const void *id, size_t n);
	/* self has created t, which may run; returns t */
	struct thread *(*thread_created)(struct thread *self, struct thread *t);
	void (*thread_start)(void); /* the first step of a thread; may be NULL */
	void (*thread_exit)(void *result) __attribute__((noreturn));
	void (*thread_join)(struct thread *t, bool timed); /* timed: no deadlock */

	/* --- the state of threads: for the recorder, reports and state cycles; may be NULL --- */
	bool (*enabled)(const struct thread *t); /* NULL: all are */
	bool (*settled)(void); /* have all stores reached memory, all threads arrived? */
	u32 (*stores)(const struct thread *t); /* in its buffer; NULL: none */
	bool (*overlaps_store)(u64 addr, u32 size); /* of the running thread; NULL: never */

	/* --- the heap --- */
	void (*alloc)(const void *p, size_t size, const void *caller);
	void (*free)(const void *p, const void *caller);
	void (*hand_over)(const void *p); /* before alloc() and free(); may be NULL */
	bool (*orders_frees)(void);	  /* are frees checked elsewhere? */

	/* --- the execution --- */
	void (*begin)(void);	/* may be NULL */
	u64 (*history)(void);	/* a hash of the running thread's history; may be NULL */
	bool (*begun)(void);	/* can any other thread observe this one? */
	bool (*keeps_private)(u64 addr, u32 size); /* no other thread is known to access this */
	void (*finish)(void);	/* exit(): leaks and the like; may be NULL */
	void (*end)(enum outcome outcome) __attribute__((noreturn));
	void (*returns)(void);	/* control returns to the program; may be NULL */
	void (*unsupported)(const char *words); /* the engine cannot represent this; may be NULL */
};

struct decorator {
	void (*dress)(struct engine *e); /* replaces operations of e, a copy of *next */
	const struct engine *next;
	struct engine engine;
	bool on;
};

/* Set the engine that the decorators wrap. */
void engine_use(const struct engine *e);

/* Add a decorator to the engine, or remove it. */
void engine_decorate(struct decorator *d, bool on);

/* M.recording or M.watched has changed: may accesses be made inline? */
void engine_update(void);

/* Threads arrive before each store and at each fence, or no longer (M.stepwise). */
void engine_step_all(bool on);

#endif
