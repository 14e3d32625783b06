/* SPDX-License-Identifier: ISC */
/*
 * explore.c - programs of counted.h, explored by Heddle: the findings must equal the oracle's
 * verdicts.
 *
 *     explore [MODEL [OPTIONS]] <PROGRAMS          see judge.h
 *
 * An interpreter that is compiled with heddle-cc. The form of a program's accesses, objects and
 * threads depends on the program's seed. A program that has not been judged is correct.
 */
#include "counted.h"
#include "given.h"
#include "judge.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* --- memory ----------------------------------------------------------------------------------- */

union cell {
	_Atomic unsigned char a1;
	_Atomic short a2;
	_Atomic int a4;
	_Atomic long a8;
	unsigned char byte[16];
	uint16_t half[8];
	uint32_t word[4];
	uint64_t pair[2];
	struct {
		unsigned a : 3, b : 7, c : 11;
		unsigned char d;
		unsigned long e : 40;
	} bits;
	double real;
};

static union cell global[GP_MEMORY], *cells; /* global, or a block of the heap */
static unsigned char neighbour[GP_MEMORY];   /* different threads', without synchronisation */
static unsigned style;			     /* of this program */

static unsigned kind_of(int place, unsigned n)
{
	return (style >> (place % 8) * 3) % n;
}

/* All of it; every read is of a part. */
static void plain_store(int place, int v)
{
	union cell *c = &cells[place];
	unsigned char bytes[8];

	switch (kind_of(place, 8)) {
	case 0: c->word[0] = (unsigned)v * 0x01010101u; break;
	case 1: memset(c, v, sizeof *c); break;
	case 2: memset(bytes, v, sizeof bytes); memcpy(c->byte, bytes, sizeof bytes); break;
	case 3:
		c->bits.a = (unsigned)v & 7;
		c->bits.b = (unsigned)v;
		c->bits.c = (unsigned)v;
		c->bits.d = (unsigned char)v;
		c->bits.e = (unsigned)v;
		break;
	case 4: c->half[0] = c->half[1] = (uint16_t)v; break;
	case 5: c->real = v; break;
	case 6: neighbour[place] = (unsigned char)v; break;
	default: c->pair[0] = (uint64_t)v * 0x0101010101010101u;
	}
}

static int plain_load(int place, unsigned part)
{
	union cell *c = &cells[place];
	unsigned how = kind_of(place, 8);
	unsigned char bytes[8];

	switch (how) {
	case 0: return part % 2 ? c->byte[part % 4] : (int)(c->word[0] & 255);
	case 1: return part % 2 ? c->byte[part % 16] : c->half[part % 8] & 255;
	case 2:
		if (part % 2)
			return c->byte[part % 8];
		memcpy(bytes, c->byte, sizeof bytes);
		return bytes[part % 8];
	case 3:
		switch (part % 5) {
		case 0: return (int)c->bits.a;
		case 1: return (int)c->bits.b;
		case 2: return (int)c->bits.c;
		case 3: return c->bits.d;
		default: return (int)c->bits.e;
		}
	case 4: return part % 2 ? c->half[1] : (int)(c->word[0] & 255);
	case 5: return (int)c->real;
	case 6: return neighbour[place];
	default: return part % 2 ? c->byte[part % 8] : (int)(c->pair[0] & 255);
	}
}

/* --- atomics: each order by its name, as a program has it ------------------------------------- */

#define SIZES(c, how, what)                                                                        \
	switch (how) {                                                                             \
	case 0: what(&(c)->a1);                                                                    \
	case 1: what(&(c)->a2);                                                                    \
	case 2: what(&(c)->a8);                                                                    \
	default: what(&(c)->a4);                                                                   \
	}

static int load(union cell *c, unsigned how, int order)
{
#define LOAD(a)                                                                                    \
	switch (order) {                                                                           \
	case SEQ: return (int)atomic_load(a);                                                      \
	case ACQ: return (int)atomic_load_explicit(a, memory_order_acquire);                       \
	default: return (int)atomic_load_explicit(a, memory_order_relaxed);                        \
	}
	SIZES(c, how, LOAD)
}

static void store(union cell *c, unsigned how, int order, int v)
{
#define STORE(a)                                                                                   \
	switch (order) {                                                                           \
	case SEQ: atomic_store(a, v); return;                                                      \
	case REL: atomic_store_explicit(a, v, memory_order_release); return;                       \
	default: atomic_store_explicit(a, v, memory_order_relaxed); return;                        \
	}
	SIZES(c, how, STORE)
}

static int add(union cell *c, unsigned how, int order, int v)
{
#define ADD(a)                                                                                     \
	switch (order) {                                                                           \
	case SEQ: return (int)atomic_fetch_add(a, v);                                              \
	case AR: return (int)atomic_fetch_add_explicit(a, v, memory_order_acq_rel);                \
	case ACQ: return (int)atomic_fetch_add_explicit(a, v, memory_order_acquire);               \
	case REL: return (int)atomic_fetch_add_explicit(a, v, memory_order_release);               \
	default: return (int)atomic_fetch_add_explicit(a, v, memory_order_relaxed);                \
	}
	SIZES(c, how, ADD)
}

