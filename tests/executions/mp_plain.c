/* SPDX-License-Identifier: ISC */
/* MP with plain data: the reader reads the data only after it saw the flag.
 *
 * Two executions: it saw the flag, or not. The plain accesses are ordered by release and acquire,
 * by accesses or by fences, so there is nothing to choose for them.
 *
 * counts sc,tso,pso,ra,rc11 2
 * counts -DFENCES sc,tso,pso,rc11 2
 */
#include "counts.h"

int data;
atomic_int flag;

THREAD(writer)
{
	data = 42;
#ifdef FENCES
	fence(REL);
	store(&flag, 1, RLX);
#else
	store(&flag, 1, REL);
#endif
	return NULL;
}

THREAD(reader)
{
#ifdef FENCES
	if (load(&flag, RLX)) {
		fence(ACQ);
		assert(data == 42);
	}
#else
	if (load(&flag, ACQ))
		assert(data == 42);
#endif
	return NULL;
}

int main(void)
{
	start(writer, 0);
	start(reader, 0);
	join_all(NULL);
	return 0;
}
