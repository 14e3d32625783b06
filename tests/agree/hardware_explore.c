/* SPDX-License-Identifier: ISC */
/*
 * hardware_explore.c - hardware programs for the graph explorer: see hardware_executions.h.
 *
 * Thread 0 creates the threads of the program and joins them; the events of the program's thread t
 * are those of thread t + 1, behind its START.
 */
#include "files.h"
#include "hardware.h"
#include "hardware_executions.h"
#include "interpret.h"

#include "heddle/abi.h"
#include "model/file/cat_model.h"
#include "model/hardware/dependency.h"
#include "model/hardware/hardware.h"
#include "holes/holes.h"
#include "trust/random/random_graph.h"

#include <stdlib.h>
#include <string.h>

static const struct hprogram *p;
static struct hx_set *set;
static struct dependency_table table;
static unsigned long leaves;
static const char *wrong;

#define LEAVES_MAX 100000

/* The events of thread t so far; n: their number with a read that is not in g. */
static int run(const struct graph *g, int t, struct hp_event event[HP_EVENTS])
{
	uint8_t value[HP_EVENTS] = {0};
	uint32_t known = 0;
	u32 start = g->thread[t + 1].first;

	for (u32 e = start ? g->event[start].po_next : 0; e; e = g->event[e].po_next) {
		u32 i = g->event[e].index - 2u;

		if (!(g->event[e].flags & E_READ) || i >= HP_EVENTS)
			continue;
		value[i] = (uint8_t)g->event[e].value;
		if (g->event[e].flags & E_RARE)
			value[i] |= HP_FAILS;
		known |= (uint32_t)1 << i;
	}
	return hprogram_run(p, t, value, known, event);
}

/* --- labels ----------------------------------------------------------------------------------- */

static u16 elements(uint32_t of, u16 element[HP_EVENTS])
{
	u16 n = 0;

	for (u16 i = 0; i < HP_EVENTS; i++)
		if (of >> i & 1)
			element[n++] = (u16)(i + 2);
	return n;
}

/* pick: the events that only pick what depends on them. */
static u16 dependencies(const struct hp_event *e, uint32_t control, uint32_t pick)
{
	u16 element[DEPENDENCY_KINDS][HP_EVENTS], size[DEPENDENCY_KINDS] = {0};
	const u16 *of[DEPENDENCY_KINDS] = {element[0], element[1], element[2], element[3]};

	size[BY_ADDRESS] = elements(e->address & ~pick, element[BY_ADDRESS]);
	size[BY_DATA] = elements(e->data & ~pick, element[BY_DATA]);
	size[BY_CONTROL] = elements(control, element[BY_CONTROL]);
	if (e->kind == HPE_WRITE || e->update)
		size[BY_PICK] = elements((e->address | e->data) & pick, element[BY_PICK]);
	return (u16)dependency_intern(&table, of, size);
}

static uint32_t picks(const struct graph *g, const struct hp_event *event, int i)
{
	uint32_t pick = 0;

	for (int k = 0; k < i; k++)
		if (event[k].picks && cat_model_cas_picks(g->model, g->places))
			pick |= (uint32_t)1 << k;
	return pick;
}

/* The branches of an event, but those of compare-and-exchanges, which the model knows. */
static uint32_t branches(int t, const struct hp_event *event, int i)
{
	uint32_t control = event[i].control;

	for (int k = 0; k < i; k++)
		if (p->op[t][event[k].op].kind == HP_CAS && p->llsc)
			control &= ~((uint32_t)1 << k);
	return control;
}

static void label_event(const struct graph *g, int t, const struct hp_event *event, int i,
	struct label *l)
{
	static const u8 types[] = {LABEL_READ, LABEL_WRITE, LABEL_FENCE, 0, LABEL_RMW, LABEL_RMW,
		LABEL_CAS, LABEL_READ};
	static const u8 fences[] = {FENCE_C, FENCE_FULL, FENCE_LOADS, FENCE_STORES, FENCE_LIGHT,
		FENCE_CONTEXT};
	const struct hp_event *e = &event[i];
	const struct hp_op *o = &p->op[t][e->op];

	l->type = types[o->kind];
	l->order = l->fail = o->order;
	l->flags = o->no_result ? LABEL_NO_RESULT : 0;
	l->op = o->kind == HP_XOR    ? HEDDLE_XOR
		: o->kind == HP_XCHG ? HEDDLE_XCHG
				     : fences[o->fence];
	l->deps = dependencies(
		e, branches(t, event, i) & ~(i ? branches(t, event, i - 1) : 0),
		picks(g, event, i));
	if (o->kind == HP_FENCE)
		return;
	l->loc = (u16)place_intern(g->places, 64 + 64 * (u64)e->place, 4, 0);
	l->size = 4;
	l->value = e->value;
	l->expected = o->expected;
}

/* The operand of an RMW: its read comes first, with an unknown value. */
static void label_operand(int t, struct hp_event *event, int n, struct label *l)
{
	uint8_t value[HP_EVENTS];
	const struct hp_op *o = &p->op[t][event[n - 1].op];
	struct hp_event with[HP_EVENTS];

	for (int i = 0; i < n; i++)
		value[i] = event[i].value | (event[i].excl ? 0 : HP_FAILS);
	value[n - 1] = o->kind == HP_CAS ? o->expected : 0;
	hprogram_run(p, t, value, ((uint32_t)1 << n) - 1, with);
	l->value = with[n].value;
}

