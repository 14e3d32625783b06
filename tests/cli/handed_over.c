/* SPDX-License-Identifier: ISC */
/* A variable that is written before a section and read after another one: the order of the sections
 * makes it right, or a race. With -DRIGHT it is read only if the second one sees the first one. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, flag, count;

static void *writer(void *arg)
{
	data = 1;
	pthread_mutex_lock(&mutex);
	flag = 1;
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *reader(void *arg)
{
	int seen = 1;

	pthread_mutex_lock(&mutex);
#ifdef RIGHT
	seen = flag;
#else
	count++;
#endif
	pthread_mutex_unlock(&mutex);
	return seen && data ? arg : NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return count & ~1;
}
