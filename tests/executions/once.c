/* SPDX-License-Identifier: ISC */
/* N threads need one initialisation: any of them does it, the others read that it is done: N.
 * -DTWICE: each calls it again, knowing the result. -DC11: call_once().
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=4 sc,tso,pso,ra,rc11 4
 * counts -DN=3 -DTWICE sc,tso,pso,ra,rc11 3
 * counts -DN=3 -DC11 sc,tso,pso,ra,rc11 3
 */
#include "counts.h"

#include <threads.h>

int value;

static void initialise(void)
{
	value++;
}

#ifdef C11
once_flag flag = ONCE_FLAG_INIT;
#define once() call_once(&flag, initialise)
#else
pthread_once_t flag = PTHREAD_ONCE_INIT;
#define once() pthread_once(&flag, initialise)
#endif

THREAD(thread)
{
	once();
#ifdef TWICE
	once();
#endif
	assert(value == 1);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
