/* SPDX-License-Identifier: ISC */
/*
 * lin.h - is a concurrent object linearizable?
 *
 * The program says where operations begin and end, with their arguments and results, and which
 * sequential specification they are to obey; at the end of each execution Heddle looks for one
 * order of the operations that explains all results. If there is none, that is a finding
 * ("linearizability").
 *
 *     heddle_specify(&heddle_spec_queue, 0);          before the first operation, by one thread
 *     ...
 *     heddle_op_begin("enq", 7);   enqueue(q, 7);          heddle_op_end(0);
 *     heddle_op_begin("deq", 0);   got = dequeue(q, &v);   heddle_op_end(got ? v : HEDDLE_EMPTY);
 *
 * Like heddle.h this is harmless without the runtime, and natively: nothing happens.
 *
 * What is checked.  Let a < b where a has ended before b begins. A history is linearizable if a
 *                   total
 * order of its operations extends < and is one that the specification allows; an operation that has
 * not ended may have taken effect, with any result, or not (Herlihy, Wing: Linearizability: a
 * correctness condition for concurrent objects, TOPLAS 1990, section 2.3). Objects are judged one
 * by one. In the order of a machine's steps that is as good as judging them together (locality,
 * theorem 1 there); happens-before is no order of intervals, and there it asks less (Doherty et
 * al., below).
 *
 * Which "before"?  Happens-before: a < b iff the end of a happens before the beginning of b: by hb
 *                  in RC11;
 * by po and rf under SC, TSO and RA; under PSO by po, loads, and what stores release; and by what
 * the program synchronises with. Two operations that nothing orders may stand either way, whatever
 * a clock on the wall says: no thread can tell. (In place of real time: Batty, Dodds, Gotsman:
 * Library abstraction for C/C++ concurrency, POPL 2013; Doherty, Dongol, Wehrheim, Derrick: Making
 * linearizability compositional for partially ordered executions, iFM 2018, "causal
 * linearizability"; Raad, Doko, Rozic, Lahav, Vafeiadis: On library correctness under weak memory
 * consistency, POPL 2019.) So what a client would have to see to tell two executions apart must be
 * part of the test: of a lock, what it protects.
 *
 * With --real-time it is the order of steps, where there is one (--strategy dfs, random, pct;
 * graphs have none, and refuse it): a < b iff a's last step is before b's first. A store that is
 * still in its buffer when its operation ends counts as not done, so under TSO a plain store is no
 * linearizable write (Derrick, Smith, Dongol: Verifying linearizability on TSO architectures, iFM
 * 2014). What fails by happens-before fails by real time, and not the other way round.
 *
 * How.  Wing, Gong: Testing and verifying concurrent objects, JPDC 1993, with the states remembered
 *       that
 * have been tried: Lowe: Testing for linearizability, CCPE 2017. Histories that have been judged
 * once are not judged again. The cost is exponential in the number of operations that overlap; all
 * is bounded: HEDDLE_SPEC_OPS operations of an object; a history that is longer, or has more states
 * than there is room for, is not judged, and the end of the run says so.
 */
#ifndef HEDDLE_LIN_H
#define HEDDLE_LIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_LIN_WEAK __attribute__((weak))
/* Also where nothing is optimised: reports then name the program's own lines. */
#define HEDDLE_LIN_INLINE static inline __attribute__((always_inline))

#define HEDDLE_SPEC_OPS	  64	/* operations of one object in one execution */
#define HEDDLE_SPEC_STATE 4096	/* bytes that a state may have */
#define HEDDLE_SPEC_KINDS 32	/* operations that a specification may know */

/* Results that are no values: printed as words. */
#define HEDDLE_EMPTY INT64_MIN	     /* there was nothing to be had */
#define HEDDLE_ABORT (INT64_MIN + 1) /* gave up: nothing has been done */

/* How reports show a result. */
enum heddle_result_kind { HEDDLE_NOTHING, HEDDLE_VALUE, HEDDLE_TRUTH };

/* An operation that a specification knows. */
struct heddle_operation {
	const char *name;
	int arguments; /* 0..2 */
	int result;    /* enum heddle_result_kind; of NOTHING the value is ignored */
};

/* One that has been called. */
struct heddle_op {
	int operation;	  /* index in heddle_spec.operation */
	int thread;	  /* who: a number that no other thread of the execution has */
	bool returned;	  /* it has ended: ret is its result */
	int64_t arg[2];
	int64_t ret;
};

/*
 * What an object does when its operations come one after the other. All functions are called
 * outside of executions: they are not explored, and must touch nothing but the states that they are
 * given and constants. A state is plain bytes: no pointers into it.
 */
