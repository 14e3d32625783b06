/* SPDX-License-Identifier: ISC */
/*
 * verify.c - the cost of deciding whether a reads-from function has a schedule
 * (verify/verify.h).
 *
 *     verify [SECONDS]     CPU time a figure, at most (default 0.1)
 *
 * Instances: k threads make n events in all, half of them loads, on d locations, with a few RMWs
 * and fences; sources come from a random schedule of the machine. For those that are not
 * realisable, a read gets the source of its neighbour in time that has another one, which often has
 * a schedule: only those without one are counted. Small instances are pushed anew each time, as
 * RF-SMC does.
 *
 * Columns: the usual way; closure first; search without closure; the naive search over all states.
 * Mean CPU time an instance; > where some were not decided within 50,000 states, which count with
 * the time spent. The figures of the paper (OOPSLA 2021, 6.1) have the same axes: with and without
 * closure, against naive.
 */
#include "base/prng.h"
#include "model/model.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EVENTS	  4000
#define THREADS	  8
#define LOCATIONS 64
#define STATES	  50000

_Noreturn void stop_bug(const char *file, int line, const char *what)
{
	fprintf(stderr, "verify: bug at %s:%d: %s\n", file, line, what);
	abort();
}

static struct {
	enum model_id model;
	u32 n, nthreads, nlocs;
	u32 thread[EVENTS + 1], loc[EVENTS + 1], source[EVENTS + 1];
	u16 flags[EVENTS + 1];
} I; /* events in the order of the schedule */

static struct prng prng;
static struct verify verify;
static double seconds = 0.1;

static u32 below(u32 n)
{
	return prng_below(&prng, n);
}

/* --- instances ------------------------------------------------------------------------------- */

/* Buffers of the schedule: events, oldest first. */
static u32 buffer[THREADS][EVENTS], held[THREADS], mem[LOCATIONS];

static void commit(u32 t, u32 i)
{
	mem[I.loc[buffer[t][i]]] = buffer[t][i];
	memmove(&buffer[t][i], &buffer[t][i + 1], (--held[t] - i) * sizeof buffer[t][0]);
}

/* TSO: the oldest. PSO: of a random store, the oldest to its location. */
static void commit_one(u32 t)
{
	u32 i = I.model == MODEL_TSO ? 0 : below(held[t]), loc = I.loc[buffer[t][i]];

	for (u32 k = 0; k <= i; k++)
		if (I.loc[buffer[t][k]] == loc || I.model == MODEL_TSO) {
			commit(t, k);
			return;
		}
}

static u32 value(u32 t, u32 loc)
{
	for (u32 i = held[t]; i-- > 0;)
		if (I.loc[buffer[t][i]] == loc)
			return buffer[t][i];
	return mem[loc];
}

static void make(enum model_id m, u32 n, u32 k, u32 d)
{
	static const u16 kinds[] = {E_READ, E_WRITE, E_READ, E_WRITE, E_READ, E_WRITE, E_READ,
		E_WRITE, E_READ, E_WRITE, E_READ, E_WRITE, E_READ, E_WRITE,
		E_READ | E_WRITE | E_EXCL | E_FULL, E_FENCE | E_FULL};

	I.model = m;
	I.n = n;
	I.nthreads = k;
	I.nlocs = d;
	memset(held, 0, sizeof held);
	memset(mem, 0, sizeof mem);
	for (u32 e = 1; e <= n; e++) {
		u32 t = below(k), f = kinds[below(array_size(kinds))];

		for (u32 u = 0; u < k; u++)
			if (held[u] && (below(3) == 0 || held[u] > 8))
				commit_one(u);
		I.thread[e] = t;
		I.loc[e] = below(d);
		I.flags[e] = (u16)f;
		while (f & E_FULL && held[t])
			commit(t, 0);
		I.source[e] = value(t, I.loc[e]);
		if (f & E_WRITE && (m == MODEL_SC || f & E_FULL))
			mem[I.loc[e]] = e;
		else if (f & E_WRITE)
			buffer[t][held[t]++] = e;
	}
}

/* A read gets the source of the nearest read of the location that has another one. False: there is
 * none. */
static bool change(void)
{
	for (u32 tries = 0; tries < 100; tries++) {
		u32 e = 1 + below(I.n);

		if (!(I.flags[e] & E_READ))
			continue;
		for (u32 f = e + 1; f <= I.n; f++) {
			if (!(I.flags[f] & E_READ) || I.loc[f] != I.loc[e] ||
				I.source[f] == I.source[e])
				continue;
			I.source[e] = I.source[f];
			return true;
		}
	}
	return false;
}

