/* SPDX-License-Identifier: ISC */
/*
 * lin.h - is a concurrent object linearizable?
 *
 * The program marks the beginning and end of operations, with their arguments and results, and
 * names the sequential specification; at the end of each execution Heddle looks for an order of the
 * operations that explains all results. If there is none, that is a finding ("linearizability").
 *
 *     heddle_specify(&heddle_spec_queue, 0);          before the first operation, by one thread
 *     ...
 *     heddle_op_begin("enq", 7);   enqueue(q, 7);          heddle_op_end(0);
 *     heddle_op_begin("deq", 0);   got = dequeue(q, &v);   heddle_op_end(got ? v : HEDDLE_EMPTY);
 *
 * Like heddle.h this is harmless without the runtime, and natively: nothing happens.
 *
 * Definition.  Let a < b where a has ended before b begins. A history is linearizable if some total
 * order of its operations extends < and is allowed by the specification; an operation that has not
 * ended may or may not have taken effect, with any result (Herlihy, Wing: Linearizability: a
 * correctness condition for concurrent objects, TOPLAS 1990, section 2.3). Objects are judged
 * separately. In the order of a machine's steps this is equivalent to judging them together
 * (locality, theorem 1 there); happens-before is not an interval order, and there it is weaker
 * (Doherty et al., below).
 *
 * Precedence. a < b iff the end of a happens before the beginning of b: by hb in RC11; by po and rf
 * under SC, TSO and RA; under PSO by po, loads, and releasing stores; and by synchronisation of the
 * program. Unordered operations may take either order, whatever the wall clock says: no thread can
 * observe it. (In place of real time: Batty, Dodds, Gotsman: Library abstraction for C/C++
 * concurrency, POPL 2013; Doherty, Dongol, Wehrheim, Derrick: Making linearizability compositional
 * for partially ordered executions, iFM 2018, "causal linearizability"; Raad, Doko, Rozic, Lahav,
 * Vafeiadis: On library correctness under weak memory consistency, POPL 2019.) So the test must
 * contain all by which a client can distinguish executions: for a lock, the data that it protects.
 *
 * With --real-time it is the order of steps (--strategy dfs, random, pct; graphs have no such
 * order, and refuse it): a < b iff a's last step is before b's first. A store that is still in its
 * buffer when its operation ends has not taken effect, so under TSO a plain store is not a
 * linearizable write (Derrick, Smith, Dongol: Verifying linearizability on TSO architectures, iFM
 * 2014). Histories that fail by happens-before also fail by real time, but not vice versa.
 *
 * Algorithm.  Wing, Gong: Testing and verifying concurrent objects, JPDC 1993, with memoized
 * states: Lowe: Testing for linearizability, CCPE 2017. Each distinct history is judged once. The
 * cost is exponential in the number of overlapping operations, and bounded: HEDDLE_SPEC_OPS
 * operations of an object; a history that is longer or has too many states is not judged, and a
 * note says so.
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
/* Inlined even without optimisation: reports then name the program's own lines. */
#define HEDDLE_LIN_INLINE static inline __attribute__((always_inline))

#define HEDDLE_SPEC_OPS	  64	/* operations of one object in one execution */
#define HEDDLE_SPEC_STATE 4096	/* maximum bytes of a state */
#define HEDDLE_SPEC_KINDS 32	/* maximum operations of a specification */

/* Results other than values, printed as words. */
#define HEDDLE_EMPTY INT64_MIN	     /* the object was empty */
#define HEDDLE_ABORT (INT64_MIN + 1) /* abandoned without effect */

/* The form of a result in reports. */
enum heddle_result_kind { HEDDLE_NOTHING, HEDDLE_VALUE, HEDDLE_TRUTH };

/* An operation of a specification. */
struct heddle_operation {
	const char *name;
	int arguments; /* 0..2 */
	int result;    /* enum heddle_result_kind; of NOTHING the value is ignored */
};

/* A call of an operation. */
struct heddle_op {
	int operation;	  /* index in heddle_spec.operation */
	int thread;	  /* unique within the execution */
	bool returned;	  /* it has ended: ret is its result */
	int64_t arg[2];
	int64_t ret;
};

/*
 * The sequential behaviour of an object. All functions are called outside of executions: they are
 * not explored, and may access only their arguments and constants. A state is plain bytes, without
 * pointers into it.
 */
struct heddle_spec {
	const char *name;
	size_t size; /* bytes of a state, HEDDLE_SPEC_STATE at most; all zero before init */
	const struct heddle_operation *operation; /* the last has no name */
	/* The state before the first operation. NULL: all zero. */
	void (*init)(void *state, int64_t parameter);
	/*
	 * May op be next, with its result? If so, update the state. If !op->returned, any result
	 * is allowed: set op->ret to one. Otherwise return false: the state is then
	 * indeterminate, and op->ret is set to a result that would have been allowed (for the
	 * report).
	 */
	bool (*apply)(void *state, struct heddle_op *op);
	/* Equality of states, and a hash consistent with it. NULL: bytes are compared. */
	bool (*equal)(const void *a, const void *b);
	uint64_t (*hash)(const void *state);
	/* The state in words, for the report: at most size bytes with the 0. NULL: not printed. */
	void (*print)(const void *state, char *to, size_t size);
};

/* For apply(): the only allowed result. */
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
 * From now on in this execution, operations on `object` must obey the specification; `parameter` is
 * passed to its init(). The address only identifies the object. To be called in each execution (in
 * fn of heddle_check(), in main of `heddle run`), before other threads begin operations on it; at
 * most 16 objects, else a finding of kind misuse. spec NULL, as the predefined ones are without the
 * runtime: nothing happens.
 */
HEDDLE_LIN_INLINE void heddle_specify_object(
	const void *object, const struct heddle_spec *spec, int64_t parameter)
{
	if (heddle_specify_ && spec)
		heddle_specify_(object, spec, parameter);
}

/* The same for the object without address. */
HEDDLE_LIN_INLINE void heddle_specify(const struct heddle_spec *spec, int64_t parameter)
{
	heddle_specify_object(NULL, spec, parameter);
}

/*
 * The calling thread begins an operation on the object. Findings of kind misuse: its last
 * operation has not ended; the object has no specification; that has no such operation.
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

/* The current operation of the calling thread ends with this result. */
HEDDLE_LIN_INLINE void heddle_op_end(int64_t ret)
{
	if (heddle_op_end_)
		heddle_op_end_(ret);
}

/*
 * Predefined specifications. p: the parameter; "empty" is HEDDLE_EMPTY, "abort" HEDDLE_ABORT, b is
 * 0 or 1.
 *
 *   queue          enq(v)  deq() -> v or empty                              first in, first out
 *   bounded_queue  enq(v) -> b: was there room?  deq() -> v or empty        p: its capacity
 *   stack          push(v)  pop() -> v or empty
 *   set            add(v) -> b: is it new?  remove(v) -> b: was it there?  contains(v) -> b
 *   map            put(k, v) -> old value or empty  get(k)  remove(k)  -> likewise
 *   register       write(v)  read() -> v  swap(v) -> old  cas(old, new) -> b   p: the first value
 *   counter        inc()  add(n) -> before  get() -> v                       p: the first value
 *   deque          push(v)  pop() -> v or empty   at one end
 *                  steal() -> v, empty or abort   at the other
 *   lock           lock()  try_lock() -> b  unlock()     only the holder unlocks
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
