/* SPDX-License-Identifier: ISC */
/* hitting.c - see hitting.h. */
#include "repair/hitting.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#include "die.h"

#define RANKS 65536 /* more than the sum of ranks of a choice */

struct clause {
	u32 *option;
	u32 n;
	u32 negated; /* of its options, the first ones: not these */
};

struct hitting {
	u32 *cost, *rank;
	u32 n;
	struct clause *clause;
	u32 nclauses;
	/* of the solver; what of the above it knows */
	Z3_context z3;
	Z3_optimize optimize;
	u32 asserted_options, asserted_clauses;
};

/* --- the library ----------------------------------------------------------------------------- */

#define FUNCTIONS(F) \
	F(mk_config) \
	F(del_config) F(mk_context) F(set_error_handler) F(mk_optimize) F(optimize_inc_ref) \
		F(mk_bool_sort) F(mk_int_symbol) F(mk_const) F(mk_not) F(mk_or) F(mk_false) \
			F(optimize_assert) F(optimize_assert_soft) F(optimize_check) \
				F(optimize_get_model) F(model_inc_ref) F(model_dec_ref) \
					F(model_eval) F(get_bool_value) F(get_error_msg) \
						F(mk_string_symbol)

static struct {
#define F(name) __typeof__(Z3_##name) *name;
	FUNCTIONS(F)
#undef F
} z3;

static void solver_failed(Z3_context c, Z3_error_code e)
{
	die("libz3: %s", z3.get_error_msg(c, e));
}

static void *symbol(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p)
		die("libz3 has no %s", name);
	return p;
}

static void load_solver(void)
{
	void *library = dlopen("libz3.so.4", RTLD_NOW);

	if (!library)
		library = dlopen("libz3.so", RTLD_NOW);
	if (!library)
		die("cannot load libz3, which finds the cheapest repair (apt-get install libz3-4)");
#define F(name) z3.name = (__typeof__(z3.name))symbol(library, "Z3_" #name);
	FUNCTIONS(F)
#undef F
}

/* --- the problem ----------------------------------------------------------------------------- */

struct hitting *hitting_new(void)
{
	return xmalloc(sizeof(struct hitting));
}

u32 hitting_option(struct hitting *h, u32 cost, u32 rank)
{
	h->cost = xgrow(h->cost, (h->n + 1) * sizeof(*h->cost));
	h->rank = xgrow(h->rank, (h->n + 1) * sizeof(*h->rank));
	h->cost[h->n] = cost;
	h->rank[h->n] = rank;
	return h->n++;
}

static void add_clause(struct hitting *h, const u32 *option, u32 n, u32 negated)
{
	struct clause *c;

	h->clause = xgrow(h->clause, (h->nclauses + 1) * sizeof(*h->clause));
	c = &h->clause[h->nclauses++];
	*c = (struct clause){xmalloc(n * sizeof(*option)), n, negated};
	if (n)
		memcpy(c->option, option, n * sizeof(*option));
}

void hitting_clause(struct hitting *h, const u32 *option, u32 n)
{
	add_clause(h, option, n, 0);
}

void hitting_forbid(struct hitting *h, const u32 *option, u32 n)
{
	add_clause(h, option, n, n);
}

void hitting_implies(struct hitting *h, u32 a, u32 b)
{
	add_clause(h, (u32[]){a, b}, 2, 1);
}

/* --- the solver ------------------------------------------------------------------------------ */

static void start_solver(struct hitting *h)
{
	Z3_config config;

	if (!z3.mk_config)
		load_solver();
	config = z3.mk_config();
	h->z3 = z3.mk_context(config);
	z3.del_config(config);
	z3.set_error_handler(h->z3, solver_failed);
	h->optimize = z3.mk_optimize(h->z3);
	z3.optimize_inc_ref(h->z3, h->optimize);
}

static Z3_ast option_variable(const struct hitting *h, u32 option)
{
	return z3.mk_const(h->z3, z3.mk_int_symbol(h->z3, (int)option), z3.mk_bool_sort(h->z3));
}

