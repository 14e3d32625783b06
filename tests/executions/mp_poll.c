/* SPDX-License-Identifier: ISC */
/* Message passing with a reader that polls the flag up to N times: the flag is seen by one of N
 * reads, or never, N + 1; after that the data is there.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 2
 * counts -DN=10 sc,tso,pso,ra,rc11 11
 * counts -DN=50 sc,rc11 51
 */
#include "counts.h"

int data;
atomic_int flag;

THREAD(writer)
{
	data = 1;
	store(&flag, 1, REL);
	return NULL;
}

THREAD(reader)
{
	int i;

	for (i = 0; i < N; i++)
		if (load(&flag, ACQ)) {
			assert(data == 1);
			break;
		}
	RETURN(i, 0, 0, 0);
}

int main(void)
{
	start(writer, 0);
	start(reader, 0);
	join_all(NULL);
	return 0;
}
