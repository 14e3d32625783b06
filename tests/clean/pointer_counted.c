/* SPDX-License-Identifier: ISC */
/* A stack whose head is a counted pointer: compare-and-exchange of sixteen bytes, loads of eight.
 * cflags: -mcx16; graph: sc tso pso ra rc11; random: tso rc11
 */
#include "two.h"

struct node {
	struct node *next;
	int value;
};

static _Alignas(16) union {
	struct {
		struct node *first;
		uint64_t count;
	};
	unsigned __int128 whole;
} head;

static struct node nodes[2] = {{NULL, 1}, {NULL, 2}};
static atomic_int sum;

static unsigned __int128 counted(struct node *first, uint64_t count)
{
	return (unsigned __int128)count << 64 | (uintptr_t)first;
}

static bool change(struct node *first, uint64_t count, struct node *to)
{
	unsigned __int128 was = counted(first, count);

	return __atomic_compare_exchange_n(&head.whole, &was, counted(to, count + 1), false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void push(struct node *n)
{
	struct node *first;
	uint64_t count;

	do {
		count = __atomic_load_n(&head.count, __ATOMIC_ACQUIRE);
		first = __atomic_load_n(&head.first, __ATOMIC_ACQUIRE);
		__atomic_store_n(&n->next, first, __ATOMIC_RELAXED);
	} while (!change(first, count, n));
}

static struct node *pop(void)
{
	struct node *first, *next;
	uint64_t count;

	do {
		count = __atomic_load_n(&head.count, __ATOMIC_ACQUIRE);
		first = __atomic_load_n(&head.first, __ATOMIC_ACQUIRE);
		if (!first)
			return NULL;
		next = __atomic_load_n(&first->next, __ATOMIC_RELAXED);
	} while (!change(first, count, next));
	return first;
}

static void *worker(void *arg)
{
	struct node *n;

	push(arg);
	n = pop();
	assert(n);
	atomic_fetch_add(&sum, n->value);
	return NULL;
}

int main(void)
{
	two(worker, &nodes[0], worker, &nodes[1]);
	assert(!head.first && head.count == 4 && sum == 3);
	printf("%d\n", (int)head.count);
	return 0;
}
