/* SPDX-License-Identifier: ISC */
/* trust_monitor.c - see trust_monitor.h. */
#include "trust/trust_monitor.h"

/* --- sections --------------------------------------------------------------------------------- */

static bool find_gaps(const struct graph *g, struct monitor *m)
{
	u32 w = 0;

	m->ngaps = 0;
	do {
		if (!graph_write_value(g, w, m->lock)) {
			if (m->ngaps == MONITOR_GAPS)
				return false;
			m->write[m->ngaps] = w;
			m->next[m->ngaps++] = w ? g->event[w].co_next : g->place[m->lock].co_first;
		}
		w = w ? g->event[w].co_next : g->place[m->lock].co_first;
	} while (w);
	return true;
}

/* The first gap in which an event with this clock can be: the section after the gap is not among
 * its causes. */
static u32 first_gap(const struct graph *g, const struct monitor *m, const u16 *clock)
{
	u32 i = 0;

	while (i < m->ngaps && m->next[i] && clock_has(g, clock, m->next[i]))
		i++;
	return i;
}

/* The last gap in which event e can be. */
static u32 last_gap(const struct graph *g, const struct monitor *m, u32 e)
{
	u32 i = 0;

	while (i + 1 < m->ngaps && !clock_has(g, graph_cause(g, m->next[i]), e))
		i++;
	return i;
}

/* The number of the section that contains event e, or ngaps. */
static u32 section_of(const struct graph *g, const struct monitor *m, u32 e)
{
	for (; e; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (!(ev->flags & E_WRITE) || ev->loc != m->lock)
			continue;
		for (u32 i = 0; ev->value && i < m->ngaps; i++)
			if (m->next[i] == e)
				return i;
		break;
	}
	return m->ngaps;
}

/* --- locks that may be futile ---------------------------------------------------------------- */

static struct await await_at(const struct trust *x, const struct candidate *c)
{
	const struct graph *g = &x->graph;

	return c->event ? await_of(x, c->thread, g->event[c->event].node, c->before)
			: await_of(x, c->thread, g->thread[c->thread].node, c->before);
}

static bool note_predicate(struct monitor *m, const struct await *a)
{
	for (u32 i = 0; i < a->nreads; i++) {
		u32 k = 0;

		while (k < m->npredicate && m->predicate[k] != a->read[i])
			k++;
		if (k == MONITOR_PREDICATE)
			return false;
		m->predicate[k] = a->read[i];
		m->npredicate += k == m->npredicate;
	}
	return true;
}

/* In which gaps would it be futile? False: a limit is reached, or x->answer. */
static bool try_gaps(struct trust *x, struct monitor *m, struct candidate *c)
{
	u32 end = c->event ? c->last : c->last + 1u;

	for (u32 i = c->first; i < end; i++) {
		struct await a;

		trust_make_room(x);
		a = await_at(x, c);
		if (!await_is_fruitless(x, &a, m->write[i]))
			continue;
		if (x->answer != ANSWER_LABEL || !note_predicate(m, &a) ||
			(c->condition && c->condition != a.condition))
			return false;
		c->condition = a.condition;
		c->fruitless[i / 64] |= 1ull << i % 64;
	}
	return true;
}

static bool add_candidate(struct trust *x, struct monitor *m, u32 t, u32 event, u32 last)
{
	const struct graph *g = &x->graph;
	struct candidate *c = &m->candidate[m->ncandidates];

	while (last && gevent_is_mark(&g->event[last]))
		last = g->event[last].po_prev;
	if (m->ncandidates == MONITOR_LOCKS)
		return false;
	*c = (struct candidate){.event = event, .before = last, .thread = (u8)t};
	c->first = (u16)first_gap(g, m, graph_cause(g, last));
	c->last = (u16)(event ? section_of(g, m, g->event[event].po_next) : m->ngaps - 1);
	if (c->last == m->ngaps || c->first > c->last) /* taken from a dead owner */
		return true;
	m->ncandidates++;
	if (!try_gaps(x, m, c))
		return false;
	if (!c->condition)
		m->ncandidates--;
	return true;
}

static bool is_lock(const struct label *l, u32 loc)
{
	return l->type == LABEL_SYNC && object_op_locks(l->op) && l->loc == loc;
}

