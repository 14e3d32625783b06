/* SPDX-License-Identifier: ISC */
/*
 * tsan_store.h - accesses that a compiler announces before it makes them itself
 * (-fsanitize=thread).
 *
 * Such code announces the address of a store, not its value. No other thread runs between the
 * announcement and the thread's next call of the runtime, when the store has been made: the new
 * value is taken from memory, the old one restored, and the store performed as if the program had
 * called the runtime with it (machine_settle). Likewise, the value that a thread reads is put into
 * memory temporarily if memory has another one. machine_exploring has a flag for pending accesses;
 * all entry points test it anyway.
 */
#ifndef MACHINE_EXECUTION_TSAN_STORE_H
#define MACHINE_EXECUTION_TSAN_STORE_H

#include "machine/core.h"

#define LATE_MAX 4096 /* bytes of a store; longer ones are taken as one step */

/* The program is going to store n bytes at p. order: HEDDLE_VOLATILE or 0 = plain. code: its
 * address. */
void tsan_store(void *p, size_t n, int order, const void *code);

/* The program is going to read n bytes at p, and should see these values: at most LATE_MAX. */
void tsan_store_show(const void *p, size_t n, const void *bytes);

/* A store that was announced and, as far as known, has not been made yet. */
struct tsan_store {
	void *p; /* NULL: there is none */
	size_t n;
	int order;
	u64 site;
	u32 stack;
};

/* Suspend it during an operation announced after it; completes stores already made. */
struct tsan_store tsan_store_put_aside(void);
void tsan_store_resume(const struct tsan_store *s);

/* After a store that may have been buffered: stores to the own stack, whose frames end without
 * notice, take effect at once. */
void tsan_store_own_stack(const void *p);

/* An execution begins: nothing is announced. */
void tsan_store_begin(void);

/* Some of the program's code announces its accesses. */
extern bool tsan_store_used;

/* That code may not announce the load in x++ (clang): then each plain store also counts as a load.
 * A thread depends on all values that it reads, so a graph has to contain them. */
extern bool tsan_store_reads;

#endif
