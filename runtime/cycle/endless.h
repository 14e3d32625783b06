/* SPDX-License-Identifier: ISC */
/*
 * endless.h - is the running thread in a loop that does not end?
 *
 * How.    It is single-stepped for ENDLESS_STEPS instructions. Its registers, its stack and the
 *         program's memory are saved at the first one in its own code. When all of that recurs, its
 *         next steps are the same: the loop does not end, and reads nothing that other threads
 *         change.
 * Sound.  Other dependences of the loop end the attempt: calls inserted by the pass, except those
 *         at heads of loops; code of modules other than the program; system calls; the processor's
 *         clock.
 * Not.    Loops that count, or with a longer body, are not proved to be endless. Nor are loops on
 *         processors other than x86-64.
 */
#ifndef CYCLE_ENDLESS_H
#define CYCLE_ENDLESS_H

#include "base/base.h"

#define ENDLESS_STEPS 20000 /* instructions */

/* Once: install the check for hang.h, which requests it in a signal handler. The thread is stepped
 * from the return of that handler on; an endless loop is a finding. */
void endless_install(void);

#endif
