/* SPDX-License-Identifier: ISC */
/*
 * floats.h - does the program depend on a thread's floating-point environment? Seldom; so only then
 * is it switched with the thread, which takes as long as the rest of a switch.
 */
#ifndef PROCESS_FLOATS_H
#define PROCESS_FLOATS_H

#include "base/base.h"

/* May a module that is not libc change or test it: does it refer to a function of <fenv.h>, or
 * contain the bytes of an instruction that loads the control register of SSE? Fast enough for
 * every exploration: the code is searched at some GB/s. */
bool floats_matter(void);

#endif
