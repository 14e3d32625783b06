/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/*
 * flush_zero.c - the control register of SSE, which intrinsics set, is a thread's own; each
 * execution begins with the program's.
 *
 * cflags -Werror
 */
#include <pmmintrin.h>
#include "two.h"

static atomic_int turns;

static void *flush(void *arg)
{
	_MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
	turns++;
	assert(_MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_ON);
	return arg;
}

static void *keep(void *arg)
{
	volatile float small = 1e-38f;

	for (int i = 0; i < 2; i++) {
		turns++;
		assert(small / 4 != 0 && _MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_OFF);
	}
	return arg;
}

int main(void)
{
	assert(_MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_OFF);
	two(flush, NULL, keep, NULL);
	assert(_MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_OFF);
	_MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
	printf("%d turns\n", turns);
	return 0;
}
