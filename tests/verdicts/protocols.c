/* SPDX-License-Identifier: ISC */
/*
 * protocols.c - the programs of counted.h.
 *
 * Two to four threads go through the same few *protocols*, in the same order. A protocol has memory
 * of its own and hands it from thread to thread, by a message, a lock, a barrier, ...: a thread
 * that accesses it owns it at that moment. Waits cannot be circular, as a thread that waits in a
 * protocol waits for threads in that one or before it. A thread compares received values with the
 * expected ones; final values are compared, too.
 *
 * Orders are sometimes stronger than necessary, so not every weakening is an
 * error.
 */
#include "counted.h"
#include "operations.h"

#include <stdio.h>
#include <string.h>

static struct counted *c;
static struct gprogram *p;

/* --- locks ------------------------------------------------------------------------------------ */

/* How many of the threads take part: two at least. */
static int some(void)
{
	return p->nthreads > 2 && below(2) ? p->nthreads : 2;
}

static void mutex(void)
{
	struct payload d = payload();
	int m = object(), n = some(), inner = below(4) ? -1 : object();
	struct payload nested = {0};
	bool try = below(4) == 0;

	if (inner >= 0)
		nested = payload();
	for (int t = 0; t < n; t++) {
		if (try && t == n - 1)
			only_if(get(t, GP_TRYLOCK, m, RLX, 0), 1);
		else
			put(t, GP_LOCK, m, RLX, 0);
		count(t, &d);
		if (inner >= 0) {
			put(t, GP_LOCK, inner, RLX, 0);
			count(t, &nested);
			put(t, GP_UNLOCK, inner, RLX, 0);
		}
		put(t, GP_UNLOCK, m, RLX, 0);
		always();
	}
	if (try) {
		unknown(&d);
		unknown(&nested);
	}
}

static void rwlock(void)
{
	struct payload d = payload();
	int l = object(), n = some();

	for (int t = 0; t < n; t++) {
		bool reads = t == 1 || (t && below(2));

		put(t, reads ? GP_RDLOCK : GP_WRLOCK, l, RLX, 0);
		if (reads)
			look(t, &d, 0);
		else
			count(t, &d);
		put(t, GP_RWUNLOCK, l, RLX, 0);
	}
}

static void semaphore_lock(void)
{
	struct payload d = payload();
	int e = object(), n = some();

	p->initial[e] = 1;
	for (int t = 0; t < n; t++) {
		put(t, GP_SEM_WAIT, e, RLX, 0);
		count(t, &d);
		put(t, GP_SEM_POST, e, RLX, 0);
	}
}

static void take(int t, int s, unsigned how, int n)
{
	bool fences = below(4) == 0;
	int order = fences ? RLX : acquire_rmw();

	if (how == 0) {
		put(t, GP_AWAIT_XCHG, s, order, 1);
	} else if (how == 1) {
		compare(t, GP_AWAIT_CAS, s, order, 0, 1);
	} else {
		int mine = get(t, GP_ADD, n, RLX, 1);

		put(t, GP_AWAIT, s, fences ? RLX : acquire(), 0)->source = (int8_t)mine;
	}
	if (fences)
		fence(t, one_of(ACQ, AR, SEQ));
}

static void spinlock(void)
{
	struct payload d = payload();
	unsigned how = below(3); /* exchange, compare and exchange, ticket */
	int s = flag(), n = how == 2 ? flag() : 0, users = some();

	for (int t = 0; t < users; t++) {
		int first = p->nops[t];

		take(t, s, how, n);
		count(t, &d);
		if (below(4) == 0) {
			fence(t, one_of(REL, AR, SEQ));
			put(t, GP_STORE, s, RLX, how == 2)->source =
				(int8_t)(how == 2 ? first : -1);
		} else {
			put(t, GP_STORE, s, release(), how == 2)->source =
				(int8_t)(how == 2 ? first : -1);
		}
	}
	if (how == 2)
		c->final[n] = (uint8_t)users;
}

