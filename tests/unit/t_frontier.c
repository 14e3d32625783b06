/* SPDX-License-Identifier: ISC */
/*
 * t_frontier.c - explorations that are stopped, moved, shared, and resumed: they find the same
 * executions as undisturbed ones.
 *
 * The programs are random; the next label of a thread is found by going through its events.
 */
#include "base/prng.h"
#include "trust/image/frontier.h"
#include "trust/trust_cut.h"
#include "heddle/abi.h"
#include "object/object.h"

#include "unit.h"

#include <string.h>
#include <sys/mman.h>

#define THREADS 3
#define OPS	4
#define PLACES	4 /* 8 bytes, 8 bytes, 16 bytes, a mutex */
#define IMAGE	((size_t)64 << 20)

enum kind { LOAD, STORE, ADD, CAS, WEAK_CAS, FENCE, CHOOSE, LOCK, UNLOCK, PLAIN, ASSUME, FAIL };

struct op {
	enum kind kind;
	u32 place;
	u64 value;
	u8 order;
	bool guarded; /* not done if the last value read was 0 */
};

static struct op program_op[THREADS][OPS];
static u32 nops[THREADS];
static struct prng prng;

static void generate(u64 seed)
{
	static const u8 orders[] = {0, 2, 3, 4, 5};

	prng_seed(&prng, seed);
	for (u32 t = 0; t < THREADS; t++) {
		bool locked = false;

		nops[t] = 1 + prng_below(&prng, OPS - 1);
		for (u32 i = 0; i < nops[t]; i++) {
			struct op *o = &program_op[t][i];
			u32 k = prng_below(&prng, 40);

			*o = (struct op){
				.kind = k < 12 ? LOAD : k < 24 ? STORE : k < 28 ? ADD : k < 30 ? CAS
				      : k < 32 ? WEAK_CAS : k < 34 ? FENCE : k < 36 ? CHOOSE
				      : k < 38 ? LOCK : k < 39 ? ASSUME : seed % 4 ? PLAIN : FAIL,
				.place = prng_below(&prng, seed % 3 ? 2 : 3),
				.value = 1 + prng_below(&prng, 2),
				.order = orders[prng_below(&prng, 5)],
				.guarded = prng_below(&prng, 4) == 0,
			};
			if (o->kind == LOCK)
				o->place = 3;
			locked |= o->kind == LOCK;
		}
		if (locked)
			program_op[t][nops[t]++] = (struct op){.kind = UNLOCK, .place = 3};
	}
}

/* --- the program, for the explorer ------------------------------------------------------------ */

struct run {
	struct trust *x;
	struct program program;
	u64 until; /* leaves after which to stop, 0 = never */
	u64 leaves, sum, squares;
	/* sharing: every so many leaves a graph is given away */
	u64 every;
	u8 *tasks[4096];
	size_t sizes[4096];
	u32 ntasks;
	u64 given[4096];
};

/* The beginning of each run interns the places in another order. */
static u32 place(const struct graph *g, u32 i)
{
	return place_intern(g->places, 64 + 64 * (u64)i, i == 3 ? 0 : i == 2 ? 16 : 8, 0);
}

static u64 value(const struct graph *g, u32 place_number, u64 v)
{
	return place_number == 2 ? wide_intern(g->places, v, v * 3) : v;
}

/* What the program has read: the same number in every run. */
static u64 value_of(const struct graph *g, const struct gevent *e)
{
	return e->loc && g->places->place[e->loc].size == 16 ? (u64)wide_value(g->places, e->value)
							       : e->value;
}

