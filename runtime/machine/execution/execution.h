/* SPDX-License-Identifier: ISC */
/* execution.h - one execution of the program, begun and ended. */
#ifndef MACHINE_EXECUTION_EXECUTION_H
#define MACHINE_EXECUTION_EXECUTION_H

#include "base/models.h"

/* Set M.model, and everything that depends on it. */
void machine_set_model(enum model_id m);

/* Begin and end an execution, for the engine that runs the threads: memory is restored, except the
 * heap's (heap_restore()), and main is at its beginning. */
void execution_prepare(void);
void execution_over(void);

#endif
