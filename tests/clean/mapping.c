/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11 */
/*
 * Memory that is mapped: before main, by each thread for the other, from a file that was there
 * before and that is written in memory, and one that grows. The next execution does not see an
 * execution's stores to it.
 */
#define _GNU_SOURCE
#include "two.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 8192

static int *early, *shared;
static _Atomic(int *) mine[2];
static char name[64];
static int descriptor;

static void *map(int flags, int fd)
{
	void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, fd, 0);

	assert(p != MAP_FAILED);
	return p;
}

__attribute__((constructor)) static void before(void)
{
	early = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	snprintf(name, sizeof name, "mapping.%d.tmp", (int)getpid());
	descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	unlink(name);
	assert(descriptor >= 0 && !ftruncate(descriptor, SIZE));
}

static void *worker(void *arg)
{
	long me = (long)arg;
	int *p = map(MAP_PRIVATE | MAP_ANONYMOUS, -1), *q = map(MAP_SHARED | MAP_ANONYMOUS, -1),
	    *other;

	*p = 7;
	p = mremap(p, SIZE, 64 * SIZE, MREMAP_MAYMOVE);
	p[16 * SIZE - 1] = 1;
	*q = *p;
	munmap(p, 64 * SIZE);
	atomic_store(&mine[me], q);
	other = atomic_load(&mine[!me]);
	if (other)
		assert(*other == 7);
	return NULL;
}

int main(void)
{
	shared = map(MAP_SHARED, descriptor);
	assert(!*early && !*shared && !shared[SIZE / 4 - 1]);
	*early = *shared = shared[SIZE / 4 - 1] = 1;
	two(worker, (void *)0L, worker, (void *)1L);
	assert(*early == 1 && *shared == 1);
	puts("ok");
	return 0;
}
