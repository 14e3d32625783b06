/* SPDX-License-Identifier: ISC */
/* READERS and WRITERS take a read-write lock once. Operations that change it are ordered: of N
 * readers alone, the orders of N lockings and unlockings, (2N)! / 2^N; of writers alone N!. A
 * writer excludes all others: it comes at a moment when no reader is inside; with two readers, for
 * the 2 orders in which they do not overlap there are 3 such moments, for the other 4 there are 2.
 * -DTRY: the writers only try, and one that finds readers inside has read any of the states that
 * it may see. (The mixed ones by brute force over the orders of operations.)
 *
 * counts -DREADERS=2 -DWRITERS=0 sc,tso,pso,ra,rc11 6
 * counts -DREADERS=3 -DWRITERS=0 sc,tso,pso,ra,rc11 90
 * counts -DREADERS=0 -DWRITERS=3 sc,tso,pso,ra,rc11 6
 * counts -DREADERS=1 -DWRITERS=1 sc,tso,pso,ra,rc11 2
 * counts -DREADERS=1 -DWRITERS=2 sc,tso,pso,ra,rc11 6
 * counts -DREADERS=2 -DWRITERS=1 sc,tso,pso,ra,rc11 14
 * counts -DREADERS=2 -DWRITERS=2 sc,tso,pso,ra,rc11 48
 * counts -DREADERS=3 -DWRITERS=1 sc,tso,pso,ra,rc11 216
 * counts -DTRY -DREADERS=1 -DWRITERS=1 sc,tso,pso,ra,rc11 3
 * counts -DTRY -DREADERS=2 -DWRITERS=1 sc,tso,pso,ra,rc11 30
 */
#include "counts.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

THREAD(reader)
{
	int before;

	pthread_rwlock_rdlock(&lock);
	before = x;
	assert(x == before);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

THREAD(writer)
{
#ifdef TRY
	if (pthread_rwlock_trywrlock(&lock))
		return NULL;
#else
	pthread_rwlock_wrlock(&lock);
#endif
	x++;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	start_many(reader, READERS);
	start_many(writer, WRITERS);
	join_all(NULL);
#ifndef TRY
	assert(x == WRITERS);
#endif
	return 0;
}
