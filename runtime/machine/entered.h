/* SPDX-License-Identifier: ISC */
/* entered.h - is a program being explored? The first question at each entry point. */
#ifndef MACHINE_ENTERED_H
#define MACHINE_ENTERED_H

#include "base/base.h"

/* Written when exploration begins and ends: 0 = behave natively, with real threads. */
enum {
	EXPLORING = 1,
	EXPLORING_LATE = 2, /* and the running thread has announced an access (tsan_store.h) */
	EXPLORING_COMPARED = 4, /* and machine_compares */
};
extern u8 machine_exploring;

/* Complete the announced access, which has been made by now. */
void machine_settle(void);

/* Stacks are compared (prove/state.h), frames of the runtime, too, where a thread stops in the
 * middle of an operation: what earlier calls have left on the running thread's stack, below the
 * present frame, is overwritten at each entry point. */
extern bool machine_compares;

/* At an entry point, while more than EXPLORING is set. */
void machine_entered_specially(void);

/* Called first at each entry point: is a program being explored? If so, announced accesses are
 * completed. */
static inline bool machine_entered(void)
{
	if (unlikely(machine_exploring > EXPLORING))
		machine_entered_specially();
	return machine_exploring;
}

#endif
