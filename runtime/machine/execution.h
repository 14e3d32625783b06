/* SPDX-License-Identifier: ISC */
/* execution.h - one execution of the program, begun and ended. */
#ifndef MACHINE_EXECUTION_H
#define MACHINE_EXECUTION_H

#include "base/models.h"

/* Set M.model, and all that depends on it. */
void machine_set_model(enum model_id m);

/* Restore memory and run the program once, with M.explore's choices; M.outcome says how it has
 * ended. */
void run_execution(void);

/* The same in two steps, for who runs the threads himself: main stands at its beginning; the
 * end. */
void execution_prepare(void);
void execution_over(void);

#endif