static void make_label(const struct graph *g, const struct op *o, u64 last, struct label *l)
{
	static const struct { u8 type, op;
	} kinds[] = {[LOAD] = {LABEL_READ, 0},
		[STORE] = {LABEL_WRITE, 0},
		[ADD] = {LABEL_RMW, HEDDLE_ADD},
		[CAS] = {LABEL_CAS, 0},
		[WEAK_CAS] = {LABEL_CAS, 0},
		[FENCE] = {LABEL_FENCE, 0},
		[CHOOSE] = {LABEL_CHOOSE, 0},
		[LOCK] = {LABEL_SYNC, OBJECT_LOCK},
		[UNLOCK] = {LABEL_SYNC, OBJECT_UNLOCK},
		[PLAIN] = {LABEL_PLAIN_WRITE, 0},
		[ASSUME] = {LABEL_BLOCK, 0},
		[FAIL] = {LABEL_FAIL, 0}};

	*l = (struct label){
		.type = kinds[o->kind].type, .op = kinds[o->kind].op, .order = o->order};
	if (o->kind == CHOOSE)
		l->value = 2;
	if (o->kind == CHOOSE || o->kind == FENCE || o->kind == ASSUME || o->kind == FAIL)
		return;
	l->loc = place(g, o->place);
	l->size = o->place == 3 ? 0 : o->place == 2 ? 16 : 8;
	if (o->kind == LOCK || o->kind == UNLOCK)
		return;
	l->value = o->kind == LOAD ? 0 : value(g, o->place, o->value + (last & 1));
	l->flags = o->kind == WEAK_CAS ? LABEL_WEAK : 0;
}

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	u64 last = 1;
	u32 at = 0;

	memset(out, 0, sizeof *out);
	if (t == 0) {
		u32 n = g->thread[0].n;

		out->type = n < THREADS ? LABEL_CREATE : n < 2 * THREADS ? LABEL_JOIN : LABEL_END;
		out->other = (u16)(n < THREADS ? n + 1 : n - THREADS + 1);
		return ANSWER_LABEL;
	}
	if (!g->thread[t].first) {
		out->type = LABEL_START;
		return ANSWER_LABEL;
	}
	for (u32 e = g->event[g->thread[t].first].po_next; e; e = g->event[e].po_next) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_WAIT || (ev->flags & E_EXCL && ev->flags & E_WRITE))
			continue;
		while (program_op[t - 1][at].guarded && !last)
			at++;
		if (ev->flags & E_READ)
			last = ev->flags & E_RARE ? 0 : value_of(g, ev);
		at++;
	}
	while (at < nops[t - 1] && ((program_op[t - 1][at].guarded && !last) ||
				    (program_op[t - 1][at].kind == ASSUME && last)))
		at++;
	if (at < nops[t - 1])
		make_label(g, &program_op[t - 1][at], last, out);
	else
		out->type = LABEL_END;
	return ANSWER_LABEL;
}

/* --- leaves ----------------------------------------------------------------------------------- */

static u64 name_of(const struct graph *g, u32 e)
{
	return e ? (u64)g->event[e].thread << 16 | g->event[e].index : 0;
}

static u64 hash_event(const struct graph *g, u32 e)
{
	const struct gevent *v = &g->event[e];
	const struct place *p = &g->places->place[v->loc];
	u64 h = prng_mix(name_of(g, e) << 8 | v->type), x = v->value;

	if (v->loc && p->size == 16)
		x = (u64)wide_value(g->places, x) * 5;
	h = prng_mix(h ^ v->flags) + x;
	h = prng_mix(h ^ (v->loc ? p->addr : 0));
	h = prng_mix(h ^ name_of(g, v->rf));
	return prng_mix(h ^ name_of(g, v->flags & E_WRITE ? v->co_prev : 0));
}

