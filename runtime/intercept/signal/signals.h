/* SPDX-License-Identifier: ISC */
/* signals.h - shared by signal.c, signal_send.c, signal_wait.c and alarm.c. */
#ifndef INTERCEPT_SIGNAL_SIGNALS_H
#define INTERCEPT_SIGNAL_SIGNALS_H

#include "machine/wait/delivery.h"

#include <signal.h>

#define SIGNALS 65

/* A set of the program's. */
u64 signals_of(const sigset_t *set);
/* Is there a handler, or does the calling thread block the signal, to wait for it? */
bool signal_is_expected(int sig);
/* The calling thread raises it; returns 0. */
int signal_raise(int sig);
/* machine_hooks.signalled */
u32 signal_deliver(const struct signal_info *info);
/* Signals of this number will be sent to this target (delivery_learn()). */
void signal_learn(u32 to, u32 signal);
/* The name of the agent that sends it. */
void signal_name_agent(struct thread *agent, u32 signal);
/* The siginfo_t of a signal that is delivered. */
void signal_put_info(siginfo_t *to, const struct signal_info *info);

#endif
