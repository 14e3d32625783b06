/* SPDX-License-Identifier: ISC */
/* descriptor.c - see descriptor.h. */
#include "kernel/descriptor.h"
#include "base/text.h"
#include "machine/core.h"
#include "machine/record/name.h"
#include "machine/learnt.h"
#include "machine/wait/sync.h"
#include "process/bytes.h"
#include "sync/shadow.h"
#include "sync/waiting.h"

#include <errno.h>

/* Objects: of descriptors' numbers, of descriptors, and of open files. */
#define NUMBERS_OBJECT	 0x530000000000u
#define WATCHERS_BASE	 0x530000002000u
#define DESCRIPTORS_BASE 0x530000004000u
#define OBJECTS_BASE	 0x540000000000u
#define LIMITS_BASE	 0x548000000000u
#define OBJECTS_MAX	 4096 /* by one thread, in an execution */

SYNC_KEPT(op_mark, EV_FD_OPEN, NULL, OBJECT_NUMBER_MARK, number, waiting_state, waiting_keep);
SYNC_KEPT(op_take, EV_FD_OPEN, NULL, OBJECT_NUMBER_TAKE, number, waiting_state, waiting_keep);
SYNC_KEPT(
	op_release, EV_FD_CLOSE, NULL, OBJECT_NUMBER_RELEASE, number, waiting_state, waiting_keep);
SYNC_KEPT(op_get, EV_FD_OPEN, NULL, OBJECT_DESCRIPTOR_GET, descriptor, waiting_state, waiting_keep);
SYNC_KEPT(
	op_set, EV_FD_CLOSE, NULL, OBJECT_DESCRIPTOR_SET, descriptor, waiting_state, waiting_keep);

static u16 made[THREADS_MAX]; /* by thread; of this execution if it has begun */
static PER_EXECUTION bool made_begun;

static const void *memory_at(u64 addr)
{
	return (const void *)(uintptr_t)addr;
}

static const void *entry(int fd)
{
	return memory_at(DESCRIPTORS_BASE + (u64)(u32)fd * 8);
}

u32 descriptor_new_object(void)
{
	u32 id = thread_id(thread_self());

	if (!made_begun)
		bytes_fill(made, 0, sizeof made);
	made_begun = true;
	if (made[id] == OBJECTS_MAX - 1)
		machine_refuse("limit: a thread opens more than %u pipes, sockets and eventfds",
			OBJECTS_MAX - 1);
	return id * OBJECTS_MAX + ++made[id];
}

u32 descriptor_maker(u32 number)
{
	return number / OBJECTS_MAX;
}

const void *descriptor_object(u32 number)
{
	return memory_at(OBJECTS_BASE + (u64)number * 8);
}

u32 descriptor_object_number(const void *obj)
{
	return (u32)(((u64)(uintptr_t)obj - OBJECTS_BASE) / 8);
}

static const void *limit_object(u32 number, enum descriptor_limit which)
{
	return memory_at(LIMITS_BASE + (u64)number * 16 + (which == LIMIT_SEND ? 8 : 0));
}

u64 descriptor_limit(u32 number, enum descriptor_limit which)
{
	return sync_step(&op_get, limit_object(number, which), 0);
}

void descriptor_set_limit(u32 number, enum descriptor_limit which, u64 ns)
{
	sync_step(&op_set, limit_object(number, which), ns);
}

bool descriptor_is_object(u64 obj)
{
	return obj - OBJECTS_BASE < (u64)THREADS_MAX * OBJECTS_MAX * 8;
}

u64 descriptor_state(struct file f)
{
	u64 state;

	_Static_assert(sizeof f == sizeof state, "a file is a state");
	__builtin_memcpy(&state, &f, sizeof state);
	return state;
}

struct file descriptor_of_state(u64 state)
{
	struct file f;

	__builtin_memcpy(&f, &state, sizeof f);
	return f;
}

