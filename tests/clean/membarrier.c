/* SPDX-License-Identifier: ISC */
/* graph: none; */
/* A barrier for all threads, where the other side has none: membarrier(2). */
#define _GNU_SOURCE
#include "two.h"
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;
static int r0, r1;

static void *fast(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *slow(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	assert(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0) == 0);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

int main(void)
{
	assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0) & MEMBARRIER_CMD_GLOBAL);
	assert(syscall(SYS_membarrier, 1 << 30, 0) == -1);
	two(fast, NULL, slow, NULL);
	assert(r0 || r1);
	return 0;
}
