/* SPDX-License-Identifier: ISC */
/*
 * pages.h - memory of the runtime's own: pages that are reserved, zero, and need nothing before
 * they are touched.
 *
 * In memory that workers have in common: shared.h.
 */
#ifndef PROCESS_PAGES_H
#define PROCESS_PAGES_H

#include "base/base.h"
#include "process/pages.h"

/* `size` bytes, for this process and as a copy for those forked later. NULL: there are none (ulimit
 * -v). */
void *pages_take(size_t size);

/* The same, to record an execution; says so and ends the process with exit code 2 if there are
 * none. */
void *pages_need(size_t size);

#endif
