/* SPDX-License-Identifier: ISC */
/* signals.h - signals that wait to be delivered to a thread, or to the process; see object.def. */
#ifndef OBJECT_SIGNALS_H
#define OBJECT_SIGNALS_H

#include "object/step.h"

#define SIGNALS_QUEUED 16 /* maximum; an ordinary signal is pending only once */
#define SIGNALS_REAL_TIME 32

struct signal_info {
	u32 signal, to; /* to: the slot of a thread, or of the process */
	u32 sender; /* the slot of a thread */
	i32 code;   /* si_code */
	u64 value;  /* si_value */
	u64 timer;  /* the object of the timer that has sent it; 0: none */
};

/* An argument of SEND, and result of LOOK and TAKE. */
u64 signal_number(const struct signal_info *info);
struct signal_info signal_of(u64 number);

/* A set of signals, as arguments of LOOK and TAKE. */
static inline u64 signal_bit(u32 signal)
{
	return (u64)1 << (signal - 1);
}

/* The signals pending in this state. */
u64 signals_pending(u64 state);

OBJECT_STEP(signals);

#endif
