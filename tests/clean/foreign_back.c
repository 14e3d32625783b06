/* SPDX-License-Identifier: ISC */
/*
 * A thread comes back from a function of libc that has called it, and has not written anything:
 * what other threads write afterwards is not the function's.
 *
 * graph: sc tso rc11
 */
#include "two.h"

#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int array[3];
static time_t now;
static struct tm date;
static atomic_int y;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *look(void *arg)
{
	int day;

	pthread_mutex_lock(&mutex);
	day = date.tm_mday;
	pthread_mutex_unlock(&mutex);
	assert(day == 0 || day == 2 || day == 3);
	atomic_store_explicit(&y, 3, memory_order_relaxed);
	pthread_mutex_lock(&mutex);
	array[0] = 3;
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *sort(void *arg)
{
	pthread_mutex_lock(&mutex);
	qsort(array, 3, sizeof array[0], compare);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		now += 86400;
		gmtime_r(&now, &date);
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

int main(void)
{
	two(look, NULL, sort, NULL);
	assert(array[0] + array[1] + array[2] == 3 && date.tm_mday == 3);
	printf("%d\n", date.tm_mday);
	return 0;
}
