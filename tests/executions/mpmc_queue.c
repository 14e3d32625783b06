/* SPDX-License-Identifier: ISC */
/* Bounded multi-producer multi-consumer queue with a sequence number a cell (Vyukov), SIZE cells.
 * PUT threads try to enqueue once, TAKE threads to dequeue once; full and empty are results, not
 * reasons to wait.
 *
 * counts -DPUT=1 -DTAKE=1 sc,tso,pso,ra,rc11 2
 * counts -DPUT=2 -DTAKE=0 sc,tso,pso,ra,rc11 2
 * counts -DPUT=2 -DTAKE=1 sc,tso,pso,ra,rc11 4
 * counts -DPUT=1 -DTAKE=2 sc,tso,pso,ra,rc11 5
 * counts -DPUT=2 -DTAKE=2 sc,rc11 14
 * counts -O0 -DPUT=2 -DTAKE=2 rc11 14
 * counts -O2 -DPUT=2 -DTAKE=2 rc11 14
 * counts-bench -DPUT=3 -DTAKE=2 rc11 120
 * counts-bench -DPUT=3 -DTAKE=3 rc11 804
 */
#include "counts.h"

#define SIZE 2

struct cell {
	atomic_int seq;
	int value;
} cell[SIZE] = {{0, 0}, {1, 0}};

atomic_int head, tail;

/* 1: enqueued; 0: full; AGAIN. */
static NOINLINE int try_enqueue(int v)
{
	int pos = load(&tail, RLX);
	struct cell *c = &cell[pos % SIZE];
	int lag = load(&c->seq, ACQ) - pos;

	if (lag < 0)
		return 0;
	if (lag == 0 && cas(&tail, pos, pos + 1, RLX)) {
		c->value = v;
		store(&c->seq, pos + 1, REL);
		return 1;
	}
	return AGAIN;
}

/* The number; 0: empty; AGAIN. */
static NOINLINE int try_dequeue(void)
{
	int pos = load(&head, RLX);
	struct cell *c = &cell[pos % SIZE];
	int lag = load(&c->seq, ACQ) - (pos + 1);

	if (lag < 0)
		return 0;
	if (lag == 0 && cas(&head, pos, pos + 1, RLX)) {
		int v = c->value;

		store(&c->seq, pos + SIZE, REL);
		return v;
	}
	return AGAIN;
}

THREAD(put)
{
	int r;

	while ((r = try_enqueue(INDEX + 1)) == AGAIN)
		;
	RETURN(r, 0, 0, 0);
}

THREAD(get)
{
	int r;

	while ((r = try_dequeue()) == AGAIN)
		;
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start_many(put, PUT);
	start_many(get, TAKE);
	join_all(NULL);
	return 0;
}
