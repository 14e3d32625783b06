/* SPDX-License-Identifier: ISC */
/* One thread fails if it comes first, else it uses a variable that was private to the other one
 * until then: so the search begins again, after it has found a failure. One execution ends well.
 *
 * counts sc,tso,pso,ra,rc11 1 assertion
 * counts-rf sc,tso,pso,ra,rc11 1 assertion
 */
#include "counts.h"

atomic_int flag;
int mine;

THREAD(late)
{
	int seen = load(&flag, ACQ);

	if (seen)
		mine++;
	assert(seen);
	return NULL;
}

THREAD(first)
{
	mine = 1;
	store(&flag, 1, REL);
	return NULL;
}

int main(void)
{
	start(late, 0);
	start(first, 0);
	join_all(NULL);
	return 0;
}
