/* SPDX-License-Identifier: ISC */
/*
 * snapshot.h - the program's memory as it was before the first execution.
 *
 * Saved and restored: the writable segments of the program and its libraries (not libc, ld.so,
 * libunwind, nor the runtime's own sections), the section heddle_exec (PER_EXECUTION), the static
 * TLS blocks of these modules, and the ranges that heap.c and others add. Small ranges are copied;
 * pages of large ones are write-protected until they are first written, and copied ever after.
 */
#ifndef MACHINE_SNAPSHOT_H
#define MACHINE_SNAPSHOT_H

#include "base/base.h"

void snapshot_take(void);
void snapshot_restore(void); /* everything; called between executions, on the scheduler's stack */
void snapshot_drop(void);    /* restore a last time, remove all protection, forget */

/* Add a range to the snapshot, before snapshot_take(). */
void snapshot_add(void *start, size_t size);

/* A system call is about to write here: unprotect (the kernel would answer EFAULT). */
void snapshot_touch(void *start, size_t size);

/* From the SIGSEGV handler: true if the fault was a first write to a protected page (go on). */
bool snapshot_fault(void *address);

/* The loaded modules, for reports and for extern calls. */
struct module {
	u64 base;	      /* load base */
	u64 start, end;	      /* of all segments */
	u64 text, text_end;   /* of the executable segments */
	char path[256];
	u8 build_id[20];
	u8 build_id_len;
	bool instrumented;    /* has our note */
	bool is_libc;	      /* libc, ld.so, libm, libunwind...: never restored */
};
unsigned modules_count(void);
const struct module *module_at(unsigned i);
const struct module *module_find(u64 address); /* by any address in it, or NULL */

#endif
