/* SPDX-License-Identifier: ISC */
/* A thread runs a command under a lock, and is cancelled. WRONG: no cleanup handler gives the lock back.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWAIT rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG -DWAIT rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DWAIT tso deadlock -- --strategy random
 * verdict -DWRONG -DWAIT -DANY rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DWAIT -DUSAGE rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DWAIT -DINFO rc11 deadlock -- --strategy graph
 */
#include "kernel.h"

#include <sys/resource.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pid_t child;

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void run(void)
{
#ifdef WAIT
	int status = 0;
#ifdef ANY
	assert(wait(&status) == child);
#elif defined USAGE
	struct rusage usage;

	assert(wait4(child, &status, 0, &usage) == child);
#elif defined INFO
	siginfo_t info;

	assert(!waitid(P_PID, (id_t)child, &info, WEXITED));
#else
	assert(waitpid(child, &status, 0) == child);
#endif
	assert(status == 0);
#else
	assert(system("true") == 0);
#endif
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
#ifdef WRONG
	run();
	pthread_mutex_unlock(&mutex);
#else
	pthread_cleanup_push(unlock, &mutex);
	run();
	pthread_cleanup_pop(1);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;

#ifdef WAIT
	child = fork();
	if (!child)
		_exit(0);
#endif
	t = start(work, NULL);
	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	join(t);
	return 0;
}