static int exchange(union cell *c, unsigned how, int order, int v)
{
#define XCHG(a)                                                                                    \
	switch (order) {                                                                           \
	case SEQ: return (int)atomic_exchange(a, v);                                               \
	case AR: return (int)atomic_exchange_explicit(a, v, memory_order_acq_rel);                 \
	case ACQ: return (int)atomic_exchange_explicit(a, v, memory_order_acquire);                \
	case REL: return (int)atomic_exchange_explicit(a, v, memory_order_release);                \
	default: return (int)atomic_exchange_explicit(a, v, memory_order_relaxed);                 \
	}
	SIZES(c, how, XCHG)
}

static int compare_exchange(union cell *c, unsigned how, int order, int from, int to)
{
#define CAS(a)                                                                                     \
	do {                                                                                       \
		__typeof__(atomic_load(a)) old = (__typeof__(atomic_load(a)))from;                 \
		switch (order) {                                                                   \
		case SEQ:                                                                          \
			atomic_compare_exchange_strong_explicit(                                   \
				a, &old, to, memory_order_seq_cst, memory_order_relaxed);          \
			break;                                                                     \
		case AR:                                                                           \
			atomic_compare_exchange_strong_explicit(                                   \
				a, &old, to, memory_order_acq_rel, memory_order_relaxed);          \
			break;                                                                     \
		case ACQ:                                                                          \
			atomic_compare_exchange_strong_explicit(                                   \
				a, &old, to, memory_order_acquire, memory_order_relaxed);          \
			break;                                                                     \
		case REL:                                                                          \
			atomic_compare_exchange_strong_explicit(                                   \
				a, &old, to, memory_order_release, memory_order_relaxed);          \
			break;                                                                     \
		default:                                                                           \
			atomic_compare_exchange_strong_explicit(                                   \
				a, &old, to, memory_order_relaxed, memory_order_relaxed);          \
		}                                                                                  \
		return (int)old;                                                                   \
	} while (0)
	SIZES(c, how, CAS)
}

static void fence(int order)
{
	switch (order) {
	case SEQ: atomic_thread_fence(memory_order_seq_cst); break;
	case AR: atomic_thread_fence(memory_order_acq_rel); break;
	case ACQ: atomic_thread_fence(memory_order_acquire); break;
	default: atomic_thread_fence(memory_order_release);
	}
}

/* --- objects ---------------------------------------------------------------------------------- */

static struct {
	pthread_mutex_t mutex;
	pthread_spinlock_t spin;
	mtx_t mtx;
	pthread_rwlock_t rwlock;
	sem_t sem;
} object[GP_MUTEXES];
static pthread_barrier_t meeting;
static pthread_t thread[GP_THREADS];
static thrd_t thread11[GP_THREADS];
static bool joined[GP_THREADS];

static int lock(int i, int kind)
{
	unsigned how = kind_of(i, 4);

	switch (kind) {
	case GP_RDLOCK: pthread_rwlock_rdlock(&object[i].rwlock); break;
	case GP_WRLOCK: pthread_rwlock_wrlock(&object[i].rwlock); break;
	case GP_RWUNLOCK: pthread_rwlock_unlock(&object[i].rwlock); break;
	case GP_SEM_WAIT: sem_wait(&object[i].sem); break;
	case GP_SEM_POST: sem_post(&object[i].sem); break;
	case GP_LOCK:
		if (how == 0)
			mtx_lock(&object[i].mtx);
		else if (how == 1)
			pthread_spin_lock(&object[i].spin);
		else if (how == 2)
			pthread_rwlock_wrlock(&object[i].rwlock);
		else
			pthread_mutex_lock(&object[i].mutex);
		break;
	case GP_TRYLOCK:
		if (how == 0)
			return mtx_trylock(&object[i].mtx) == thrd_success;
		if (how == 1)
			return !pthread_spin_trylock(&object[i].spin);
		if (how == 2)
			return !pthread_rwlock_trywrlock(&object[i].rwlock);
		return !pthread_mutex_trylock(&object[i].mutex);
	default:
		if (how == 0)
			mtx_unlock(&object[i].mtx);
		else if (how == 1)
			pthread_spin_unlock(&object[i].spin);
		else if (how == 2)
			pthread_rwlock_unlock(&object[i].rwlock);
		else
			pthread_mutex_unlock(&object[i].mutex);
	}
	return 1;
}

