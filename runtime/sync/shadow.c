/* SPDX-License-Identifier: ISC */
/* shadow.c - see shadow.h. */
#include "sync/shadow.h"
#include "base/prng.h"
#include "cycle/state_cycle.h"
#include "process/stop.h"

#include <string.h>
#include <sys/mman.h>

#define USED_MAX 4096 /* in one execution */

struct shadow {
	const void *of; /* NULL: free */
	union {
		pthread_mutex_t mutex;
		pthread_rwlock_t rwlock;
		pthread_cond_t cond;
		sem_t sem;
	};
};
_Static_assert(sizeof(struct shadow) <= SHADOW_SIZE, "a shadow is small");

static char *table;
static u32 used[USED_MAX], nused;
static PER_EXECUTION bool begun; /* these are of this execution */

static void need_table(void)
{
	if (table)
		return;
	table = mmap((void *)SHADOW_BASE, (size_t)SHADOWS * SHADOW_SIZE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (table != (void *)SHADOW_BASE)
		fatal("out of memory: cannot reserve memory for synchronisation objects (ulimit "
		      "-v?)");
}

/* Drop the shadows of the last execution. */
static void begin_shadow(void)
{
	need_table();
	for (; nused; nused--)
		memset(table + (size_t)used[nused - 1] * SHADOW_SIZE, 0, SHADOW_SIZE);
	begun = true;
}

/* The shadow depends only on the address; a collision of hashes is very unlikely. */
static struct shadow *shadow_of(const void *of)
{
	u32 i = (u32)(prng_mix((u64)(uintptr_t)of) % SHADOWS);
	struct shadow *s;

	if (!begun)
		begin_shadow();
	machine_unrepeatable("objects of libraries that heddle-cc has not compiled");
	s = (struct shadow *)(void *)(table + (size_t)i * SHADOW_SIZE);
	if (s->of == of)
		return s;
	if (s->of || nused == USED_MAX)
		machine_refuse("limit: too many synchronisation objects of a library");
	used[nused++] = i;
	s->of = of;
	return s;
}

pthread_mutex_t *shadow_mutex(const void *of, bool recursive)
{
	struct shadow *s = shadow_of(of);

	s->mutex.__data.__kind = recursive ? PTHREAD_MUTEX_RECURSIVE_NP : s->mutex.__data.__kind;
	return &s->mutex;
}

pthread_rwlock_t *shadow_rwlock(const void *of)
{
	return &shadow_of(of)->rwlock;
}

pthread_cond_t *shadow_cond(const void *of)
{
	return &shadow_of(of)->cond;
}

sem_t *shadow_sem(const void *of)
{
	return &shadow_of(of)->sem;
}
