/* SPDX-License-Identifier: ISC */
/* A mutex that is initialised while another thread may use it already.
 *
 * verdict rc11 misuse -- --strategy graph
 * verdict sc misuse -- --strategy graph
 * report rc11 "use of an object before its initialisation"
 * report sc "initialisation of a mutex that T1 has locked"
 */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, use, NULL);
	pthread_mutex_init(&m, NULL);
	pthread_join(t, NULL);
	return 0;
}
