/* SPDX-License-Identifier: ISC */
/*
 * tsan_store.c - see tsan_store.h.
 *
 * On the store-buffer machine an announced plain store is not buffered: libc's functions, whose
 * calls are not announced, must see it. Older stores leave the buffer first.
 */
#include "machine/execution/tsan_store.h"
#include "process/bytes.h"
#include "machine/memory.h"
#include "machine/record/record.h"
#include "process/stack.h"

#include <heddle/abi.h>

bool tsan_store_used, tsan_store_reads = true;

/* Memory that the program is going to change, or that temporarily shows another value. */
struct place_before {
	u8 *p; /* NULL: there is none */
	size_t n;
	u8 bytes[LATE_MAX]; /* the old contents */
};

static struct place_before stored, shown;
static struct {
	int order;
	u64 site;
	u32 stack;
} late; /* of the new contents */

static void begin_announced(struct place_before *b, const void *p, size_t n)
{
	b->p = (u8 *)p;
	b->n = n;
	if (n <= LATE_MAX)
		bytes_copy(b->bytes, p, n);
	machine_exploring |= EXPLORING_LATE;
}

void tsan_store_begin(void)
{
	stored.p = shown.p = NULL;
}

/* Hide the value shown. */
static void hide_shown(void)
{
	if (shown.p)
		bytes_copy(shown.p, shown.bytes, shown.n);
	shown.p = NULL;
}

struct tsan_store tsan_store_put_aside(void)
{
	struct tsan_store s = {NULL};

	if (!(machine_exploring & EXPLORING_LATE))
		return s;
	if (stored.p && stored.n <= LATE_MAX && bytes_equal(stored.bytes, stored.p, stored.n)) {
		s = (struct tsan_store){stored.p, stored.n, late.order, late.site, late.stack};
		stored.p = NULL;
	}
	machine_settle();
	return s;
}

void tsan_store_resume(const struct tsan_store *s)
{
	if (!s->p)
		return;
	late.order = s->order;
	late.site = s->site;
	late.stack = s->stack;
	begin_announced(&stored, s->p, s->n);
}

void tsan_store(void *p, size_t n, int order, const void *code)
{
	if (!n)
		return;
	memory_probe((u64)(uintptr_t)p, 1);
	memory_probe((u64)(uintptr_t)p + n - 1, 1);
	if (!order)
		M.engine->announce(p, n, (u64)(uintptr_t)code);
	late.stack = unlikely(M.recording) ? stack_capture() : 0;
	late.order = order;
	late.site = (u64)(uintptr_t)code;
	begin_announced(&stored, p, n);
}

void tsan_store_show(const void *p, size_t n, const void *bytes)
{
	if (n > LATE_MAX || bytes_equal(p, bytes, n))
		return;
	begin_announced(&shown, p, n);
	bytes_copy(shown.p, bytes, n);
}

/* Perform the store as the program's own. Other threads may run, and announce stores, before its
 * last part is made. */
static void hand_over(u8 *p, size_t n, int order, const u8 *now)
{
	u64 value[2] = {0, 0};

	bytes_copy(p, stored.bytes, n);
	if (n <= 16 && !(n & (n - 1))) {
		bytes_copy(value, now, n);
		M.engine->store(p, (u32)n, value, order, order ? 0 : EVENT_PLAIN);
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
	u8 now[LATE_MAX], *p = stored.p;
	size_t n = stored.n;
	int order = late.order;

	machine_exploring &= (u8)~EXPLORING_LATE;
	stored.p = NULL;
	if (p && n <= LATE_MAX)
		bytes_copy(now, p, n); /* the value shown may overlap */
	hide_shown();
	if (!p)
		return;
	machine_site = late.site;
	M.cur->announced = late.stack;
	if (!order && M.engine->stored && M.engine->stored(p, n))
		;
	else if (n > LATE_MAX)
		machine_write(p, p, n);
	else
		hand_over(p, n, order, now);
	M.cur->announced = 0;
	if (order)
		tsan_store_own_stack(p);
}

void tsan_store_own_stack(const void *p)
{
	if (is_own_stack((u64)(uintptr_t)p))
		M.engine->drain();
}
