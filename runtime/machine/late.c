/* SPDX-License-Identifier: ISC */
/*
 * late.c - see late.h.
 *
 * On the store-buffer machine a plain store that is announced is not buffered: libc's functions, of
 * whose calls such code says nothing, must see it. What is older leaves the buffer first.
 */
#include "machine/late.h"
#include "machine/access.h"
#include "process/bytes.h"
#include "machine/memory.h"
#include "machine/record.h"
#include "process/stack.h"

#include <heddle/abi.h>

bool late_used, late_reads = true;

enum { NOTHING, STORE, SHOWN };

static struct {
	u32 what, n;
	u64 addr;
	int order;
	u64 site;
	u32 stack;
	u8 bytes[LATE_MAX]; /* what was there before */
} late;

static void begin(u32 what, const void *p, size_t n)
{
	late.what = what;
	late.addr = (u64)(uintptr_t)p;
	late.n = (u32)n;
	if (n <= LATE_MAX)
		bytes_copy(late.bytes, p, n);
	machine_exploring = EXPLORING_LATE;
}

void late_begin(void)
{
	late.what = NOTHING;
}

struct late_store late_put_aside(void)
{
	struct late_store s = {NULL};

	if (machine_exploring != EXPLORING_LATE)
		return s;
	if (late.what == STORE && late.n <= LATE_MAX &&
		bytes_equal(late.bytes, (const u8 *)(uintptr_t)late.addr, late.n)) {
		s = (struct late_store){(void *)(uintptr_t)late.addr, late.n, late.order, late.site,
			late.stack};
		late.what = NOTHING;
	}
	machine_settle();
	return s;
}

void late_go_on(const struct late_store *s)
{
	if (!s->p)
		return;
	late.order = s->order;
	late.site = s->site;
	late.stack = s->stack;
	begin(STORE, s->p, s->n);
}

static void before_plain(const void *p, size_t n, const void *code)
{
	u8 unused[LATE_MAX];

	if (!M.graph) {
		access_make_way(p, n);
	} else if (late_reads && n <= LATE_MAX) {
		machine_site = (u64)(uintptr_t)code;
		machine_read(unused, p, n);
	}
}

void late_store(void *p, size_t n, int order, const void *code)
{
	if (!n)
		return;
	memory_probe((u64)(uintptr_t)p, 1);
	memory_probe((u64)(uintptr_t)p + n - 1, 1);
	if (!order)
		before_plain(p, n, code);
	late.stack = unlikely(M.recording) ? stack_capture() : 0;
	late.order = order;
	late.site = (u64)(uintptr_t)code;
	begin(STORE, p, n);
}

void late_show(const void *p, size_t n, const void *bytes)
{
	if (n > LATE_MAX || bytes_equal(p, bytes, n))
		return;
	begin(SHOWN, p, n);
	bytes_copy((void *)(uintptr_t)p, bytes, n);
}

/* The store as the program's own: the value that is there now. */
static void hand_over(void *p, u32 n)
{
	static u8 now[LATE_MAX];
	u64 value[2] = {0, 0};

	bytes_copy(now, p, n);
	bytes_copy(p, late.bytes, n);
	if (n <= 16 && !(n & (n - 1))) {
		bytes_copy(value, now, n);
		access_store(p, n, value, late.order, late.order ? 0 : EVENT_PLAIN);
	} else {
		machine_write(p, now, n);
	}
}

static bool is_own_stack(u64 addr)
{
	return addr - fiber_low(M.cur->slot) < FIBER_STACK_STRIDE;
}

void machine_settle(void)
{
	void *p = (void *)(uintptr_t)late.addr;
	u32 what = late.what, n = late.n;

	machine_exploring = EXPLORING;
	late.what = NOTHING;
	if (what == SHOWN)
		bytes_copy(p, late.bytes, n);
	if (what != STORE)
		return;
	machine_site = late.site;
	M.cur->announced = late.stack;
	if (!M.graph && !late.order)
		access_stored(p, n);
	else if (n > LATE_MAX)
		machine_write(p, p, n);
	else
		hand_over(p, n);
	M.cur->announced = 0;
	if (!M.graph && late.order)
		late_own_stack(p);
}

void late_own_stack(const void *p)
{
	if (!M.graph && is_own_stack((u64)(uintptr_t)p))
		machine_drain();
}
