/* SPDX-License-Identifier: ISC */
/* Ticket lock with a waiting array (Dice and Kogan 2019): threads that are not next wait at a place
 * that depends on their ticket, and read the lock itself again when it has changed.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,rc11 96
 */
#include "counts.h"

#define SLOTS 4

atomic_int next, owner, slot[SLOTS];
int inside;

static void acquire(void)
{
	int ticket = add(&next, 1, RLX);
	int away = ticket - load(&owner, ACQ);

	if (away == 0)
		return;
	while (away > 1) {
		int seen = load(&slot[ticket % SLOTS], ACQ);

		away = ticket - load(&owner, ACQ);
		if (away <= 1)
			break;
		while (load(&slot[ticket % SLOTS], ACQ) == seen)
			;
		away = ticket - load(&owner, ACQ);
	}
	while (load(&owner, ACQ) != ticket)
		;
}

static void release(void)
{
	int k = load(&owner, RLX) + 1;

	store(&owner, k, REL);
	add(&slot[(k + 1) % SLOTS], 1, ACQ_REL);
}

THREAD(thread)
{
	acquire();
	inside++;
	release();
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