static bool find_candidates(struct trust *x, struct monitor *m)
{
	const struct graph *g = &x->graph;

	m->ncandidates = m->npredicate = 0;
	for (u32 e = g->place[m->lock].reads; e; e = g->event[e].loc_prev) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_EXCL && ev->po_next && is_lock(trust_label(x, e), m->lock) &&
			!add_candidate(x, m, ev->thread, e, ev->po_prev))
			return false;
	}
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = graph_is_alive(g, t) ? label_of(x, t) : NULL;

		if (x->answer != ANSWER_LABEL)
			return false;
		if (l && is_lock(l, m->lock) && !add_candidate(x, m, t, 0, g->thread[t].last))
			return false;
	}
	return true;
}

/* The lock that the thread can be at in this gap, or NULL. */
const struct candidate *monitor_candidate(const struct monitor *m, u32 t, u32 gap)
{
	for (u32 i = 0; i < m->ncandidates; i++) {
		const struct candidate *c = &m->candidate[i];

		if (c->thread == t && c->first <= gap && gap <= c->last)
			return c;
	}
	return NULL;
}

/* --- signals ---------------------------------------------------------------------------------- */

bool monitor_has_condition(const struct monitor *m, u32 loc)
{
	for (u32 i = 0; i < m->ncandidates; i++)
		if (m->candidate[i].condition == loc)
			return true;
	return false;
}

static bool add_signal(const struct trust *x, struct monitor *m, u32 e)
{
	const struct graph *g = &x->graph;
	struct signal *s = &m->signal[m->nsignals];
	u32 section = section_of(g, m, e);

	if (m->nsignals == MONITOR_SIGNALS)
		return false;
	*s = (struct signal){.event = e,
		.condition = g->event[e].loc,
		.op = trust_label(x, e)->op,
		.floats = section == m->ngaps,
		.first = (u16)section,
		.last = (u16)section};
	if (s->floats) {
		s->first = (u16)first_gap(g, m, graph_cause(g, e));
		s->last = (u16)last_gap(g, m, e);
		if (m->nbits == MONITOR_BITS || s->first >= m->ngaps)
			return false;
		s->bit = (u8)m->nbits++;
	}
	m->nsignals++;
	return true;
}

static bool find_signals(const struct trust *x, struct monitor *m)
{
	const struct graph *g = &x->graph;

	m->nsignals = m->nbits = 0;
	for (u32 t = 0; t < g->nthreads; t++)
		m->bit[t] = MONITOR_BITS;
	for (u32 i = 0; i < m->ncandidates; i++) {
		u8 *bit = &m->bit[m->candidate[i].thread];

		if (*bit == MONITOR_BITS && m->nbits == MONITOR_BITS)
			return false;
		if (*bit == MONITOR_BITS)
			*bit = (u8)m->nbits++;
	}
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *ev = &g->event[e];

		if (ev->type == LABEL_SYNC && ev->flags & E_READ && !(ev->flags & E_WAIT) &&
			monitor_has_condition(m, ev->loc) && !add_signal(x, m, e))
			return false;
	}
	return true;
}

/* --- guards ----------------------------------------------------------------------------------- */

/* Is a write ordered with the gaps in which the candidate may test its predicate? */
static bool is_apart(const struct graph *g, const struct candidate *c, u32 v)
{
	return g->event[v].thread == c->thread || clock_has(g, graph_hb(g, c->before), v) ||
	       (c->event && clock_has(g, graph_hb(g, v), c->event));
}

static bool is_guarded(const struct graph *g, const struct monitor *m, u32 v)
{
	if (section_of(g, m, v) < m->ngaps)
		return true;
	for (u32 i = 0; i < m->ncandidates; i++)
		if (!is_apart(g, &m->candidate[i], v))
			return false;
	return true;
}

bool monitor_is_guarded(const struct graph *g, const struct monitor *m, u32 *unguarded)
{
	for (u32 i = 0; i < m->npredicate; i++) {
		u32 loc = m->predicate[i];

		for (u32 v = loc < g->nplaces ? g->place[loc].co_last : 0; v;
			v = g->event[v].co_prev)
			if (!is_guarded(g, m, v)) {
				*unguarded = loc;
				return false;
			}
	}
	return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

bool monitor_find(struct trust *x, struct monitor *m, u32 lock)
{
	m->lock = lock;
	return find_gaps(&x->graph, m) && find_candidates(x, m) && find_signals(x, m);
}