/* Each announces itself, and enters if the other has not. */
static void claims(void)
{
	struct payload d = payload();
	int f[2] = {flag(), flag()};
	bool fences = below(2);

	for (int t = 0; t < 2; t++) {
		put(t, GP_STORE, f[t], fences ? RLX : SEQ, 1);
		if (fences)
			fence(t, SEQ);
		only_if(get(t, GP_LOAD, f[1 - t], fences ? RLX : SEQ, 0), 0);
		count(t, &d);
		always();
	}
	unknown(&d);
}

/* A thread that has seen x before y enters, and one that has seen y before x. */
static void opinions(void)
{
	struct payload d = payload();
	int f[2] = {flag(), flag()};

	if (p->nthreads < 4) {
		operations_give_up();
		return;
	}
	for (int t = 0; t < 2; t++) {
		int first, second;

		put(t, GP_STORE, f[t], SEQ, 1);
		first = get(t + 2, GP_LOAD, f[t], SEQ, 0);
		second = get(t + 2, GP_LOAD, f[1 - t], SEQ, 0);
		only_if(first, 1);
		only_if_also(second, 0);
		for (int i = 0; i < d.n; i++)
			put(t + 2, d.plain ? GP_PLAIN_STORE : GP_STORE, d.place[i], RLX, 1 + t);
		always();
	}
}

/* --- messages --------------------------------------------------------------------------------- */

static void post(int t, int f, int value)
{
	switch (below(6)) {
	case 0: fence(t, one_of(REL, AR, SEQ)); put(t, GP_STORE, f, RLX, value); break;
	case 1: put(t, GP_ADD, f, release_rmw(), value); break;
	case 2: put(t, GP_XCHG, f, release_rmw(), value); break;
	case 3: compare(t, GP_CAS, f, release_rmw(), 0, value); break;
	default: put(t, GP_STORE, f, release(), value);
	}
}

/* The following operations depend on it, or wait for it. */
static void receive(int t, int f, int value, bool wait)
{
	switch (below(3) + (wait ? 3 : 0)) {
	case 0: only_if(get(t, GP_LOAD, f, acquire(), 0), value); break;
	case 1:
		only_if(get(t, GP_LOAD, f, RLX, 0), value);
		fence(t, one_of(ACQ, AR, SEQ));
		break;
	case 2:
		if (below(2))
			only_if(get(t, GP_XCHG, f, acquire_rmw(), 0), value);
		else
			only_if(compare(t, GP_CAS, f, acquire_rmw(), value, 7), value);
		break;
	case 3: put(t, GP_AWAIT, f, acquire(), value); break;
	case 4:
		put(t, GP_AWAIT, f, RLX, value);
		fence(t, one_of(ACQ, AR, SEQ));
		break;
	default: compare(t, GP_AWAIT_CAS, f, acquire_rmw(), value, 7);
	}
}

static void message(void)
{
	struct payload d = payload();
	int from = thread(), to = other_than(from), f = flag();

	fill(from, &d);
	post(from, f, 1);
	receive(to, f, 1, below(2));
	own(to, &d);
	always();
}

/* Passed through other threads, which may read it, and with two threads change it; with these,
 * there and back. */
static void chain(void)
{
	struct payload d = payload();
	int hops = p->nthreads == 2 ? 2 : p->nthreads - 1;
	bool wait = below(2);

	fill(0, &d);
	for (int k = 1; k <= hops; k++) {
		int from = k - 1, to = k % p->nthreads;

		if (wait && below(4) == 0) {
			int e = object();

			put(from, GP_SEM_POST, e, RLX, 0);
			put(to, GP_SEM_WAIT, e, RLX, 0);
		} else {
			int f = flag();

			post(from, f, 1);
			always();
			receive(to, f, 1, wait);
		}
		if (k == hops)
			check(to, &d);
		else if (wait)
			own(to, &d);
		else if (below(2))
			check(to, &d);
	}
	always();
}

static void counter(void)
{
	int f = flag(), sum = 0;

	for (int t = 0; t < p->nthreads; t++) {
		int n = 1 + (int)below(2);

		put(t, GP_ADD, f, RLX, n);
		sum += n;
	}
	c->final[f] = (uint8_t)sum;
}

