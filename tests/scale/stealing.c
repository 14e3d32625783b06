/* SPDX-License-Identifier: ISC */
/* Work stealing: an owner pushes and pops at one end of a deque, three thieves take from the other one. Wrong (depth 3):
 * the last item is popped without asking whether a thief has it. */
#include "scale.h"

#define ROOM	64
#define THIEVES 3
#define TASKS	24

static atomic_long top, bottom;
static _Atomic int item[ROOM];
static atomic_int runs[TASKS];
static atomic_int over;

static void push(int x)
{
	long b = atomic_load(&bottom);

	atomic_store(&item[b % ROOM], x);
	atomic_store(&bottom, b + 1);
}

static int pop(void)
{
	long b = atomic_load(&bottom) - 1, t;
	int x = -1;

	atomic_store(&bottom, b);
	t = atomic_load(&top);
	if (t < b)
		return atomic_load(&item[b % ROOM]);
	if (t == b) {
		x = atomic_load(&item[b % ROOM]);
#ifdef WRONG
		atomic_store(&top, t + 1);
#else
		if (!atomic_compare_exchange_strong(&top, &t, t + 1))
			x = -1;
#endif
	}
	atomic_store(&bottom, b + 1);
	return x;
}

static int steal(void)
{
	long t = atomic_load(&top), b = atomic_load(&bottom);
	int x;

	if (t >= b)
		return -1;
	x = atomic_load(&item[t % ROOM]);
	return atomic_compare_exchange_strong(&top, &t, t + 1) ? x : -1;
}

static unsigned digest[TASKS];

static void run(int x)
{
	unsigned d = (unsigned)x;

	if (x < 0)
		return;
	assert(atomic_fetch_add(&runs[x], 1) == 0);
	for (int i = 0; i < 16; i++)
		d = d * 33 + (unsigned)i;
	digest[x] = d;
}

static void *thief(void *unused)
{
	while (!atomic_load(&over))
		run(steal());
	return unused;
}

static void *owner(void *unused)
{
	int next = 0, x;

	while (next < TASKS) {
		for (int i = 0; i < 4; i++)
			push(next++);
		for (int i = 0; i < 3; i++)
			run(pop());
	}
	while (atomic_load(&top) < atomic_load(&bottom))
		if ((x = pop()) >= 0)
			run(x);
	atomic_store(&over, 1);
	return unused;
}

int main(void)
{
	start(0, 1, owner);
	start(1, THIEVES, thief);
	join(0, 1 + THIEVES);
	for (int i = 0; i < TASKS; i++)
		assert(runs[i] == 1);
	return 0;
}
