/* SPDX-License-Identifier: ISC */
/* t_cycle.c - sequential consistency of recorded executions, and the cycle that refutes it. */
#include "model/cycle.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define X 0x1000
#define Y 0x2000

static struct event log_[64];
static u32 n;
static struct cycle cycle;

static u32 add(u16 thread, enum event_kind kind, u64 addr, u16 flags)
{
	log_[n] = (struct event){.step = n + 1, .thread = thread, .kind = (u8)kind, .addr = addr,
		.size = addr ? 4 : 0, .flags = flags};
	return ++n;
}

static u32 store(u16 thread, u64 addr)
{
	return add(thread, EV_WRITE, addr, EVENT_BUFFERED);
}

static void commit(u32 of)
{
	u32 c = add(log_[of - 1].thread, EV_COMMIT, log_[of - 1].addr, 0);

	log_[c - 1].store = of;
}

static void load(u16 thread, u64 addr, u32 from)
{
	u32 l = add(thread, EV_READ, addr, 0);

	log_[l - 1].from = from;
}

static void forwarded(u16 thread, u64 addr, u32 from)
{
	u32 l = add(thread, EV_READ, addr, EVENT_FORWARDED);

	log_[l - 1].from = from;
}

static enum verdict verdict(void)
{
	static u8 *memory;
	struct arena arena = {.size = 4 << 20};
	enum verdict v;

	if (!memory)
		memory = malloc(arena.size);
	memset(memory, 0, arena.size);
	arena.mem = memory;
	v = sc_check(log_, n, &arena, &cycle);
	n = 0;
	return v;
}

static void store_buffering(void)
{
	u32 a, b;

	a = store(1, X);
	load(1, Y, 0);
	b = store(2, Y);
	load(2, X, 0);
	commit(a);
	commit(b);
	CU_ASSERT_EQUAL(verdict(), SC_NO);
	CU_ASSERT_EQUAL(cycle.n, 4);
	for (u32 i = 0; i < cycle.n; i++)
		CU_ASSERT_EQUAL(cycle.edge[i].to, cycle.edge[(i + 1) % cycle.n].from);
}

/* The same if neither store has reached memory: they would later. */
static void store_buffering_pending(void)
{
	store(1, X);
	load(1, Y, 0);
	store(2, Y);
	load(2, X, 0);
	CU_ASSERT_EQUAL(verdict(), SC_NO);
}

static void one_after_the_other(void)
{
	u32 a, b;

	a = store(1, X);
	load(1, Y, 0);
	commit(a);
	b = store(2, Y);
	load(2, X, a);
	commit(b);
	CU_ASSERT_EQUAL(verdict(), SC_YES);
}

static void message_passing(void)
{
	u32 a, b;

	a = store(1, X);
	b = store(1, Y);
	commit(b);
	load(2, Y, b);
	load(2, X, 0);
	commit(a);
	CU_ASSERT_EQUAL(verdict(), SC_NO);
	CU_ASSERT_EQUAL(cycle.n, 4);
}

/* x=1; y=1; r=x(1) || x=2; mfence; r=y(0), x=2 at the end: not because of a store that was late for
 * another thread, but because the own load was early. */
static void forwarded_from_an_older_store(void)
{
	u32 a, b, c;

	a = store(1, X);
	b = store(1, Y);
	forwarded(1, X, a);
	commit(a);
	c = store(2, X);
	commit(c);
	load(2, Y, 0);
	commit(b);
	CU_ASSERT_EQUAL(verdict(), SC_NO);
}

static void coherence_of_bytes(void)
{
	u32 a, b;

	a = store(1, X);
	commit(a);
	b = add(2, EV_WRITE, X + 2, EVENT_BUFFERED);
	log_[b - 1].size = 1;
	commit(b);
	load(1, X, a);
	log_[n - 1].size = 2;
	CU_ASSERT_EQUAL(verdict(), SC_YES);
}

/* A lock orders the accesses that it protects, independent of buffers. */
static void locks(void)
{
	u32 a;

	add(1, EV_LOCK, Y, 0);
	a = store(1, X);
	commit(a);
	add(1, EV_UNLOCK, Y, 0);
	add(2, EV_LOCK, Y, 0);
	load(2, X, a);
	CU_ASSERT_EQUAL(verdict(), SC_YES);
}

const struct unit_test cycle_tests[] = {
	{"store buffering", store_buffering},
	{"store buffering with pending stores", store_buffering_pending},
	{"one thread after the other", one_after_the_other},
	{"message passing", message_passing},
	{"forwarded from an older store", forwarded_from_an_older_store},
	{"coherence byte by byte", coherence_of_bytes},
	{"locks", locks},
	{NULL, NULL},
};
