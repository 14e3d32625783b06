/* SPDX-License-Identifier: ISC */
/*
 * interrupt.h - Ctrl-C, SIGTERM and SIGHUP at the tool itself: the result so far is still shown.
 *
 * The first one asks: explorations end (child.c), no other begins, the report is made of what there
 * is. The second ends the tool at once; so does the first where what remains takes long.
 */
#ifndef TOOLS_INTERRUPT_H
#define TOOLS_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* From now on. */
void interrupt_begin(void);

/* How often so far. */
int interrupt_count(void);

/* One that sigtimedwait() has taken. */
void interrupt_note(void);

/* All of them. */
sigset_t interrupt_signals(void);

#endif
