/* SPDX-License-Identifier: ISC */
/* t_buffer.c - the store buffer: forwarding, order of commits, markers, and its invariants
 * always. */
#include "base/prng.h"
#include "model/buffer.h"

#include "unit.h"

static void push(struct buffer *b, u64 addr, u32 size, u64 value)
{
	u64 v[2] = {value, 0};

	buffer_push(b, addr, size, v, 0);
	buffer_check(b);
}

static u64 pop(struct buffer *b)
{
	struct store s;

	buffer_pop(b, &s);
	buffer_check(b);
	return s.value[0];
}

static void tso_is_a_queue(void)
{
	struct buffer b;

	buffer_init(&b, false);
	for (u64 i = 0; i < 10; i++)
		push(&b, 64 + 8 * (i % 3), 8, i);
	for (u64 i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(pop(&b), i);
	CU_ASSERT(buffer_empty(&b));
}

static void youngest_is_seen(void)
{
	struct buffer b;
	struct store found;

	buffer_init(&b, false);
	push(&b, 64, 4, 1);
	push(&b, 68, 4, 2);
	push(&b, 64, 4, 3);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 64, 4, &found), LOOKUP_HIT);
	CU_ASSERT_EQUAL(found.value[0] & 0xffffffff, 3);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 72, 4, &found), LOOKUP_MISS);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 64 + 512, 4, &found), LOOKUP_MISS);
}

static void parts_of_a_store(void)
{
	struct buffer b;
	struct store found;

	buffer_init(&b, true);
	push(&b, 64, 8, 0x1122334455667788);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 66, 2, &found), LOOKUP_HIT);
	CU_ASSERT_EQUAL(found.value[0] & 0xffff, 0x5566);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 68, 8, &found), LOOKUP_PARTIAL);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 60, 8, &found), LOOKUP_PARTIAL);
	push(&b, 70, 1, 0xaa);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 70, 1, &found), LOOKUP_HIT);
	CU_ASSERT_EQUAL(found.value[0] & 0xff, 0xaa);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 64, 8, &found), LOOKUP_PARTIAL);
	CU_ASSERT(buffer_overlaps(&b, 71, 100));
	CU_ASSERT(!buffer_overlaps(&b, 72, 100));
}

static void pso_orders_a_location(void)
{
	struct buffer b;
	struct store s;

	buffer_init(&b, true);
	push(&b, 64, 4, 1);
	push(&b, 128, 4, 2);
	push(&b, 64, 4, 3);
	push(&b, 66, 1, 4); /* overlaps both */
	CU_ASSERT_EQUAL(b.nready, 2);
	buffer_take(&b, 1, &s);
	buffer_check(&b);
	CU_ASSERT_EQUAL(s.value[0], 2);
	CU_ASSERT_EQUAL(b.nready, 1);
	buffer_take(&b, 0, &s);
	CU_ASSERT_EQUAL(s.value[0], 1);
	CU_ASSERT_EQUAL(buffer_peek(&b, 0)->value[0], 3);
}

static void markers(void)
{
	struct buffer b;
	struct store s;

	buffer_init(&b, true);
	buffer_mark(&b);
	CU_ASSERT(buffer_empty(&b));
	push(&b, 64, 4, 1);
	push(&b, 128, 4, 2);
	buffer_mark(&b);
	buffer_mark(&b);
	push(&b, 192, 4, 3);
	buffer_check(&b);
	CU_ASSERT_EQUAL(b.n, 4);
	CU_ASSERT_EQUAL(b.nready, 2);
	buffer_take(&b, 1, &s);
	buffer_take(&b, 0, &s);
	buffer_check(&b);
	CU_ASSERT_EQUAL(b.nready, 1);
	buffer_take(&b, 0, &s);
	CU_ASSERT_EQUAL(s.value[0], 3);
	CU_ASSERT(buffer_empty(&b));
	push(&b, 64, 4, 1);
	buffer_mark(&b);
	CU_ASSERT_EQUAL(pop(&b), 1);
	CU_ASSERT(buffer_empty(&b));
}

/* A function has returned: its stores to [64, 128) are dead. */
static void discard(void)
{
	struct buffer b;
	struct store found;

	buffer_init(&b, true);
	push(&b, 64, 4, 1);
	buffer_mark(&b);
	push(&b, 128, 4, 2);
	push(&b, 96, 4, 3);
	push(&b, 32, 4, 4);
	buffer_discard(&b, 64, 128);
	buffer_check(&b);
	CU_ASSERT_EQUAL(b.n, 2); /* the marker has nothing left to hold back */
	CU_ASSERT_EQUAL(b.nready, 2);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 64, 4, &found), LOOKUP_MISS);
	CU_ASSERT_EQUAL(buffer_lookup(&b, 128, 4, &found), LOOKUP_HIT);
	CU_ASSERT_EQUAL(pop(&b), 2);
	CU_ASSERT_EQUAL(pop(&b), 4);
}

/* Any mix of operations keeps the invariants, and loads agree with a byte array. */
static void random_operations(void)
{
	struct prng p;

	prng_seed(&p, 1);
	for (u32 round = 0; round < 200; round++) {
		u8 memory[64] = {0}, view[64] = {0};
		struct buffer b;
		struct store s;

		buffer_init(&b, round & 1);
		for (u32 i = 0; i < 200; i++) {
			u32 size = 1u << prng_below(&p, 4), at = prng_below(&p, 64 / size) * size;
			u32 what = prng_below(&p, 4);
			u64 value = prng_next(&p);

			if (what < 2 && b.n < BUFFER_MAX) {
				push(&b, 4096 + at, size, value);
				__builtin_memcpy(view + at, &value, size);
			} else if (what == 2 && b.pso && b.n < BUFFER_MAX) {
				buffer_mark(&b);
			} else if (b.n) {
				if (b.pso)
					buffer_take(&b, prng_below(&p, b.nready), &s);
				else
					buffer_pop(&b, &s);
				__builtin_memcpy(memory + (s.addr - 4096), s.value, s.size);
			}
			buffer_check(&b);
			if (buffer_lookup(&b, 4096 + at, size, &s) == LOOKUP_HIT)
				CU_ASSERT(!__builtin_memcmp(s.value, view + at, size));
		}
		while (b.n) {
			buffer_pop(&b, &s);
			__builtin_memcpy(memory + (s.addr - 4096), s.value, s.size);
		}
		CU_ASSERT(!__builtin_memcmp(memory, view, sizeof view));
	}
}

const struct unit_test buffer_tests[] = {
	{"TSO is a queue", tso_is_a_queue},
	{"the youngest store is seen", youngest_is_seen},
	{"parts of a store", parts_of_a_store},
	{"PSO keeps the order of a location", pso_orders_a_location},
	{"markers", markers},
	{"stores to a dead frame", discard},
	{"random operations", random_operations},
	{NULL, NULL},
};
