/* SPDX-License-Identifier: ISC */
/* starve.h - a part of an execution can be repeated for ever: a livelock, or starvation? */
#ifndef DETECT_STARVE_H
#define DETECT_STARVE_H

#include "detect/stuck.h"

/*
 * Say what the n >= 1 threads that have not ended do all the time: kind, thread and message of *f.
 * A thread that spins is one that reads (READ), one that goes round, one that changes something
 * (WRITE); all others wait.
 */
void starve_describe(const struct wait *w, u32 n, struct finding *f);

#endif
