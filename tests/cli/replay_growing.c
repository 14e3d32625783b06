/* SPDX-License-Identifier: ISC */
/* replay_growing.c - a failed tryrdlock is passed over: a race. A thread that goes on after it reads `array`, too,
 * which until then is the writer's own. */
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int *array, used;

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	array = realloc(array, sizeof *array);
	array[used++] = 1;
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *reader(void *arg)
{
	int locked = pthread_rwlock_tryrdlock(&lock) == 0, sum = 0;

	for (int i = 0; i < used; i++)
		sum += array[i];
	if (locked)
		pthread_rwlock_unlock(&lock);
	return sum > 1 ? NULL : arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
