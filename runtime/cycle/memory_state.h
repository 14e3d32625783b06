/* SPDX-License-Identifier: ISC */
/*
 * memory_state.h - all memory that the program may use, in the middle of an execution: is it
 * unchanged?
 *
 * Parts.  The memory restored by snapshot.h that may have been written, blocks allocated in this
 *         execution, thread-local variables, libc's own variables and blocks (the state of strtok()
 *         and readdir()), errno. Not stacks: state_cycle.c compares those.
 * Exact.  It is compared byte by byte, including the writes of uninstrumented code.
 */
#ifndef CYCLE_MEMORY_STATE_H
#define CYCLE_MEMORY_STATE_H

#include "base/base.h"

#define IMAGE_BYTES (8u << 20) /* more memory is not compared */

/* Keep the present contents of memory. False: too much. */
bool memory_state_take(void);

/* False, at little cost, if the bytes that differed at the last comparison do so again. */
bool memory_state_may_be_same(void);

/* Are the contents the same? */
bool memory_state_same(void);

#endif
