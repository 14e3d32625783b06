/* SPDX-License-Identifier: ISC */
/*
 * graphs.c - the graph explorer against all executions that the axioms allow, on random programs.
 *
 *     graphs [--programs N] [--seed FIRST] [--larger N] [--model MODEL]
 *            [--mode plain|await|locks|choose|races|threads|mixed|objects] [--named] [--buffers]
 *            [--oracle] [--show] [--rf] [--smc] [--twins]
 *            [--files FOLDER]
 *
 * For each program and model: the same complete executions, none twice; the same with the cache off
 * and threads in other orders; the same verdicts on races and on threads that are stuck. More
 * executions in weaker models. With reads-from equivalence: the same without co (--rf: only that);
 * likewise by RF-SMC (--smc: only that). For every reads-from function met, the verifier's verdict
 * (verify/verify.h). --named: the litmus programs of named.c; --buffers: the programs of program.c,
 * also explored by plain search over store buffers; --twins: programs with threads that do the
 * same, one execution of those that differ in their names only; --files: by the models in
 * FOLDER/MODEL.cat; --oracle: without the explorer; --show: print all programs.
 *
 * A failing program is reduced, and printed with its missing and superfluous executions. TAP.
 */
#include "buffers.h"
#include "enumerate.h"
#include "files.h"
#include "interpret.h"
#include "portable.h"
#include "hardware.h"
#include "samples.h"
#include "twins.h"
#include "verdicts.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES (option.larger ? 100000ul : 20000ul) /* programs with more of them are skipped */

static struct {
	int programs;
	uint64_t seed;
	int mode, model; /* -1 = all */
	int larger;
	bool oracle, show, only_rf, only_smc, twins, files;
} option = {.programs = 400, .seed = 1, .mode = -1, .model = -1};

static struct enumeration expected;
static struct exploration found;
static unsigned turn;	/* how many programs there were */
static bool thorough;	/* explore in all manners */
static bool verbose;	/* print errors */
static char reason[40]; /* its beginning: a program is reduced only while it stays the same */

static bool wrong(const struct gprogram *p, enum gp_model m, const char *what)
{
	snprintf(reason, sizeof reason, "%d %.*s", m, (int)strcspn(what, ":"), what);
	if (verbose) {
		printf("# %s: %s\n", gp_model_names[m], what);
		gprogram_print(p);
	}
	return false;
}

/* --- explorer and oracle ---------------------------------------------------------------------- */

#define SHOWN 4

static void show_difference(const struct gprogram *p, const char *what, const struct executions *a,
	const struct executions *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < a->n; i++) {
		if (executions_have(b, &a->x[i]))
			continue;
		if (++n > SHOWN)
			continue;
		printf("#   %s:\n", what);
		execution_print(p, &a->x[i]);
	}
	if (n > SHOWN)
		printf("#   ... and %u more\n", n - SHOWN);
}

static bool within(const struct executions *a, const struct executions *b)
{
	for (unsigned i = 0; i < a->n; i++)
		if (!executions_have(b, &a->x[i]))
			return false;
	return true;
}

static bool same(
	const struct gprogram *p, enum gp_model m, const char *how, const struct executions *e)
{
	char text[200];
	unsigned missing = 0;

	for (unsigned i = 0; i < e->n; i++)
		missing += !executions_have(&found.complete, &e->x[i]);
	if (found.complete.n == e->n && !missing && !found.duplicates)
		return true;
	snprintf(text, sizeof text,
		"%s: %u executions, %lu times again; there are %u; %u are missing", how,
		found.complete.n, found.duplicates, e->n, missing);
	wrong(p, m, text);
	if (verbose) {
		show_difference(p, "missing", e, &found.complete);
		show_difference(p, "not consistent", &found.complete, e);
		if (found.duplicates) {
			printf("#   twice:\n");
			execution_print(p, &found.again);
		}
	}
	return false;
}

static bool explored(const struct gprogram *p, enum gp_model m, struct manner how)
{
	char text[400];

	interpret(p, m, how, 20ul * expected.candidates + 1000, &found);
	if (!found.wrong)
		return true;
	snprintf(text, sizeof text, "the explorer fails%s: %s",
		how.no_cache ? " (no cache)" : "", found.wrong);
	return wrong(p, m, text);
}

