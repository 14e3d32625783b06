/* SPDX-License-Identifier: ISC
 *
 * compare_random.c - a small program generated from a seed: two or three threads with a few accesses
 * each, of three locations, with orders, fences and RMWs; the values read are observed.
 *
 *     compare_random SEED
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define STEPS	3

enum { LOAD, STORE, OTHER };

static struct op {
	int what, place, order, value;
} program[THREADS][STEPS];
static int nthreads, nsteps[THREADS];
static atomic_int place[3];
static int seen[THREADS][STEPS];

static unsigned next(unsigned *state, unsigned n)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 16) % n;
}

static void make(unsigned seed)
{
	unsigned s = seed * 2654435761u + 1;

	nthreads = 2 + (int)next(&s, 2);
	for (int t = 0; t < nthreads; t++) {
		nsteps[t] = STEPS;
		for (int i = 0; i < nsteps[t]; i++)
			program[t][i] = (struct op){(int)next(&s, 10), (int)next(&s, 2 + seed % 2),
				(int)next(&s, 5), 1 + (int)next(&s, 2)};
	}
}

static memory_order order_of(const struct op *o, int what)
{
	static const memory_order loads[] = {memory_order_relaxed, memory_order_relaxed,
		memory_order_acquire, memory_order_acquire, memory_order_seq_cst};
	static const memory_order stores[] = {memory_order_relaxed, memory_order_relaxed,
		memory_order_release, memory_order_release, memory_order_seq_cst};
	static const memory_order others[] = {memory_order_acq_rel, memory_order_acquire,
		memory_order_release, memory_order_seq_cst, memory_order_seq_cst};

	return what == LOAD ? loads[o->order] : what == STORE ? stores[o->order] : others[o->order];
}

static void load(int t, int i, memory_order mo, atomic_int *p)
{
	switch (mo) {
	case memory_order_relaxed: seen[t][i] = atomic_load_explicit(p, memory_order_relaxed); break;
	case memory_order_acquire: seen[t][i] = atomic_load_explicit(p, memory_order_acquire); break;
	default: seen[t][i] = atomic_load_explicit(p, memory_order_seq_cst);
	}
}

static void store(int value, memory_order mo, atomic_int *p)
{
	switch (mo) {
	case memory_order_relaxed: atomic_store_explicit(p, value, memory_order_relaxed); break;
	case memory_order_release: atomic_store_explicit(p, value, memory_order_release); break;
	default: atomic_store_explicit(p, value, memory_order_seq_cst);
	}
}

static void fence(memory_order mo)
{
	switch (mo) {
	case memory_order_acquire: atomic_thread_fence(memory_order_acquire); break;
	case memory_order_release: atomic_thread_fence(memory_order_release); break;
	case memory_order_acq_rel: atomic_thread_fence(memory_order_acq_rel); break;
	default: atomic_thread_fence(memory_order_seq_cst);
	}
}

static void *run(void *arg)
{
	int t = (int)(long)arg;

	for (int i = 0; i < nsteps[t]; i++) {
		const struct op *o = &program[t][i];

		if (o->what < 4)
			load(t, i, order_of(o, LOAD), &place[o->place]);
		else if (o->what < 8)
			store(o->value, order_of(o, STORE), &place[o->place]);
		else if (o->what == 8)
			seen[t][i] = atomic_fetch_add_explicit(&place[o->place], o->value,
				memory_order_relaxed);
		else
			fence(order_of(o, OTHER));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	char name[8];

	make(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
	for (int t = 0; t < nthreads; t++)
		pthread_create(&thread[t], NULL, run, (void *)(long)t);
	for (int t = 0; t < nthreads; t++)
		pthread_join(thread[t], NULL);
	for (int t = 0; t < nthreads; t++)
		for (int i = 0; i < nsteps[t]; i++) {
			snprintf(name, sizeof name, "%c%d", 'a' + t, i);
			heddle_observe(name, seen[t][i]);
		}
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "m%d", i);
		heddle_observe(name, place[i]);
	}
	return 0;
}
