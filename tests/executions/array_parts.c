/* SPDX-License-Identifier: ISC */
/* THREADS threads increment the variables of their own parts of an array, TURNS times, and then some of a table with a
 * mutex held; in the array there is also an atomic variable. Only the orders of the sections are counted, THREADS!.
 * One access an event, there would be more events than a graph holds.
 *
 * counts -O0 -DTHREADS=2 sc,rc11 2
 * counts -O2 -DTHREADS=2 sc,tso,pso,ra,rc11 2
 * counts -O2 -DTHREADS=3 sc,rc11 6
 * counts -O2 -DTHREADS=3 -DHEAP sc,rc11 6
 * counts -O2 -DTHREADS=4 -DHEAP rc11 24
 */
#include "counts.h"

#define PART  100
#define TURNS 60

struct array {
	int part[THREADS][PART];
	atomic_int size;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct array global, *array = &global;
int table[PART];

static void mix(int *a, int n)
{
	for (int i = 1; i < n; i++)
		a[i] = a[i] * 3 + a[i - 1] + 1;
}

THREAD(worker)
{
	for (int i = 0; i < TURNS; i++)
		mix(array->part[INDEX], load(&array->size, RLX));
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 2 * TURNS; i++)
		mix(table, PART);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
#ifdef HEAP
	array = calloc(1, sizeof *array);
#endif
	array->size = PART;
	for (int i = 0; i < THREADS; i++)
		start(worker, i);
	join_all(NULL);
	for (int i = 1; i < THREADS; i++)
		assert(array->part[i][PART - 1] == array->part[0][PART - 1]);
	return 0;
}
