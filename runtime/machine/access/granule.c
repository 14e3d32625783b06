/* SPDX-License-Identifier: ISC */
/* granule.c - see granule.h. */
#include "machine/access/granule.h"

#include <sys/mman.h>
#include <sys/resource.h>

#define DIRECTORY_SIZE (sizeof(u64) << (GRANULE_ADDRESSES - GRANULE_CHUNK))
#define CHUNK_SIZE     (2ull << GRANULE_CHUNK) /* of words */
#define PAGES_SIZE     (8ull << (GRANULE_CHUNK - GRANULE_PAGE)) /* of the pages of a chunk */
#define CHUNKS	       2048 /* at most: words of 32 GiB of memory */

_Static_assert(GRANULE_WORDS + CHUNKS * CHUNK_SIZE <= GRANULE_PAGES, "they do not overlap");

static u64 *directory;
static u64 nchunks, most; /* the first area is that of zeros */

static bool map_at(u64 at, size_t size)
{
	void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == (void *)at)
		return true;
	if (p != MAP_FAILED)
		munmap(p, size);
	return false;
}

bool granules_map(void)
{
	struct rlimit limit;

	if (directory)
		return most;
	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur != RLIM_INFINITY)
		return false; /* the program needs the remaining memory */
	if (!map_at(GRANULE_DIRECTORY, DIRECTORY_SIZE))
		return false;
	directory = (u64 *)GRANULE_DIRECTORY;
	for (most = CHUNKS; most >= 16; most /= 4)
		if (map_at(GRANULE_WORDS, most * CHUNK_SIZE))
			break;
	if (most < 16 || !map_at(GRANULE_PAGES, most * PAGES_SIZE))
		most = 0;
	nchunks = 1;
	return most;
}

void granules_clear(void)
{
	madvise((void *)GRANULE_WORDS, nchunks * CHUNK_SIZE, MADV_DONTNEED);
	madvise((void *)GRANULE_PAGES, nchunks * PAGES_SIZE, MADV_DONTNEED);
}

struct granule *granule_need(u64 addr)
{
	u64 chunk = addr >> GRANULE_CHUNK;

	if (chunk >> (GRANULE_ADDRESSES - GRANULE_CHUNK))
		return NULL;
	if (unlikely(!directory[chunk])) {
		if (nchunks == most)
			return NULL;
		directory[chunk] = nchunks++ * CHUNK_SIZE;
	}
	return granule_of(addr);
}
