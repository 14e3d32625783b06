/* SPDX-License-Identifier: ISC */
/*
 * t_verify.c - VerifySC, VerifyTSO, VerifyPSO against a machine that tries all schedules.
 *
 * Random instances: a random schedule of random threads gives a reads-from function that has a
 * schedule; then a few sources are changed. All ways to decide must agree with brute(), which uses
 * only the rules of the store buffers; each witness is executed on model/buffer.c,
 * where every read must find its source. LONG=1: twenty times as many; VERIFY_SEED: others.
 */
#include "base/prng.h"
#include "model/buffer.h"
#include "model/model.h"
#include "verify/verify.h"

#include "unit.h"
#include "verify_brute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prng prng;
static struct verify verify;
static void *memory;

#define MEMORY ((size_t)16 << 20)

static void show(void)
{
	static const char *const models[] = {"sc", "tso", "pso"};

	printf("# %s\n", models[I.model]);
	for (u32 e = 1; e <= I.n; e++)
		printf("# %2u: T%u %c%c loc %u from %u%s%s%s after %u\n", e, I.e[e].thread,
			I.e[e].flags & E_READ ? 'R' : '-', I.e[e].flags & E_WRITE ? 'W' : '-',
			I.e[e].loc, I.e[e].source, I.e[e].flags & E_FULL ? " full" : "",
			I.e[e].flags & E_FULL_AFTER ? " full-after" : "",
			I.e[e].flags & E_STORES ? " stores" : "", I.e[e].after);
}

/* --- random instances ------------------------------------------------------------------------ */

static u32 below(u32 n)
{
	return (u32)prng_below(&prng, n);
}

static const u16 kinds[] = {E_READ, E_READ, E_READ, E_READ, E_WRITE, E_WRITE, E_WRITE, E_WRITE,
	E_READ | E_WRITE | E_EXCL | E_FULL, E_READ | E_FULL, E_FENCE | E_FULL, E_FENCE | E_STORES,
	E_WRITE | E_STORES, E_WRITE | E_STORES | E_FULL_AFTER, E_WRITE | E_FULL_AFTER, 0,
	E_READ | E_WRITE | E_EXCL | E_FULL, E_READ | E_WRITE | E_EXCL | E_FULL};

/* many: of the first so many kinds. */
static void make_threads(u32 most, u32 many)
{
	I.nthreads = 2 + below(THREADS - 1);
	I.nlocs = 1 + below(RANDOM_LOCATIONS);
	I.n = 0;
	memset(I.length, 0, sizeof I.length);
	for (u32 left = most / 2 + below(most / 2 + 1); left--;) {
		struct access *e = &I.e[++I.n];
		u32 t = below(I.nthreads);

		*e = (struct access){.thread = (u8)t,
			.index = I.length[t],
			.loc = (u8)below(I.nlocs),
			.flags = kinds[below(many)]};
		I.thread[t][I.length[t]++] = (u8)I.n;
	}
}

/* Starts and joins, sometimes. As the schedule goes in the order of events, there is one. */
static void make_orders(void)
{
	for (u32 i = below(3); i && I.n > 2; i--) {
		u32 b = 2 + below(I.n - 1), a = 1 + below(b - 1);

		if (I.e[a].thread == I.e[b].thread || (I.e[a].flags & E_WRITE && !is_rmw(&I.e[a])))
			continue;
		I.e[b].after = (u8)a;
		if (below(2)) {
			I.e[a].flags |= E_FULL;
			I.e[b].flags |= I.e[b].flags & E_WRITE ? 0 : E_FULL;
		}
	}
}

/* Sources, from a random schedule. */
static void make_sources(void)
{
	struct state s = {.committed = 0};
	u32 done = 0;

	for (u32 tries = 0; done < I.n && tries < 10000; tries++) {
		u32 t = below(I.nthreads), e = 1 + below(I.n);

		if (below(2)) {
			u8 *source;

			if (s.pos[t] == I.length[t])
				continue;
			source = &I.e[I.thread[t][s.pos[t]]].source;
			done += machine_step(&s, t, source);
		} else if (machine_pending(&s, e) && machine_may_pop(&s, e)) {
			machine_put(&s, e);
		}
	}
	CU_ASSERT_FATAL(done == I.n);
}

