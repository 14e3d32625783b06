/* SPDX-License-Identifier: ISC */
/* signal.h - fatal signals become findings. */
#ifndef MACHINE_EXECUTION_SIGNAL_H
#define MACHINE_EXECUTION_SIGNAL_H

#include "machine/core.h"

/* Install handlers of the fatal signals for an exploration; restore the earlier ones. */
void signals_install(void);
void signals_remove(void);

/* For handlers; ucontext is their last argument. Unblock signals, as the handler never returns, and
 * end the execution. / Record the position of thread t. / The address of the interrupted
 * instruction. */
_Noreturn void signals_leave(enum outcome outcome);
void signals_record(void *ucontext, struct finding *f, const struct thread *t);
bool signals_is_own(u64 pc); /* the runtime's code, not the program's */

#endif
