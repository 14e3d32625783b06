/* SPDX-License-Identifier: ISC */
/* A parallel merge sort with 7 threads. Wrong (depth 1): a half is assumed to be sorted before its last part is copied
 * back. */
#include "scale.h"

#define N     256
#define DEPTH 3

struct part {
	int *a, *room, n, depth;
	atomic_int ready;
};

static int numbers[N], room[N], before[1000];

static void merge(struct part *p, int half)
{
	int i = 0, k = half, n = 0;

	while (i < half && k < p->n)
		p->room[n++] = p->a[i] <= p->a[k] ? p->a[i++] : p->a[k++];
	while (i < half)
		p->room[n++] = p->a[i++];
	while (k < p->n)
		p->room[n++] = p->a[k++];
#ifdef WRONG
	atomic_store(&p->ready, 1);
#endif
	memcpy(p->a, p->room, (size_t)p->n * sizeof(int));
	atomic_store(&p->ready, 1);
}

static void *sort(void *arg)
{
	struct part *p = arg;
	int half = p->n / 2;
	struct part left = {p->a, p->room, half, p->depth - 1, 0},
		    right = {p->a + half, p->room + half, p->n - half, p->depth - 1, 0};
	pthread_t t;
	int forked = 0;

	if (p->n < 2) {
		atomic_store(&p->ready, 1);
		return NULL;
	}
	if (p->depth > 0)
		forked = !pthread_create(&t, NULL, sort, &left);
	if (!forked)
		sort(&left);
	sort(&right);
	if (forked) {
#ifdef WRONG
		while (!atomic_load(&left.ready))
			sched_yield();
		merge(p, half);
		pthread_join(t, NULL);
		return NULL;
#else
		pthread_join(t, NULL);
#endif
	}
	merge(p, half);
	return NULL;
}

int main(void)
{
	struct part all = {numbers, room, N, DEPTH, 0};
	unsigned seed = 7;

	for (int i = 0; i < N; i++) {
		numbers[i] = (int)(next_random(&seed) % 1000);
		before[numbers[i]]++;
	}
	sort(&all);
	for (int i = 1; i < N; i++)
		assert(numbers[i - 1] <= numbers[i]);
	for (int i = 0; i < N; i++)
		before[numbers[i]]--;
	for (int i = 0; i < 1000; i++)
		assert(!before[i]);
	return 0;
}
