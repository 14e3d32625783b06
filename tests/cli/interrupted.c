/* SPDX-License-Identifier: ISC */
/* interrupted.c - a wait for a semaphore that a signal interrupts. RESTART: it does not, but its handler runs. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t ready;
static volatile sig_atomic_t handled;

static void handle(int sig)
{
	handled = sig;
}

static void *wait_for_it(void *arg)
{
	int result = sem_wait(&ready);

#ifdef RESTART
	assert(!result && !handled);
#else
	assert(!result);
#endif
	return arg;
}

int main(void)
{
#ifdef RESTART
	struct sigaction a = {.sa_handler = handle, .sa_flags = SA_RESTART};
#else
	struct sigaction a = {.sa_handler = handle};
#endif
	pthread_t t;

	sigaction(SIGUSR1, &a, NULL);
	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, wait_for_it, NULL);
	pthread_kill(t, SIGUSR1);
	sem_post(&ready);
	return pthread_join(t, NULL);
}