/* Only those that it uses: an initialisation is an event, too. */
static void begin_objects(int nthreads)
{
	for (int i = 0; i < GP_MUTEXES; i++) {
		unsigned how = kind_of(i, 4);

		switch (given_use(GP_MEMORY + i)) {
		case GP_NOTHING: break;
		case GP_BARRIER: pthread_barrier_init(&meeting, NULL, (unsigned)nthreads); break;
		case GP_SEM_WAIT:
		case GP_SEM_POST: sem_init(&object[i].sem, 0, given_initial(GP_MEMORY + i)); break;
		case GP_RDLOCK:
		case GP_WRLOCK:
		case GP_RWUNLOCK: pthread_rwlock_init(&object[i].rwlock, NULL); break;
		default:
			if (how == 0)
				mtx_init(&object[i].mtx, mtx_plain);
			else if (how == 1)
				pthread_spin_init(&object[i].spin, 0);
			else if (how == 2)
				pthread_rwlock_init(&object[i].rwlock, NULL);
			else
				pthread_mutex_init(&object[i].mutex, NULL);
		}
	}
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *worker(void *arg);

static int worker11(void *arg)
{
	worker(arg);
	return 0;
}

static void begin_thread(int t)
{
	if (kind_of(t, 2))
		thrd_create(&thread11[t], worker11, (void *)(intptr_t)t);
	else
		pthread_create(&thread[t], NULL, worker, (void *)(intptr_t)t);
}

static void end_thread(int t)
{
	joined[t] = true;
	if (kind_of(t, 2))
		thrd_join(thread11[t], NULL);
	else
		pthread_join(thread[t], NULL);
}

/* The value that the operation learns. */
static int operation(int t, int i, const struct gp_op *o, int operand)
{
	union cell *c = &cells[o->place];
	unsigned how = kind_of(o->place, 4);
	int got = 0;

	switch (o->kind) {
	case GP_LOAD: return load(c, how, o->order);
	case GP_STORE: store(c, how, o->order, operand); return 0;
	case GP_ADD: return add(c, how, o->order, operand);
	case GP_XCHG: return exchange(c, how, o->order, operand);
	case GP_CAS: return compare_exchange(c, how, o->order, o->expected, operand);
	case GP_FENCE: fence(o->order); return 0;
	case GP_PLAIN_LOAD: return plain_load(o->place, (unsigned)i);
	case GP_PLAIN_STORE: plain_store(o->place, operand); return 0;
	case GP_AWAIT:
		do
			got = load(c, how, o->order);
		while (got != operand);
		return got;
	case GP_AWAIT_XCHG:
		while (exchange(c, how, o->order, 1)) {
		}
		return 0;
	case GP_AWAIT_CAS:
		do
			got = compare_exchange(c, how, o->order, o->expected, operand);
		while (got != o->expected);
		return got;
	case GP_SPAWN: begin_thread(o->value); return 0;
	case GP_JOIN: end_thread(o->value); return 0;
	case GP_BARRIER: pthread_barrier_wait(&meeting); return 0;
	case GP_ASSERT: heddle_assert(!"the value is what it must be"); return 0;
	default: return lock(o->place - GP_MEMORY, o->kind);
	}
}

static void *worker(void *arg)
{
	int t = (int)(intptr_t)arg, n = given_length(t);
	uint64_t ops[GP_OPS][2];
	uint8_t reg[GP_OPS] = {0};

	/* Now, while the buffer is empty: a call of code without Heddle waits for it. */
	for (int i = 0; i < n; i++) {
		ops[i][0] = given_op(t, i, 0);
		ops[i][1] = given_op(t, i, 1);
	}
	for (int i = 0; i < n; i++) {
		struct gp_op o;

		memcpy(&o, ops[i], sizeof o);
		if (!gp_skipped(&o, reg))
			reg[i] = (uint8_t)operation(t, i, &o, gp_operand(&o, reg));
	}
	return NULL;
}

static void program(void *unused)
{
	int n = given_threads(), last = given_places() - 1;

	(void)unused;
	cells = style >> 24 & 1 ? malloc(sizeof global) : global;
	memset(cells, 0, sizeof global);
	memset(neighbour, 0, sizeof neighbour);
	begin_objects(n);
	for (int t = 0; t < n; t++)
		if (!given_spawned(t))
			begin_thread(t);
	for (int t = 0; t < n; t++)
		if (!given_spawned(t))
			end_thread(t);
	for (int t = 0; t < n; t++)
		if (!joined[t])
			end_thread(t);
	for (int l = 0; l <= last; l++) {
		int want = given_final(l), got;

		if (want == COUNT_ANY)
			continue;
		got = given_plain(l) ? plain_load(l, 0) : load(&cells[l], kind_of(l, 4), RLX);
		heddle_assert(got == want);
	}
	if (cells != global)
		free(cells);
}

int main(int argc, char **argv)
{
	if (!judge_begin(argc, argv))
		return 2;
	while (judge_goes_on() && given_next()) {
		style = given_style();
		if (!judge(given_name(), program, given_verdict(judge_model())))
			given_print();
	}
	return judge_end();
}
