/* SPDX-License-Identifier: ISC */
/*
 * delivery.h - signals between threads.
 *
 * A signal is pending, for a thread or for the process, from the step that sends it
 * (object/signals.h). It arrives at a thread that does not block it at any later time: its arrival
 * is the only step of an agent, a thread that the sender starts (intercept/signal/signal_send.c). A
 * thread to which signals are sent checks for arrivals before each of its visible operations, and
 * runs the handler there. A thread that waits for signals, or has blocked them, takes them when
 * they are pending.
 */
#ifndef MACHINE_WAIT_DELIVERY_H
#define MACHINE_WAIT_DELIVERY_H

#include "machine/machine.h"
#include "object/signals.h"

#define DELIVERY_PROCESS THREADS_MAX /* instead of a slot */

/* The handlers that have run: any; any without SA_RESTART. */
enum delivered { DELIVERED_NONE, DELIVERED = 1, DELIVERED_FAILS = 2 };

/* Steps of the running thread. Send: returns 0, EAGAIN, or EALREADY: it was pending before. /
 * In any thread, later: it arrives. */
int delivery_send(const struct signal_info *info);
void delivery_arrive(const struct signal_info *info);
/* Deliver all signals that have arrived and are not blocked. / All pending ones. */
u32 delivery_now(void);
u32 delivery_unblocked(void);
/* A signal is ignored from now on: it is no longer pending, for any thread. */
void delivery_discard(u32 signal);
/* Wait for one of a set; false: the call was interrupted. Without waiting, *info.signal is 0 if
 * none is pending. */
bool delivery_take(u64 set, bool waits, struct signal_info *info);
/* sigpending() */
u64 delivery_pending(void);
/* The same for a thread, from memory: not a step. */
u64 delivery_pending_in_memory(u32 slot);
/* The first signal for this target, or with this number, ends the execution (learnt_add()). */
void delivery_learn(u32 to, u32 signal);

/* Can signals be sent to the running thread? */
bool delivery_is_possible(void);

/* The object of a slot, or of the process. */
u64 delivery_object(u32 to);
/* The running thread waits at one of two objects (delivery_take()) for signals, by choice: the
 * other one. NULL: there is only one. */
const void *delivery_other_object(const void *obj);

#endif