/* rf: without co */
static bool same_verdicts(const struct gprogram *p, enum gp_model m, bool rf)
{
	const struct executions *stuck = rf ? &expected.stuck_rf[m] : &expected.stuck[m];

	if (found.failure && expected.failure[m])
		return true; /* perhaps there is a race, too: the first one found counts */
	if (found.race != expected.race[m])
		return wrong(p, m,
			found.race ? "a race that there is not" : "no race, but there is one");
	if (found.race)
		return true;
	if (found.failure != expected.failure[m])
		return wrong(p, m, found.failure ? "a failure that there is not"
						 : "no failure, but there is one");
	if (found.failure)
		return true;
	if (within(&found.stuck, stuck) && within(stuck, &found.stuck))
		return true;
	wrong(p, m, "stuck otherwise");
	if (verbose) {
		show_difference(p, "not found stuck", stuck, &found.stuck);
		show_difference(p, "not stuck", &found.stuck, stuck);
	}
	return false;
}

/* Is a graph of one model one of the others? */
static void look_at_others(const struct graph *g, const struct execution *x)
{
	for (int m = 0; m < GP_MODELS; m++) {
		bool known = executions_have(&expected.complete[m], x);

		if (!expected.race[m] && !expected.failure[m] &&
			portable_allows(g, (enum gp_model)m, known) != known)
			found.wrong = known ? "a graph that another model does not take, but should"
					    : "a graph that another model takes, but should not";
	}
}

/* Does a graph of any model belong to SC, TSO and PSO with another order of its writes? */
static void look(const struct graph *g, const struct execution *x)
{
	struct execution key = execution_part(x, PART_RF);
	bool consistent[GP_MODELS] = {false};

	for (int m = GP_SC; m <= GP_PSO; m++)
		consistent[m] = executions_have(&expected.rf[m], &key);
	verdicts_check_graph(g, consistent);
	look_at_others(g, x);
}

/* By reads-from: co is a witness, with which all waiting threads wait for ever. */
static enum gp_model witnessed;

static void look_at_witness(const struct graph *g, const struct execution *x)
{
	if (!executions_have(&expected.complete[witnessed], x))
		found.wrong = "co is no witness";
}

static void look_at_sc_witness(const struct graph *g, const struct execution *x)
{
	struct execution key = execution_part(x, PART_RF);

	if (!executions_have(&expected.complete[witnessed], x) ||
		executions_have(&expected.rf[GP_SC], &key) !=
			executions_have(&expected.complete[GP_SC], x))
		found.wrong = "co is no witness of sc";
}

static void look_at_stuck_witness(const struct graph *g, const struct execution *x)
{
	if (!executions_have(&expected.stuck[witnessed], x))
		found.wrong = "co is no witness of being stuck";
}

static bool agree(const struct gprogram *p, enum gp_model m)
{
	static const struct {
		const char *name;
		struct manner how;
	} manners[] = {
		{"explorer", {0}},
		{"without cache", {.no_cache = true}},
		{"threads backwards", {.order = 1}},
		{"threads rotated", {.order = 2}},
		{"rf", {.rf = true}},
		{"rf without cache", {.rf = true, .no_cache = true}},
		{"rf, threads backwards", {.rf = true, .order = 1}},
		{"rf, threads rotated", {.rf = true, .order = 2}},
	};

	for (size_t i = option.only_rf ? 4 : 0;
		i < (p->mixed ? 4 : sizeof manners / sizeof *manners); i++) {
		bool rf = manners[i].how.rf;

		witnessed = m;
		found.look = rf ? look_at_witness : i ? NULL : p->mixed ? look_at_others : look;
		found.look_sc = rf ? look_at_sc_witness : NULL;
		found.look_stuck = rf ? look_at_stuck_witness : NULL;
		if (i > 4 && !option.only_rf && !thorough && i != 5 + turn % 3)
			continue; /* one of them with each program */
		if (!explored(p, m, manners[i].how) || !same_verdicts(p, m, rf))
			return false;
		if (!found.race && !found.failure &&
			!same(p, m, manners[i].name, rf ? &expected.rf[m] : &expected.complete[m]))
			return false;
	}
	return true;
}

