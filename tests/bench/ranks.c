/* SPDX-License-Identifier: ISC */
/*
 * ranks.c - how well run --mpi divides a search: simulated, on the saved graphs of a real one.
 *
 *   build/bin/bench-ranks [PROGRAM [LEAF...]]
 *
 * PROGRAM: threads as strings, separated by '|': Ra loads a, Wa stores to it, Ua adds to it. It is
 * explored once, and for each saved graph the executions are noted between which it was on the
 * stack. So each rank of the simulation, which is at some execution of its part, knows which levels
 * it can give away, and which executions go with them.
 *
 * Simulated, each millisecond, as in tools/mpi/broker.c: idle ranks get open parts, busy ones are
 * asked for so many that each idle rank gets one; the times that messages, images and processes
 * need. Printed for each LEAF, the microseconds of an execution: efficiency, which is the time of
 * one process alone by the time of all ranks.
 */
#include "heddle/abi.h"
#include "trust/trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LEAVES_MOST (1u << 24)
#define LEVELS_MOST (1u << 26)
#define NONE	    UINT32_MAX
#define RANKS_MOST  1024
#define THREADS	    16

/* Milliseconds. The first three are those of tools/mpi; the others were measured, and rounded up.
 */
#define MATURE	   100
#define DELAY	   50
#define GIVEN_MOST 16
#define HOP	   10 /* a message: the ranks look every ten milliseconds */
#define GIVE	   3  /* a process writes an image of a level, or of the rest */
#define START	   40 /* a process starts, and reads its image */

/* --- the search ------------------------------------------------------------------------------- */

static struct {
	struct trust x;
	const char *text[THREADS];
	u32 nthreads;
	u32 leaves, levels;
	u32 *top;		      /* of each leaf: the highest level; NONE */
	u32 *below, *pushed, *popped; /* of each level: the one below it, and leaves */
} real;

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	u32 done = 0, threads = real.nthreads, n = g->thread[0].n;
	const char *op;

	memset(out, 0, sizeof(*out));
	out->type = LABEL_START;
	if (t == 0) {
		out->type = n < threads ? LABEL_CREATE : n < 2 * threads ? LABEL_JOIN : LABEL_END;
		out->other = (u16)(n < threads ? n + 1 : n - threads + 1);
		return ANSWER_LABEL;
	}
	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		done += !(g->event[e].flags & E_EXCL && g->event[e].flags & E_WRITE);
	if (!done)
		return ANSWER_LABEL;
	op = real.text[t - 1] + 2 * (done - 1);
	out->type = LABEL_END;
	if (!*op || *op == '|')
		return ANSWER_LABEL;
	out->type = *op == 'R' ? LABEL_READ : *op == 'W' ? LABEL_WRITE : LABEL_RMW;
	out->loc = place_intern(g->places, 64 + 64 * (u64)op[1], 8, 0);
	out->size = 8;
	out->op = HEDDLE_ADD;
	out->value = *op == 'R' ? 0 : *op == 'U' ? 1 : done * THREADS + t;
	return ANSWER_LABEL;
}

/* Levels above the last common one are new; those that are gone have been popped. */
static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	static u32 path[65536];
	u32 last = real.leaves ? real.top[real.leaves - 1] : NONE, n = 0, at;
	size_t where = real.x.top;

	if (real.leaves == LEAVES_MOST)
		return false;
	for (u32 i = 0; i < real.x.depth && n < array_size(path); i++) {
		const struct saved_level *l = trust_level_at(&real.x, where);

		if (l->number >= LEVELS_MOST)
			return false;
		if (real.pushed[l->number])
			break;
		path[n++] = (u32)l->number;
		where = l->below;
	}
	at = n < real.x.depth ? (u32)trust_level_at(&real.x, where)->number : NONE;
	for (; last != at && last != NONE; last = real.below[last])
		real.popped[last] = real.leaves;
	while (n--) {
		real.pushed[path[n]] = real.leaves + 1;
		real.below[path[n]] = at;
		at = path[n];
	}
	real.top[real.leaves++] = at;
	return true;
}

static void *table(size_t n, size_t size)
{
	void *p = mmap(NULL, n * size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED) {
		perror("bench-ranks");
		exit(2);
	}
	return p;
}

static void explore(const char *text)
{
	static struct program program = {.next = next, .leaf = leaf};

	real.top = table(LEAVES_MOST, sizeof(u32));
	real.below = table(LEVELS_MOST, sizeof(u32));
	real.pushed = table(LEVELS_MOST, sizeof(u32));
	real.popped = table(LEVELS_MOST, sizeof(u32));
	for (const char *at = text; at && real.nthreads < THREADS; at = strchr(at, '|')) {
		at += *at == '|';
		real.text[real.nthreads++] = at;
	}
	trust_init(&real.x, table(TRUST_MEMORY, 1), TRUST_MEMORY, MODEL_RC11, &program);
	trust_run(&real.x);
	for (u32 l = real.top[real.leaves - 1]; l != NONE; l = real.below[l])
		real.popped[l] = real.leaves; /* without an execution of their own */
	if (real.x.over)
		return;
	fprintf(stderr, "bench-ranks: more than %u executions\n", LEAVES_MOST);
	exit(2);
}

