/* SPDX-License-Identifier: ISC */
/* signal.h - fatal signals become findings; a timer watches for time and loops. */
#ifndef MACHINE_SIGNAL_H
#define MACHINE_SIGNAL_H

#include "base/base.h"

void signals_install(void); /* fatal signals become findings, a timer watches for time and loops */
void signals_remove(void);
void signals_forked(void); /* in a new process */
bool signals_deadline_passed(void);
/* Time is up in so many microseconds from now. */
void signals_deadline(u64 microseconds);
void signals_execution_begins(void);
extern volatile bool signals_time_up;

#endif
