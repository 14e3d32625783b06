/* SPDX-License-Identifier: ISC */
/*
 * tls.h - a thread-local storage block for every fiber.
 *
 * Each fiber other than the main one borrows the thread pointer of a real thread that is parked
 * for ever. Switching sets the FS base: wrfsbase where the CPU and kernel allow it, else
 * arch_prctl. When no module but libc has thread-local variables, only errno is swapped.
 */
#ifndef MACHINE_TLS_H
#define MACHINE_TLS_H

#include "base/base.h"

/* How a switch must change thread-local storage; decided once by tls_init(). */
enum tls_mode { TLS_ERRNO, TLS_WRFSBASE, TLS_ARCH_PRCTL };
extern enum tls_mode tls_mode;

void tls_init(void);

/* The thread pointer for thread `id` (0: the calling OS thread's own); makes the parked thread on
 * first use. Returns 0 when no thread could be created. */
u64 tls_base(unsigned id);

/* Put the initial TLS image of every module but libc into thread id's block. */
void tls_reset(unsigned id);

/* Set the FS base (modes WRFSBASE and ARCH_PRCTL). */
void tls_switch(u64 base);

#endif
