/* SPDX-License-Identifier: ISC */
/*
 * delivery.h - signals between threads.
 *
 * A signal is pending, for a thread or for the process, from the step on in which it is sent
 * (object/signals.h). A thread that is sent signals looks for one before each of its visible
 * operations, and runs the handler there. The sender does not wait for that: it starts an agent, a
 * thread whose only step is to send (intercept/signal.c).
 */
#ifndef MACHINE_DELIVERY_H
#define MACHINE_DELIVERY_H

#include "machine/machine.h"
#include "object/signals.h"

#define DELIVERY_PROCESS THREADS_MAX /* instead of a slot */

/* The handlers that have run: any; any without SA_RESTART. */
enum delivered { DELIVERED_NONE, DELIVERED = 1, DELIVERED_FAILS = 2 };

/* Steps of the running thread. Send; deliver all that are pending and not blocked. */
void delivery_send(const struct signal_info *info);
u32 delivery_now(void);
/* Wait for one of a set; false: the call was interrupted. Without a wait, *info.signal is 0 where
 * there is none. */
bool delivery_take(u64 set, bool waits, struct signal_info *info);
/* sigpending() */
u64 delivery_pending(void);
/* The first signal of this target ends the execution (interrupt_learn()). */
void delivery_learn(u32 to);

/* Could the running thread be sent signals? */
bool delivery_is_possible(void);

/* The object of a slot, or of the process. */
u64 delivery_object(u32 to);

#endif