struct heddle_spec {
	const char *name;
	size_t size; /* bytes of a state, HEDDLE_SPEC_STATE at most; all zero before init */
	const struct heddle_operation *operation; /* the last has no name */
	/* The state before the first operation. NULL: all zero. */
	void (*init)(void *state, int64_t parameter);
	/*
	 * May op be next, with its result? Then the state is changed to what follows. Where
	 * !op->returned every result will do: op->ret is set to one. If it may not, false: the
	 * state may be anything then, and op->ret is set to a result that it could have had (for
	 * the report).
	 */
	bool (*apply)(void *state, struct heddle_op *op);
	/* Are two states the same; a number that is the same for states that are. NULL: bytes
	 * count. */
	bool (*equal)(const void *a, const void *b);
	uint64_t (*hash)(const void *state);
	/* The state in words, for the report: at most size bytes with the 0. NULL: not shown. */
	void (*print)(const void *state, char *to, size_t size);
};

/* For apply(): the result can only be this. */
static inline bool heddle_returns(struct heddle_op *op, int64_t value)
{
	bool fits = !op->returned || op->ret == value;

	op->ret = value;
	return fits;
}

void heddle_specify_(const void *object, const struct heddle_spec *spec, int64_t parameter)
	HEDDLE_LIN_WEAK;
void heddle_op_begin_(const void *object, const char *name, int64_t a, int64_t b) HEDDLE_LIN_WEAK;
void heddle_op_end_(int64_t ret) HEDDLE_LIN_WEAK;

/*
 * The operations on `object` from now on, in this execution, are to obey the specification;
 * `parameter` is for its init(). The address only tells objects apart. To be called in each
 * execution (in fn of heddle_check(), in main of `heddle run`), before other threads begin
 * operations on it; 16 objects at most, else a finding of kind misuse. spec NULL, as a ready one is
 * without the runtime: nothing happens.
 */
HEDDLE_LIN_INLINE void heddle_specify_object(
	const void *object, const struct heddle_spec *spec, int64_t parameter)
{
	if (heddle_specify_ && spec)
		heddle_specify_(object, spec, parameter);
}

/* The same for the one object that needs no address. */
HEDDLE_LIN_INLINE void heddle_specify(const struct heddle_spec *spec, int64_t parameter)
{
	heddle_specify_object(NULL, spec, parameter);
}

/*
 * The calling thread begins an operation on the object. Findings of kind misuse: one is under way
 * already; the object has no specification; that knows no operation of this name.
 */
HEDDLE_LIN_INLINE void heddle_op_begin_on(
	const void *object, const char *name, int64_t a, int64_t b)
{
	if (heddle_op_begin_)
		heddle_op_begin_(object, name, a, b);
}

/* The same on the object without address, and with one argument (ignored where there is none). */
HEDDLE_LIN_INLINE void heddle_op_begin(const char *name, int64_t argument)
{
	heddle_op_begin_on(NULL, name, argument, 0);
}

/* The operation that the calling thread has under way ends with this result. */
HEDDLE_LIN_INLINE void heddle_op_end(int64_t ret)
{
	if (heddle_op_end_)
		heddle_op_end_(ret);
}

/*
 * Ready specifications. p: the parameter; "empty" is HEDDLE_EMPTY, "abort" HEDDLE_ABORT, b is 0 or
 * 1.
 *
 *   queue          enq(v)  deq() -> v or empty                              first in, first out
 *   bounded_queue  enq(v) -> b: was there room?  deq() -> v or empty        p: how many it holds
 *   stack          push(v)  pop() -> v or empty
 *   set            add(v) -> b: is it new?  remove(v) -> b: was it there?  contains(v) -> b
 *   map            put(k, v) -> what k had, or empty  get(k)  remove(k)  -> likewise
 *   register       write(v)  read() -> v  swap(v) -> old  cas(old, new) -> b   p: the first value
 *   counter        inc()  add(n) -> before  get() -> v                       p: the first value
 *   deque          push(v)  pop() -> v or empty   at one end
 *                  steal() -> v, empty or abort   at the other
 *   lock           lock()  try_lock() -> b  unlock()     unlock is the holder's business
 */
extern const struct heddle_spec heddle_spec_queue HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_bounded_queue HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_stack HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_set HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_map HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_register HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_counter HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_deque HEDDLE_LIN_WEAK;
extern const struct heddle_spec heddle_spec_lock HEDDLE_LIN_WEAK;

#ifdef __cplusplus
}
#endif

#endif
