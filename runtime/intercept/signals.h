/* SPDX-License-Identifier: ISC */
/* signals.h - shared by signal.c and signal_send.c. */
#ifndef INTERCEPT_SIGNALS_H
#define INTERCEPT_SIGNALS_H

#include "machine/delivery.h"

#include <signal.h>

#define SIGNALS 65

/* A set of the program's. */
u64 signals_of(const sigset_t *set);
/* Is there a handler, or does the calling thread block it, to wait for it? */
bool signal_is_expected(int sig);
/* The calling thread raises it; 0. */
int signal_raise(int sig);
/* machine_hooks.signalled */
u32 signal_deliver(const struct signal_info *info);

#endif
