/* SPDX-License-Identifier: ISC */
/*
 * core.h - the state of the running execution: threads, agents, counts. For the engines, the search
 * and the entry points in intercept; all other code uses machine.h.
 *
 * The state of a thread that only an engine needs is in that engine's part (struct sched_thread in
 * buffers/sched.h), reached by the same pointer; the state of an engine as a whole is in its
 * folder.
 */
#ifndef MACHINE_CORE_H
#define MACHINE_CORE_H

#include "machine/machine.h"
#include "process/fiber.h"
#include "machine/driver.h"
#include "machine/engine.h"
#include "machine/invariants.h"
#include "machine/memory.h"
#include "machine/pending.h"
#include "machine/spin.h"
#include "event/status.h"
#include "explore/explore.h"
#include "model/buffer.h"

#include <heddle/abi.h>

/* Virtual time, and spurious events so far, by enum choice_why. */
struct tally {
	u64 now;
	u32 rare[CHOICE_KINDS];
};

/* What may end a thread's wait, or has ended it (machine/wait/interrupt.h). */
enum interrupt {
	INTERRUPT_CANCEL = 1,
	INTERRUPT_SIGNAL = 2,
	INTERRUPT_FAILED = 4, /* by a signal that came before the wait */
};

/* The innermost signal handler of a thread (machine/wait/handler.h). */
struct signal_handler {
	u64 frame, outer; /* of delivery_now(), 0: none runs; the one that it interrupts */
	const char *call; /* the unsafe call that the thread is in; NULL: none */
	u32 signal, nlocks;
	const void *lock[4]; /* locks taken by handlers */
};

/* Room for the engine's part of a thread. */
#define THREAD_PART (sizeof(struct buffer) + 128)

struct thread {
	u64 epoch; /* first: for entry.S; buffers/happens.h, graph/own_memory.h */
	u64 store_epoch; /* the same, of stores */
	struct fiber fiber;
	u16 slot;	 /* index in M.thread: address of its stack, heap arena, TLS */
	u16 number;	 /* the n-th created in this execution: its name in reports, T<number> */
	bool parked;	 /* spins: waits for a location in spin.read to change */
	bool may_time_out; /* it is at a timed wait that is not over */
	bool late; /* --sleepers last, in a graph: its timed wait is over */
	bool asleep, finished; /* --sleepers last: sleeps until `deadline` */
	const struct sync_op *op; /* it has arrived at this operation; NULL: at an access */
	const void *obj;
	u64 argument;
	u32 op_begun, op_steps,
		op_buffered; /* history.c: it has begun an operation; the counts then */
	u32 foreign; /* uninit.h: blocks allocated before its last call of uninstrumented code */
	u32 stack, announced; /* while recording: the stack where it arrived; that of a store made
				 late (tsan_store.h), 0: none */
	void *(*start)(void *);
	void *arg, *result,
		*robust, /* the last robust mutex that it holds (sync/robust.c) */
		*once; /* the innermost function of pthread_once() that it runs (sync/once.c) */
	bool detached, joined, exiting;
	bool ends; /* it has run all of its code */
	u64 joins; /* it is in pthread_join(): 1 + where the result goes; else 0 */
	bool uncancellable, asynchronous; /* its cancellation is disabled; takes place at once */
	bool cancelled, cancelling; /* it acts on it; it is about to */
	u8 interruptible, interrupted; /* enum interrupt: may end its call; has ended it */
	u8 signal_call; /* enum interrupt_call */
	bool waits_again; /* its call was woken by a signal that another thread has taken */
	u32 calls, call; /* that wait: so many; the one that looks for signals, 0: none */
	bool one_step;	/* sync_one_step() */
	u64 blocked_signals;
	u64 call_blocks; /* instead, while its next call waits, if call_masked */
	bool call_masked;
	struct signal_handler handler;
	bool started;
	bool received, fenced; /* buffers/happens.h */
	u16 parent, nth; /* slot; the n-th child of that */
	u16 nchildren;	 /* created so far in this execution */
	u16 lives; /* threads of this execution that had the slot before */
	u16 first_child, last_child, sibling, next_child; /* slots; survive executions */
	u32 create_stack;
	char name[32];
	u64 dead_low, dead_high; /* heap/stack_check.h: variables of functions that returned */
	u64 foreign_sp; /* the position at its call of uninstrumented code; 0: it has returned */
	u32 returned; /* the step of the last return, while recording */
	u64 call_stack; /* call_stack.h: a hash of it, at the last operation on an object */
	u64 goals; /* likewise: those in whose calls it has arrived */
	bool near_goal, at_goal; /* at another line; it has one of them that no other thread has */
	u64 deadline, waited; /* of its sleep or timed wait; by how much its last time-out advanced
				 the time */
	struct tally tally; /* its own counts: tally() */
	_Alignas(64) u8 part[THREAD_PART];
	struct spin spin;
	struct pending pending;
};

