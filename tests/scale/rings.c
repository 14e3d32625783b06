/* SPDX-License-Identifier: ISC */
/* A pipeline of four threads over rings with one writer and one reader each. Wrong (depth 1): the position is
 * published before the slot is filled. */
#include "scale.h"

#define ROOM   8
#define STAGES 4
#define ITEMS  60

struct ring {
	atomic_uint head, tail;
	unsigned slot[ROOM];
};

static struct ring ring[STAGES - 1];
static unsigned sum;

static void push(struct ring *r, unsigned x)
{
	unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);

	while (head - atomic_load_explicit(&r->tail, memory_order_acquire) == ROOM)
		sched_yield();
#ifdef WRONG
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	r->slot[head % ROOM] = x;
#else
	r->slot[head % ROOM] = x;
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
#endif
}

static unsigned pop(struct ring *r)
{
	unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed), x;

	while (atomic_load_explicit(&r->head, memory_order_acquire) == tail)
		sched_yield();
	x = r->slot[tail % ROOM];
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
	return x;
}

static unsigned work(unsigned x, int stage)
{
	unsigned digest = x;

	for (int i = 0; i < 8; i++)
		digest = digest * 31 + (unsigned)stage;
	return digest;
}

static void *stage(void *id)
{
	int n = (int)(intptr_t)id;

	for (unsigned i = 0; i < ITEMS; i++) {
		unsigned x = n ? pop(&ring[n - 1]) : i + 1;

		x = work(x, n);
		if (n < STAGES - 1)
			push(&ring[n], x);
		else
			sum += x;
	}
	return NULL;
}

int main(void)
{
	unsigned expected = 0;

	start(0, STAGES, stage);
	join(0, STAGES);
	for (unsigned i = 0; i < ITEMS; i++) {
		unsigned x = i + 1;

		for (int n = 0; n < STAGES; n++)
			x = work(x, n);
		expected += x;
	}
	assert(sum == expected);
	return 0;
}
