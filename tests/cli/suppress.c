/* SPDX-License-Identifier: ISC */
/* suppress.c - a program with a race, two assertions in one function, a deadlock; selected by arguments. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static int hits;
static atomic_int x, y, r0, r1;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static const char *what;

static void count_hit(void)
{
	hits++;
}

static void check(bool good)
{
	assert(good);
}

static void known_check(void)
{
	check(!strchr(what, 'k'));
}

static void fresh_check(void)
{
	check(!strchr(what, 'f'));
}

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	if (!strchr(what, 'd'))
		return;
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one(void *arg)
{
	known_check();
	if (strchr(what, 'r'))
		count_hit();
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	both(&a, &b);
	return arg;
}

static void *other(void *arg)
{
	if (strchr(what, 'r'))
		count_hit();
	fresh_check();
	if (strchr(what, 'e'))
		syscall(231 /* exit_group: behind our back */, 9);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	both(&b, &a);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	what = argc > 1 ? argv[1] : "";
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(r0 || r1 || !strchr(what, 'a'));
	return 0;
}
