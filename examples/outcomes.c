/* SPDX-License-Identifier: ISC */
/*
 * Outcomes instead of an assertion: which values can the two loads return together?
 *
 * Two threads write, two read both variables, in opposite order: "independent reads of independent
 * writes". That the readers disagree about which write came first (1 0 and 1 0) is impossible
 * under sc, and on x86, where a store reaches all others at once; C11 allows it, as its acquire
 * loads are not ordered with each other's stores. heddle_observe() makes the table.
 *
 * verdict  sc    ok
 * verdict  tso   ok
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first[2], second[2];

static void *write_x(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_release);
	return arg;
}

static void *write_y(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_release);
	return arg;
}

static void *read_xy(void *arg)
{
	first[0] = atomic_load_explicit(&x, memory_order_acquire);
	second[0] = atomic_load_explicit(&y, memory_order_acquire);
	return arg;
}

static void *read_yx(void *arg)
{
	first[1] = atomic_load_explicit(&y, memory_order_acquire);
	second[1] = atomic_load_explicit(&x, memory_order_acquire);
	return arg;
}

int main(void)
{
	void *(*const fn[4])(void *) = {write_x, write_y, read_xy, read_yx};
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, fn[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	heddle_observe("x", first[0]);
	heddle_observe("then y", second[0]);
	heddle_observe("y", first[1]);
	heddle_observe("then x", second[1]);
	return 0;
}
