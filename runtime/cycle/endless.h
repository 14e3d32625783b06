/* SPDX-License-Identifier: ISC */
/*
 * endless.h - is the running thread in a loop that does not end?
 *
 * How.    It is single-stepped for ENDLESS_STEPS instructions. Its registers, its stack
 *         and the program's memory are kept at the first one in its own code. When all of that is
 *         as it was, what it does next is what it has done: the loop does not end, and nothing that
 *         other threads do is asked for in it.
 * Sound.  What the loop may depend on besides ends the attempt: whatever the pass has inserted but
 *         the heads of loops, code of other modules than the program, system calls, the processor's
 *         clock.
 * Not.    A loop that counts, or with a longer body, is not proved to be endless. Nor is any on
 *         other processors than x86-64.
 */
#ifndef CYCLE_ENDLESS_H
#define CYCLE_ENDLESS_H

#include "base/base.h"

#define ENDLESS_STEPS 20000 /* instructions */

/* Once: install the check for hang.h, which requests it in a signal handler. The thread is stepped
 * from the return of that handler on; an endless loop is a finding. */
void endless_install(void);

#endif
