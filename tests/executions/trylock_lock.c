/* SPDX-License-Identifier: ISC */
/* One thread tries a mutex that LOCKERS take. With one: before, after, or failing: 3. With two, the
 * attempt succeeds at one of 3 moments of 2 orders, 6, or reads one of two locked states, 4: 10.
 * -DTRIERS=3, without lockers: 3! orders of successes; two successes, and a failure that reads one
 * of them, 3 * 2 * 2; one success, two failures, 3: 21. -DSPIN: spinlocks.
 *
 * counts -DTRIERS=1 -DLOCKERS=1 sc,tso,pso,ra,rc11 3
 * counts -DTRIERS=1 -DLOCKERS=2 sc,tso,pso,ra,rc11 10
 * counts -DTRIERS=3 -DLOCKERS=0 sc,tso,pso,ra,rc11 21
 * counts -DSPIN -DTRIERS=1 -DLOCKERS=1 sc,tso,pso,ra,rc11 3
 * counts -DSPIN -DTRIERS=0 -DLOCKERS=3 sc,tso,pso,ra,rc11 6
 */
#include "counts.h"

#ifdef SPIN
pthread_spinlock_t lock;
#define call(what) pthread_spin_##what(&lock)
#else
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define call(what) pthread_mutex_##what(&lock)
#endif
int counter;

THREAD(locker)
{
	call(lock);
	counter++;
	call(unlock);
	return NULL;
}

THREAD(trier)
{
	if (call(trylock))
		return NULL;
	counter++;
	call(unlock);
	return NULL;
}

int main(void)
{
#ifdef SPIN
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
	start_many(locker, LOCKERS);
	start_many(trier, TRIERS);
	join_all(NULL);
	assert(counter >= 1);
	return 0;
}
