/* SPDX-License-Identifier: ISC */
/* Two functions of pthread_once() that wait for each other.
 * verdict sc deadlock noreorder
 * verdict rc11 deadlock noreorder
 * report sc "for the function of once second" "for the function of once first"
 * report rc11 "for the function of once second" "for the function of once first"
 * options --strategy graph
 */
#include <pthread.h>

static pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;

static void nothing(void)
{
}

static void first_one(void)
{
	pthread_once(&second, nothing);
}

static void second_one(void)
{
	pthread_once(&first, nothing);
}

static void *thread(void *arg)
{
	pthread_once(&second, second_one);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_once(&first, first_one);
	pthread_join(t, NULL);
}
