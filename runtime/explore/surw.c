/* SPDX-License-Identifier: ISC */
/*
 * surw.c - selectively uniform random walk: uniform orders of a few interesting accesses.
 *
 * Idea.   For each execution some locations that several threads use are drawn, rarely used ones
 *         rather than others: accesses of these are *interesting*. The agent of the next
 *         interesting access is drawn in proportion to the number of such accesses that each has
 *         left, and the other agents wait before theirs; the rest is a random walk. So each order
 *         of the interesting accesses is equally likely, however many other steps there are.
 * Source. Zhao, Wolff, Mathur, Roychoudhury, ASPLOS 2025. We differ in: the numbers left are the
 *         largest of earlier executions; locations are drawn; agents for stores; an agent that
 *         does not reach its access, or waits for one that is held back, loses its turn.
 * State.  One static struct: there is one search per process. Full tables ignore new entries.
 */
#include "explore/agent_table.h"
#include "explore/explore.h"

#define PLACES	    2048 /* hash tables */
#define COUNTS	    8192
#define MOST_DRAWN  4
#define WEIGHT	    (1u << 24) /* of a location that is used once */
#define MEASURED    16	       /* executions whose mean length is that of a turn at most, */
#define TURN_LEAST  256
#define YIELDS_TURN 16 /* or with so many yields */

static struct surw {
	struct surw_location {
		u64 location; /* 0: the slot is free */
		u64 accesses;
		u32 thread; /* the first that used it */
		bool shared, drawn;
	} place[PLACES];
	struct count {
		u32 place, agent; /* place: 0 = the slot is free, else its number + 1 */
		u32 now, most;	  /* accesses in this execution; in any */
	} count[COUNTS];
	u32 places[PLACES], nplaces; /* the slots in use */
	u32 counts[COUNTS], ncounts;
	u32 drawn[MOST_DRAWN], ndrawn;
	/* This execution. */
	struct agent_table agents;
	u32 left[AGENTS];
	u32 next;	    /* the agent of the next interesting access, or NO_AGENT */
	u64 turn, patience; /* steps since it was drawn; allowed */
	u64 steps;	    /* of the executions that are measured */
} surw;

#define NO_AGENT UINT32_MAX

/* --- locations and agents
 * ------------------------------------------------------------------------- */

/* The place of an access, or NULL: not known. */
static struct surw_location *surw_place(const struct agent_access *a, bool add)
{
	u64 location = a->addr;
	u32 i;

	if (!a->size)
		return NULL;
	TABLE_FIND(i, prng_mix(location), PLACES,
		!surw.place[i].location || surw.place[i].location == location);
	if (surw.place[i].location)
		return &surw.place[i];
	if (!add || surw.nplaces == PLACES / 4 * 3)
		return NULL;
	surw.place[i].location = location;
	surw.places[surw.nplaces++] = i;
	return &surw.place[i];
}

static struct count *agent_count(const struct surw_location *p, u32 agent)
{
	u32 place = (u32)(p - surw.place) + 1, i;

	TABLE_FIND(i, prng_mix((u64)place << 32 | agent), COUNTS,
		!surw.count[i].place ||
			(surw.count[i].place == place && surw.count[i].agent == agent));
	if (surw.count[i].place)
		return &surw.count[i];
	if (surw.ncounts == COUNTS / 4 * 3)
		return NULL;
	surw.count[i] = (struct count){.place = place, .agent = agent};
	surw.counts[surw.ncounts++] = i;
	return &surw.count[i];
}

static void note_agent_access(u32 agent, const struct agent_access *a)
{
	struct surw_location *p = surw_place(a, true);
	struct count *c;

	if (!p)
		return;
	if (!p->accesses++)
		p->thread = agent_thread(agent);
	else if (p->thread != agent_thread(agent))
		p->shared = true;
	c = agent_count(p, agent);
	if (c)
		c->now++;
}

/* --- the plan of an execution ---------------------------------------------------------------- */

static u64 weight(const struct surw_location *p)
{
	return p->shared && !p->drawn ? 1 + WEIGHT / p->accesses : 0;
}

/* Draw a location. False: none left. */
static bool draw_place(struct explore *x)
{
	u64 all = 0, at;

	for (u32 i = 0; i < surw.nplaces; i++)
		all += weight(&surw.place[surw.places[i]]);
	if (!all)
		return false;
	at = prng_next(&x->prng) % all;
	for (u32 i = 0;; i++) {
		struct surw_location *p = &surw.place[surw.places[i]];

		if (at < weight(p)) {
			p->drawn = true;
			surw.drawn[surw.ndrawn++] = surw.places[i];
			return true;
		}
		at -= weight(p);
	}
}