/* Some read gets another source, which its own thread's order allows. */
static void change_source(void)
{
	u32 e = 1 + below(I.n);

	if (!(I.e[e].flags & E_READ))
		return;
	for (u32 tries = 0; tries < 30; tries++) {
		u32 w = below(I.n + 1);

		if (w && (!(I.e[w].flags & E_WRITE) || I.e[w].loc != I.e[e].loc ||
				 (I.e[w].thread == I.e[e].thread && w >= e)))
			continue;
		I.e[e].source = (u8)w;
		return;
	}
}

static void make(enum model_id m, u32 most)
{
	static const u32 many[] = {8, 11, 14, array_size(kinds), array_size(kinds)};

	I.model = m;
	make_threads(most, many[below(array_size(many))]);
	make_orders();
	make_sources();
	for (u32 i = below(8); i; i--)
		change_source();
}

/* --- asking ---------------------------------------------------------------------------------- */

/* Push another event, and pop it. */
static void push_in_vain(void)
{
	struct verify_mark mark = verify_mark(&verify);
	u32 a = 0, b = 0;

	for (u32 t = 0; t < THREADS; t++) {
		a = verify_push(&verify, t, t % LOCATIONS, E_READ);
		b = verify_push(&verify, (t + 1) % THREADS, t % LOCATIONS, E_WRITE);
		verify_source(&verify, a, b);
		verify_order(&verify, a, b);
	}
	verify_decide(&verify);
	verify_cut(&verify, mark);
}

/* halves: RMWs as two events. to: numbers of the verifier's. backwards: threads have other
 * numbers. */
static void push(bool halves, bool backwards, u32 to[EVENTS + 1])
{
	u32 cut = I.n / 2;

	verify_begin(&verify, model_of(I.model)->buffers);
	to[0] = 0;
	for (u32 e = 1; e <= I.n; e++) {
		if (e == cut)
			push_in_vain();
		const struct access *x = &I.e[e];
		u32 t = backwards ? I.nthreads - 1u - x->thread : x->thread;

		if (halves && is_rmw(x)) {
			verify_push(&verify, t, x->loc, x->flags & ~E_WRITE);
			to[e] = verify_push(&verify, t, x->loc, x->flags & ~E_READ);
		} else {
			to[e] = verify_push(&verify, t, x->loc, x->flags);
		}
	}
	for (u32 e = 1; e <= I.n; e++) {
		const struct access *x = &I.e[e];

		if (x->flags & E_READ)
			verify_source(&verify, to[e] - (halves && is_rmw(x)), to[x->source]);
		if (x->after)
			verify_order(&verify, to[x->after], to[e]);
	}
}

static struct buffer buffer[THREADS];
static u64 place[LOCATIONS];

static void carry_out_commit(u32 e)
{
	struct buffer *b = &buffer[I.e[e].thread];
	struct store s = {.size = 0};
	u32 k = 0;

	while (b->pso && k < b->nready && buffer_peek(b, k)->value[0] != e)
		k++;
	if (b->pso ? k == b->nready : buffer_empty(b))
		return; /* the caller checks that */
	if (b->pso)
		buffer_take(b, k, &s);
	else
		buffer_pop(b, &s);
	place[I.e[e].loc] = s.value[0];
}

static bool carry_out_step(u32 e, u32 before)
{
	const struct access *x = &I.e[e];
	struct buffer *b = &buffer[x->thread];
	u64 addr = 0x1000 + 64 * (u64)x->loc, value[2] = {e, 0};
	struct store s;

	if ((x->flags & E_FULL || (before && I.e[before].flags & E_FULL_AFTER)) && !buffer_empty(b))
		return false;
	if (x->flags & E_READ &&
		(buffer_lookup(b, addr, 8, &s) == LOOKUP_HIT ? s.value[0] : place[x->loc]) !=
			x->source)
		return false;
	if (x->flags & E_STORES && b->pso)
		buffer_mark(b);
	if (x->flags & E_WRITE && (I.model == MODEL_SC || x->flags & E_FULL))
		place[x->loc] = e;
	else if (x->flags & E_WRITE)
		buffer_push(b, addr, 8, value, 0);
	return true;
}

