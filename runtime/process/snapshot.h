/* SPDX-License-Identifier: ISC */
/*
 * snapshot.h - the program's memory as it was before the first execution.
 *
 * Saved and restored: the writable segments of the program and its libraries (not libc, ld.so,
 * libunwind, nor the runtime's own sections), the section heddle_exec (PER_EXECUTION), the static
 * TLS blocks of these modules in the calling thread, and the ranges that heap.c and others add.
 * Small ranges are copied; whole pages of large ones are write-protected until they are first
 * written, and copied ever after.
 */
#ifndef PROCESS_SNAPSHOT_H
#define PROCESS_SNAPSHOT_H

#include "base/base.h"
#include "process/module.h"

void snapshot_take(void);
void snapshot_restore(void); /* everything; called between executions, on the scheduler's stack */
void snapshot_drop(void);    /* restore a last time, remove all protection, forget */

/* Add a range to the snapshot, before snapshot_take(). Ranges may overlap. */
void snapshot_add(void *start, size_t size);

/* The same for a block of the heap: disjoint from all others. Pages with several of them are
 * watched as a whole, but for those with memory that libc may have the kernel write: avoid that. */
void snapshot_add_block(void *start, size_t size);
void snapshot_avoid(void *start, size_t size);

/* What is saved, range by range. */
void snapshot_each(void (*see)(u64 start, u64 end));

/* Has what is saved of [start, end) been changed since the last snapshot_restore()? */
bool snapshot_is_changed(u64 start, u64 end);

/* What of it may have been written since, piece by piece; between two calls in an execution there
 * may come more. */
void snapshot_each_written(void (*see)(u64 start, u64 end));

/* How often something has been found to be written. */
extern u32 snapshot_heated;

/* A system call is about to write here: unprotect (the kernel would answer EFAULT). */
void snapshot_touch(void *start, size_t size);

/* snapshot_invariants.c: keep what has been taken; is what has been restored that? */
void snapshot_check_taken(void);
void snapshot_check_restored(void);

/* From the SIGSEGV handler: true if the fault was a first write to a protected page (go on). */
bool snapshot_fault(void *address);

#endif