static void push(void)
{
	verify_begin(&verify, model_of(I.model)->buffers);
	for (u32 e = 1; e <= I.n; e++) {
		verify_push(&verify, I.thread[e], I.loc[e], I.flags[e]);
		verify_source(&verify, e, I.source[e]);
	}
}

/* --- measuring ------------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static const struct {
	const char *name;
	u32 way;
} columns[] = {
	{"usual", 0},
	{"closure first", VERIFY_NO_PROBE},
	{"no closure", VERIFY_NO_PROBE | VERIFY_NO_CLOSURE},
	{"naive", VERIFY_NAIVE},
};

/* The instance of this seed; false: it is not wanted. */
static bool prepare(enum model_id m, u32 n, u32 k, u32 d, bool realisable, u64 seed)
{
	prng_seed(&prng, seed);
	make(m, n, k, d);
	if (realisable)
		return true;
	for (u32 i = 0; i < 20; i++) {
		if (!change())
			return false;
		push();
		verify.way = 0;
		verify.budget = STATES;
		if (verify_decide(&verify) == VERIFY_NO)
			return verify.stage != VERIFY_BY_RULES;
	}
	return false;
}

static double measure(enum model_id m, u32 n, u32 k, u32 d, bool realisable, u32 way, bool *cut)
{
	double spent = 0;
	u32 instances = 0;

	*cut = false;
	for (u64 seed = 1; spent < seconds && seed < 100000; seed++) {
		u32 times = n <= 100 && !(way & VERIFY_NAIVE) ? 10 : 1;
		enum verify_answer a = VERIFY_NO;
		double start;

		if (!prepare(m, n, k, d, realisable, seed))
			continue;
		verify.way = way;
		start = now();
		for (u32 i = 0; i < times; i++) {
			push();
			a = verify_decide(&verify);
		}
		spent += now() - start;
		instances += times;
		*cut |= a == VERIFY_BUDGET || a == VERIFY_MEMORY;
		if (!*cut && a != (realisable ? VERIFY_YES : VERIFY_NO)) {
			printf("wrong answer: model %d, n %u, k %u, seed %llu\n", m, n, k,
				(unsigned long long)seed);
			exit(1);
		}
	}
	return spent / instances;
}

static void print_time(double s, bool cut)
{
	char text[32];

	if (s < 1e-3)
		snprintf(text, sizeof text, "%s%.2f us", cut ? "> " : "", s * 1e6);
	else
		snprintf(text, sizeof text, "%s%.2f ms", cut ? "> " : "", s * 1e3);
	printf(" %14s", text);
}

static void row(enum model_id m, u32 n, u32 k)
{
	static const char *const models[] = {"sc", "tso", "pso"};
	u32 d = n < 60 ? 3 : n < 500 ? 8 : 32;

	for (int realisable = 1; realisable >= 0; realisable--) {
		printf("%-4s %5u %2u %2u %-4s", models[m], n, k, d, realisable ? "yes" : "no");
		for (u32 c = 0; c < array_size(columns); c++) {
			bool cut;
			double s = measure(m, n, k, d, realisable, columns[c].way, &cut);

			print_time(s, cut);
		}
		printf("\n");
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	static const u32 sizes[] = {10, 20, 40, 100, 400, 1000, 4000}, threads[] = {2, 4, 8};
	size_t size = verify_memory(EVENTS, THREADS, LOCATIONS) + ((size_t)256 << 20);
	void *memory = aligned_alloc(64, (size + 63) & ~(size_t)63);

	if (argc > 1)
		seconds = atof(argv[1]);
	if (!memory)
		return 2;
	verify_init(&verify, memory, size, EVENTS, THREADS, LOCATIONS);
	verify.budget = STATES;
	printf("%-4s %5s %2s %2s %-4s", "", "n", "k", "d", "real");
	for (u32 c = 0; c < array_size(columns); c++)
		printf(" %14s", columns[c].name);
	printf("\n");
	for (enum model_id m = MODEL_SC; m <= MODEL_PSO; m++)
		for (u32 i = 0; i < array_size(sizes); i++)
			for (u32 k = 0; k < array_size(threads); k++)
				row(m, sizes[i], threads[k]);
	return 0;
}
