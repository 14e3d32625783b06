/* SPDX-License-Identifier: ISC */
/* endings.c - programs whose search is incomplete: -DEND=... (t_endings.sh) */
#include <heddle/heddle.h>

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PLAIN, SERVER, WEAK, WAKE, RANGE, RACE, HEAP, TWICE, ASSUMES };

atomic_int x, y, stop, work, last; /* not static: the compiler would remove their stores */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int plain;
char bytes[4096];
static char *block;

int endings_random(void);

/* Twice each: the options allow one. */
static void weak(void)
{
	int expected = 0;

	if (atomic_compare_exchange_weak(&work, &expected, 1))
		return;
	expected = 0;
	atomic_compare_exchange_weak(&work, &expected, 1);
}

static void wake(void)
{
	struct timespec soon;

	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += 10;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_cond_timedwait(&cond, &lock, &soon);
	pthread_mutex_unlock(&lock);
}

static void *first(void *arg)
{
	switch (END) {
	case SERVER:
		while (!atomic_load(&stop)) {
			atomic_store(&last, atomic_fetch_add(&work, 1));
			usleep(10);
		}
		break;
	case WEAK: weak(); break;
	case WAKE: wake(); break;
	case RANGE: memset(bytes, 1, sizeof bytes); break;
	case RACE: plain++; break;
	case HEAP: free(block); break;
	case ASSUMES: heddle_assume(x == 2); break;
	case TWICE:
		for (int n = endings_random() & 255; n; n--)
			atomic_store(&last, atomic_fetch_add(&work, 1));
		break;
	default: break;
	}
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return arg;
}

static void *second(void *arg)
{
	if (END == RACE)
		plain++;
	if (END == RANGE)
		memset(bytes, 2, sizeof bytes);
	if (END == HEAP)
		*(volatile char *)block = 1;
	if (END == WAKE)
		pthread_cond_signal(&cond);
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	(void)atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	block = malloc(8);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(b, NULL);
	assert(END != SERVER || !heddle_choose(2) || !heddle_choose(2) || !FAILS);
	atomic_store(&stop, 1);
	pthread_join(a, NULL);
	return 0;
}