/*
 * To the race detector a descriptor is a variable: opening and closing write it, other calls read
 * it. The program has a race if a thread uses a number that another one may be closing at the same
 * time, or reopening as another file.
 */
static u64 *state_of(int fd)
{
	return (u64 *)shadow_sem(entry(fd));
}

void descriptor_note_use(int fd)
{
	u64 unused;

	if (M.engine->init_read && !descriptor_is_standard(fd))
		M.engine->init_read(&unused, state_of(fd), sizeof unused);
}

void descriptor_note_change(int fd, u64 value)
{
	char name[32];
	struct text t = text_begin(name, sizeof name);

	if (!M.engine->init_write || descriptor_is_standard(fd))
		return;
	text_put(&t, "descriptor ");
	text_number(&t, (u64)fd);
	name_give((u64)(uintptr_t)state_of(fd), sizeof(u64), name);
	M.engine->init_write(state_of(fd), &value, sizeof value);
}

static PER_EXECUTION bool opened;

bool descriptor_any(void)
{
	return opened;
}

int descriptor_open_from(struct file f, int from)
{
	u64 n = from < DESCRIPTOR_FIRST ? 0 : (u64)from - DESCRIPTOR_FIRST;
	int fd;

	n = sync_step(&op_take, memory_at(NUMBERS_OBJECT), n);
	if (!n)
		machine_refuse("limit: more than %d pipes, sockets and other descriptors between "
			       "threads are open",
			DESCRIPTORS_OPEN);
	opened = true;
	fd = DESCRIPTOR_FIRST + (int)n - 1;
	descriptor_note_change(fd, 1);
	sync_step(&op_set, entry(fd), descriptor_state(f));
	return fd;
}

struct file descriptor_open_at(struct file f, int fd)
{
	if (descriptor_is_numbered(fd))
		sync_step(&op_mark, memory_at(NUMBERS_OBJECT), (u64)fd - DESCRIPTOR_FIRST);
	descriptor_note_change(fd, 1);
	return descriptor_of_state(sync_step(&op_set, entry(fd), descriptor_state(f)));
}

static const void *watchers(int fd)
{
	return memory_at(WATCHERS_BASE + (u64)(u32)fd * 8);
}

void descriptor_watch(int fd, int epoll_fd)
{
	sync_step(&op_mark, watchers(fd), (u64)epoll_fd - DESCRIPTOR_FIRST);
}

u64 descriptor_watched(int fd)
{
	return sync_step(&op_set, watchers(fd), 0);
}

int descriptor_open(struct file f)
{
	return descriptor_open_from(f, DESCRIPTOR_FIRST);
}

struct file descriptor_file(int fd)
{
	if (!descriptor_is_ours(fd))
		return (struct file){0};
	descriptor_note_use(fd);
	return descriptor_at(fd);
}

struct file descriptor_at(int fd)
{
	return descriptor_of_state(sync_step(&op_get, entry(fd), 0));
}

bool descriptor_stands_in(int fd)
{
	return unlikely(learnt_known(LEARNT_STANDARD) >> fd & 1) && descriptor_at(fd).kind;
}

int descriptor_next(int fd, struct file *f)
{
	u64 used = sync_step(&op_get, memory_at(NUMBERS_OBJECT), 0);

	for (; descriptor_is_numbered(fd); fd++) {
		if (!(used >> (fd - DESCRIPTOR_FIRST) & 1))
			continue;
		*f = descriptor_at(fd);
		if (f->kind)
			return fd;
	}
	return -1;
}

void descriptor_change(int fd, struct file f)
{
	sync_step(&op_set, entry(fd), descriptor_state(f));
}

struct file descriptor_close(int fd)
{
	struct file f;

	descriptor_note_change(fd, 0);
	f = descriptor_of_state(sync_step(&op_set, entry(fd), 0));
	if (f.kind && descriptor_is_numbered(fd))
		sync_step(&op_release, memory_at(NUMBERS_OBJECT), (u64)fd - DESCRIPTOR_FIRST);
	return f;
}
