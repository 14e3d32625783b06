/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11 */
/* kinds_of_mutex.c - an object that is cleared, then gets a mutex of another kind, while a thread calls the C library: the kind of the
 * mutex is not written by that thread. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct object {
	pthread_mutex_t mutex;
	int n;
} *object;
static sem_t made;

static void raise_number(void)
{
	assert(!pthread_mutex_lock(&object->mutex));
	object->n++;
	assert(!pthread_mutex_unlock(&object->mutex));
}

static void *user(void *arg)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
	sem_wait(&made);
	raise_number();
	assert(object->n == 2 && !pthread_mutex_destroy(&object->mutex));
	memset(object, 0, sizeof *object);
	return arg;
}

int main(void)
{
	pthread_mutexattr_t kind;
	pthread_t t;

	sem_init(&made, 0, 0);
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	assert(!pthread_create(&t, NULL, user, NULL));
	object = malloc(sizeof *object);
	memset(object, 0, sizeof *object);
	assert(!pthread_mutex_init(&object->mutex, &kind));
	raise_number();
	sem_post(&made);
	pthread_join(t, NULL);
	free(object);
	return 0;
}