/* RF-SMC, likewise: all reads-from functions of TSO and PSO, each once, in any order of threads. */
static bool agree_smc(const struct gprogram *p, enum gp_model m)
{
	static const struct {
		const char *name;
		struct manner how;
	} manners[] = {
		{"RF-SMC", {.smc = true}},
		{"RF-SMC without cache", {.smc = true, .no_cache = true}},
		{"RF-SMC, threads backwards", {.smc = true, .order = 1}},
		{"RF-SMC, threads rotated", {.smc = true, .order = 2}},
	};

	witnessed = m;
	found.look = look_at_witness;
	found.look_sc = NULL;
	found.look_stuck = look_at_stuck_witness;
	for (size_t i = 0; i < sizeof manners / sizeof *manners; i++) {
		if (i && !option.only_smc && !thorough && i != 1 + turn % 3)
			continue;
		if (!explored(p, m, manners[i].how) || !same_verdicts(p, m, true))
			return false;
		if (!found.race && !found.failure && !same(p, m, manners[i].name, &expected.rf[m]))
			return false;
	}
	return true;
}

/* One execution of those that differ in the names of threads only: twins.h. */
static bool agree_twins(const struct gprogram *p, enum gp_model m)
{
	const char *what;

	found.look = found.look_sc = found.look_stuck = NULL;
	if (!explored(p, m, (struct manner){.symmetric = true, .alike = turn % 4 == 0}))
		return false;
	if (found.race || found.failure || expected.race[m] || expected.failure[m])
		return same_verdicts(p, m, false);
	what = twins_wrong(p, &expected.complete[m], &expected.stuck[m], &found);
	return !what || wrong(p, m, what);
}

static bool agree_samples(const struct gprogram *p, enum gp_model m)
{
	const char *what = samples_wrong(p, m, &expected, turn);

	return !what || wrong(p, m, what);
}

/* By a model in a file, which has no races. */
static bool agree_file(const struct gprogram *p, enum gp_model m)
{
	static const char *const names[] = {"file", "file, threads backwards", "file, rotated"};
	unsigned order = turn % 3;

	found.look = found.look_sc = found.look_stuck = NULL;
	if (expected.race[m] || expected.failure[m] || p->mixed)
		return true;
	return explored(p, m, (struct manner){.order = order}) && same_verdicts(p, m, false) &&
	       same(p, m, names[order], &expected.complete[m]);
}

/* --- oracle and itself ------------------------------------------------------------------------ */

static bool monotone(const struct gprogram *p)
{
	for (int a = 0; a < GP_MODELS; a++)
		for (int b = 0; b < GP_MODELS; b++)
			if (portable_includes((enum gp_model)b, (enum gp_model)a) &&
				!within(&expected.complete[a], &expected.complete[b]))
				return wrong(p, (enum gp_model)a,
					"has executions that a weaker model has not");
	return true;
}

/* --- one program ------------------------------------------------------------------------------ */

enum verdict { FINE, TOO_BIG, WRONG };

static enum verdict test(const struct gprogram *p)
{
	unsigned long wrong_answers = verdicts.wrong;

	enumerate_look =
		p->mixed ? NULL
			 : verdicts_check; /* the verifier knows no accesses of several places */
	if (!enumerate(p, CANDIDATES, &expected))
		return TOO_BIG;
	if (!monotone(p))
		return WRONG;
	for (int m = 0; m < GP_MODELS && !option.oracle; m++) {
		if (option.model >= 0 && option.model != m)
			continue;
		if (option.twins || option.files) {
			if (!(option.files ? agree_file : agree_twins)(p, (enum gp_model)m))
				return WRONG;
			continue;
		}
		if ((option.only_rf || !option.only_smc) &&
			!(agree(p, (enum gp_model)m) && agree_samples(p, (enum gp_model)m)))
			return WRONG;
		if ((option.only_smc || !option.only_rf) && m <= GP_PSO && !p->mixed &&
			!agree_smc(p, (enum gp_model)m))
			return WRONG;
	}
	if (verdicts.wrong == wrong_answers)
		return FINE;
	wrong(p, GP_SC, "verify: the wrong answer");
	return WRONG;
}

static bool still_wrong(struct gprogram *p, const struct gprogram *less)
{
	char was[sizeof reason];

	memcpy(was, reason, sizeof was);
	if (test(less) != WRONG || strcmp(was, reason)) {
		memcpy(reason, was, sizeof was);
		return false;
	}
	*p = *less;
	return true;
}

/* A lock without its unlock, or the reverse, is not a program. */
static bool removable(const struct gprogram *p, int t, int i)
{
	int kind = p->op[t][i].kind;

	if (kind == GP_NOTHING || gp_ends_section(kind) || kind == GP_SPAWN || kind == GP_BARRIER)
		return false;
	for (int k = 0; k < p->nops[t]; k++)
		if (p->op[t][k].kind != GP_NOTHING &&
			(p->op[t][k].guard == i || p->op[t][k].source == i))
			return kind == GP_LOCK;
	return true;
}

