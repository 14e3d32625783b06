/* SPDX-License-Identifier: ISC */
/* handler.h - the signal handlers that the calling thread runs. */
#ifndef MACHINE_WAIT_HANDLER_H
#define MACHINE_WAIT_HANDLER_H

#include "base/base.h"

/* A handler of this signal begins; the innermost one has ended. */
void handler_begins(u32 signal, u64 frame);
void handler_ends(void);

/* Does a handler run? It may have been left by longjmp(). */
bool handler_runs(void);

#endif
