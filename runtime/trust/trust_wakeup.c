/* SPDX-License-Identifier: ISC */
/*
 * trust_wakeup.c - lost wake-ups among the executions that trust_await.h leaves out.
 *
 * Idea.   A lost wake-up is an execution G without enabled threads in which a thread sleeps
 * although its predicate is true. Without its futile waits, G is a part of some explored execution
 *         F, in which the sleeping threads continue. So at each leaf F, for each gap in the order
 *         of a mutex's sections: without the later sections and their effects, is every thread
 *         asleep at that mutex, or blocked elsewhere? And could those threads be asleep?
 * Asleep. Between two sections a thread may have tested its predicate if its last event can have
 *         come before and its lock would be futile there. Signals of the condition wake one sleeper
 *         at a time, or all. Sets of sleepers are followed along the sections, with signals outside
 *         of sections in every possible gap: all possible subsets.
 * Guards. The predicate's variables must only be written with the mutex held, or before or after
 *         the thread waits. Otherwise futile reads may race, or see half of a change.
 * Then    the condition is excluded, and its waits are explored one by one: the result here only
 *         decides how much has to be explored. The same where a limit below is reached.
 */
#include "trust/trust_monitor.h"

#define MONITORS 4
#define CUTS	 4096

static struct monitor monitors[MONITORS + 1];
static u32 nmonitors;

/* --- sleepers --------------------------------------------------------------------------------- */

static void add_set(u64 *set, u32 sleepers)
{
	set[sleepers / 64] |= 1ull << sleepers % 64;
}

static bool set_has_sleepers(const u64 *set, u32 sleepers)
{
	return set[sleepers / 64] >> sleepers % 64 & 1;
}

/* Of the sleepers, those that wait for the signal's condition in this gap. */
static u32 listeners(const struct monitor *m, const struct signal *s, u32 gap, u32 sleepers)
{
	u32 all = 0;

	for (u32 i = 0; i < m->ncandidates; i++) {
		const struct candidate *c = &m->candidate[i];

		if (c->condition == s->condition && c->first <= gap && gap <= c->last)
			all |= 1u << m->bit[c->thread] & sleepers;
	}
	return all;
}

/* Add the sets of sleepers that the signal leads to. False: the signal must not be in this gap. */
static bool signalled(
	const struct monitor *m, const struct signal *s, u32 gap, u32 sleepers, u64 *set)
{
	u32 woken = listeners(m, s, gap, sleepers), over = s->floats ? 1u << s->bit : 0;

	bool wakes = object_op_has(s->op, OP_WAKES_ONE | OP_WAKES_ALL);

	if (!wakes)
		add_set(set, sleepers | over);
	else if (!woken || object_op_has(s->op, OP_WAKES_ALL))
		add_set(set, (sleepers & ~woken) | over);
	else
		for (; woken; woken &= woken - 1)
			add_set(set, (sleepers & ~(woken & -woken)) | over);
	return wakes || !woken;
}

/* Within a gap: threads test and sleep; signals arrive from outside of sections. */
static bool move_in_gap(const struct monitor *m, u32 gap, u32 sleepers, u64 *set)
{
	for (u32 i = 0; i < m->ncandidates; i++) {
		const struct candidate *c = &m->candidate[i];

		if (c->first <= gap && gap <= c->last && candidate_is_fruitless(c, gap))
			add_set(set, sleepers | 1u << m->bit[c->thread]);
	}
	for (u32 i = 0; i < m->nsignals; i++) {
		const struct signal *s = &m->signal[i];

		if (s->floats && s->first <= gap && gap <= s->last && !(sleepers >> s->bit & 1) &&
			!signalled(m, s, gap, sleepers, set))
			return false;
	}
	return true;
}

static bool close_gap(const struct monitor *m, u32 gap, u64 *set)
{
	u32 n = 1u << m->nbits;
	bool more = true;
	u64 before[MONITOR_SETS];

	while (more) {
		__builtin_memcpy(before, set, sizeof before);
		for (u32 i = 0; i < n; i++)
			if (set_has_sleepers(before, i) && !move_in_gap(m, gap, i, set))
				return false;
		more = __builtin_memcmp(before, set, sizeof before) != 0;
	}
	return true;
}

/* Can the gap be left, for its section? */
static bool may_leave(const struct trust *x, const struct monitor *m, u32 gap, u32 sleepers)
{
	u32 t = x->graph.event[m->next[gap]].thread;

	for (u32 i = 0; i < m->nsignals; i++)
		if (m->signal[i].floats && m->signal[i].last == gap &&
			!(sleepers >> m->signal[i].bit & 1))
			return false;
	return m->bit[t] == MONITOR_BITS || !(sleepers >> m->bit[t] & 1);
}