static void give(struct run *r)
{
	u8 *to = mmap(NULL, IMAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (r->ntasks < array_size(r->tasks))
		r->sizes[r->ntasks] = frontier_give(r->x, to, IMAGE, &r->given[r->ntasks]);
	if (r->ntasks < array_size(r->tasks) && r->sizes[r->ntasks])
		r->tasks[r->ntasks++] = to;
	else
		munmap(to, IMAGE);
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct run *r = p->context;
	u64 h = prng_mix(how + 1);

	/* The order in which they were added does not matter, and joins may be left out at the
	 * end. */
	for (u32 e = 1; e <= g->n; e++)
		if (g->event[e].type != LABEL_JOIN && g->event[e].type != LABEL_END)
			h += hash_event(g, e);
	r->leaves++;
	r->sum += prng_mix(h);
	r->squares += prng_mix(h) * prng_mix(h);
	if (r->every && r->leaves % r->every == 0)
		give(r);
	return r->leaves != r->until;
}

/* --- explorations ----------------------------------------------------------------------------- */

static void *memory[2];

static void setup(struct trust *x, u32 which, enum model_id m, struct run *r, u32 shuffle)
{
	memset(r, 0, offsetof(struct run, tasks));
	r->ntasks = 0;
	r->x = x;
	r->program = (struct program){r, next, leaf};
	if (!memory[which])
		memory[which] = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	else
		madvise(memory[which], TRUST_MEMORY, MADV_DONTNEED);
	trust_init(x, memory[which], TRUST_MEMORY, m, &r->program);
	x->weak_cas = 1;
	for (u32 i = 0; i < PLACES; i++)
		place(&x->graph, (i + shuffle) % PLACES);
	if (shuffle)
		wide_intern(x->graph.places, 77, 77);
}

static bool same(const struct run *a, u64 leaves, u64 sum, u64 squares)
{
	return a->leaves == leaves && a->sum == sum && a->squares == squares;
}

static struct trust a, b;
static struct run whole, part, rest;
static u8 *image;

/* All executions of the program just generated; false: too many for a test. */
static bool explore_whole(enum model_id m)
{
	setup(&a, 0, m, &whole, 0);
	whole.until = 3000;
	trust_run(&a);
	return a.over;
}

/* Stop after every k leaves, continue elsewhere. */
static bool carried(enum model_id m, u64 k)
{
	struct trust *x = &a, *y = &b;
	u64 leaves = 0, sum = 0, squares = 0;
	u32 hops = 0;
	size_t size;

	setup(x, 0, m, &part, 1);
	for (;;) {
		part.until = k;
		part.leaves = 0;
		trust_run(x);
		leaves += part.leaves;
		sum += part.sum;
		squares += part.squares;
		if (x->over)
			return same(&whole, leaves, sum, squares);
		size = frontier_export(x, x->reported, image, IMAGE);
		setup(y, (u32)(y == &b), m, &rest, hops++ % 3);
		if (!size || frontier_import(y, image, size, true))
			return false;
		part = rest;
		part.x = y;
		y->program = &part.program;
		part.program.context = &part;
		y = x;
		x = part.x;
	}
}

static void frontier_goes_on_elsewhere(void)
{
	static const u64 steps[] = {1, 2, 3, 7, 20, 100, 500};
	u32 programs = 0;

	for (u64 seed = 1; programs < 60; seed++) {
		enum model_id m = (enum model_id)(seed % MODEL_AUTO);

		generate(seed);
		if (!explore_whole(m) || whole.leaves < 2)
			continue;
		programs++;
		for (u32 i = 0; i < array_size(steps); i++) {
			if (steps[i] >= whole.leaves || whole.leaves / steps[i] > 60)
				continue;
			CU_ASSERT(carried(m, steps[i]));
		}
	}
}

static void explore_tasks(enum model_id m, struct run *of, u64 *leaves, u64 *sum, u64 *squares)
{
	for (u32 i = 0; i < of->ntasks; i++) {
		setup(&b, 1, m, &rest, i % 3);
		CU_ASSERT_PTR_NULL(frontier_import(&b, of->tasks[i], of->sizes[i], true));
		trust_run(&b);
		CU_ASSERT(b.over);
		*leaves += rest.leaves;
		*sum += rest.sum;
		*squares += rest.squares;
		munmap(of->tasks[i], IMAGE);
	}
}

/* Tasks given away, explored by another explorer; then the giver's own work once more, without
 * giving. */
static void shared(enum model_id m, u64 every)
{
	u64 leaves, sum, squares;

	setup(&a, 0, m, &part, 1);
	part.every = every;
	trust_run(&a);
	CU_ASSERT(a.over);
	leaves = part.leaves;
	sum = part.sum;
	squares = part.squares;
	setup(&b, 1, m, &rest, 0);
	b.given = part.given;
	b.ngiven = part.ntasks;
	trust_run(&b);
	CU_ASSERT(b.over && same(&rest, leaves, sum, squares));
	explore_tasks(m, &part, &leaves, &sum, &squares);
	CU_ASSERT(same(&whole, leaves, sum, squares));
}

static void frontier_shared_out(void)
{
	u32 programs = 0;

	for (u64 seed = 1; programs < 60; seed++) {
		enum model_id m = (enum model_id)(seed / 7 % MODEL_AUTO);

		generate(seed);
		if (!explore_whole(m) || whole.leaves < 8 || whole.leaves > 800)
			continue;
		programs++;
		shared(m, 3);
		if (whole.leaves > 30)
			shared(m, 10);
	}
}

static void keep_node(struct trust *x, void *ctx)
{
	struct run *r = ctx;
	u8 *to = mmap(NULL, IMAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	CU_ASSERT_FATAL(r->ntasks < array_size(r->tasks));
	r->sizes[r->ntasks] = frontier_export_below(x, to, IMAGE);
	r->tasks[r->ntasks++] = to;
}

/* The upper part, down to so many choices, and what is below, by another explorer. Returns the
 * number of graphs between them. */
static u32 cut(enum model_id m, u32 choices)
{
	struct cut c = {.choices = choices, .node = keep_node, .ctx = &part};
	u64 leaves, sum, squares;
	u32 n;

	setup(&a, 0, m, &part, 1);
	trust_run_cut(&a, &c);
	CU_ASSERT(a.over && !a.depth && !a.graph.n);
	n = part.ntasks;
	leaves = part.leaves;
	sum = part.sum;
	squares = part.squares;
	explore_tasks(m, &part, &leaves, &sum, &squares);
	CU_ASSERT(same(&whole, leaves, sum, squares));
	return n;
}

static void frontier_cut(void)
{
	u32 programs = 0, most = 0;

	for (u64 seed = 1; programs < 80; seed++) {
		enum model_id m = (enum model_id)(seed / 5 % MODEL_AUTO);

		generate(seed);
		if (!explore_whole(m) || whole.leaves < 8 || whole.leaves > 600)
			continue;
		programs++;
		for (u32 choices = 1; choices < 6; choices += programs % 2 + 1) {
			u32 n = cut(m, choices);

			most = n > most ? n : most;
		}
	}
	CU_ASSERT(most > 20);
}

static void frontier_refuses_what_it_cannot_read(void)
{
	size_t size;

	generate(2);
	setup(&a, 0, MODEL_SC, &part, 0);
	part.until = 1;
	trust_run(&a);
	size = frontier_export(&a, a.reported, image, IMAGE);
	CU_ASSERT(size > 0);
	setup(&b, 1, MODEL_RC11, &rest, 0);
	CU_ASSERT_PTR_NOT_NULL(frontier_import(&b, image, size, true));
	setup(&b, 1, MODEL_SC, &rest, 0);
	CU_ASSERT_PTR_NOT_NULL(frontier_import(&b, image, size / 2, true));
	image[0] ^= 1;
	CU_ASSERT_PTR_NOT_NULL(frontier_import(&b, image, size, true));
	image[0] ^= 1;
	image[4] ^= 1;
	CU_ASSERT_STRING_EQUAL(
		frontier_import(&b, image, size, true), "it was made by another version");
	image[4] ^= 1;
	CU_ASSERT_PTR_NULL(frontier_import(&b, image, size, true));
	CU_ASSERT_EQUAL(frontier_export(&a, a.reported, image, 1000), 0);
}

static void begin(void)
{
	image = mmap(NULL, IMAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CU_ASSERT(image != MAP_FAILED);
}

const struct unit_test frontier_tests[] = {
	{"begin", begin},
	{"goes on elsewhere", frontier_goes_on_elsewhere},
	{"shared out", frontier_shared_out},
	{"cut", frontier_cut},
	{"refuses what it cannot read", frontier_refuses_what_it_cannot_read},
	{NULL, NULL},
};
