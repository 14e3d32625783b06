/* SPDX-License-Identifier: ISC */
/*
 * malloc.c - the allocation functions that the program sees; the work is in heap/heap.h.
 *
 * All of them are here, so that free() gets only blocks of heap.c. (A program's own allocator takes
 * precedence, and its heap is not restored.) C++ new and delete come through malloc() and free().
 * Nothing here is an arrival: the result of an allocation depends on the calling thread's history
 * only.
 */
#include "intercept/intercept.h"
#include "heap/heap.h"
#include "machine/wait/unsafe.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define CALLER __builtin_return_address(0)

static inline void *allocated(void *p)
{
	if (unlikely(!p))
		errno = ENOMEM;
	return p;
}

static bool is_power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

INTERCEPT void *malloc(size_t size)
{
	unsafe_call("malloc", CALLER);
	return allocated(heap_alloc(size, HEAP_ALIGNMENT, false, CALLER));
}

INTERCEPT void *calloc(size_t n, size_t size)
{
	size_t whole;

	unsafe_call("calloc", CALLER);
	if (__builtin_mul_overflow(n, size, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocated(heap_alloc(whole, HEAP_ALIGNMENT, true, CALLER));
}

INTERCEPT void free(void *p)
{
	int saved = errno; /* POSIX since 2024, and glibc: free() keeps errno */

	unsafe_call("free", CALLER);
	if (!p)
		return;
	heap_free(p, CALLER);
	errno = saved;
}

static void *reallocate(void *p, size_t size, const void *caller)
{
	if (p && !size) { /* as glibc does it */
		heap_free(p, caller);
		return NULL;
	}
	return allocated(heap_realloc(p, size, caller));
}

INTERCEPT void *realloc(void *p, size_t size)
{
	unsafe_call("realloc", CALLER);
	return reallocate(p, size, CALLER);
}

INTERCEPT void *reallocarray(void *p, size_t n, size_t size)
{
	size_t whole;

	if (__builtin_mul_overflow(n, size, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	return reallocate(p, whole, CALLER);
}

static void *aligned(size_t alignment, size_t size, const void *caller)
{
	if (alignment < HEAP_ALIGNMENT)
		alignment = HEAP_ALIGNMENT;
	if (!is_power_of_two(alignment)) {
		size_t up = HEAP_ALIGNMENT;

		while (up && up < alignment) /* glibc rounds up */
			up <<= 1;
		alignment = up;
	}
	if (!alignment) {
		errno = EINVAL;
		return NULL;
	}
	return allocated(heap_alloc(size, alignment, false, caller));
}

INTERCEPT void *memalign(size_t alignment, size_t size)
{
	return aligned(alignment, size, CALLER);
}

INTERCEPT void *aligned_alloc(size_t alignment, size_t size)
{
	return aligned(alignment, size, CALLER);
}

INTERCEPT int posix_memalign(void **to, size_t alignment, size_t size)
{
	int saved = errno;
	void *p;

	if (!is_power_of_two(alignment) || alignment % sizeof(void *))
		return EINVAL;
	p = aligned(alignment, size, CALLER);
	errno = saved;
	if (!p)
		return ENOMEM;
	if (machine_entered())
		give(CALLER, to, &p, sizeof p);
	else
		*to = p;
	return 0;
}

INTERCEPT void *valloc(size_t size)
{
	return aligned((size_t)getpagesize(), size, CALLER);
}

INTERCEPT void *pvalloc(size_t size)
{
	size_t page = (size_t)getpagesize();

	if (size > PTRDIFF_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	return aligned(page, (size + page - 1) & -page, CALLER);
}

INTERCEPT size_t malloc_usable_size(void *p)
{
	return heap_size(p);
}
