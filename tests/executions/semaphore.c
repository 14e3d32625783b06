/* SPDX-License-Identifier: ISC */
/* POSTS threads post a semaphore, WAITS threads wait for it; all changes are ordered: the orders
 * of P posts and W waits in which the value never is negative, P! W! times ballot numbers (2, 2:
 * 2! 2! 2 = 8; 3, 1: 3! 3 = 18). More waits than posts: each choice of the served threads ends in a
 * deadlock. -DMUTEX: a semaphore of value START as a lock of N threads (1: N!; with 2 of 3 inside:
 * 54, by brute force). -DVALUE: a thread reads its value, and may see any state of the 2! orders,
 * 6.
 *
 * counts -DPOSTS=1 -DWAITS=1 sc,tso,pso,ra,rc11 1
 * counts -DPOSTS=2 -DWAITS=1 sc,tso,pso,ra,rc11 4
 * counts -DPOSTS=2 -DWAITS=2 sc,tso,pso,ra,rc11 8
 * counts -DPOSTS=3 -DWAITS=1 sc,tso,pso,ra,rc11 18
 * counts -DPOSTS=3 -DWAITS=2 sc,tso,pso,ra,rc11 60
 * counts -DPOSTS=1 -DWAITS=2 sc,tso,pso,ra,rc11 0 deadlock
 * counts -DMUTEX=2 -DSTART=1 sc,tso,pso,ra,rc11 2
 * counts -DMUTEX=3 -DSTART=1 sc,tso,pso,ra,rc11 6
 * counts -DMUTEX=3 -DSTART=2 sc,tso,pso,ra,rc11 54
 * counts -DPOSTS=2 -DVALUE sc,tso,pso,ra,rc11 6
 */
#include "counts.h"

#include <semaphore.h>

#ifndef START
#define START 0
#endif
#ifndef POSTS
#define POSTS 0
#endif
#ifndef WAITS
#define WAITS 0
#endif
#ifndef MUTEX
#define MUTEX 0
#endif

sem_t sem;

THREAD(poster)
{
	sem_post(&sem);
	return NULL;
}

THREAD(waiter)
{
	sem_wait(&sem);
	return NULL;
}

THREAD(user)
{
	sem_wait(&sem);
	sem_post(&sem);
	return NULL;
}

int main(void)
{
	int value = START + POSTS - WAITS;

	sem_init(&sem, 0, START);
	start_many(poster, POSTS);
	start_many(waiter, WAITS);
	start_many(user, MUTEX);
#ifdef VALUE
	sem_getvalue(&sem, &value);
#endif
	join_all(NULL);
	assert(value >= START && value <= START + POSTS);
	return 0;
}
