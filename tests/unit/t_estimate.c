/* SPDX-License-Identifier: ISC */
/* t_estimate.c - the estimate of the number of executions, on known programs. */
#include "trust/estimate.h"
#include "trust/trust.h"
#include "heddle/abi.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PLACES 8

/* Threads are strings: Ra = load a, Wa = store to a, Ua = fetch_add on a; '|' between threads. */
struct estimated {
	struct trust x;
	struct program program;
	const char *text[16];
	u32 nthreads;
	u64 half;
	double then; /* the estimate at half of the search */
	double shown, wrong; /* minimum and maximum of the estimates shown, relative to the truth */
	u64 total;
};

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	const struct estimated *s = p->context;
	const char *op;
	u32 done = 0;

	memset(out, 0, sizeof *out);
	if (t == 0) {
		u32 n = g->thread[0].n, threads = s->nthreads;

		out->type = n < threads ? LABEL_CREATE : n < 2 * threads ? LABEL_JOIN : LABEL_END;
		out->other = (u16)(n < threads ? n + 1 : n - threads + 1);
		return ANSWER_LABEL;
	}
	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		done += !(g->event[e].flags & E_EXCL && g->event[e].flags & E_WRITE);
	out->type = LABEL_START;
	if (!done)
		return ANSWER_LABEL;
	op = s->text[t - 1] + 2 * (done - 1);
	out->type = LABEL_END;
	if (!*op || *op == '|')
		return ANSWER_LABEL;
	out->type = *op == 'R' ? LABEL_READ : *op == 'W' ? LABEL_WRITE : LABEL_RMW;
	out->loc = place_intern(g->places, 64 + 64 * (u64)op[1], 8, 0);
	out->size = 8;
	out->op = HEDDLE_ADD;
	out->value = *op == 'R' ? 0 : *op == 'U' ? 1 : t;
	return ANSWER_LABEL;
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct estimated *s = p->context;
	u64 n = trust_leaves(&s->x), period = s->half / 50 + 1;

	if (n == s->half)
		s->then = estimate_leaves(&s->x);
	if (s->half && n % period == 0) {
		double e = estimate_executions(&s->x) / (double)s->total;

		if (e > 0 && (!(s->shown > 0) || e < s->shown))
			s->shown = e;
		s->wrong = e > s->wrong ? e : s->wrong;
	}
	return true;
}

static void *memory;
static struct estimate *estimate;

static void explore(struct estimated *s, const char *text)
{
	u64 half = s->half, total = s->total;

	memset(s, 0, sizeof *s);
	s->half = half;
	s->total = total;
	s->program = (struct program){s, next, leaf};
	for (const char *at = text; at; at = strchr(at, '|')) {
		at += *at == '|';
		s->text[s->nthreads++] = at;
	}
	if (memory)
		munmap(memory, TRUST_MEMORY);
	memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	free(estimate);
	estimate = calloc(1, sizeof *estimate);
	trust_init(&s->x, memory, TRUST_MEMORY, MODEL_RC11, &s->program);
	s->x.estimate = estimate;
	trust_run(&s->x);
}

static const struct {
	const char *text;
	u64 leaves; /* 0: not known by heart */
} programs[] = {
	{"Ua|Ua|Ua|Ua|Ua|Ua|Ua", 5040},				/* ainc(7) */
	{"Wa|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra", 4096},	/* readers(12) */
	{"Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Ra|Wa", 4096},
	{"Wa|Wa|Wa|Wa|Wa|Wa|Wa", 5040},
	{"UaUa|UaUa|UaUa|UaUa", 2520},
	{"WaRb|WbRc|WcRd|WdRe|WeRa", 0},
	{"WaWbRaRb|WbWaRbRa|RaRbWa", 0},
	{"UaRbWa|UbRaWb|RaUbWa", 0},
};

static void estimate_at_half(void)
{
	static struct estimated s;

	for (u32 i = 0; i < array_size(programs); i++) {
		u64 total;

		s.half = s.total = 0;
		explore(&s, programs[i].text);
		total = trust_leaves(&s.x);
		CU_ASSERT(!programs[i].leaves || total == programs[i].leaves);
		s.half = total / 2;
		s.total = total;
		explore(&s, programs[i].text);
		CU_ASSERT_EQUAL(trust_leaves(&s.x), total); /* the estimate has no side effects */
		CU_ASSERT(s.then < 3 * (double)total && s.then * 3 > (double)total);
		CU_ASSERT(s.wrong < 10 && (!(s.shown > 0) || s.shown > 0.1));
	}
}

const struct unit_test estimate_tests[] = {
	{"at half", estimate_at_half},
	{NULL, NULL},
};
