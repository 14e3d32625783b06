/* SPDX-License-Identifier: ISC */
/* plan.c - the program of a seed: its parts, the variant of each, and its
 * weakness. */
#include "ordinary.h"

#include "../../random.h"

#include <stdio.h>
#include <string.h>

const struct idiom *const idioms[] = {&lock_idiom, &trylock_idiom, &rwlock_idiom, &recursive_idiom,
	&robust_idiom, &tsd_idiom, &barrier_idiom, &buffer_idiom, &queue_idiom, &pool_idiom,
	&message_idiom, &gate_idiom, &post_idiom, &once_idiom, &checked_idiom, &cas_idiom,
	&stack_idiom, &seqlock_idiom, &claims_idiom, &pointer_idiom, &bytes_idiom, &byte_lock_idiom,
	&halves_idiom};
const unsigned nidioms = sizeof idioms / sizeof *idioms;

static const char *const start_name[] = {"from main", "in a chain", "in a nest", "and main"};
static const char *const finish_name[] = {"join", "semaphore", "condition", "counter"};
static const char *const ending_name[] = {"return", "exit", "atexit", "by-thread", "last"};

static uint64_t state;
static const char *left_out = "";

static unsigned below(unsigned n)
{
	return (unsigned)(random_mix(&state) >> 33) % n;
}

void plan_without(const char *names)
{
	left_out = names;
}

