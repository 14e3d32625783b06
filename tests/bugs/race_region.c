/* SPDX-License-Identifier: ISC */
/*
 * Two threads update an array, a region, with a mutex held, and race for a variable. The search
 * goes on past races of programs with volatile flags, but not before it has reported the first one.
 *
 * verdict -O0 rc11 race
 * verdict -O0 rc11 race -- --keep-going
 * options --strategy graph --regions 6
 */
#include <pthread.h>

static volatile int flag;
static int array[12], data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void)
{
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 12; i++)
		array[i]++;
	pthread_mutex_unlock(&mutex);
}

static void *publish(void *arg)
{
	update();
	data = 1;
	flag = 1;
	return arg;
}

static void *look(void *arg)
{
	update();
	return flag && data > 1 ? arg : NULL;
}

int main(void)
{
	pthread_t id[2];

	pthread_create(&id[0], NULL, publish, NULL);
	pthread_create(&id[1], NULL, look, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	return 0;
}
