/* SPDX-License-Identifier: ISC */
/*
 * floats.h - does the program depend on a thread's floating-point environment?
 *
 * Few programs do, and switching it doubles the time of a switch between threads, so it is switched
 * only then.
 */
#ifndef PROCESS_FLOATS_H
#define PROCESS_FLOATS_H

#include "base/base.h"

/* May a module that is not libc change or test it: does it refer to a function of <fenv.h>, or
 * contain the bytes of an instruction that loads the control register of SSE? Fast enough for
 * every exploration: the code is searched at some GB/s. */
bool floats_matter(void);

#endif
