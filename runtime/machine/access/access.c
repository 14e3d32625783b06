/* SPDX-License-Identifier: ISC */
/* access.c - accesses made on the program's behalf; see machine.h. */
#include "machine/core.h"

void machine_read(void *to, const void *from, size_t n)
{
	M.engine->read(to, from, n);
}

void machine_write(void *to, const void *from, size_t n)
{
	M.engine->write(to, from, n);
}

void machine_fill(void *to, int byte, size_t n)
{
	M.engine->fill(to, byte, n);
}

void machine_drain(void)
{
	if (M.engine->foreign_begins)
		M.engine->foreign_begins();
	M.engine->drain();
}

void machine_fence_all(void)
{
	M.engine->fence_all();
}
