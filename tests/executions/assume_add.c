/* SPDX-License-Identifier: ISC */
/* A thread adds to x, and its assumption never holds. The execution does not count, but others have
 * seen the sum: an assertion may fail there. In every order of the threads.
 *
 * counts -DF1=stores -DF2=adds -DF3=reads sc,tso,pso,ra,rc11 0 assertion
 * counts-rf -DF1=stores -DF2=adds -DF3=reads sc,tso,pso,rc11 0 assertion
 * counts-rf -DF1=reads -DF2=stores -DF3=adds sc,tso,pso,rc11 0 assertion
 */
#include "counts.h"
#include "heddle/heddle.h"

atomic_int x;

THREAD(stores)
{
	store(&x, 2, RLX);
	return NULL;
}

THREAD(adds)
{
	heddle_assume(add(&x, 1, RLX) == 3);
	return NULL;
}

THREAD(reads)
{
	assert(load(&x, RLX) != 1);
	return NULL;
}

int main(void)
{
	start(F1, 0);
	start(F2, 0);
	start(F3, 0);
	join_all(NULL);
	return 0;
}
