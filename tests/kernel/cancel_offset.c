/* SPDX-License-Identifier: ISC */
/* A thread updates two records of a file under a lock; cancelled in between, it restores the first one.
 * WRONG: its handler only unlocks.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion -- --strategy random
 * verdict -DWRONG sc assertion -- --strategy dfs
 * verdict -DWRONG -DVECTOR rc11 assertion -- --strategy graph
 * verdict -DWRONG -DREAD rc11 assertion -- --strategy graph
 * report -DWRONG rc11 "is cancelled" "cancel thread T1"
 */
#include "kernel.h"
#include "file.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file;
static int half_done;

static void undo(void *arg)
{
#ifndef WRONG
	if (half_done)
		assert(pwrite(file, "0", 1, 0) == 1);
#endif
	pthread_mutex_unlock(&mutex);
}

static void write_second(void)
{
#ifdef VECTOR
	struct iovec v = {(void *)"1", 1};

	assert(pwritev(file, &v, 1, 1) == 1);
#elif defined READ
	char first;

	assert(pread(file, &first, 1, 0) == 1);
	lseek(file, 1, SEEK_SET);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	assert(write(file, &first, 1) == 1);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
#else
	assert(pwrite(file, "1", 1, 1) == 1);
#endif
}

static void *update(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(undo, NULL);
	assert(pwrite(file, "1", 1, 0) == 1);
	half_done = 1;
	write_second();
	half_done = 0;
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	char path[80], now[3] = "";
	pthread_t t;

	name_file(path, "records");
	write_file(path, "00");
	file = open(path, O_RDWR);
	t = start(update, NULL);
	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	assert(pread(file, now, 2, 0) == 2 && now[0] == now[1]);
	pthread_mutex_unlock(&mutex);
	join(t);
	return 0;
}
