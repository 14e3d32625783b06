/* SPDX-License-Identifier: ISC */
/*
 * A stack whose head is a pointer and a count: its halves are loaded by themselves, and both are
 * exchanged at once, from a local union.
 *
 * cflags -mcx16
 * options --strategy graph --time 60
 * verdict rc11 ok
 * verdict -O2 tso ok
 * verdict --gcc -O0 rc11 ok
 * verdict --gcc -O1 rc11 ok
 * verdict --gcc -O3 rc11 ok
 * verdict -DWRONG rc11 assertion
 * verdict -DWRONG --gcc -O2 rc11 assertion
 */
#include "../clean/two.h"

struct node {
	struct node *next;
};

struct halves {
	struct node *first;
	uint64_t count;
};

static union {
	_Atomic unsigned __int128 whole;
	struct {
		_Atomic(struct node *) first;
		_Atomic uint64_t count;
	} half;
} head;
static struct node nodes[2];

static void *push(void *arg)
{
	struct node *e = arg;
	union {
		unsigned __int128 whole;
		struct halves half;
	} old, new;

	do {
		old.half.first = atomic_load(&head.half.first);
		old.half.count = atomic_load(&head.half.count);
		e->next = old.half.first;
		new.half.first = e;
		new.half.count = old.half.count + 1;
#ifdef WRONG
		atomic_store(&head.whole, new.whole);
	} while (0);
#else
	} while (!atomic_compare_exchange_strong(&head.whole, &old.whole, new.whole));
#endif
	return arg;
}

int main(void)
{
	int n = 0;

	two(push, &nodes[0], push, &nodes[1]);
	for (struct node *e = head.half.first; e; e = e->next)
		n++;
	assert(n == 2 && head.half.count == 2);
	return 0;
}
