/* SPDX-License-Identifier: ISC */
/* A thread waits for the lock of a record, which other processes take, too, and is cancelled there. WRONG: it keeps
 * the mutex. -DATTEMPT: a call that does not wait is no cancellation point.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DLOCKF rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock -- --strategy random
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG -DLOCKF rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DLOCKF sc deadlock -- --strategy dfs
 * verdict -DWRONG -DATTEMPT rc11 ok complete -- --strategy graph
 * verdict -DWRONG -DATTEMPT -DLOCKF rc11 ok complete -- --strategy graph
 */
#include "kernel.h"
#include "file.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file;

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void lock_record(void)
{
#ifdef LOCKF
#ifdef ATTEMPT
	assert(!lockf(file, F_TLOCK, 16));
#else
	assert(!lockf(file, F_LOCK, 16));
#endif
	assert(!lockf(file, F_ULOCK, 16));
#else
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 16};

#ifdef ATTEMPT
	assert(!fcntl(file, F_SETLK, &lock));
#else
	assert(!fcntl(file, F_SETLKW, &lock));
#endif
	lock.l_type = F_UNLCK;
	assert(!fcntl(file, F_SETLK, &lock));
#endif
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
#ifdef WRONG
	lock_record();
	pthread_mutex_unlock(&mutex);
#else
	pthread_cleanup_push(unlock, &mutex);
	lock_record();
	pthread_cleanup_pop(1);
#endif
	return NULL;
}

int main(void)
{
	char path[80];
	pthread_t t;

	name_file(path, "record");
	file = open(path, O_RDWR | O_CREAT, 0600);
	assert(file >= 0);
	t = start(work, NULL);
	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	join(t);
	assert(!close(file) && !unlink(path));
	return 0;
}
