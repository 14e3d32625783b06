/* SPDX-License-Identifier: ISC */
/*
 * futex.h - the futex system call, while exploring.
 *
 * A wait reads the word through the memory model and, if it has the expected value, begins to wait
 * in the same step; waking up is another step. In an execution graph it joins the sleepers, then
 * reads, then leaves them or sleeps: as joining and waking are ordered, the read sees the writes
 * that precede a wake-up that came before the join. Functions return the result of the system call:
 * a count, or minus an error number.
 */
#ifndef SYNC_FUTEX_H
#define SYNC_FUTEX_H

#include "machine/machine.h"

/* deadline: virtual time, or NULL for no limit. */
long futex_wait(const u32 *word, u32 expected, u32 bits, const u64 *deadline);
long futex_wake(const u32 *word, u32 n, u32 bits);

#endif
