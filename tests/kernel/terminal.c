/* SPDX-License-Identifier: ISC */
/* printf(), puts() and putchar() wait for the lock of the terminal's stream. WRONG: so does one that never gets it.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -O2 rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock noreorder -- --strategy graph
 * verdict -DWRONG tso deadlock noreorder
 */
#include "kernel.h"

#include <semaphore.h>

static int lines;
static sem_t over;

static void *print(void *arg)
{
	printf("%s ", (const char *)arg);
	puts(arg);
	putchar('\n');
	flockfile(stdout);
	lines++;
	funlockfile(stdout);
	sem_post(&over);
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!sem_init(&over, 0, 0));
	flockfile(stdout);
	t = start(print, "a line");
	lines++;
#ifdef WRONG
	sem_wait(&over);
#endif
	funlockfile(stdout);
	join(t);
	assert(lines == 2);
	return 0;
}
