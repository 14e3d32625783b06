/* SPDX-License-Identifier: ISC */
/* pending.c - see pending.h. */
#include "machine/pending.h"
#include "machine/core.h"

static void dress_pending(struct engine *e);
static struct decorator decorator = {.dress = dress_pending};
static u32 users;

void pending_want(enum pending_user user, bool on)
{
	u32 before = users;

	users = on ? users | user : users & ~(u32)user;
	if (!before == !users)
		return;
	for (u32 i = 0; i < M.nthreads; i++)
		M.thread[M.created[i]].pending.kind = PENDING_NONE;
	engine_decorate(&decorator, users);
}

static struct pending *note_pending(
	enum pending_kind kind, const void *p, u32 size, int order, const u64 *a, const u64 *b)
{
	struct pending *at = &M.cur->pending;

	*at = (struct pending){
		.kind = (u8)kind, .size = size, .order = order, .addr = (u64)(uintptr_t)p};
	for (u32 i = 0; i < 2; i++) {
		at->value[i] = a ? a[i] : 0;
		at->value[2 + i] = b ? b[i] : 0;
	}
	return at;
}

static void note_range(enum pending_kind kind, const void *p, size_t n)
{
	note_pending(kind, p, n < UINT32_MAX ? (u32)n : UINT32_MAX, 0, NULL, NULL);
}

static void done(void)
{
	M.cur->pending.kind = PENDING_NONE;
}

static void pending_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	note_pending(PENDING_LOAD, p, size, order, NULL, NULL)->flags = flags;
	decorator.next->load(p, size, order, flags, out);
	done();
}

static void pending_store(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	note_pending(PENDING_STORE, p, size, order, value, NULL)->flags = flags;
	decorator.next->store(p, size, value, order, flags);
	done();
}

static void pending_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	note_pending(PENDING_RMW, p, size, order, value, NULL)->op = op;
	decorator.next->rmw(p, size, value, op, order);
	done();
}

static bool pending_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	bool ok;

	note_pending(PENDING_CAS, p, size, orders, expected, desired);
	ok = decorator.next->cas(p, size, expected, desired, orders);
	done();
	return ok;
}

static void pending_fence(int order)
{
	note_pending(PENDING_FENCE, NULL, 0, order, NULL, NULL);
	decorator.next->fence(order);
	done();
}

static void pending_read(void *to, const void *from, size_t n)
{
	note_range(PENDING_READS, from, n);
	decorator.next->read(to, from, n);
	done();
}

static void pending_write(void *to, const void *from, size_t n)
{
	note_range(PENDING_WRITES, to, n);
	decorator.next->write(to, from, n);
	done();
}

static void pending_fill(void *to, int byte, size_t n)
{
	note_range(PENDING_WRITES, to, n);
	decorator.next->fill(to, byte, n);
	done();
}

static void pending_announce(const void *p, size_t n, u64 code)
{
	note_range(PENDING_WRITES, p, n);
	decorator.next->announce(p, n, code);
	done();
}

static void dress_pending(struct engine *e)
{
	e->load = pending_load;
	e->store = pending_store;
	e->rmw = pending_rmw;
	e->cas = pending_cas;
	e->fence = pending_fence;
	e->read = pending_read;
	e->write = pending_write;
	e->fill = pending_fill;
	if (e->announce)
		e->announce = pending_announce;
}