/* The witness, with the verifier's numbers, on the buffers. */
static bool carry_out(const u32 to[EVENTS + 1])
{
	u32 of[2 * EVENTS + 1], pos[THREADS] = {0};

	memset(place, 0, sizeof place);
	for (u32 t = 0; t < THREADS; t++)
		buffer_init(&buffer[t], I.model == MODEL_PSO);
	for (u32 e = 1; e <= I.n; e++)
		for (u32 i = to[e - 1] + 1; i <= to[e]; i++)
			of[i] = e;
	for (u32 i = 0; i < verify.witness.n; i++) {
		u32 item = verify.witness.item[i], e = of[plan_event(item)], t = I.e[e].thread;

		if (plan_commits(item)) {
			carry_out_commit(e);
			if (place[I.e[e].loc] != e)
				return false;
			continue;
		}
		if (I.e[e].index != pos[t] ||
			!carry_out_step(e, pos[t] ? I.thread[t][pos[t] - 1] : 0))
			return false;
		if (I.e[e].after && I.e[I.e[e].after].index >= pos[I.e[I.e[e].after].thread])
			return false;
		pos[t]++;
	}
	for (u32 t = 0; t < I.nthreads; t++)
		if (pos[t] != I.length[t] || !buffer_empty(&buffer[t]))
			return false;
	return true;
}

static const struct {
	const char *name;
	u32 way;
	bool halves, backwards;
} ways[] = {
	{"as it is", 0, false, false},
	{"RMWs in halves", 0, true, false},
	{"closure first", VERIFY_NO_PROBE, false, false},
	{"no closure", VERIFY_NO_CLOSURE, false, false},
	{"search only", VERIFY_NO_PROBE | VERIFY_NO_CLOSURE, false, false},
	{"search only, threads backwards", VERIFY_NO_PROBE | VERIFY_NO_CLOSURE, false, true},
	{"plain", VERIFY_PLAIN, false, false},
	{"plain search only", VERIFY_PLAIN | VERIFY_NO_CLOSURE, false, false},
	{"plain search only, threads backwards", VERIFY_PLAIN | VERIFY_NO_CLOSURE, true, true},
	{"naive", VERIFY_NAIVE, false, false},
};

static u32 instances, realisable, failures, by_stage[2][VERIFY_STAGES];

static void ask_all(bool expected)
{
	instances++;
	realisable += expected;
	for (u32 i = 0; i < array_size(ways) && failures < 5; i++) {
		u32 to[EVENTS + 1];
		enum verify_answer a;

		push(ways[i].halves, ways[i].backwards, to);
		verify.way = ways[i].way;
		a = verify_decide(&verify);
		if (i == 0)
			by_stage[expected][verify.stage]++;
		if (a == (expected ? VERIFY_YES : VERIFY_NO) && (!expected || carry_out(to)))
			continue;
		failures++;
		CU_FAIL("wrong answer or witness");
		printf("\n# %s: answer %d by %s, but it is %s\n", ways[i].name, a,
			verify_stage_name(verify.stage), expected ? "realisable" : "not");
		show();
	}
}

/* Too big for brute(): all ways must agree, and a witness is a proof. */
static void ask_each_other(void)
{
	enum verify_answer first = VERIFY_NO;
	u32 to[EVENTS + 1];

	for (u32 i = 0; i < array_size(ways) && failures < 5; i++) {
		enum verify_answer a;

		push(ways[i].halves, ways[i].backwards, to);
		verify.way = ways[i].way;
		verify.budget = ways[i].way & VERIFY_NAIVE ? 20000 : 0;
		a = verify_decide(&verify);
		if (i == 0)
			first = a;
		if (a == VERIFY_YES ? !carry_out(to) || first != a
				    : first == VERIFY_YES && a != VERIFY_BUDGET) {
			failures++;
			CU_FAIL("two answers");
			printf("\n# %s: answer %d by %s; at first: %d\n", ways[i].name, a,
				verify_stage_name(verify.stage), first);
			show();
		}
	}
	verify.budget = 0;
	instances++;
	realisable += first == VERIFY_YES;
}

