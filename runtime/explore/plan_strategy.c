/* SPDX-License-Identifier: ISC */
/* plan_strategy.c - see plan_strategy.h. The caller sets x->plan after explore_start(). */
#include "explore/plan_strategy.h"

/* A commit of this thread; the one due first in the plan. If it is not due yet, the machine needs
 * an empty buffer where the graph does not. */
static u32 find_commit(struct plan_strategy *d, u32 n, const u32 *agents, u32 slot)
{
	u32 best = EXPLORE_NONE, first = EXPLORE_NONE;

	for (u32 i = 0; i < n; i++) {
		u32 k = d->at;

		if (!(agents[i] & AGENT_COMMIT) || agent_thread(agents[i]) != slot)
			continue;
		while (k < d->plan->n && d->plan->item[k] != (PLAN_COMMIT | agent_place(agents[i])))
			k++;
		if (best == EXPLORE_NONE || k < first) {
			best = i;
			first = k;
		}
	}
	d->early |= best != EXPLORE_NONE && first > d->at && first < d->plan->n;
	return best;
}

/* A store that is not in the graph. */
static u32 find_private(u32 n, const u32 *agents)
{
	for (u32 i = 0; i < n; i++)
		if (agents[i] & AGENT_COMMIT && !agent_place(agents[i]))
			return i;
	return EXPLORE_NONE;
}

/* A choice is part of the thread's next step: the choice of a timed wait comes only when its buffer
 * is empty. */
static bool is_item_done(const struct plan_strategy *d, u32 item)
{
	const struct gevent *e = &d->graph->event[plan_event(item)];

	if (e->type == LABEL_CHOOSE)
		return true;
	return plan_commits(item) ? d->done[plan_event(item)] : d->passed[e->thread] >= e->index;
}

/* Let the item's thread continue, or, if it cannot, commit a store of it. */
static u32 choose_for_item(struct plan_strategy *d, u32 n, const u32 *agents, u32 item)
{
	u32 slot = d->graph->event[plan_event(item)].thread, i = EXPLORE_NONE;

	if (plan_commits(item))
		i = explore_find(n, agents, plan_agent_commit(slot, plan_event(item)));
	else
		i = explore_find(n, agents, plan_agent(slot));
	if (i == EXPLORE_NONE)
		i = find_commit(d, n, agents, slot);
	return i == EXPLORE_NONE ? explore_find(n, agents, plan_agent(slot)) : i;
}

static u32 choose_end(struct plan_strategy *d, u32 n, const u32 *agents)
{
	u32 i = explore_find(n, agents, plan_agent(d->last));

	if (i == EXPLORE_NONE)
		i = find_commit(d, n, agents, d->last);
	return i == EXPLORE_NONE
		       ? n - 1
		       : i; /* commits are last: a waiting thread with an empty buffer is stuck */
}

static u32 plan_choose(struct explore *x, u32 n, const u32 *agents)
{
	struct plan_strategy *d = x->plan;
	u32 i;

	if (!agents) {
		i = d->data;
		d->data = 0;
		return i < n ? i : 0;
	}
	i = find_private(n, agents);
	if (i != EXPLORE_NONE)
		return i;
	while (d->at < d->plan->n && is_item_done(d, d->plan->item[d->at]))
		d->at++;
	i = d->at < d->plan->n ? choose_for_item(d, n, agents, d->plan->item[d->at])
			       : choose_end(d, n, agents);
	if (i != EXPLORE_NONE)
		return i;
	d->lost = true;
	return 0;
}

const struct strategy_ops strategy_plan = {
	.name = STRATEGY_FOLLOW,
	.wants_agents = true,
	.start = explore_once_start,
	.next = explore_once_next,
	.choose = plan_choose,
};
