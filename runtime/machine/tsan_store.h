/* SPDX-License-Identifier: ISC */
/*
 * tsan_store.h - accesses that a compiler announces before it makes them itself
 * (-fsanitize=thread).
 *
 * Such code tells where it is going to store, not what. Between the announcement and the thread's
 * next call into the runtime no other thread runs; so then the store is there: the new value is
 * taken out of memory, the old one put back, and the store made as if the program had handed it
 * over (machine_settle). Likewise what a thread reads is put there for so long if memory has
 * something else. machine_exploring says that something is to be settled; all entry points look
 * at it anyway.
 */
#ifndef MACHINE_TSAN_STORE_H
#define MACHINE_TSAN_STORE_H

#include "machine/core.h"

#define LATE_MAX 4096 /* bytes of a store; longer ones are taken as one step */

/* The program is going to store n bytes at p. order: HEDDLE_VOLATILE or 0 = plain. code: where. */
void tsan_store(void *p, size_t n, int order, const void *code);

/* The program is going to read n bytes at p, and should see these values: at most LATE_MAX. */
void tsan_store_show(const void *p, size_t n, const void *bytes);

/* A store announced and, as far as known, not yet made. */
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

/* It may omit the load in x++, as clang does: then each plain store also counts as a load. A thread
 * depends on all values that it reads; a graph has to contain them. */
extern bool tsan_store_reads;

#endif
