/* SPDX-License-Identifier: ISC */
/* flock() locks open files: those opened separately exclude each other, within a thread as well; a copy by dup() has
 * the same lock, which any thread may give back. WRONG: it is given back at a file that was opened separately.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock
 */
#include "kernel.h"
#include "file.h"

static int first, copy, second;

static void *give_back(void *arg)
{
#ifndef WRONG
	assert(!flock(copy, LOCK_UN));
#else
	assert(!flock(second, LOCK_UN));
#endif
	return arg;
}

int main(void)
{
	char path[80];
	pthread_t t;

	name_file(path, "lock");
	first = open(path, O_RDWR | O_CREAT, 0600);
	second = open(path, O_RDWR);
	copy = dup(first);
	assert(first >= 0 && second >= 0 && copy >= 0);
	assert(!flock(first, LOCK_EX) && !flock(copy, LOCK_EX | LOCK_NB));
	assert(flock(second, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK);
	t = start(give_back, NULL);
	assert(!flock(second, LOCK_SH));
	join(t);
	/* A lock that cannot become exclusive is lost. */
	assert(!flock(first, LOCK_SH) && flock(first, LOCK_EX | LOCK_NB) == -1);
	assert(!flock(second, LOCK_EX | LOCK_NB) && !close(second));
	assert(!flock(first, LOCK_EX | LOCK_NB) && !unlink(path));
	return 0;
}
