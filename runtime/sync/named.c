/* SPDX-License-Identifier: ISC */
/* named.c - see named.h. */
#include "sync/named.h"
#include "base/prng.h"
#include "machine/wait/sync.h"
#include "object/name.h"
#include "process/bytes.h"
#include "sync/sem.h"
#include "sync/shadow.h"
#include "sync/waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

/* Objects that stand for names, by a hash of them, and for semaphores, by their number. */
#define NAMES_BASE 0x510000000000u
#define NAMES_MASK 0xfffffffff8u
#define SEMS_BASE  0x520000000000u
#define OPENED_MAX 4096 /* maximum by one thread in an execution */

SYNC_KEPT(op_open, EV_DRAIN, NULL, OBJECT_NAME_OPEN, name, waiting_state, waiting_keep);
SYNC_KEPT(op_create, EV_DRAIN, NULL, OBJECT_NAME_CREATE, name, waiting_state, waiting_keep);
SYNC_KEPT(op_unlink, EV_DRAIN, NULL, OBJECT_NAME_UNLINK, name, waiting_state, waiting_keep);

static u16 opened[THREADS_MAX]; /* by thread; of this execution if it has begun */
static PER_EXECUTION bool opened_begun;

/* The name without leading slashes, as in glibc; NULL: invalid. */
static const char *skip_slashes(const char *name)
{
	size_t n = 0;

	while (*name == '/')
		name++;
	while (name[n] && name[n] != '/')
		n++;
	return n && !name[n] && n <= NAME_MAX - sizeof "sem" ? name : NULL;
}

static const void *named_object(const char *file)
{
	u64 hash = 0;

	for (; *file; file++)
		hash = prng_mix(hash ^ (u8)*file);
	return (const void *)(uintptr_t)(NAMES_BASE + (hash & NAMES_MASK));
}

static sem_t *sem_of(u64 number)
{
	return shadow_sem((const void *)(uintptr_t)(SEMS_BASE + number));
}

/* Count the semaphores that the thread has opened, including this one. */
static u32 count_opened(u32 id)
{
	if (!opened_begun)
		bytes_fill(opened, 0, sizeof opened);
	opened_begun = true;
	if (opened[id] == OPENED_MAX)
		machine_refuse("limit: a thread calls sem_open() more than %u times", OPENED_MAX);
	return ++opened[id];
}

/* Create a semaphore without a name; returns its number. */
static u64 new_sem(unsigned value)
{
	u32 id = thread_id(thread_self());
	u64 number = (u64)id * OPENED_MAX + count_opened(id);
	sem_t *s;

	s = sem_of(number);
	sync_init_begins(s, value);
	sem_set(s, value);
	sync_init_ends(s, value, 0);
	return number;
}

int named_open(const char *name, int flags, unsigned value, sem_t **sem)
{
	const char *file = skip_slashes(name);
	u64 number = 0;

	if (!file || (flags & O_CREAT && value > SEM_VALUE_MAX))
		return EINVAL;
	if (flags & O_CREAT)
		number = new_sem(value);
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
		number = sync_step(&op_create, named_object(file), number);
		if (!number)
			return EEXIST;
	} else {
		number = sync_step(&op_open, named_object(file), number);
		if (!number)
			return ENOENT;
	}
	*sem = sem_of(number);
	return 0;
}

int named_unlink(const char *name)
{
	const char *file = skip_slashes(name);

	return file && sync_step(&op_unlink, named_object(file), 0) ? 0 : ENOENT;
}

int named_close(sem_t *sem)
{
	return (u64)(uintptr_t)sem - SHADOW_BASE < (u64)SHADOWS * SHADOW_SIZE ? 0 : EINVAL;
}
