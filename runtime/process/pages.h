/* SPDX-License-Identifier: ISC */
/*
 * pages.h - memory of the runtime: reserved zero pages, backed on first use.
 *
 * Memory shared by workers: shared.h.
 */
#ifndef PROCESS_PAGES_H
#define PROCESS_PAGES_H

#include "base/base.h"
#include "process/pages.h"

/* `size` bytes, for this process and as a copy for those forked later. NULL: none (ulimit -v). */
void *pages_take(size_t size);

/* The same, to record an execution; without memory, prints a message and exits with 2. */
void *pages_need(size_t size);

#endif
