/* SPDX-License-Identifier: ISC */
/*
 * alarm.h - timers that send signals: alarm(), setitimer(), timer_create(). Each operation is a
 * step. See object/alarm.h.
 */
#ifndef KERNEL_ALARM_H
#define KERNEL_ALARM_H

#include "machine/machine.h"
#include "object/alarm.h"

/* The timer of the process: its number. */
#define ALARM_OF_PROCESS 0
/* A new timer that notifies like this (a number); its number, never 0. */
u32 alarm_new(u64 notify);
/* Its object, and back. */
u64 alarm_object(u32 number);

struct alarm alarm_get(u32 number);
/* Set it, or disarm it; the result is what it was, for alarm_needs_agent(). */
struct alarm alarm_set(u32 number, struct alarm_setting to);
struct alarm alarm_delete(u32 number);
/* Its agent looks, with this number of its own: ALARM_NEXT(), ALARM_NOTIFIES. */
u64 alarm_expire(u32 number, u32 agent);
/* A signal of the timer behind this object is delivered: its overrun. */
u32 alarm_taken(u64 object);

#endif