static void without(struct gprogram *p, int t, int i)
{
	struct gp_op o = p->op[t][i];

	p->op[t][i].kind = GP_NOTHING;
	if (!gp_object_of(o.kind) || gp_object_of(o.kind) == GP_SEMAPHORE)
		return;
	while (++i < p->nops[t])
		if (p->op[t][i].place == o.place && gp_object_of(p->op[t][i].kind)) {
			if (!gp_ends_section(p->op[t][i].kind))
				return;
			p->op[t][i].kind = GP_NOTHING;
		}
}

static bool simpler_op(struct gprogram *p, int t, int i)
{
	struct gprogram less = *p;
	struct gp_op *o = &less.op[t][i];

	if (o->kind == GP_NOTHING)
		return false;
	if (removable(p, t, i)) {
		without(&less, t, i);
		if (still_wrong(p, &less))
			return true;
		less = *p;
	}
	if (o->guard >= 0 && !gp_object_of(o->kind)) {
		o->guard = -1;
		if (still_wrong(p, &less))
			return true;
		less = *p;
	}
	if (o->source >= 0 && o->kind != GP_ASSUME) {
		o->source = -1;
		if (still_wrong(p, &less))
			return true;
		less = *p;
	}
	if (o->order && o->kind != GP_FENCE) {
		o->order = RLX;
		if (still_wrong(p, &less))
			return true;
		less = *p;
	}
	if (o->fail) {
		o->fail = RLX;
		return still_wrong(p, &less);
	}
	return false;
}

static void reduce(struct gprogram *p)
{
	bool changed = true;
	struct gprogram less;

	while (changed) {
		changed = false;
		for (int t = 0; t < p->nthreads; t++)
			for (int i = 0; i < p->nops[t]; i++)
				changed |= simpler_op(p, t, i);
		less = *p;
		less.weak_cas = 0;
		if (p->weak_cas)
			changed |= still_wrong(p, &less);
		less = *p;
		less.nthreads--;
		if (less.nthreads > 0 && !gp_is_spawned(p, less.nthreads))
			changed |= still_wrong(p, &less);
	}
}

static int failures;

static void failed(struct gprogram *p, const char *suite)
{
	failures++;
	printf("not ok - agree: graphs: %s: program %s; made smaller:\n", suite, p->name);
	reduce(p);
	verbose = true;
	test(p);
	verbose = false;
	fflush(stdout);
}

/* --- suites ----------------------------------------------------------------------------------- */

#define FAILURES_MAX 10

static void random_programs(enum gp_mode mode)
{
	struct gprogram p;
	int skipped = 0, n = option.programs;
	unsigned long executions = 0, races = 0, stuck = 0;

	if (mode >= GP_MIXED && option.mode < 0)
		n = (n + 4) / 5; /* they take longer */
	for (int i = 0; i < n && failures < FAILURES_MAX; i++) {
		enum verdict v;

		gprogram_generate(&p, mode, option.seed + (uint64_t)i, option.larger);
		if (option.twins && !twins_make(&p, option.seed + (uint64_t)i))
			continue;
		turn++;
		if (option.show)
			gprogram_print(&p);
		v = test(&p);
		skipped += v == TOO_BIG;
		if (v == WRONG) {
			failed(&p, gp_mode_names[mode]);
		} else if (v == FINE) {
			executions += expected.complete[GP_RC11].n;
			races += expected.race[GP_RC11];
			stuck += expected.stuck[GP_RC11].n > 0;
		}
	}
	failures += !option.larger && skipped > n / 5;
	printf("%s - agree: graphs: %d %s programs of seed %llu and on, %d too big; in RC11 %lu "
	       "executions, "
	       "%lu with races, %lu stuck\n",
		failures ? "not ok" : "ok", n, gp_mode_names[mode], (unsigned long long)option.seed,
		skipped, executions, races, stuck);
}

static void named_programs(void)
{
	const struct gp_named *n;

	thorough = true;
	for (int i = 0; (n = gprogram_named(i)); i++) {
		struct gprogram p = n->program;
		bool good = true;

		if (test(&p) == WRONG) {
			failed(&p, "named");
			continue;
		}
		for (int m = 0; m < GP_MODELS; m++) {
			if (n->executions[m] == (int)expected.complete[m].n)
				continue;
			good = false;
			printf("not ok - agree: graphs: %s, %s: %u executions, but there are %d\n",
				p.name, gp_model_names[m], expected.complete[m].n,
				n->executions[m]);
			for (unsigned k = 0; k < expected.complete[m].n; k++)
				execution_print(&p, &expected.complete[m].x[k]);
		}
		if (n->rf != (int)expected.rf[GP_SC].n) {
			good = false;
			printf("not ok - agree: graphs: %s: %u reads-from classes in sc, but there "
			       "are %d\n",
				p.name, expected.rf[GP_SC].n, n->rf);
		}
		failures += !good;
		if (good)
			printf("ok - agree: graphs: %s\n", p.name);
	}
}

