/* SPDX-License-Identifier: ISC */
/* signal.h - fatal signals become findings; a timer watches for time and loops. */
#ifndef MACHINE_SIGNAL_H
#define MACHINE_SIGNAL_H

#include "base/base.h"

/* For the time of an exploration: handlers of the fatal signals, and a timer of the CPU time; then what was there
 * before. The time limit of the options begins. */
void signals_install(void);
void signals_remove(void);

/* In a process that has been forked: timers are not inherited. */
void signals_forked(void);

/* An execution begins: the time of a loop without events counts from here. */
void signals_execution_begins(void);

/* Time is up in so many microseconds from now, whatever limit there was. */
void signals_deadline(u64 microseconds);

/* Has the timer seen that time is up? For after each execution. The other one looks at the clock itself. */
extern volatile bool signals_time_up;
bool signals_deadline_passed(void);

#endif
