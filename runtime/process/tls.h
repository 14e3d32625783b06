/* SPDX-License-Identifier: ISC */
/*
 * tls.h - a thread-local storage block for every fiber.
 *
 * Each fiber other than the main one borrows the thread pointer of a real thread that is parked
 * for ever. Switching sets the thread pointer: in user mode where the processor and the kernel
 * allow it, else by a system call. When no module but libc has thread-local variables, and none
 * calls uselocale() and the like (libc_tls.h), only errno is swapped.
 */
#ifndef PROCESS_TLS_H
#define PROCESS_TLS_H

#include "arch/arch.h"

#define THREADS_MAX 512 /* of an execution, main included: fibers, stacks, thread-local blocks */

/* How a switch must change thread-local storage; decided by tls_init(). */
enum tls_mode { TLS_ERRNO, TLS_USER, TLS_KERNEL };
extern enum tls_mode tls_mode;

/* Before each exploration, by the thread that will be the main one. */
void tls_init(void);

/* The thread pointer for thread `id` (0: the calling OS thread's own); makes the parked thread on
 * first use. Returns 0 if no thread could be created. In mode ERRNO none is made, and all share
 * that of the calling thread. */
u64 tls_base(unsigned id);

/* Put the initial TLS image of every module except libc into thread id's block. Thread 0 gets only
 * its initial locale, and no error number: the snapshot restores its block to the contents at the
 * beginning of the exploration. */
void tls_reset(unsigned id);

/* The thread-local variables of thread id, by module, and its errno. None in mode ERRNO, where they
 * are shared. */
void tls_each(unsigned id, void (*see)(u64 start, u64 end));

/* For snapshot_take(): the calling thread's blocks. */
void tls_add_to_snapshot(void);

/* The number of parked threads, which appear in /proc/self/task but never run. */
unsigned tls_parked(void);

/* For reports: the thread, module (load base) and offset in its TLS segment of the thread-local
 * variable at this address. False: none. */
bool tls_find(u64 address, unsigned *id, u64 *module_base, u64 *offset);

/* The thread pointer of the caller. */
static inline u64 tls_pointer(void)
{
	return (u64)(uintptr_t)__builtin_thread_pointer();
}

/* Set the thread pointer (modes USER and KERNEL). */
static inline void tls_switch(u64 base)
{
	if (likely(tls_mode == TLS_USER))
		arch_set_tp(base);
	else
		arch_set_tp_by_kernel(base);
}

#endif
