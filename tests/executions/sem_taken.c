/* SPDX-License-Identifier: ISC */
/* A semaphore of value 1 is taken by one thread and posted by another. That it is taken first is no
 * happens-before, so in rc11 the stores of the two may be in the other order; and others may see
 * that it was: 3 + 2 * 3, and 2 * 3 + 2 * 3.
 *
 * counts sc,tso,pso 9
 * counts rc11 12
 */
#include "counts.h"

#include <semaphore.h>

sem_t sem;
atomic_int x;

THREAD(posts)
{
	sem_post(&sem);
	store(&x, 1, SC);
	return NULL;
}

THREAD(takes)
{
	store(&x, 2, SC);
	sem_wait(&sem);
	return NULL;
}

THREAD(looks)
{
	int value;

	sem_getvalue(&sem, &value);
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, 1);
	start(posts, 0);
	start(takes, 1);
	start(looks, 2);
	join_all(NULL);
	return 0;
}
