/* SPDX-License-Identifier: ISC */
/*
 * deps.h - the dependencies of a program that tracks them (heddle-cc --deps; instrument/README 12),
 * as its threads follow a graph.
 *
 * A *number* stands for a set of loads, each with a bit: does it only pick the value from several?
 * Equal sets have one number; 0 is the empty one; HEDDLE_DEPS_PICK in a number sets the bit of all.
 * Numbers mean the same in all executions. Only those of the running thread's own loads count.
 *
 * The program puts numbers into words of __heddle_deps before an access, the runtime takes them and
 * leaves there the number of the value read. The numbers of private memory are in a table, by
 * bytes. A branch counts for all later events of its thread.
 */
#ifndef GRAPH_DEPS_H
#define GRAPH_DEPS_H

#include "base/base.h"
#include "model/label.h"
#include "model/place.h"

#include "heddle/abi.h"

/* Does the search need the program's dependencies? The functions below may be called only then,
 * but for those that test it themselves (deps_take_...()). */
extern bool deps_on;

/* A search begins, of programs with these places. / A native execution begins. / A thread does. */
bool deps_init(struct places *places, bool on);
void deps_begin(void);
void deps_thread_begin(void);

/* For the next access of the running thread: the dependencies of its address, of its value. */
u32 deps_take(u32 word);
static inline u32 deps_take_address(void)
{
	return unlikely(deps_on) ? deps_take(HEDDLE_DEPS_ADDRESS) : 0;
}
static inline u32 deps_take_data(void)
{
	return unlikely(deps_on) ? deps_take(HEDDLE_DEPS_DATA) : 0;
}
/* Give such a number to the next access that the runtime makes for the program, which copies. */
void deps_give(u32 address);
/* Is the access such a copy? */
bool deps_take_copy(void);

u32 deps_union(u32 a, u32 b);

/* The record (model/hardware/dependency.h) of the running thread's next event, an access or a
 * fence. */
u16 deps_record(const struct label *l, u32 address, u32 data);

/* The number of the event that the running thread has passed last, a read, which l was. */
u32 deps_of_event(const struct label *l);
/* The value that the program gets depends on these. */
void deps_result(u32 n);

/* The same for what a CAS has found, when it expected a value with these dependencies. ok: it
 * succeeded. Returns the number. */
u32 deps_found(u32 expected, bool ok);

/* All later events of the running thread do. */
void deps_branch(u32 n);

/* Private memory: of n bytes, all together; they get these; they get those of other n bytes. */
u32 deps_load(u64 addr, u64 n);
void deps_store(u64 addr, u64 n, u32 of);
void deps_copy(u64 to, u64 from, u64 n);

/* A string function of the runtime begins, which depends on `address'; its reads. While one
 * is in progress: a read of it has this number. */
void deps_collect(u32 address);
u32 deps_collected(void);
u32 deps_collecting(void);
void deps_collect_read(u32 of);

/* Before a call of a function that does not track dependencies: of its result. */
u32 deps_call_foreign(void);

/* A call with variable arguments; one of them, at a place (instrument/deps_variadic.c); the
 * function begins to read them, by its va_list. */
void deps_variadic(void);
void deps_argument(u32 place, u32 of);
void deps_va_start(const void *list);

#endif
