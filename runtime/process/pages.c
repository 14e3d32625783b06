/* SPDX-License-Identifier: ISC */
/* pages.c - see pages.h. */
#include "process/pages.h"
#include "process/stop.h"

#include <sys/mman.h>

void *pages_take(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void *pages_need(size_t size)
{
	void *p = pages_take(size);

	if (!p)
		fatal("out of memory: cannot reserve %zu MiB to record an execution (ulimit -v?)",
			size >> 20);
	return p;
}