static const char *buffers_disagree(const struct gprogram *p, enum gp_model m)
{
	const struct executions *o = &expected.outcomes[m];

	for (unsigned i = 0; i < o->n; i++)
		if (!buffers_has(p, &o->x[i]))
			return "an outcome that store buffers have not";
	if (o->n != buffers_outcomes())
		return "too few outcomes";
	return buffers_stuck() == !!expected.stuck[m].n ? NULL : "stuck otherwise";
}

static void buffer_programs(void)
{
	int skipped = 0;

	for (int i = 0; i < option.programs && failures < FAILURES_MAX; i++) {
		struct gprogram p;
		enum verdict v;

		buffers_generate(&p, i % 3 == 0, option.seed + (uint64_t)i);
		turn++;
		v = test(&p);
		if (v == WRONG)
			failed(&p, "buffers");
		for (int m = GP_SC; m <= GP_PSO && v == FINE; m++) {
			const char *why;

			if (!buffers_search((enum gp_model)m)) {
				v = TOO_BIG;
				break;
			}
			why = buffers_disagree(&p, m);
			if (!why)
				continue;
			failures++;
			verbose = true;
			printf("not ok - agree: graphs: %s: %s\n", p.name, why);
			wrong(&p, m, why);
			verbose = false;
		}
		skipped += v == TOO_BIG;
	}
	failures += skipped > option.programs / 2;
	printf("%s - agree: graphs: %d programs, outcomes like store buffers', %d too big\n",
		failures ? "not ok" : "ok", option.programs, skipped);
}

static int number_of(const char *name, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return i;
	fprintf(stderr, "graphs: what is %s?\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = {{"programs", 1, 0, 'n'}, {"seed", 1, 0, 's'},
		{"mode", 1, 0, 'm'}, {"model", 1, 0, 'M'}, {"named", 0, 0, 'N'},
		{"buffers", 0, 0, 'b'}, {"larger", 1, 0, 'l'}, {"oracle", 0, 0, 'o'},
		{"show", 0, 0, 'w'}, {"hardware", 0, 0, 'H'}, {"rf", 0, 0, 'r'},
		{"smc", 0, 0, 'S'}, {"twins", 0, 0, 't'}, {"files", 1, 0, 'f'}, {0}};
	bool named = false, buffers = false, hardware = false;
	const char *model = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		switch (c) {
		case 'n': option.programs = atoi(optarg); break;
		case 's': option.seed = strtoull(optarg, NULL, 10); break;
		case 'm': option.mode = number_of(optarg, gp_mode_names, GP_MODES); break;
		case 'M': model = optarg; break;
		case 'N': named = true; break;
		case 'b': buffers = true; break;
		case 'H': hardware = true; break;
		case 'l': option.larger = atoi(optarg); break;
		case 'o': option.oracle = true; break;
		case 'w': option.show = true; break;
		case 'r': option.only_rf = true; break;
		case 'S': option.only_smc = true; break;
		case 't': option.twins = true; break;
		case 'f':
			option.files = true;
			files_use(optarg);
			break;
		default: return 2;
		}
	if (model)
		option.model = hardware ? number_of(model, hp_model_names, 4)
					: number_of(model, gp_model_names, GP_MODELS);
	if (hardware)
		return !hardware_programs(option.programs, option.seed, option.model, option.show);
	if (named)
		named_programs();
	if (buffers)
		buffer_programs();
	for (int m = 0; m < GP_MODES && !named && !buffers; m++)
		if (option.mode < 0 ? !option.files || (m != GP_RACES && m != GP_MIXED)
				    : option.mode == m)
			random_programs((enum gp_mode)m);
	printf("%s - agree: verify: %lu reads-from functions, %lu of them realisable, %lu wrong "
	       "answers\n",
		verdicts.wrong ? "not ok" : "ok", verdicts.asked, verdicts.realisable,
		verdicts.wrong);
	if (option.twins)
		twins_print();
	return failures || verdicts.wrong;
}
