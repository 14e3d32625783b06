/* SPDX-License-Identifier: ISC */
/* body.h - the tests of the same suite in four frameworks: CHECK(condition) is the framework's
 * assertion. */
#include <pthread.h>
#include <stdatomic.h>

#include <heddle/heddle.h>

static atomic_int x, y, r0, r1, ready;
static int payload, setups;

static void *write_x(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return NULL;
}

static void *write_y(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return NULL;
}

static void *publish(void *arg)
{
	payload = 7;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return NULL;
}

static void *receive(void *arg)
{
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	return (void *)(long)payload;
}

static void *two(void *(*f)(void *), void *(*g)(void *))
{
	pthread_t t, u;
	void *result;

	pthread_create(&t, NULL, f, NULL);
	pthread_create(&u, NULL, g, NULL);
	pthread_join(t, NULL);
	pthread_join(u, &result);
	return result;
}

/* An explored test has no lasting effect; else it cleans up after the previous one. */
static void begin_test(void)
{
	if (!heddle_active())
		x = y = r0 = r1 = ready = payload = 0;
}

/* Passes when it is run, and in every execution. */
#define PUBLISHES                                                                                  \
	do {                                                                                       \
		begin_test();                                                                      \
		CHECK(!ready && !payload && setups == 1);                                          \
		CHECK(two(publish, receive) == (void *)7);                                         \
	} while (0)

/* Passes when it is run, nearly always. */
#define STORE_BUFFERING                                                                            \
	do {                                                                                       \
		begin_test();                                                                      \
		CHECK(!x && !y && !r0 && !r1);                                                     \
		two(write_x, write_y);                                                             \
		CHECK(r0 || r1); /* @fails */                                                      \
	} while (0)

/* Always fails. */
#define FAILS CHECK(x == 3)
