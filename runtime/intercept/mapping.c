/* SPDX-License-Identifier: ISC */
/*
 * mapping.c - memory that the program maps while exploring: unmapped when the execution ends.
 *
 * Its contents are not restored, which only matters to files that are mapped shared; the run says so.
 * A mapping at a fixed address is left alone: the next execution maps over it.
 */
#include "intercept/intercept.h"

#define RANGES_MAX 256

static struct range {
	char *start;
	size_t size;
} ranges[RANGES_MAX]; /* emptied at the end of each execution */
static unsigned nranges;

static void execution_ends(void)
{
	io_execution_ends();
	for (unsigned i = 0; i < nranges; i++)
		real(munmap)(ranges[i].start, ranges[i].size);
	nranges = 0;
}

void clean_up_at_end(void)
{
	machine_hooks.execution_ends = execution_ends;
}

static void *mapped(void *p, size_t size, int flags)
{
	if (p == MAP_FAILED || (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)))
		return p;
	if (nranges == RANGES_MAX) {
		real(munmap)(p, size);
		machine_refuse("more than %d mappings in one execution", RANGES_MAX);
	}
	ranges[nranges++] = (struct range){p, size};
	clean_up_at_end();
	coverage_note("memory mapped during an execution is not restored, only unmapped");
	return p;
}

INTERCEPT void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	NATIVELY_OR_OURS(mmap, at, size, protection, flags, fd, offset);
	machine_drain();
	return mapped(real(mmap)(at, size, protection, flags, fd, offset), size, flags);
}

INTERCEPT void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
	NATIVELY_OR_OURS(mmap, at, size, protection, flags, fd, offset);
	machine_drain();
	return mapped(real(mmap)(at, size, protection, flags, fd, offset), size, flags);
}

/* A range of ours that is unmapped as a whole is forgotten; of one that is unmapped in part, all is
 * unmapped at the end, which is harmless where nothing is. */
INTERCEPT int munmap(void *start, size_t size)
{
	NATIVELY_OR_OURS(munmap, start, size);
	machine_drain();
	machine_progress();
	for (unsigned i = 0; i < nranges; i++)
		if (ranges[i].start == start && ranges[i].size <= size) {
			ranges[i] = ranges[--nranges];
			break;
		}
	return real(munmap)(start, size);
}