/* A release sequence continues with a read-modify-write of another thread. */
static void sequence(void)
{
	struct payload d = payload();
	int f = flag(), last = p->nthreads - 1;

	fill(0, &d);
	post(0, f, 1);
	put(last - 1, GP_ADD, f, RLX, 2);
	only_if(get(last, GP_LOAD, f, acquire(), 0), 3);
	check(last, &d);
	always();
}

/* Two threads submit work; the third takes the available part. */
static void bits(void)
{
	struct payload a = payload(), b = payload();
	int h = flag(), taker = p->nthreads - 1, got, one;

	if (p->nthreads < 3) {
		operations_give_up();
		return;
	}
	fill(0, &a);
	put(0, GP_ADD, h, release_rmw(), 1);
	fill(1, &b);
	put(1, GP_ADD, h, release_rmw(), 2);
	got = get(taker, below(2) ? GP_LOAD : GP_ADD, h, ACQ, 0);
	only_if(got, 3);
	check(taker, &a);
	check(taker, &b);
	only_if(got, one = 1 + (int)below(2));
	check(taker, one == 1 ? &a : &b);
	always();
}

static void semaphore(void)
{
	struct payload d = payload();
	int from = thread(), to = other_than(from), e = object();

	fill(from, &d);
	put(from, GP_SEM_POST, e, RLX, 0);
	put(to, GP_SEM_WAIT, e, RLX, 0);
	own(to, &d);
}

/* As with a condition variable, by a thread that does not wait for it. */
static void guarded(void)
{
	struct payload d = payload();
	int from = thread(), to = other_than(from), m = object(), f = memory(true), got;

	fill(from, &d);
	put(from, GP_LOCK, m, RLX, 0);
	put(from, GP_PLAIN_STORE, f, RLX, 1);
	role(from, ROLE_SIGNAL);
	put(from, GP_UNLOCK, m, RLX, 0);
	put(to, GP_LOCK, m, RLX, 0);
	got = get(to, GP_PLAIN_LOAD, f, RLX, 0);
	role(to, ROLE_WAIT);
	put(to, GP_UNLOCK, m, RLX, 0);
	only_if(got, 1);
	own(to, &d);
	always();
}

/* --- phases ----------------------------------------------------------------------------------- */

static void barrier(void)
{
	struct payload d[COUNT_THREADS];
	int fillers = 1 + (int)below(2);

	for (int t = 0; t < fillers; t++) {
		d[t] = payload();
		fill(t, &d[t]);
	}
	for (int t = 0; t < p->nthreads; t++)
		put(t, GP_BARRIER, GP_BARRIER_PLACE, RLX, 0);
	for (int t = 0; t < p->nthreads; t++)
		if (fillers == 2 || t)
			check(t, &d[t == 0]);
}

static void counting_barrier(void)
{
	struct payload d = payload();
	int f = flag(), n = p->nthreads;

	fill(0, &d);
	for (int t = 0; t < n; t++) {
		put(t, GP_ADD, f, one_of(AR, AR, SEQ), 1);
		put(t, GP_AWAIT, f, acquire(), n);
		if (t)
			check(t, &d);
	}
}

static void once(void)
{
	struct payload d = payload();
	int f = flag(), n = some();

	for (int t = 0; t < n; t++) {
		only_if(compare(t, GP_CAS, f, RLX, 0, 1), 0);
		role(t, ROLE_ONCE);
		if (t == 0)
			fill(t, &d);
		else
			fill_again(t, &d);
		put(t, GP_STORE, f, release(), 2);
		always();
		put(t, GP_AWAIT, f, acquire(), 2);
		check(t, &d);
	}
}

/* Read, then read again under the lock. */
static void double_check(void)
{
	struct payload d = payload();
	int f = flag(), m = object();

	for (int t = 0; t < 2; t++) {
		int first = get(t, GP_LOAD, f, acquire(), 0);

		only_if(first, 0);
		put(t, GP_LOCK, m, RLX, 0);
		only_if_also(get(t, GP_LOAD, f, RLX, 0), 0);
		if (t == 0)
			fill(t, &d);
		else
			fill_again(t, &d);
		put(t, GP_STORE, f, release(), 1);
		always();
		only_if(first, 0);
		put(t, GP_UNLOCK, m, RLX, 0);
		always();
		check(t, &d);
	}
}

