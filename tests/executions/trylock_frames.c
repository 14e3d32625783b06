/* SPDX-License-Identifier: ISC */
/* N threads try for a lock until they have it, in a function with a variable on its stack that this
 * lock does not use. Before each call, another function leaves its values there: N!.
 *
 * counts -DN=2 sc,tso,rc11 2
 * counts --gcc -DN=2 sc,tso,pso,ra,rc11 2
 * counts --gcc -O0 -DN=2 rc11 2
 * counts --gcc -DN=3 rc11 6
 */
#include "counts.h"

#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int own;
int counter;
volatile int uses_own;

NOINLINE static bool try(bool own_lock)
{
	int unlocked = 0;

	if (own_lock)
		return atomic_compare_exchange_strong(&own, &unlocked, 1);
	return !pthread_mutex_trylock(&mutex);
}

NOINLINE static void leave_values(int value)
{
	char area[256];

	memset(area, value, sizeof area);
	__asm__ volatile("" : : "r"(area) : "memory");
}

THREAD(thread)
{
	bool own_lock = uses_own;

	do
		leave_values(1);
	while (!try(own_lock));
	counter++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(counter == N);
	return 0;
}