/* The sleepers of a gap, through the section behind it. */
static bool pass_section(const struct trust *x, const struct monitor *m, u32 gap, u64 *to)
{
	u64 set[MONITOR_SETS], next[MONITOR_SETS];
	u32 n = 1u << m->nbits;

	__builtin_memset(set, 0, sizeof set);
	for (u32 i = 0; i < n; i++)
		if (set_has_sleepers(m->asleep[gap], i) && may_leave(x, m, gap, i))
			add_set(set, i);
	for (u32 k = 0; k < m->nsignals; k++) {
		const struct signal *s = &m->signal[k];

		if (s->floats || s->first != gap)
			continue;
		__builtin_memset(next, 0, sizeof next);
		for (u32 i = 0; i < n; i++)
			if (set_has_sleepers(set, i) && !signalled(m, s, gap, i, next))
				return false;
		__builtin_memcpy(set, next, sizeof set);
	}
	__builtin_memcpy(to, set, sizeof set);
	return true;
}

/* False: an operation on a condition is not allowed while threads wait. */
static bool follow(const struct trust *x, struct monitor *m)
{
	__builtin_memset(m->asleep[0], 0, sizeof m->asleep[0]);
	add_set(m->asleep[0], 0);
	for (u32 gap = 0; gap < m->ngaps; gap++) {
		if (!close_gap(m, gap, m->asleep[gap]))
			return false;
		if (gap + 1 < m->ngaps && !pass_section(x, m, gap, m->asleep[gap + 1]))
			return false;
	}
	return true;
}

/* --- cuts ------------------------------------------------------------------------------------- */

/* The events that remain, by thread, without those after these gaps; ngaps: none are cut. */
static void what_is_left(const struct graph *g, const u32 *gap, u16 *clock)
{
	for (u32 t = 0; t < g->nthreads; t++)
		clock[t] = g->thread[t].n;
	for (u32 i = 0; i < nmonitors; i++) {
		u32 w = gap[i] < monitors[i].ngaps ? monitors[i].next[gap[i]] : 0;

		if (!w)
			continue;
		w = graph_read_of(g, w);
		for (u32 t = 0; t < g->nthreads; t++)
			for (u32 e = g->thread[t].last; e; e = g->event[e].po_prev) {
				if (!clock_has(g, graph_cause(g, e), w))
					break;
				if (clock[t] >= g->event[e].index)
					clock[t] = (u16)(g->event[e].index - 1);
			}
	}
}

/* The gap that the mutex is in then, or ngaps: it is locked. */
static u32 gap_left(const struct graph *g, const struct monitor *m, const u16 *clock)
{
	u32 i = 0;

	while (i + 1 < m->ngaps && clock_has(g, clock, m->write[i + 1]))
		i++;
	return m->next[i] && clock_has(g, clock, m->next[i]) ? m->ngaps : i;
}

/* Thread t's next event, or 0. */
static u32 next_of(const struct graph *g, u32 t, const u16 *clock)
{
	u32 e = g->thread[t].last, next = 0;

	for (; e && g->event[e].index > clock[t]; e = g->event[e].po_prev)
		next = e;
	while (next && gevent_is_mark(&g->event[next]))
		next = g->event[next].po_next;
	return next;
}

/* Does the thread stand before this mutex? */
static const struct candidate *stands_before(
	const struct graph *g, const struct monitor *m, u32 t, u32 gap, u32 next)
{
	const struct candidate *c = monitor_candidate(m, t, gap);

	return c && c->event == next && (!next || g->event[next].loc == m->lock) ? c : NULL;
}

/* The set of threads that sleep if all those at the mutex do. *fruitless: is the lock futile for
 * all of them? */
static u32 sleepers_in(
	const struct graph *g, const struct monitor *m, u32 gap, const u16 *clock, bool *fruitless)
{
	u32 all = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct candidate *c = stands_before(g, m, t, gap, next_of(g, t, clock));

		if (!c)
			continue;
		all |= 1u << m->bit[t];
		*fruitless &= candidate_is_fruitless(c, gap);
	}
	for (u32 i = 0; i < m->nsignals; i++)
		if (m->signal[i].floats && clock_has(g, clock, m->signal[i].event))
			all |= 1u << m->signal[i].bit;
	return all;
}

static bool stands_before_any(const struct graph *g, u32 t, const u32 *gap, const u16 *clock)
{
	u32 next = next_of(g, t, clock);

	for (u32 i = 0; i < nmonitors; i++)
		if (gap[i] < monitors[i].ngaps && stands_before(g, &monitors[i], t, gap[i], next))
			return true;
	return false;
}

/* Threads join those that have ended: where nothing else is left to do a leaf has no joins. False:
 * no room. */