static u32 *steps_left(u32 agent)
{
	bool fresh;
	u32 *left = &surw.left[agent_table_find(&surw.agents, agent, &fresh)];

	if (fresh)
		*left = 0;
	return left;
}

/* The next agent, in proportion to the interesting accesses left. */
static void draw_next(struct explore *x)
{
	u64 all = 0, at;

	surw.turn = 0;
	surw.next = NO_AGENT;
	for (u32 i = 0; i < surw.agents.nused; i++)
		all += surw.left[surw.agents.used[i]];
	if (!all)
		return;
	at = prng_next(&x->prng) % all;
	for (u32 i = 0; surw.next == NO_AGENT; i++) {
		u32 slot = surw.agents.used[i];

		if (at < surw.left[slot])
			surw.next = surw.agents.id[slot];
		else
			at -= surw.left[slot];
	}
}

static void surw_start(struct explore *x)
{
	prng_seed(&x->prng, x->options->seed);
	while (surw.nplaces)
		surw.place[surw.places[--surw.nplaces]] = (struct surw_location){0};
	while (surw.ncounts)
		surw.count[surw.counts[--surw.ncounts]] = (struct count){0};
	surw.ndrawn = 0;
	surw.steps = 0;
	surw.patience = TURN_LEAST;
}

static bool surw_next(struct explore *x)
{
	while (surw.ndrawn)
		surw.place[surw.drawn[--surw.ndrawn]].drawn = false;
	do
		if (!draw_place(x))
			break;
	while (surw.ndrawn < MOST_DRAWN && prng_below(&x->prng, 2));
	agent_table_clear(&surw.agents);
	for (u32 i = 0; i < surw.ncounts; i++) {
		struct count *c = &surw.count[surw.counts[i]];

		c->most = c->now > c->most ? c->now : c->most;
		c->now = 0;
		if (surw.place[c->place - 1].drawn)
			*steps_left(c->agent) += c->most;
	}
	if (x->executions == MEASURED && surw.steps / MEASURED > TURN_LEAST)
		surw.patience = surw.steps / MEASURED;
	draw_next(x);
	return true;
}

/* --- choosing -------------------------------------------------------------------------------- */

static bool is_interesting(const struct agent_access *a)
{
	const struct surw_location *p = surw_place(a, false);

	return p && p->drawn;
}

/* One of the agents at interesting accesses, in proportion to the number that they have left. */
static u32 draw_waiting(struct explore *x, u32 n, const u32 *agents)
{
	u64 all = 0;
	u32 c = EXPLORE_NONE;

	for (u32 i = 0; i < n; i++) {
		u32 left;

		if (!is_interesting(&x->access[i]))
			continue;
		left = *steps_left(agents[i]);
		left += !left;
		all += left;
		if (prng_next(&x->prng) % all < left)
			c = i;
	}
	return c;
}

/* One of the agents that do not wait for their turn. */
static u32 draw_free(struct explore *x, u32 n, const u32 *agents)
{
	u32 c = EXPLORE_NONE, free = 0;

	for (u32 i = 0; i < n; i++)
		if ((agents[i] == surw.next || !is_interesting(&x->access[i])) &&
			!prng_below(&x->prng, ++free))
			c = i;
	return c;
}

static u32 surw_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 c = EXPLORE_NONE, *left;

	if (!agents)
		return prng_below(&x->prng, n);
	surw.steps++;
	if (++surw.turn <= surw.patience)
		c = draw_free(x, n, agents);
	if (c == EXPLORE_NONE)
		c = draw_waiting(x, n, agents);
	if (c == EXPLORE_NONE)
		c = draw_free(x, n, agents);
	note_agent_access(agents[c], &x->access[c]);
	if (!is_interesting(&x->access[c]))
		return c;
	left = steps_left(agents[c]);
	*left -= *left > 0;
	draw_next(x);
	return c;
}

static void surw_yield(struct explore *x, u32 thread)
{
	surw.turn += surw.patience / YIELDS_TURN;
}

const struct strategy_ops strategy_surw = {
	.name = STRATEGY_SURW,
	.samples = true,
	.wants_agents = true,
	.wants_accesses = true,
	.start = surw_start,
	.next = surw_next,
	.choose = surw_choose,
	.yield = surw_yield,
};
