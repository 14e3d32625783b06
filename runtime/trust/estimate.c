/* SPDX-License-Identifier: ISC */
/* estimate.c - see estimate.h. */
#include "trust/estimate.h"
#include "trust/trust.h"

#define ESTIMATE_MOST (1ull << 62)
#define STABLE 1.6 /* the last estimates are within this factor */
#define FIRST  16  /* minimum leaves for an estimate */
#define EFFORT 200000000 /* squares of events: no estimate takes longer */

void estimate_back(struct estimate *s, u32 base, u32 n, u64 leaves)
{
	if (base > ESTIMATE_EVENTS)
		return;
	s->revisit[base].leaves += leaves;
	s->revisit[base].n++;
	/* Other events of the same numbers were added in between. */
	for (u32 i = base; i <= n && i <= ESTIMATE_EVENTS; i++)
		s->began[i] = ESTIMATE_NONE;
}

/* --- logarithms, without libm ----------------------------------------------------------------- */

static double log2_of(double v)
{
	double n = 0, part = 0.5, result;

	for (; v >= 2; v /= 2)
		n++;
	result = n;
	for (u32 i = 0; i < 20; i++, part /= 2) {
		v *= v;
		if (v >= 2) {
			v /= 2;
			result += part;
		}
	}
	return result;
}

static double exp2_of(double v)
{
	double result = 1;
	static const double roots[] = {1.4142135623730951, 1.1892071150027210, 1.0905077326652577,
		1.0442737824274138, 1.0218971486541166, 1.0108892860517005, 1.0054299011128028};

	for (; v >= 1; v--)
		result *= 2;
	for (u32 i = 0; i < array_size(roots); i++) {
		v *= 2;
		if (v >= 1) {
			v--;
			result *= roots[i];
		}
	}
	return result;
}

/* --- the size of a subtree -------------------------------------------------------------------- */

/* log2(leaves) of a stratum = at + slope * events, outside of the strata seen. */
struct fit {
	u32 least, most; /* seen */
	double at, slope;
};

static double mean(const struct stratum *s)
{
	return s->leaves > s->n ? (double)s->leaves / (double)s->n : 1;
}

/* Least squares; strata seen more often count more, but not by much. */
static struct fit fit(const struct stratum *s)
{
	double w = 0, x = 0, y = 0, xx = 0, xy = 0, d;
	struct fit f = {.least = 0};

	for (u32 i = 1; i <= ESTIMATE_EVENTS; i++) {
		double weight, v;

		if (!s[i].n)
			continue;
		f.least = f.least ? f.least : i;
		f.most = i;
		weight = s[i].n > 8 ? 8 : (double)s[i].n;
		v = log2_of(mean(&s[i]));
		w += weight;
		x += weight * i;
		y += weight * v;
		xx += weight * i * i;
		xy += weight * i * v;
	}
	d = w * xx - x * x;
	f.slope = d > 0 ? (w * xy - x * y) / d : 0;
	f.slope = f.slope > 0 ? 0 : f.slope;
	f.at = w > 0 ? (y - f.slope * x) / w : 0;
	return f;
}

static double subtree(const struct stratum *s, const struct fit *f, u32 n)
{
	u32 below = n, above = n;
	double v;

	if (n > f->most)
		return f->most ? mean(&s[f->most]) : 1;
	if (n < f->least) {
		v = log2_of(mean(&s[f->least])) + f->slope * ((double)n - f->least);
		return exp2_of(v > 200 ? 200 : v);
	}
	while (!s[below].n)
		below--;
	while (!s[above].n)
		above++;
	return below == above ? mean(&s[n]) : (mean(&s[below]) + mean(&s[above])) / 2;
}

/* --- the frontier ----------------------------------------------------------------------------- */

struct sum {
	const struct estimate *s;
	struct fit forward, revisit;
	double leaves;
	u64 effort;
};

static void add_to_sum(struct sum *sum, u32 n, bool revisit)
{
	const struct estimate *s = sum->s;
	const struct fit *f = revisit ? &sum->revisit : &sum->forward;

	n = n < ESTIMATE_EVENTS ? n : ESTIMATE_EVENTS;
	if (!f->most) { /* no leaf of this kind has been seen */
		revisit = !revisit;
		f = revisit ? &sum->revisit : &sum->forward;
	}
	sum->leaves += subtree(revisit ? s->revisit : s->forward, f, n);
}

/* All choices left in the current graph; it is dismantled. */
static bool choices(struct trust *x, struct sum *sum)
{
	while (x->graph.n > x->base) {
		u32 e = x->graph.n, depth = x->depth;

		while (trust_advance(x, e)) {
			add_to_sum(sum, x->graph.n, x->depth > depth);
			if (x->depth > depth)
				trust_pop(x);
			sum->effort += (u64)e * e;
			if (sum->effort > EFFORT || program_enough(x->program))
				return false;
		}
		if (x->answer != ANSWER_LABEL)
			return false;
		graph_pop(&x->graph);
	}
	return true;
}

double estimate_leaves(struct trust *x)
{
	struct sum sum = {.s = x->estimate, .leaves = (double)trust_leaves(x)};
	struct trust before = *x;
	struct aside *aside = trust_put_aside(x);
	size_t at = x->top;
	bool all;

	if (!aside)
		return 0;
	sum.forward = fit(x->estimate->forward);
	sum.revisit = fit(x->estimate->revisit);
	all = choices(x, &sum);
	for (u32 i = before.depth; i && all; i--) {
		const struct saved_level *l = trust_level_at(x, at);

		graph_restore(&x->graph, (const u8 *)l + LEVEL_HEAD);
		x->base = l->base;
		all = choices(x, &sum);
		at = l->below;
	}
	trust_take_back(x, aside);
	x->base = before.base;
	x->pushes = before.pushes;
	x->answer = before.answer;
	x->bounded = before.bounded;
	return all ? sum.leaves : 0;
}

bool estimate_stable(struct estimate *s, double now, u64 leaves)
{
	double least = now, most = now;

	if (leaves >= FIRST && leaves >= s->last_leaves + s->last_leaves / 4) {
		s->last[s->nlast++ % array_size(s->last)] = now;
		s->last_leaves = leaves;
	}
	if (s->nlast < array_size(s->last))
		return false;
	for (u32 i = 0; i < array_size(s->last); i++) {
		least = s->last[i] < least ? s->last[i] : least;
		most = s->last[i] > most ? s->last[i] : most;
	}
	return least > 0 && most <= least * STABLE;
}

u64 estimate_least(const struct estimate *s)
{
	double least = s->last[0];

	for (u32 i = 1; i < array_size(s->last); i++)
		least = s->last[i] < least ? s->last[i] : least;
	if (s->nlast < array_size(s->last) || least < 1)
		return 0;
	return least < (double)ESTIMATE_MOST ? (u64)least : ESTIMATE_MOST;
}

double estimate_executions(struct trust *x)
{
	double now = estimate_leaves(x);
	u64 leaves = trust_leaves(x);

	if (!estimate_stable(x->estimate, now, leaves))
		return 0;
	return now * (double)(x->complete + x->failing) / (double)leaves;
}