/* --- the simulation --------------------------------------------------------------------------- */

struct part {
	u32 from, end;
	u64 ready; /* when it comes to rank 0 */
};

static struct sim {
	u32 ranks, open, idle;
	double leaf; /* milliseconds */
	u64 now, steals;
	struct part pool[RANKS_MOST * GIVEN_MOST];
	struct rank {
		bool busy;
		double at;
		u32 end, wanted; /* 0: not asked */
		u64 goes_on;	 /* from then on it explores */
		u64 ask_after, answers;
	} rank[RANKS_MOST];
} sim;

static void begin(struct rank *r, struct part p)
{
	*r = (struct rank){.busy = true, .at = p.from, .end = p.end};
	r->goes_on = sim.now + HOP + START;
	r->ask_after = sim.now + MATURE;
}

/* The first execution of the lowest level that this rank has saved, in the part that is its own. */
static u32 lowest(const struct rank *r)
{
	u32 best = NONE, level = real.top[(u32)r->at];

	for (; level != NONE && real.popped[level] < r->end; level = real.below[level])
		best = real.popped[level];
	return best;
}

/* It gives levels away, and goes on. */
static void answer(struct rank *r)
{
	u32 n = 0, from;

	while (n < r->wanted && r->at < r->end && (from = lowest(r)) != NONE) {
		sim.pool[sim.open++] =
			(struct part){from, r->end, sim.now + HOP + GIVE * (u64)(n + 2)};
		r->end = from;
		n++;
	}
	sim.steals += n;
	r->ask_after = sim.now + DELAY;
	r->goes_on = sim.now + GIVE * (u64)(n + 1);
	r->wanted = 0;
}

static void run_rank(struct rank *r)
{
	double to = r->at + 1 / sim.leaf;

	if (!r->busy || sim.now < r->goes_on)
		return;
	if (r->wanted && sim.now >= r->answers) { /* at the first leaf where it has a level */
		while (r->at < r->end && r->at < to && lowest(r) == NONE)
			r->at = (u32)r->at + 1;
		if (r->at < r->end && r->at < to) {
			answer(r);
			return;
		}
	}
	r->at = to;
	r->busy = r->at < r->end;
}

static void give_out(void)
{
	sim.idle = 0;
	for (u32 i = 0; i < sim.ranks; i++) {
		struct rank *r = &sim.rank[i];

		for (u32 k = 0; !r->busy && k < sim.open; k++) {
			if (sim.pool[k].ready > sim.now)
				continue;
			begin(r, sim.pool[k]);
			sim.pool[k] = sim.pool[--sim.open];
		}
		sim.idle += !r->busy;
	}
}

static void ask(void)
{
	u32 busy = 0, asked = 0, each, idle = sim.idle;

	for (u32 i = 0; i < sim.ranks; i++) {
		busy += sim.rank[i].busy;
		asked += sim.rank[i].busy && sim.rank[i].wanted;
	}
	idle -= idle < asked ? idle : asked;
	each = busy ? (idle + busy - 1) / busy : 0;
	for (u32 i = 0; idle && i < sim.ranks; i++) {
		struct rank *r = &sim.rank[i];

		if (!r->busy || r->wanted || sim.now < r->ask_after)
			continue;
		r->wanted = each < GIVEN_MOST ? each : GIVEN_MOST;
		r->answers = sim.now + HOP;
		idle -= idle < each ? idle : each;
	}
}

/* Milliseconds until all is explored. */
static u64 simulate(u32 ranks, double leaf)
{
	u32 busy = 1;

	memset(&sim, 0, sizeof(sim));
	sim.ranks = ranks;
	sim.leaf = leaf;
	begin(&sim.rank[0], (struct part){0, real.leaves, 0});
	for (; busy || sim.open; sim.now++) {
		busy = 0;
		for (u32 i = 0; i < ranks; i++) {
			run_rank(&sim.rank[i]);
			busy += sim.rank[i].busy;
		}
		give_out();
		ask();
	}
	return sim.now;
}

int main(int argc, char **argv)
{
	static const u32 ranks[] = {2, 8, 64, 256, 1024};
	static char *leaves[] = {"8", "100", "1000", "10000"};
	char **leaf = argc > 2 ? argv + 2 : leaves;
	u32 n = argc > 2 ? (u32)argc - 2 : array_size(leaves);

	explore(argc > 1 ? argv[1]
			 : "RyRxWxRyRxWxRyRxWxRyRxWxRyRxWx|RxRyWyRxRyWyRxRyWyRxRyWyRxRyWy|RxRy");
	printf("%u executions\n%8s %10s", real.leaves, "us", "alone, s");
	for (u32 i = 0; i < array_size(ranks); i++)
		printf("  %5u %9s", ranks[i], "given");
	for (u32 k = 0; k < n; k++) {
		double ms = atof(leaf[k]) / 1000, alone = ms * real.leaves;

		printf("\n%8s %10.1f", leaf[k], alone / 1000);
		for (u32 i = 0; ms > 0 && i < array_size(ranks); i++) {
			u64 all = simulate(ranks[i], ms);

			printf("  %5.3f %9llu", alone / (double)all / ranks[i],
				(unsigned long long)sim.steals);
		}
		fflush(stdout);
	}
	putchar('\n');
	return 0;
}
