/* SPDX-License-Identifier: ISC */
/* Park and unpark, as in the JDK bug that needed a fence: the parker takes a permit if there is
 * one, else takes the mutex and waits; the unparker gives one. Here with spinning in place of the
 * condition: the parker reads L times whether it may continue.
 *
 * counts -DL=1 sc,tso,pso,ra,rc11 3
 * counts -DL=2 sc,tso,pso,ra,rc11 5
 * counts -DL=4 sc,tso,pso,ra,rc11 9
 */
#include "counts.h"

atomic_int permit, condition;

THREAD(parker)
{
	int parked = 0;

	for (int i = 0; i < L; i++) {
		if (load(&condition, ACQ))
			break;
		if (swap(&permit, 0, ACQ_REL) == 0)
			parked++;
	}
	RETURN(parked, 0, 0, 0);
}

THREAD(unparker)
{
	store(&condition, 1, REL);
	swap(&permit, 1, ACQ_REL);
	return NULL;
}

int main(void)
{
	start(parker, 0);
	start(unparker, 0);
	join_all(NULL);
	return 0;
}
