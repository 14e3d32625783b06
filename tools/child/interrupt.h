/* SPDX-License-Identifier: ISC */
/*
 * interrupt.h - Ctrl-C, SIGTERM and SIGHUP at the tool itself: the result so far is still printed.
 *
 * The first signal stops explorations (child.c), no further one begins, and the report has the
 * results so far. The second ends the tool at once; so does the first if the remaining work would
 * take long.
 */
#ifndef CHILD_INTERRUPT_H
#define CHILD_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Handle the signals from now on. */
void interrupt_begin(void);

/* The number of signals so far. */
int interrupt_count(void);

/* From now on the first signal ends the tool, or no longer does: for endless waits. */
void interrupt_at_once(bool on);

/* Count one that sigtimedwait() has taken. */
void interrupt_note(void);

/* The set of these signals. */
sigset_t interrupt_signals(void);

#endif