static void label_main(const struct graph *g, struct label *l)
{
	u32 n = g->thread[0].n, threads = (u32)p->nthreads;

	if (!n)
		l->type = LABEL_START;
	else if (n <= 2 * threads) {
		l->type = n <= threads ? LABEL_CREATE : LABEL_JOIN;
		l->other = (u16)(n <= threads ? n : n - threads);
	}
}

static enum answer next(struct program *unused, struct graph *g, u32 t, struct label *out)
{
	struct hp_event event[HP_EVENTS];
	int n, at = (int)g->thread[t].n - 1;

	*out = (struct label){.type = LABEL_END};
	if (!t) {
		label_main(g, out);
		return ANSWER_LABEL;
	}
	if (at < 0) {
		out->type = LABEL_START;
		return ANSWER_LABEL;
	}
	n = run(g, (int)t - 1, event);
	if (at >= n) {
		if (n && event[n - 1].awaits && event[n - 1].value != event[n - 1].awaited)
			*out = (struct label){.type = LABEL_SPIN, .value = 1};
		return ANSWER_LABEL;
	}
	label_event(g, (int)t - 1, event, at, out);
	if (event[at].update)
		label_operand((int)t - 1, event, n, out);
	return ANSWER_LABEL;
}

/* --- executions ------------------------------------------------------------------------------- */

static uint8_t name_of(const struct graph *g, u32 e)
{
	return e ? hx_name(g->event[e].thread - 1, g->event[e].index - 2) : 0;
}

static void describe(const struct graph *g, struct hx *x)
{
	memset(x, 0, sizeof *x);
	for (int t = 0; t < p->nthreads; t++)
		for (u32 e = g->thread[t + 1].first; e; e = g->event[e].po_next) {
			const struct gevent *ev = &g->event[e];

			if (!(ev->flags & E_READ))
				continue;
			x->reads[t][ev->index - 2] = 1;
			x->value[t][ev->index - 2] = (uint8_t)ev->value;
			x->rf[t][ev->index - 2] =
				name_of(g, g->holes && ev->cursor ? ev->cursor : ev->rf);
		}
	for (int l = 0; l < HP_PLACES; l++) {
		u32 at = place_intern(g->places, 64 + 64 * (u64)l, 4, 0), n = 0;

		for (u32 w = at < g->nplaces ? g->place[at].co_first : 0; w && n < HX_WRITES;
			w = g->event[w].co_next) {
			x->co[l][n++] = name_of(g, w);
			x->final[l] = (uint8_t)g->event[w].value;
		}
	}
}

static bool leaf(struct program *program, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct hx x;

	if (how == LEAF_STUCK || how == LEAF_BLOCKED)
		return true;
	if (how != LEAF_COMPLETE || ++leaves > LEAVES_MAX) {
		wrong = how == LEAF_COMPLETE ? "it does not come to an end" : "a leaf that is none";
		return false;
	}
	describe(g, &x);
	hx_add(set, &x);
	return true;
}

static struct trust *trust;
static struct holes holes;

static bool possible, fails;

static void *holes_room(void)
{
	static void *memory;

	return memory = memory ? memory : calloc(1, holes_memory());
}

static void run_trust(void)
{
	trust_run(trust);
	holes_init(&holes, trust, holes_room());
	possible = holes_possible(&holes);
	fails = holes.fails;
}

static unsigned samples;

static void run_samples(void)
{
	struct prng prng;
	struct pctwm guide;

	prng_seed(&prng, samples);
	pctwm_init(&guide, 3, 2);
	for (unsigned i = 0; i < samples && walk(trust, &prng, i % 2 ? &guide : NULL); i++)
		;
}

static void begin(const struct hprogram *program, enum hp_model m, struct hx_set *to)
{
	static const enum model_id id[] = {MODEL_ARM8, MODEL_POWER, MODEL_RISCV, MODEL_IMM};
	static struct program asked = {.next = next, .leaf = leaf};
	struct cat_model *file;

	p = program;
	set = to;
	set->n = 0;
	leaves = 0;
	wrong = NULL;
	dependency_clear(&table);
	file = files_model(hp_model_names[m], p->llsc, p->rcpc);
	trust = interpret_trust(file ? MODEL_CAT : id[m], &asked);
	trust->places->cat = file;
	trust->places->hardware = (struct hardware){
		.llsc = p->llsc, .rcpc = p->rcpc, .table = &table};
}

const char *hx_explore(const struct hprogram *program, enum hp_model m, unsigned order,
	bool *buffers, struct hx_set *to)
{
	const char *stopped;

	begin(program, m, to);
	trust->order = order;
	stopped = interpret_guarded(run_trust);
	*buffers = possible;
	if (stopped || wrong)
		return stopped ? stopped : wrong;
	return trust->over ? NULL : "it ends before it is over";
}

static void run_holes(void)
{
	if (!holes_run(&holes))
		wrong = holes.limit ? holes.limit : "it stops";
}

const char *hx_explore_holes(const struct hprogram *program, enum hp_model m, unsigned order,
	bool all, struct hx_set *to)
{
	const char *stopped;

	begin(program, m, to);
	trust->order = order;
	holes_init(&holes, trust, holes_room());
	holes.all = all;
	holes.fails = fails;
	stopped = interpret_guarded(run_holes);
	return stopped ? stopped : wrong;
}

const char *hx_sample(
	const struct hprogram *program, enum hp_model m, unsigned walks, struct hx_set *to)
{
	const char *stopped;

	begin(program, m, to);
	samples = walks;
	stopped = interpret_guarded(run_samples);
	return stopped ? stopped : wrong;
}
