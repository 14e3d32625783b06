/* SPDX-License-Identifier: ISC */
/*
 * pages.h - memory of the runtime: reserved zero pages, backed on first use.
 *
 * Memory shared by workers: shared.h.
 */
#ifndef PROCESS_PAGES_H
#define PROCESS_PAGES_H

#include "base/base.h"

#define PAGE 4096u

static inline u64 page_down(u64 a)
{
	return a & ~(u64)(PAGE - 1);
}

static inline u64 page_up(u64 a)
{
	return page_down(a + PAGE - 1);
}

/* `size` bytes, for this process and as a copy for those forked later. NULL: none (ulimit -v). */
void *pages_take(size_t size);

/* The same, to record an execution; without memory, prints a message and exits with 2. */
void *pages_need(size_t size);

#endif