struct machine {
	/* hot */
	struct thread *cur;
	struct thread *thread; /* [THREADS_MAX] */
	enum model_id model; /* machine_set_model() */
	enum buffers buffers;
	u32 steps, max_steps;
	u32 look_at; /* a bound on steps: max_steps, or the start of the search for state cycles;
			0: the strategy sees each step */
	/* Of a single thread: no choices, so many are not suspicious. Their bound, and its least
	 * value. */
	u64 alone_steps, max_alone, max_alone_least;
	bool alone;	    /* one thread, empty buffer: accesses go straight to memory */
	bool recording;
	bool careful; /* no inline accesses: recording, watched, private, or an engine without */
	bool private_now;   /* ordered plain memory is private (buffers/private.h) */
	bool watched;	    /* a detector checks each access */
	const struct engine *engine;
	bool fine; /* recording: threads also arrive before they start and store: to be read, not
		      searched */
	bool stepwise; /* threads arrive before each store and at each fence: all are steps */
	bool sampling;	    /* the search being run, or replayed, samples */
	bool private;	    /* the search treats ordered plain accesses as private */
	bool parks; /* threads that spin (spin.h) */
	const char *unrepeatable; /* machine_unrepeatable(); NULL: not */
	u32 nlive;	    /* threads that are not finished */
	u32 alone_at;	    /* so many are alone: 1; 0, stepwise: none is, once there were others */
	u32 buffer_size;
	u32 nthreads;	    /* numbers of threads given in this execution */
	u32 reuse_from;	    /* the search for a slot to reuse continues at this number */
	struct thread *committer; /* whose store is being written: a fault is attributed to it */
	struct explore explore;
	const struct driver *driver; /* of this execution; NULL: none */
	u16 created[THREADS_MAX]; /* slots of the threads, in order */
	/* cold */
	struct status *status;
	const struct options *options;
	struct tally tally; /* of this execution */
	u32 max_preemptions, max_delays, slots; /* allowed; threads that ever existed */
	enum outcome outcome; /* how the execution ended */
	int exit_status;
	u32 fail_stack;	    /* call stack of the failure, if not the thread's present one */
	struct finding finding;
	struct fiber scheduler; /* the explorer's stack */
	bool in_execution;
	u32 bounds;	    /* enum status_bound met so far in this strategy */
	u64 began;	    /* clock_ns() when the exploration did */
	int (*fn)(void *);  /* the explored function, with */
	void *arg;
};

extern struct machine M;

/* Of machine.h, inline for the code that includes this. */
extern inline __attribute__((gnu_inline, pure)) struct thread *thread_self(void)
{
	return M.cur;
}

extern inline __attribute__((gnu_inline, pure)) unsigned thread_id(const struct thread *t)
{
	return t->slot;
}

/* Is the thread enabled? */
static inline bool thread_is_enabled(const struct thread *t)
{
	return !M.engine->enabled || M.engine->enabled(t);
}

/* Its stores that have not reached memory. */
static inline u32 thread_stores(const struct thread *t)
{
	return M.engine->stores ? M.engine->stores(t) : 0;
}

/* Does one of the running thread's stores overlap this? */
static inline bool thread_overlaps_store(u64 addr, u32 size)
{
	return M.engine->overlaps_store && M.engine->overlaps_store(addr, size);
}

/* The clocks of the running thread. */
static inline struct tally *tally(void)
{
	return M.engine->own_history ? &M.cur->tally : &M.tally;
}

/* Set the page of counts and notes. */
static inline void status_use(struct status *s)
{
	M.status = s;
	coverage_begin(s);
}

extern struct entry_frame *machine_frame;
extern u64 machine_site; /* following a graph, or with sites: return address of the last access */

/* --- the ends of an execution ---------------------------------------------------------------- */

/* Leave the fiber: the execution has ended. */
_Noreturn static inline void execution_end(enum outcome outcome)
{
	M.engine->end(outcome);
}

_Noreturn void execution_fail(void); /* the running thread has failed; with failure_point() */

/* The running thread fails here: a waiting debugger stops. */
void failure_point(void);

/* The bound on steps, or on time, has been reached. */
_Noreturn void step_bound(void);

/* A step that no other thread observes. */
static inline void alone_step(void)
{
	if (unlikely(++M.alone_steps >= M.max_alone))
		step_bound();
}

/* Control goes back to the program. */
static inline void machine_returns(void)
{
	if (unlikely(M.engine->returns))
		M.engine->returns();
}

/* If the engine cannot represent this, it notes the reason and ends the execution. */
void machine_unsupported(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- choice.c: spurious events, and the consequence of excluding them ------------------------- */

bool choose_rare(enum choice_why why, u64 allowed);
const char *rare_words(enum choice_why why);

/* --- wait.c: waits of threads ------------------------------------------------------------ */

struct wait;
void stuck_wait(const struct thread *t, struct wait *w);
u32 stuck_waits(struct wait *w); /* the blocked threads, w[THREADS_MAX] */
void stuck_show(const struct wait *w, u32 n, void (*show)(struct thread *t)); /* to a debugger */

/* --- thread.c: bring slot's thread to life; NULL when memory or threads are short. parent NULL:
 * main. stack: as for thread_create(). */
struct thread *thread_begin(u16 slot, struct thread *parent, void (*entry)(void), u64 stack);

#endif
