/* SPDX-License-Identifier: ISC */
/*
 * lin_random.c - a register made of two, by operations of random steps: argv[1] is the seed. Whether it is
 * linearizable must be the same for execution graphs and for all schedules of store buffers (t_lin.sh).
 */
#include "../random.h"

#include <heddle/lin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct step {
	int what, where, order;
};

static struct op {
	int write, locked, n;
	struct step step[2];
} ops[2][2];

static uint64_t state;

static int below(int n)
{
	return (int)random_below(&state, (unsigned)n);
}

static void make(void)
{
	for (int t = 0; t < 2; t++) {
		for (int i = 0; i < 2; i++) {
			struct op *o = &ops[t][i];

			o->write = below(2);
			o->locked = below(4) == 0;
			o->n = 1 + (below(4) == 0);
			for (int k = 0; k < o->n; k++)
				o->step[k] = (struct step){below(6), below(2), below(3)};
		}
	}
}

static void put(const struct step *s, int v)
{
	static const memory_order orders[] = {
		memory_order_relaxed, memory_order_release, memory_order_seq_cst};

	if (s->what == 0)
		atomic_exchange_explicit(&x[s->where], v, memory_order_acq_rel);
	else if (s->order == 0)
		atomic_store_explicit(&x[s->where], v, orders[0]);
	else if (s->order == 1)
		atomic_store_explicit(&x[s->where], v, orders[1]);
	else
		atomic_store_explicit(&x[s->where], v, orders[2]);
	if (s->what == 1)
		atomic_thread_fence(memory_order_seq_cst);
	if (s->what == 2)
		atomic_thread_fence(memory_order_release);
}

static void *run(void *arg)
{
	int t = *(int *)arg;

	for (int i = 0; i < 2 - t; i++) {
		const struct op *o = &ops[t][i];
		int v = 1 + 2 * t + i, got = 0;

		heddle_op_begin(o->write ? "write" : "read", v);
		if (o->locked)
			pthread_mutex_lock(&lock);
		for (int k = 0; k < o->n; k++) {
			if (o->write)
				put(&o->step[k], v);
			else
				got = atomic_load_explicit(&x[o->step[k].where], memory_order_acquire);
		}
		if (o->locked)
			pthread_mutex_unlock(&lock);
		heddle_op_end(o->write ? 0 : got);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static int number[] = {0, 1};
	pthread_t t[2];

	state = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
	make();
	heddle_specify(&heddle_spec_register, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	heddle_op_begin("read", 0);
	heddle_op_end(atomic_load(&x[0]));
	return 0;
}
