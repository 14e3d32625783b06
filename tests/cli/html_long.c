/* SPDX-License-Identifier: ISC */
/* html_long.c - 10,000 steps, and then an assertion fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int own[2][100];

static void *work(void *p)
{
	for (int i = 0; i < 1700; i++) {
		atomic_fetch_add(&x, 1);
		((int *)p)[i % 100] = i;
	}
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, work, own[0]);
	pthread_create(&u, NULL, work, own[1]);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(x == 1);
	return 0;
}
