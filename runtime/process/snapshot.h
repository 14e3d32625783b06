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
void snapshot_drop(void);    /* restore a last time, remove all protection, drop the snapshot */

/* In a process forked from an execution, which continues natively: remove all protection. */
void snapshot_forked(void);

/* Add a range to the snapshot, before snapshot_take(). Ranges may overlap. */
void snapshot_add(void *start, size_t size);

/* The same for a block of the heap: disjoint from all others. Pages with several blocks are
 * watched as a whole, except pages with memory that libc may pass to the kernel: avoid that. */
void snapshot_add_block(void *start, size_t size);
void snapshot_avoid(void *start, size_t size);

/* The saved ranges. */
void snapshot_each(void (*see)(u64 start, u64 end));

/* Was the saved part of [start, end) changed since the last snapshot_restore()? */
bool snapshot_is_changed(u64 start, u64 end);

/* The parts that may have been written since then; their number grows during an execution. */
void snapshot_each_written(void (*see)(u64 start, u64 end));

/* The same, with the address of the saved copy of each part. */
void snapshot_each_copied(void (*see)(u64 start, u64 copy, u64 size));

/* The number of detected writes. */
extern u32 snapshot_heated;

/* A system call is about to write here: unprotect (the kernel would answer EFAULT). */
void snapshot_touch(void *start, size_t size);

/* snapshot_invariants.c: keep a copy of the snapshot; compare it with restored memory. */
void snapshot_check_taken(void);
void snapshot_check_restored(void);

/* From the SIGSEGV handler: true if the fault was a first write to a protected page (continue). */
bool snapshot_fault(void *address);

#endif
