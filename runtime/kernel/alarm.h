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
/* Create a timer with this notification (a number); returns its number, never 0. */
u32 alarm_new(u64 notify);
/* Its object, and back. */
u64 alarm_object(u32 number);

struct alarm alarm_get(u32 number);
/* Set or disarm it; returns the old state, for alarm_needs_agent(). */
struct alarm alarm_set(u32 number, struct alarm_setting to);
struct alarm alarm_delete(u32 number);
/* The check by its agent, which has this number: ALARM_NEXT(), ALARM_NOTIFIES. */
u64 alarm_expire(u32 number, u32 agent);
/* A signal of the timer behind this object is delivered: its overrun. */
u32 alarm_taken(u64 object);

#endif