static bool perform_joins(struct trust *x, u64 asleep)
{
	struct graph *g = &x->graph;
	u32 n = 0;

	while (n != g->n) {
		n = g->n;
		for (u32 t = 0; t < g->nthreads; t++) {
			u32 other;

			if (asleep >> t & 1 || trust_thread_state(x, t) != THREAD_JOINING)
				continue;
			if (g->n + 2 >= g->limit)
				return false;
			other = label_of(x, t)->other;
			if (!g->thread[other].ended)
				trust_forward_other(x, other, label_of(x, other));
			trust_forward_other(x, t, label_of(x, t));
		}
	}
	return true;
}

/* Among the remaining events, is no other thread enabled? */
static bool others_are_stuck(struct trust *x, u64 asleep, const u16 *clock)
{
	struct graph *g = &x->graph;
	struct aside *aside = trust_put_aside(x);
	bool stuck = true, room;

	if (unlikely(!aside))
		return true;
	graph_keep(g, 1, clock);
	room = perform_joins(x, asleep);
	for (u32 t = 0; room && t < g->nthreads && stuck; t++) {
		enum thread_state s = asleep >> t & 1 ? THREAD_BLOCKED : trust_thread_state(x, t);

		stuck = (s == THREAD_ENDED && !(graph_is_alive(g, t) && label_of(x, t) &&
						      label_of(x, t)->flags & LABEL_EXIT &&
						      label_of(x, t)->type == LABEL_END)) ||
			s == THREAD_WAITING || s == THREAD_BLOCKED || s == THREAD_AGAIN;
	}
	trust_take_back(x, aside);
	return stuck && x->answer == ANSWER_LABEL;
}

/* Is ending with these gaps a lost wake-up? */
static bool ends_asleep(struct trust *x, const u32 *end)
{
	const struct graph *g = &x->graph;
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16))) = {0};
	bool fruitless = true;
	u32 gap[MONITORS];
	u64 asleep = 0;

	what_is_left(g, end, clock);
	for (u32 i = 0; i < nmonitors; i++) {
		const struct monitor *m = &monitors[i];

		gap[i] = gap_left(g, m, clock);
		if (gap[i] < m->ngaps &&
			!set_has_sleepers(m->asleep[gap[i]],
				sleepers_in(g, m, gap[i], clock, &fruitless)))
			return false;
	}
	for (u32 t = 0; t < g->nthreads; t++)
		asleep |= (u64)stands_before_any(g, t, gap, clock) << t;
	return !fruitless && others_are_stuck(x, asleep, clock);
}

/* For all gaps of all mutexes. */
static bool loses_wakeup(struct trust *x)
{
	u32 gap[MONITORS] = {0}, i = 0, cuts = 0;

	while (i < nmonitors) {
		if (++cuts > CUTS || ends_asleep(x, gap))
			return x->answer == ANSWER_LABEL;
		if (x->answer != ANSWER_LABEL)
			return false;
		for (i = 0; i < nmonitors && ++gap[i] > monitors[i].ngaps; i++)
			gap[i] = 0;
	}
	return false;
}

/* --- a leaf ----------------------------------------------------------------------------------- */

/* Two mutexes with one condition. */
static bool shares_condition(const struct monitor *m)
{
	for (u32 i = 0; i < nmonitors; i++)
		for (u32 k = 0; k < m->ncandidates; k++)
			if (monitor_has_condition(&monitors[i], m->candidate[k].condition))
				return true;
	return false;
}

/* The mutex, if there are threads that may have waited with it. False: it has to be left out. */
static bool add_monitor(struct trust *x, u32 lock)
{
	const struct graph *g = &x->graph;
	struct monitor *m = &monitors[nmonitors];
	u32 loc = 0;

	if (!monitor_find(x, m, lock))
		return false;
	if (!m->ncandidates)
		return true;
	if (nmonitors == MONITORS || shares_condition(m) || !follow(x, m))
		return false;
	if (!monitor_is_guarded(g, m, &loc)) {
		if (x->places->place[loc].span) /* perhaps by accesses of another part of it */
			trust_refine(x, loc);
		return false;
	}
	nmonitors++;
	return true;
}

bool await_leaf(struct trust *x)
{
	const struct awaits *a = x->awaits;

	nmonitors = 0;
	for (u32 i = 0; i < a->nmonitors; i++) {
		u32 lock = place_find(x->places, a->monitor[i], 0);

		if (!lock || lock >= x->graph.nplaces || await_is_left_out(x, lock) ||
			add_monitor(x, lock))
			continue;
		if (x->answer == ANSWER_LABEL)
			await_leave_out(x, lock);
		return false;
	}
	if (loses_wakeup(x))
		await_leave_out(x, 0);
	return x->answer == ANSWER_LABEL;
}
