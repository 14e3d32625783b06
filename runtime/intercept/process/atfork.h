/* SPDX-License-Identifier: ISC */
/* atfork.h - the handlers of pthread_atfork() that the execution has registered. */
#ifndef INTERCEPT_PROCESS_ATFORK_H
#define INTERCEPT_PROCESS_ATFORK_H

#include "base/base.h"

/* Before fork(): the last registered first. */
void atfork_prepare(void);

/* After it, in the child or in the parent: in their order. */
void atfork_forked(bool child);

#endif