static void begin(void)
{
	const char *seed = getenv("VERIFY_SEED");

	prng_seed(&prng, seed ? strtoull(seed, NULL, 10) : 1);
	memory = aligned_alloc(64, MEMORY);
	CU_ASSERT_FATAL(memory && brute_begin());
	memset(memory, 0xa5, MEMORY);
	verify_init(&verify, memory, MEMORY, 2 * EVENTS, THREADS, LOCATIONS);
	instances = realisable = failures = 0;
	memset(by_stage, 0, sizeof by_stage);
}

static void end(void)
{
	free(memory);
	brute_end();
}

static void random_instances(enum model_id m)
{
	u32 count = getenv("LONG") ? 60000 : unit_count(3000);

	begin();
	for (u32 i = 0; i < count && failures < 5; i++) {
		bool expected;

		make(m, i % 4 ? 14 : 20);
		expected = brute();
		if (!too_many)
			ask_all(expected);
	}
	CU_ASSERT(instances > count * 9 / 10);
	CU_ASSERT(realisable > instances / 5 && realisable < instances * 4 / 5);
	/* The closure is not complete, but nearly. */
	CU_ASSERT(by_stage[0][VERIFY_BY_SEARCH] <= by_stage[0][VERIFY_BY_CLOSURE] / 1000);
	printf("\n# %u instances, %u realisable: %u by probe, %u by search; others: %u by rules, "
	       "%u by closure, "
	       "%u by search ",
		instances, realisable, by_stage[1][VERIFY_BY_PROBE], by_stage[1][VERIFY_BY_SEARCH],
		by_stage[0][VERIFY_BY_RULES], by_stage[0][VERIFY_BY_CLOSURE],
		by_stage[0][VERIFY_BY_SEARCH]);
	end();
}

static void sc(void)
{
	random_instances(MODEL_SC);
}

static void tso(void)
{
	random_instances(MODEL_TSO);
}

static void pso(void)
{
	random_instances(MODEL_PSO);
}

static void larger(void)
{
	u32 count = getenv("LONG") ? 20000 : unit_count(1000);

	begin();
	for (u32 i = 0; i < count && failures < 5; i++) {
		make((enum model_id)(i % 3), EVENTS);
		ask_each_other();
	}
	CU_ASSERT(realisable > instances / 10 && realisable < instances * 9 / 10);
	end();
}

/* --- instances that a wrong key gets wrong ---------------------------------------------------- */

/* An access of a named instance, thread by thread; source: number in the list, 1 first. */
struct row {
	u8 thread, loc, source;
	u16 flags;
};

#define RMW (E_READ | E_WRITE | E_EXCL | E_FULL)

/* RMWs hold x one after the other. */
static const struct row rmw_key[] = {{0, 0, 0, E_WRITE}, {0, 0, 3, E_READ}, {1, 0, 5, RMW},
	{2, 0, 5, E_READ}, {3, 0, 0, E_WRITE}};

/* Thread 1's fence is possible only if its x reached memory before thread 2's, which thread 3 reads
 * early and thread 4 late: same ops, different fence maps. */
static const struct row fence_map[] = {{0, 1, 0, E_WRITE}, {1, 1, 1, E_READ}, {1, 0, 0, E_WRITE},
	{1, 2, 9, E_READ}, {1, 0, 0, E_FENCE | E_FULL}, {1, 3, 0, E_WRITE}, {2, 0, 0, E_WRITE},
	{3, 0, 7, E_READ}, {3, 2, 0, E_WRITE}, {4, 3, 6, E_READ}, {4, 0, 7, E_READ}};

/* The same, but the late reader has stored it itself. */
static const struct row fence_map_own[] = {{0, 1, 0, E_WRITE}, {1, 1, 1, E_READ},
	{1, 0, 0, E_WRITE}, {1, 2, 8, E_READ}, {1, 0, 0, E_FENCE | E_FULL}, {1, 3, 0, E_WRITE},
	{2, 0, 9, E_READ}, {2, 2, 0, E_WRITE}, {3, 0, 0, E_WRITE}, {3, 3, 6, E_READ},
	{3, 0, 9, E_READ}};

/* Thread 1's fence waits for two stores that thread 3 holds, x late and y early; or only for y: the
 * later one distinguishes these. */