/* The last thread to drop it owns it. */
static void references(void)
{
	struct payload d[COUNT_THREADS];
	int f = flag(), n = some(), fillers = 1 + (int)below((unsigned)n);

	for (int t = 0; t < fillers; t++) {
		d[t] = (struct payload){.n = 1, .plain = below(5) != 0};
		d[t].place[0] = memory(d[t].plain);
		fill(t, &d[t]);
	}
	for (int t = 0; t < n; t++) {
		bool fences = below(2);
		int order = fences ? release_rmw() : one_of(AR, AR, SEQ),
		    old = get(t, GP_ADD, f, order, 1);

		only_if(old, n - 1);
		if (fences)
			fence(t, one_of(ACQ, AR, SEQ));
		for (int i = 0; i < fillers; i++)
			if (i != t)
				check(t, &d[i]);
		always();
	}
}

static void seqlock(void)
{
	int s = flag(), d[2] = {flag(), flag()}, n = 1 + (int)below(2), from = thread(),
	    to = other_than(from);
	int before, after, got[2];

	put(from, GP_STORE, s, RLX, 1);
	fence(from, one_of(REL, AR, SEQ));
	for (int i = 0; i < n; i++)
		put(from, GP_STORE, d[i], RLX, 3);
	put(from, GP_STORE, s, release(), 2);
	before = get(to, GP_LOAD, s, acquire(), 0);
	for (int i = 0; i < n; i++)
		got[i] = get(to, GP_LOAD, d[i], RLX, 0);
	fence(to, one_of(ACQ, AR, SEQ));
	after = get(to, GP_LOAD, s, RLX, 0);
	only_if(before, 2);
	for (int i = 0; i < n; i++)
		must_be(to, got[i], 3);
	only_if(after, 0);
	for (int i = 0; i < n; i++)
		must_be(to, got[i], 0);
	always();
}

/* --- programs --------------------------------------------------------------------------------- */

static void (*const protocols[])(void) = {mutex, mutex, rwlock, semaphore_lock, spinlock, spinlock,
	claims, opinions, message, message, message, message, chain, chain, sequence, bits,
	semaphore, guarded, barrier, counting_barrier, once, double_check, references, seqlock,
	counter};

#define PROTOCOLS (sizeof protocols / sizeof *protocols)

/* A thread that another one starts and joins, with its argument and result. */
static void generate_frame(int n)
{
	int child = p->nthreads - 1, parent = (int)below((unsigned)child);
	struct payload d = payload();

	fill(parent, &d);
	put(parent, GP_SPAWN, 0, RLX, child);
	check(child, &d);
	for (int k = 0; k < n; k++)
		protocols[below(PROTOCOLS)]();
	fill(child, &d);
	put(parent, GP_JOIN, 0, RLX, child);
	check(parent, &d);
}

static void generate(uint64_t seed, unsigned try, int most)
{
	static const int threads[] = {2, 2, 2, 3, 3, 4};
	int n;

	operations_begin(c, seed * 0xd1342543de82ef95u + try);
	c->seed = seed;
	snprintf(p->name, sizeof p->name, "%llu", (unsigned long long)seed);
	p->nthreads = threads[below(6)];
	n = 1 + (int)below((unsigned)most);
	c->protocols = (uint8_t)n;
	if (below(6) == 0) {
		generate_frame(n);
		return;
	}
	for (int k = 0; k < n; k++)
		protocols[below(PROTOCOLS)]();
}

void counted_generate(struct counted *to, uint64_t seed, bool weaker)
{
	unsigned try = 0;

	c = to;
	p = &c->program;
	do
		generate(seed, try++, weaker ? 2 : 3);
	while (operations_given_up() || (weaker && !counted_weaken(to, below)));
}