static bool without(const char *name)
{
	size_t n = strlen(name);

	for (const char *at = left_out; (at = strstr(at, name)); at++)
		if ((at == left_out || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

static void picks(uint8_t *pick)
{
	for (int i = 0; i < 6; i++)
		pick[i] = (uint8_t)below(252);
}

/* --- the frame -------------------------------------------------------------------------------- */

static void make_frame(struct plan *p)
{
	p->workers = (uint8_t)(below(3) ? 2 : 3);
	p->start = (uint8_t)below(STARTS);
	p->finish = (uint8_t)(below(2) ? FINISH_JOIN : below(FINISHES));
	do
		p->ending = (uint8_t)below(ENDINGS);
	while (without(ending_name[p->ending]));
	picks(p->pick);
	if (p->ending == END_LAST) {
		p->finish = FINISH_COUNTER;
		if (p->start == START_MAIN_WORKS)
			p->start = START_MAIN;
	}
	if (p->ending != END_LAST && below(3) == 0 && !without("daemons"))
		p->daemons = (uint8_t)(1 + !below(4));
	for (int i = 0; i < p->daemons; i++)
		do
			p->daemon[i] = (uint8_t)below(daemon_kinds);
		while (without(daemon_name[p->daemon[i]]));
}

/* --- parts ------------------------------------------------------------------------------------ */

static bool fits(const struct plan *p, int n, const struct idiom *d)
{
	if (without(d->name) || p->workers < d->least)
		return false;
	if (d->joined && (p->finish != FINISH_JOIN || p->start == START_MAIN_WORKS))
		return false;
	if (d->stays && p->ending == END_LAST)
		return false;
	for (int i = 0; i < n && d->single; i++)
		if (idioms[p->part[i].idiom] == d)
			return false;
	return true;
}

/* False: it does not fit. */
static bool make_part(struct plan *p, int n)
{
	struct part *q = &p->part[n];
	const struct idiom *d;
	int first;

	q->idiom = (uint8_t)below(nidioms);
	d = idioms[q->idiom];
	if (!fits(p, n, d))
		return false;
	q->users =
		(uint8_t)(d->least + below((unsigned)(d->most < p->workers ? d->most : p->workers) -
					     d->least + 1));
	q->rounds = (uint8_t)(q->users < 3 ? 1 + below(2) : 1);
	picks(q->pick);
	if (d->ways && without(d->ways[q->pick[0] % d->nways]))
		return false;
	first = (int)below(p->workers);
	for (int t = 0; t < p->workers; t++)
		q->role[(first + t) % p->workers] = (uint8_t)t;
	return true;
}

static bool make_parts(struct plan *p, int n)
{
	for (; p->parts < n; p->parts++)
		if (!make_part(p, p->parts))
			return false;
	return true;
}

/* --- what is weak ----------------------------------------------------------------------------- */

static bool weaken_frame(struct plan *p)
{
	static const struct {
		uint8_t finish, ending; /* its requirement; 255: any */
	} needs[] = {{0}, {FINISH_JOIN, 255}, {255, 255}, {255, 255}, {255, 255},
		{FINISH_CONDITION, 255}, {FINISH_COUNTER, 255}, {FINISH_COUNTER, 255},
		{255, END_BY_THREAD}, {255, 255}, {255, 255}};
	unsigned w = 1 + below(frame_weaknesses);

	if ((needs[w].finish != 255 && needs[w].finish != p->finish) ||
		(needs[w].ending != 255 && needs[w].ending != p->ending))
		return false;
	if ((w == 2 || w == 3 || w == 4) && (p->finish == FINISH_JOIN || p->ending == END_LAST))
		return false;
	/* A counter that goes below the last one, or that no thread waits for. */
	if ((w == 6 && p->ending == END_LAST) || (w == 4 && p->finish != FINISH_SEMAPHORE) ||
		(w >= 9 && p->ending == END_LAST))
		return false;
	if (w == 1 && p->start == START_MAIN_WORKS && p->workers < 2)
		return false;
	p->weak = (uint8_t)w;
	memcpy(p->verdict, frame_weakness[w].verdict, MODELS);
	return true;
}

static bool weaken_part(struct plan *p)
{
	struct part *q = &p->part[below(p->parts)];
	const struct idiom *d = idioms[q->idiom];
	unsigned n = 0;

	if (d->joined && p->start == START_NEST)
		return false; /* one thread ends after the other */
	while (n < WEAKNESSES && d->weakness[n + 1].name)
		n++;
	q->weak = (uint8_t)(1 + below(n));
	for (int m = 0; m < MODELS; m++)
		p->verdict[m] |= d->weakness[q->weak].verdict[m];
	return true;
}

/* Does it have another verdict under sra and ra, besides that of its weakness? */
static bool has_two_verdicts(const struct plan *p)
{
	for (int i = 0; i < p->parts; i++)
		if (idioms[p->part[i].idiom]->without_sc && !p->part[i].weak)
			return true;
	return false;
}

static void shape_parts(struct plan *p)
{
	for (int i = 0; i < p->parts; i++) {
		struct part *q = &p->part[i];

		if (idioms[q->idiom]->shape)
			idioms[q->idiom]->shape(q);
		p->verdict[GP_SRA] |= idioms[q->idiom]->without_sc;
		p->verdict[GP_RA] |= idioms[q->idiom]->without_sc;
	}
}

/* --- how large it is -------------------------------------------------------------------------- */

static unsigned cost(const struct plan *p)
{
	unsigned all = 1;

	for (int i = 0; i < p->parts; i++) {
		const struct part *q = &p->part[i];

		all *= idioms[q->idiom]->costs[q->users > 2 ? 2 : q->rounds - 1];
	}
	return all;
}

bool plan_retries(const struct plan *p)
{
	for (int i = 0; i < p->parts; i++)
		if (idioms[p->part[i].idiom]->retries &&
			idioms[p->part[i].idiom]->retries(&p->part[i]))
			return true;
	return false;
}

/* If a thread waits repeatedly, stuck threads are not detected. */
void plan_make(struct plan *p, uint64_t seed, bool weaken)
{
	unsigned most;
	bool done;

	state = seed * 0x2545f4914f6cdd1du + weaken;
	most = below(8) ? 200 : 2000;
	do {
		memset(p, 0, sizeof *p);
		p->seed = seed;
		make_frame(p);
		done = make_parts(p, 1 + (int)below(PARTS)) &&
		       (!weaken || (below(4) ? weaken_part(p) : weaken_frame(p)));
		shape_parts(p);
	} while (!done || cost(p) > most || (weaken && has_two_verdicts(p)) ||
		 (p->verdict[GP_RC11] == STUCK && plan_retries(p)));
}

bool plan_endless(const struct plan *p)
{
	for (int i = 0; i < p->parts; i++)
		if (idioms[p->part[i].idiom]->endless &&
			idioms[p->part[i].idiom]->endless(&p->part[i]))
			return true;
	return false;
}

static void print_part(const struct part *q)
{
	const struct idiom *d = idioms[q->idiom];

	printf("#   %s%s%s: %d users, %d rounds, picks %d %d %d %d %d %d, roles %d %d %d%s%s\n",
		d->name, d->ways ? ", " : "", d->ways ? d->ways[q->pick[0] % d->nways] : "",
		q->users, q->rounds, q->pick[0], q->pick[1], q->pick[2], q->pick[3], q->pick[4],
		q->pick[5], q->role[0], q->role[1], q->role[2], q->weak ? "; weak: " : "",
		q->weak ? d->weakness[q->weak].name : "");
}

void plan_print(const struct plan *p)
{
	printf("# %llu: %d threads, started %s, waited for by %s; ends by %s; picks %d %d %d %d %d "
	       "%d\n",
		(unsigned long long)p->seed, p->workers, start_name[p->start],
		finish_name[p->finish], ending_name[p->ending], p->pick[0], p->pick[1], p->pick[2],
		p->pick[3], p->pick[4], p->pick[5]);
	for (int i = 0; i < p->daemons; i++)
		printf("#   an unjoined thread: %s\n", daemon_name[p->daemon[i]]);
	for (int i = 0; i < p->parts; i++)
		print_part(&p->part[i]);
	if (p->weak)
		printf("#   weak: %s\n", frame_weakness[p->weak].name);
}