static const struct row fence_map_two[] = {{0, 4, 0, E_WRITE}, {0, 0, 0, E_WRITE},
	{1, 1, 10, E_READ}, {1, 4, 0, E_WRITE}, {1, 0, 0, E_WRITE}, {1, 2, 12, E_READ},
	{1, 0, 0, E_FENCE | E_FULL}, {1, 3, 0, E_WRITE}, {2, 4, 1, E_READ}, {2, 1, 0, E_WRITE},
	{2, 0, 2, E_READ}, {2, 2, 0, E_WRITE}, {3, 2, 12, E_READ}, {3, 4, 1, E_READ},
	{3, 3, 8, E_READ}, {3, 0, 2, E_READ}};

/* Stuck in the first epoch or in the second: locations x, g, h, v = q. */
static const struct row epochs[] = {{0, 1, 0, E_WRITE}, {1, 1, 1, E_READ}, {1, 0, 0, E_WRITE},
	{1, 2, 9, E_READ}, {1, 0, 0, E_WRITE | E_STORES}, {1, 3, 0, E_WRITE}, {2, 0, 0, E_WRITE},
	{3, 0, 7, E_READ}, {3, 2, 0, E_WRITE}, {4, 3, 6, E_READ}, {4, 0, 7, E_READ}};

/* Two stores of thread 1's first epoch are stuck, x for long and y not; or only y. The longer hold
 * on its second epoch does not matter yet. */
static const struct row epochs_two[] = {{0, 4, 0, E_WRITE}, {0, 5, 0, E_WRITE}, {0, 0, 0, E_WRITE},
	{1, 1, 11, E_READ}, {1, 4, 0, E_WRITE}, {1, 0, 0, E_WRITE}, {1, 5, 0, E_WRITE | E_STORES},
	{1, 3, 0, E_WRITE}, {2, 4, 1, E_READ}, {2, 5, 2, E_READ}, {2, 1, 0, E_WRITE},
	{2, 0, 3, E_READ}, {2, 2, 0, E_WRITE}, {3, 2, 13, E_READ}, {3, 4, 1, E_READ},
	{3, 3, 8, E_READ}, {3, 0, 3, E_READ}, {3, 5, 2, E_READ}};

/* No thread reads thread 0's x, but its fence waits for it; so its y must be early, which is read
 * late. */
static const struct row early_epoch[] = {{0, 1, 0, E_WRITE}, {0, 0, 0, E_WRITE | E_STORES},
	{0, 2, 7, E_READ}, {0, 0, 0, E_FENCE | E_FULL}, {0, 3, 0, E_WRITE}, {1, 0, 11, E_READ},
	{1, 2, 0, E_WRITE}, {1, 3, 5, E_READ}, {1, 0, 11, E_READ}, {1, 1, 1, E_READ},
	{2, 0, 0, E_WRITE}};

/* Threads in the order of p[]: pushed so, and numbered so. */
static void arrange(const struct row *row, u32 n, const u8 *p, u32 nthreads)
{
	u8 to[EVENTS + 1] = {0};

	I = (struct instance){.model = MODEL_PSO, .nthreads = nthreads, .nlocs = LOCATIONS};
	for (u32 t = 0; t < nthreads; t++) {
		for (u32 i = 0; i < n; i++) {
			if (row[i].thread != p[t])
				continue;
			to[i + 1] = (u8)++I.n;
			I.e[I.n] = (struct access){.thread = (u8)t, .index = I.length[t],
				.loc = row[i].loc, .source = row[i].source, .flags = row[i].flags};
			I.thread[t][I.length[t]++] = (u8)I.n;
		}
	}
	for (u32 e = 1; e <= I.n; e++)
		I.e[e].source = to[I.e[e].source];
}

static void permute(const struct row *row, u32 n, u8 *p, u32 at, u32 nthreads)
{
	if (at == nthreads) {
		arrange(row, n, p, nthreads);
		CU_ASSERT(brute());
		ask_all(true);
		return;
	}
	for (u32 i = at; i < nthreads; i++) {
		u8 t = p[at];

		p[at] = p[i];
		p[i] = t;
		permute(row, n, p, at + 1, nthreads);
		p[i] = p[at];
		p[at] = t;
	}
}

static void all_numberings(const struct row *row, u32 n)
{
	u8 p[THREADS] = {0, 1, 2, 3, 4};
	u32 nthreads = row[n - 1].thread + 1u;

	permute(row, n, p, 0, nthreads);
}

