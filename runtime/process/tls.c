/* SPDX-License-Identifier: ISC */
/*
 * tls.c - thread-local storage blocks, borrowed from real threads that sleep for ever.
 *
 * Idea.   Only libc can make a block that libc itself can use (its own variables, the stack
 *         protector's canary, locale pointers). So a real thread is created, blocks all signals,
 *         publishes its thread pointer and sleeps; a fiber then runs on its block. Blocks of
 *         modules loaded at start lie at fixed distances from the thread pointer, so one memcpy for
 *         each module restores a block's initial state. Blocks of modules that were opened
 *         later are anywhere: ld.so makes them on first use, which is here.
 * Always. The runtime has no thread-local variables, as it runs on any fiber.
 */
#include "process/tls.h"
#include "process/bytes.h"
#include "process/coverage.h"
#include "process/fiber.h"
#include "process/libc_tls.h"
#include "process/module.h"
#include "process/snapshot.h"
#include "process/sys.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#define BLOCKS_MAX   64
#define OPENED_MAX   8
#define PARKED_STACK (64u << 10)

extern void *__tls_get_addr(u64 index_and_offset[2]);

enum tls_mode tls_mode;

/* A module's block: its offset from the thread pointer, and its initial contents. */
struct tls_block {
	i64 offset;
	u64 index;	 /* of an opened module; else 0 */
	unsigned opened; /* likewise, in tls.opened */
	const void *image;
	u64 image_size, size;
	u64 module_base;
};

static struct {
	u64 base[THREADS_MAX];
	unsigned parked;
	unsigned nblocks, nopened;
	u64 opened[THREADS_MAX][OPENED_MAX]; /* the addresses of their blocks; 0: not known */
	struct tls_block block[BLOCKS_MAX];
	u64 static_size; /* of the area around the thread pointer */
} tls;

static bool libc_has; /* libc_tls_find() */

static u64 static_size(void)
{
	void (*info)(size_t *, size_t *) =
		(void (*)(size_t *, size_t *))dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info");
	size_t size = 64 << 10, alignment;

	if (info)
		info(&size, &alignment);
	return size;
}

static void find_blocks(void)
{
	u64 tp = tls_pointer();

	tls.nblocks = tls.nopened = 0;
	memset(tls.opened, 0, sizeof tls.opened);
	tls.static_size = static_size();
	modules_refresh();
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);
		i64 offset = (i64)(m->tls - tp);
		bool opened;

		if (m->is_libc || !m->tls_size)
			continue;
		opened = !m->tls || offset > (i64)tls.static_size ||
			 offset < -(i64)tls.static_size;
		if (tls.nblocks == BLOCKS_MAX || (opened && tls.nopened == OPENED_MAX)) {
			coverage_note(
				"thread-local variables of %s are not reset between executions",
				m->path);
			continue;
		}
		tls.block[tls.nblocks++] = (struct tls_block){ offset, opened ? m->tls_index : 0,
			opened ? tls.nopened++ : 0, m->tls_image, m->tls_image_size, m->tls_size,
			m->base };
	}
}

/* The address of an opened module's block, by ld.so, which makes it for the calling thread. */
static __attribute__((noinline)) u64 find_opened(u64 index)
{
	u64 argument[2] = {index, 0};

	return (u64)(uintptr_t)__tls_get_addr(argument);
}

static u64 tls_block_address(unsigned id, const struct tls_block *b)
{
	u64 *known = &tls.opened[id][b->opened], self = tls_pointer();

	if (likely(!b->index))
		return tls.base[id] + (u64)b->offset;
	if (!*known) {
		if (self != tls.base[id])
			tls_switch(tls.base[id]);
		*known = find_opened(b->index);
		if (self != tls.base[id])
			tls_switch(self);
	}
	return *known;
}

void tls_init(void)
{
	find_blocks();
	tls.base[0] = tls_pointer();
	libc_has = libc_tls_find();
	tls_mode = !tls.nblocks && !libc_has ? TLS_ERRNO
		   : arch_may_set_tp() ? TLS_USER : TLS_KERNEL;
}

/* --- parked threads --------------------------------------------------------------------------- */

static u32 handshake; /* 0, then 1 when `reported` is valid */
static u64 reported;

