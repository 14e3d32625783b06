/* SPDX-License-Identifier: ISC */
/* A thread that waits for a mutex is asked by signals, as often as it takes, to answer in a handler.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict sc ok complete -- --strategy graph --sleepers last
 * verdict sc ok complete -- --strategy dfs --sleepers last
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int asked;

static void answer(int signal)
{
	(void)signal;
	atomic_store(&asked, 0);
}

static void *wait(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = answer};
	pthread_t t;

	sigaction(SIGUSR1, &action, NULL);
	pthread_mutex_lock(&mutex);
	pthread_create(&t, NULL, wait, NULL);
	atomic_store(&asked, 1);
	pthread_kill(t, SIGUSR1);
	while (atomic_load(&asked)) {
		pthread_kill(t, SIGUSR1);
		poll(NULL, 0, 1);
	}
	pthread_mutex_unlock(&mutex);
	pthread_join(t, NULL);
	return 0;
}