static void keys(void)
{
	begin();
	all_numberings(rmw_key, array_size(rmw_key));
	CU_ASSERT_EQUAL(instances, 24);
	all_numberings(fence_map, array_size(fence_map));
	all_numberings(fence_map_own, array_size(fence_map_own));
	all_numberings(fence_map_two, array_size(fence_map_two));
	all_numberings(epochs, array_size(epochs));
	all_numberings(epochs_two, array_size(epochs_two));
	all_numberings(early_epoch, array_size(early_epoch));
	end();
}

/* --- limits ----------------------------------------------------------------------------------- */

static void push_reads(u32 thread, u32 loc, u32 w, u32 other)
{
	verify_source(&verify, verify_push(&verify, thread, loc, E_READ), w);
	verify_push(&verify, thread, other, E_READ);
}

/* Four threads store, each to its location; two see the last of one and not even the first of
 * another, the other way round: naively, many states. */
static void push_stores(u32 n)
{
	u32 w[4] = {0};

	verify_begin(&verify, BUFFERS_FIFO);
	for (u32 i = 0; i < n; i++)
		w[i % 4] = verify_push(&verify, i % 4, i % 4, E_WRITE);
	push_reads(4, 0, w[0], 1);
	push_reads(5, 1, w[1], 0);
}

/* A thread of n stores with a fence between two of them: 2 n - 1 steps. */
static enum verify_answer push_fenced(u32 n)
{
	verify_begin(&verify, BUFFERS_BY_LOCATION);
	while (n--)
		verify_push(&verify, 0, 0, E_WRITE | E_FULL_AFTER);
	return verify_decide(&verify);
}

static void limits(void)
{
	size_t size = verify_memory(40, 6, 4);

	begin();
	verify_init(&verify, memory, size, 40, 6, 4);
	push_stores(24);
	verify.way = VERIFY_NAIVE;
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_MEMORY);
	verify.budget = 5;
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_BUDGET);
	CU_ASSERT_EQUAL(verify.states, 6);
	verify.budget = 0;
	verify.way = 0;
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_NO);
	push_stores(40);
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_MEMORY);
	verify_begin(&verify, BUFFERS_NONE);
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_YES);
	CU_ASSERT_EQUAL(verify.witness.n, 0);
	CU_ASSERT_EQUAL(verify_push(&verify, 0, 4, E_READ), 0);
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_MEMORY);
	verify_init(&verify, memory, MEMORY, VERIFY_EVENTS, 1, 1);
	CU_ASSERT_EQUAL(push_fenced(CLOCK_MAX / 2 + 1), VERIFY_YES);
	CU_ASSERT_EQUAL(push_fenced(CLOCK_MAX / 2 + 2), VERIFY_MEMORY);
	end();
}

/* A search has its whole budget of states, independent of the probe before it. */
static void budget(void)
{
	u32 to[EVENTS + 1], searches = 0;

	begin();
	for (u32 i = 0; i < 2000 && searches < 20; i++) {
		enum verify_answer a;
		u64 states;

		make(MODEL_TSO, EVENTS);
		push(false, false, to);
		verify.way = VERIFY_NO_CLOSURE;
		verify.budget = 0;
		a = verify_decide(&verify);
		states = verify.states;
		if (verify.stage != VERIFY_BY_SEARCH || states < 2)
			continue;
		searches++;
		verify.way |= VERIFY_NO_PROBE;
		CU_ASSERT_EQUAL(verify_decide(&verify), a);
		CU_ASSERT_EQUAL(verify.states, states);
		verify.way = VERIFY_NO_CLOSURE;
		verify.budget = 1;
		CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_BUDGET);
		verify.budget = states;
		CU_ASSERT_EQUAL(verify_decide(&verify), a);
	}
	CU_ASSERT_EQUAL(searches, 20);
	end();
}

const struct unit_test verify_tests[] = {
	{"sc: random instances", sc},
	{"tso: random instances", tso},
	{"pso: random instances", pso},
	{"larger instances: all ways agree", larger},
	{"pso: states that are nearly the same", keys},
	{"limits are reported", limits},
	{"as many states as the budget", budget},
	{NULL, NULL},
};
