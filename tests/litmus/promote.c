/* SPDX-License-Identifier: ISC */
/*
 * --races promote: races are found one after the other, each makes atomic accesses of plain ones,
 * and the search goes on, whether it explores or samples.
 *
 * options --races promote --executions 300 --time 30
 * verdict sc ok -- --strategy graph
 * verdict sc ok -- --strategy random
 * verdict tso ok -- --strategy graph --equivalence rf
 * verdict tso ok -- --strategy random
 * verdict pso ok -- --strategy rf
 * verdict ra ok -- --strategy random
 * verdict rc11 ok -- --strategy graph
 * verdict rc11 ok -- --strategy random
 * verdict rc11 ok -- --strategy graph --jobs 2
 * verdict rc11 race -- --strategy random --races report
 */
#include <pthread.h>

static int argument, turns, flag;

static void *thread(void *p)
{
	int mine = *(int *)p; /* of the one created last, perhaps */

	turns += mine;
	if (mine == 2)
		flag = turns;
	return (void *)(long)mine;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++) {
		argument = i;
		pthread_create(&t[i], NULL, thread, &argument);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