static void *park(void *unused)
{
	static u32 never;

	reported = tls_pointer();
	__atomic_store_n(
		&handshake, 1, __ATOMIC_RELEASE); /* pairs with the loop in start_parked() */
	sys_call4(SYS_futex, (long)&handshake, FUTEX_WAKE_PRIVATE, 1, 0);
	for (;;)
		sys_call4(SYS_futex, (long)&never, FUTEX_WAIT_PRIVATE, 0, 0);
	return NULL;
}

static bool start_parked(void)
{
	static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	pthread_attr_t attr;
	pthread_t t;
	int error;

	if (!create)
		create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
			void *))dlsym(RTLD_NEXT, "pthread_create");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PARKED_STACK + tls.static_size);
	pthread_attr_setguardsize(&attr, 0);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	handshake = 0;
	error = create(&t, &attr, park, NULL);
	pthread_attr_destroy(&attr);
	if (error)
		return false;
	while (!__atomic_load_n(&handshake, __ATOMIC_ACQUIRE))
		sys_call4(SYS_futex, (long)&handshake, FUTEX_WAIT_PRIVATE, 0, 0);
	return true;
}

/* The new thread inherits the signal mask, so that no signal is ever delivered to it, except
 * SIGSEGV: libc allocates memory for it, and a first write to a page watched by the snapshot
 * faults. libc creates it on behalf of the main thread, whichever fiber needs it. */
static __attribute__((noinline)) u64 make_base(unsigned id)
{
	u64 all = ~(1ull << (SIGSEGV - 1)), old, self = tls_pointer();
	bool ok;

	sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&old, sizeof(all));
	if (self != tls.base[0])
		tls_switch(tls.base[0]);
	ok = start_parked();
	if (self != tls.base[0])
		tls_switch(self);
	sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&old, 0, sizeof(old));
	if (!ok)
		return 0;
	tls.parked++;
	tls.base[id] = reported;
	return reported;
}

u64 tls_base(unsigned id)
{
	BUG_ON(id >= THREADS_MAX);
	if (tls_mode == TLS_ERRNO)
		return tls.base[0];
	return likely(tls.base[id]) ? tls.base[id] : make_base(id);
}

static u64 errno_offset(void)
{
	return (u64)(uintptr_t)fiber_errno - tls.base[0];
}

static void reset_libc(unsigned id)
{
	u64 self = tls_pointer();

	if (self != tls.base[id])
		tls_switch(tls.base[id]);
	libc_tls_reset(id == 0);
	if (self != tls.base[id])
		tls_switch(self);
}

void tls_reset(unsigned id)
{
	if (tls_mode == TLS_ERRNO || !tls.base[id])
		return;
	*(int *)(uintptr_t)(tls.base[id] + errno_offset()) = 0;
	if (unlikely(libc_has))
		reset_libc(id);
	if (!id)
		return;
	for (struct tls_block *b = tls.block; b < tls.block + tls.nblocks; b++) {
		char *to = (char *)tls_block_address(id, b);

		bytes_copy(to, b->image, b->image_size);
		if (b->size > b->image_size)
			bytes_fill(to + b->image_size, 0, b->size - b->image_size);
	}
}

void tls_each(unsigned id, void (*see)(u64 start, u64 end))
{
	u64 number = tls.base[id] + errno_offset();

	if (tls_mode == TLS_ERRNO || !tls.base[id])
		return;
	for (struct tls_block *b = tls.block; b < tls.block + tls.nblocks; b++)
		see(tls_block_address(id, b), tls_block_address(id, b) + b->size);
	see(number, number + sizeof(int));
}

void tls_add_to_snapshot(void)
{
	for (struct tls_block *b = tls.block; b < tls.block + tls.nblocks; b++)
		snapshot_add((void *)tls_block_address(0, b), b->size);
}

unsigned tls_parked(void)
{
	return tls.parked;
}

bool tls_find(u64 address, unsigned *id, u64 *module_base, u64 *offset)
{
	for (unsigned i = 0; i < THREADS_MAX; i++) {
		if (!tls.base[i] || (tls_mode == TLS_ERRNO && i))
			continue;
		for (struct tls_block *b = tls.block; b < tls.block + tls.nblocks; b++) {
			u64 start = b->index ? tls.opened[i][b->opened]
					     : tls.base[i] + (u64)b->offset;

			if (!start || address - start >= b->size)
				continue;
			*id = i;
			*module_base = b->module_base;
			*offset = address - start;
			return true;
		}
	}
	return false;
}
