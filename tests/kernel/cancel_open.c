/* SPDX-License-Identifier: ISC */
/* A thread opens its log under a lock, and is cancelled. WRONG: no cleanup handler gives the lock back.
 * -DOPENED: the log need not be there. -DCANCELLED: the thread need not be cancelled.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DOPENED rc11 assertion -- --strategy graph
 * verdict -DOPENED sc assertion -- --strategy dfs
 * verdict -DCANCELLED rc11 assertion -- --strategy graph
 * verdict -DCANCELLED sc assertion -- --strategy dfs
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock -- --strategy random
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG -DOPENAT rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DCREAT rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DFOPEN rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DREOPEN rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DTEMPORARY rc11 deadlock -- --strategy graph
 * report -DWRONG rc11 "main waits for ever to lock mutex" "which T1, cancelled, holds" "is cancelled"
 */
#include "kernel.h"
#include "file.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char path[80];
static int opened;

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static int open_log(void)
{
#ifdef OPENAT
	return openat(AT_FDCWD, path, O_WRONLY | O_CREAT, 0600) >= 0;
#elif defined CREAT
	return creat(path, 0600) >= 0;
#elif defined FOPEN
	return fopen(path, "w") != NULL;
#elif defined REOPEN
	return freopen(path, "w", stdout) != NULL;
#elif defined TEMPORARY
	char template[] = "/tmp/heddle-kernel-XXXXXX";

	return mkstemp(template) >= 0;
#else
	return open(path, O_WRONLY | O_CREAT, 0600) >= 0;
#endif
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
#ifdef WRONG
	opened = open_log();
	pthread_mutex_unlock(&mutex);
#else
	pthread_cleanup_push(unlock, &mutex);
	opened = open_log();
	pthread_cleanup_pop(1);
#endif
	return NULL;
}

int main(void)
{
	void *result;
	pthread_t t;

	name_file(path, "log");
	t = start(work, NULL);
	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	assert(!pthread_join(t, &result));
	assert(opened == (result == NULL));
	assert(opened == !access(path, F_OK));
#ifdef OPENED
	assert(opened);
#elif defined CANCELLED
	assert(result == PTHREAD_CANCELED);
#endif
	return 0;
}
