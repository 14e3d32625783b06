/* SPDX-License-Identifier: ISC */
/* given.h - functions of libc that allocate blocks for the program. */
#ifndef INTERCEPT_GIVEN_H
#define INTERCEPT_GIVEN_H

#include "base/base.h"

/* Is it an interceptor of such a function, so that a call of it is one of libc's? */
bool given_has(const void *function);

#endif