static void assert_clause(struct hitting *h, const struct clause *c)
{
	Z3_ast *literal = xmalloc((c->n + 1) * sizeof(*literal));

	for (u32 i = 0; i < c->n; i++) {
		literal[i] = option_variable(h, c->option[i]);
		if (i < c->negated)
			literal[i] = z3.mk_not(h->z3, literal[i]);
	}
	z3.optimize_assert(h->z3, h->optimize,
		c->n ? z3.mk_or(h->z3, c->n, literal) : z3.mk_false(h->z3));
	free(literal);
}

/* Assert the clauses added since the last solution. */
static void assert_new(struct hitting *h)
{
	if (!h->z3)
		start_solver(h);
	for (; h->asserted_options < h->n; h->asserted_options++) {
		u32 i = h->asserted_options;
		char *weight =
			xprintf("%llu", (unsigned long long)h->cost[i] * RANKS + h->rank[i] + 1);

		z3.optimize_assert_soft(h->z3, h->optimize, z3.mk_not(h->z3, option_variable(h, i)),
			weight, z3.mk_string_symbol(h->z3, "cost"));
		free(weight);
	}
	for (; h->asserted_clauses < h->nclauses; h->asserted_clauses++)
		assert_clause(h, &h->clause[h->asserted_clauses]);
}

bool hitting_solve(struct hitting *h, bool *chosen, u64 *cost)
{
	sigset_t ours, before;
	Z3_model model;
	Z3_lbool answer;

	assert_new(h);
	*cost = 0;
	sigemptyset(&ours); /* libz3 would handle SIGINT, and stop */
	sigaddset(&ours, SIGINT);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
	answer = z3.optimize_check(h->z3, h->optimize, 0, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	switch (answer) {
	case Z3_L_FALSE: return false;
	case Z3_L_UNDEF: die("libz3 found no answer");
	case Z3_L_TRUE: break;
	}
	model = z3.optimize_get_model(h->z3, h->optimize);
	z3.model_inc_ref(h->z3, model);
	for (u32 i = 0; i < h->n; i++) {
		Z3_ast value;

		chosen[i] = z3.model_eval(h->z3, model, option_variable(h, i), true, &value) &&
			    z3.get_bool_value(h->z3, value) == Z3_L_TRUE;
		if (chosen[i])
			*cost += h->cost[i];
	}
	z3.model_dec_ref(h->z3, model);
	return true;
}

/* --- without it ------------------------------------------------------------------------------ */

static bool is_hit(const struct clause *c, const bool *chosen)
{
	for (u32 i = 0; i < c->n; i++)
		if (chosen[c->option[i]] == (i >= c->negated))
			return true;
	return c->n && c->negated == c->n; /* forbidden sets are ignored here */
}

/* The number of clauses with this option that are not hit. */
static u32 wanted_by(const struct hitting *h, u32 option, const bool *chosen)
{
	u32 n = 0;

	for (u32 i = 0; i < h->nclauses; i++) {
		const struct clause *c = &h->clause[i];

		for (u32 k = 0; k < c->n && !is_hit(c, chosen); k++)
			n += c->option[k] == option;
	}
	return n;
}

bool hitting_greedy(const struct hitting *h, bool *chosen, u64 *cost)
{
	memset(chosen, 0, h->n * sizeof(*chosen));
	*cost = 0;
	for (;;) {
		u32 best = h->n;
		double best_value = 0;

		for (u32 i = 0; i < h->n; i++) {
			double value = wanted_by(h, i, chosen) /
				       (h->cost[i] + (double)h->rank[i] / RANKS + 1e-9);

			if (value > best_value) {
				best_value = value;
				best = i;
			}
		}
		if (best == h->n)
			break;
		chosen[best] = true;
		*cost += h->cost[best];
	}
	for (u32 i = 0; i < h->nclauses; i++)
		if (!is_hit(&h->clause[i], chosen))
			return false;
	return true;
}
