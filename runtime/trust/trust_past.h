/* SPDX-License-Identifier: ISC */
/*
 * trust_past.h - the values that code without instrumentation may have read.
 *
 * A thread is a function of the values that it has read (trust/cache.h), except where it calls such
 * code: that reads memory directly. If it does not race, it reads what the causes of the call have
 * written last. So the thread's next node is found by these, instead of by a value: by the
 * histories of the other threads up to there, and by the last writes of all locations, which the
 * histories do not order: two threads may have written under a lock, in either order. Nodes have
 * other numbers in other processes, so all of a history is summed up.
 */
#ifndef TRUST_TRUST_PAST_H
#define TRUST_TRUST_PAST_H

#include "trust/trust.h"

/* The causes of e, a call of code that is not instrumented (LABEL_CALLED), as a number. */
u64 trust_past(const struct trust *x, u32 e);

#endif
