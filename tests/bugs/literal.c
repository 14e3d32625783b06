/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc; graph: sc rc11 */
/* Pointers to string literals are reported by their text.
 *
 * report rc11 "store name =" worker
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const char *_Atomic name = "none";

static void *work(void *arg)
{
	name = "worker";
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	assert(name[0] == 'n');
	pthread_join(t, NULL);
	return 0;
}
