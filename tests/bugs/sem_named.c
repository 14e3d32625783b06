/* SPDX-License-Identifier: ISC */
/* A semaphore that is unlinked while it is used: its name stands for another one when it is opened
 * again, and both let a thread in. SAME: it is not unlinked;
 * STUCK: and not posted.
 * verdict sc assertion -- --strategy graph
 * verdict tso assertion -- --strategy graph
 * verdict pso assertion -- --strategy graph
 * verdict sra assertion -- --strategy graph
 * verdict ra assertion -- --strategy graph
 * verdict rc11 assertion -- --strategy graph
 * verdict tso assertion -- --strategy dfs
 * verdict pso assertion -- --strategy random
 * verdict -DSAME tso ok complete -- --strategy graph
 * verdict -DSAME rc11 ok complete -- --strategy graph
 * verdict -DSAME sc ok complete -- --strategy dfs
 * verdict -DSTUCK rc11 deadlock -- --strategy graph
 * verdict -DSTUCK tso deadlock -- --strategy random
 */
#include <fcntl.h>
#include <semaphore.h>
#include "../clean/two.h"

static const char name[] = "/heddle-bugs-sem-named";
static atomic_int inside;

static void *first(void *arg)
{
	sem_t *s = sem_open(name, O_CREAT, 0600, 1);

	sem_wait(s);
	assert(!inside++);
	inside--;
#ifndef STUCK
	sem_post(s);
#endif
	return arg;
}

static void *second(void *arg)
{
#if !defined(SAME) && !defined(STUCK)
	sem_unlink(name);
#endif
	return first(arg);
}

int main(void)
{
	two(first, NULL, second, NULL);
	return 0;
}
