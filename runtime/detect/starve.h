/* SPDX-License-Identifier: ISC */
/* starve.h - a repeatable part of an execution: a livelock, or starvation? */
#ifndef DETECT_STARVE_H
#define DETECT_STARVE_H

#include "detect/stuck.h"

/*
 * Describe the n >= 1 threads that have not ended: kind, thread and message of *f. A thread that
 * spins only reads (READ), one that loops changes something (WRITE); all others wait. left: other
 * fair schedules do not repeat the part, so it is starvation even if all threads loop.
 */
void starve_describe(const struct wait *w, u32 n, bool left, struct finding *f);

#endif
