/* SPDX-License-Identifier: ISC */
/* random_graph.c - see random_graph.h. */
#include "trust/random_graph.h"
#include "trust/trust_priv.h"

#define CHOICES 1024 /* maximum sources and places considered */
#define RARE	8    /* one in so many possible spurious failures happens */

/* Remove the events that an attempt added. */
static void shrink_to(struct trust *x, u32 n)
{
	while (x->graph.n > n)
		graph_pop(&x->graph);
}

static bool is_read(const struct label *l)
{
	return label_reads(l) && l->type != LABEL_PLAIN_READ;
}

/* Are the events behind n, one by one, consistent? */
static bool are_consistent(struct graph *g, u32 n)
{
	while (++n <= g->n)
		if (!graph_consistent(g, n, 0))
			return false;
	return true;
}

/* Add t's next event, with this choice. False: impossible. */
static bool try_choice(struct trust *x, u32 t, u32 choice, bool rare, bool reads)
{
	u32 n = x->graph.n;

	if (trust_add(x, t, choice, rare) && x->answer == ANSWER_LABEL &&
		are_consistent(&x->graph, n) && !(reads && trust_blocked_read(x, t)) &&
		x->answer == ANSWER_LABEL)
		return true;
	if (x->answer == ANSWER_LABEL)
		shrink_to(x, n);
	return false;
}

/* The number of writes that an atomic access may read from, or follow in co. */
static u32 choices_of(const struct trust *x, u32 t, const struct label *l, u32 *choice)
{
	const struct graph *g = &x->graph;
	const u16 *clock = graph_hb(g, g->thread[t].last);
	u32 n = 0, w = g->place[l->loc].co_last;

	for (;;) {
		u32 next = w ? g->event[w].co_next : g->place[l->loc].co_first;
		bool pair = next && g->event[next].flags & E_EXCL; /* nothing comes between */

		if (l->type != LABEL_WRITE || !pair)
			choice[n++] = w;
		if (n == CHOICES || graph_known(g, clock, l->loc, w))
			return n;
		w = g->event[w].co_prev;
	}
}

/* Decide at random: does the weak CAS fail spuriously? */
static bool fails_for_no_reason(
	const struct trust *x, struct prng *prng, const struct label *l, u32 source)
{
	return l->flags & LABEL_WEAK &&
	       graph_write_value(&x->graph, source, l->loc) == l->expected &&
	       !prng_below(prng, RARE);
}

/* Choose one of the possible ones at random. */
static bool move_access(struct trust *x, struct prng *prng, u32 t, const struct label *l)
{
	u32 choice[CHOICES], n, i;
	bool reads = is_read(l);

	graph_know_place(&x->graph, l->loc);
	for (n = choices_of(x, t, l, choice); n; choice[i] = choice[--n]) {
		i = prng_below(prng, n);
		if (try_choice(x, t, choice[i], fails_for_no_reason(x, prng, l, choice[i]), reads))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return false;
}

#define COMBINATIONS 16 /* of an access of several locations that are tried */

/* An access of several locations: a random choice for each; the newest writes if all attempts
 * fail. */
static bool move_pieces(struct trust *x, struct prng *prng, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 choice[CHOICES], taken[PIECES_MAX], n, before = g->n;
	struct label part = *l;
	u16 piece[PIECES_MAX];

	n = place_pieces(g->places, l->loc, piece);
	for (u32 k = 0; k <= COMBINATIONS; k++) {
		for (u32 i = 0; i < n; i++) {
			part.loc = piece[i];
			graph_know_place(g, part.loc);
			taken[i] =
				k < COMBINATIONS
					? choice[prng_below(prng, choices_of(x, t, &part, choice))]
					: g->place[part.loc].co_last;
		}
		if (trust_add_pieces(
			    x, t, taken, l->flags & LABEL_WEAK && !prng_below(prng, RARE)) &&
			x->answer == ANSWER_LABEL && graph_consistent(g, before + 1, 0) &&
			!(is_read(l) && trust_blocked_read(x, t)) && x->answer == ANSWER_LABEL)
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
		shrink_to(x, before);
	}
	return false;
}

/* Thread t takes a step. False: it waits, or has ended, or x->answer. */
static bool step_thread(struct trust *x, struct prng *prng, u32 t)
{
	const struct label *l = label_of(x, t);

	if (!l || x->answer != ANSWER_LABEL ||
		(unlikely(l->again) && trust_polls_fruitlessly(x, t)))
		return false;
	if (graph_has_time(&x->graph) && trust_is_due(x, l))
		return trust_wake(x, t);
	switch (l->type) {
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
	case LABEL_SYNC:
	case LABEL_WRITE:
		if (unlikely(label_has_pieces(l)))
			return move_pieces(x, prng, t, l);
		return move_access(x, prng, t, l);
	case LABEL_PLAIN_READ:
	case LABEL_PLAIN_WRITE:
		graph_know_place(&x->graph, l->loc);
		return trust_add(x, t, x->graph.place[l->loc].co_last, false);
	case LABEL_CHOOSE:
		return trust_add(x, t, prng_below(prng, (u32)l->value), false) ||
		       trust_add(x, t, 0, false);
	case LABEL_TIME:
	case LABEL_SPIN: return false;
	default:
		return trust_add(x, t, 0, false);
	}
}

/* Thread t waits at l: does it wait for ever, whatever its last iteration could have read? */
static bool waits_for_ever(struct trust *x, u32 t, const struct label *l)
{
	if (trust_polls_fruitlessly(x, t))
		return trust_polls_for_ever(x, t);
	switch (l->type) {
	case LABEL_SYNC:
	case LABEL_JOIN:
	case LABEL_LEAVE: return !trust_ready(x, t); /* not ready, but possible */
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS: return !trust_ready(x, t) && trust_waits_for_ever(x, t, l);
	case LABEL_SPIN: return trust_spins_for_ever(x, t, l->value);
	default: return false;
	}
}

/* Report the leaf: no thread is enabled, or one has failed. */
static bool report_sample(struct trust *x)
{
	enum leaf how = LEAF_COMPLETE;

	for (u32 t = 0; t < x->graph.nthreads; t++) {
		const struct label *l = graph_is_alive(&x->graph, t) ? label_of(x, t) : NULL;

		if (!l || l->type == LABEL_END)
			continue;
		if (l->type == LABEL_FAIL)
			return x->program->leaf(x->program, &x->graph, LEAF_FAIL, t, 0);
		if (!waits_for_ever(x, t, l))
			how = LEAF_BLOCKED;
		else if (how == LEAF_COMPLETE)
			how = LEAF_STUCK;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return x->program->leaf(x->program, &x->graph, how, 0, 0);
}

/* Is e the end of the process? Later steps of other threads are not part of the execution. */
static bool ends_process(const struct trust *x, u32 e)
{
	const struct label *l = trust_label(x, e);

	return l->type == LABEL_END && l->flags & LABEL_EXIT;
}

/* Thread t, which waits for a descriptor to become ready, checks the newest states and finds none.
 * Returns when it stops waiting, 0: never. */
static u64 look_for_nothing(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);

	while (l && x->answer == ANSWER_LABEL && l->type == LABEL_SYNC &&
		object_op_has(l->op, OP_LOOKS)) {
		graph_know_place(&x->graph, l->loc);
		if (!try_choice(x, t, x->graph.place[l->loc].co_last, false, false))
			return 0;
		l = label_of(x, t);
	}
	return l && x->answer == ANSWER_LABEL ? label_deadline(l) : 0;
}

/* No thread can take a step. Checks that find nothing are not events of a walk, as no later write
 * could revisit them; but one may end with the first deadline. */
static bool pass_time(struct trust *x, u32 *t)
{
	u32 n = x->graph.n;
	u64 first = 0, deadline;

	for (u32 u = 0; u < x->graph.nthreads; u++) {
		deadline = graph_is_alive(&x->graph, u) ? look_for_nothing(x, u) : 0;
		if (x->answer != ANSWER_LABEL)
			return false;
		shrink_to(x, n);
		if (deadline && (!first || deadline < first)) {
			first = deadline;
			*t = u;
		}
	}
	return first && look_for_nothing(x, *t) && trust_time_reaches(x, *t);
}

/* Step a random enabled thread, *t. */
static bool step_any_thread(struct trust *x, struct prng *prng, u32 *t)
{
	u32 n = x->graph.nthreads, thread[GRAPH_THREADS], i;

	for (u32 k = 0; k < n; k++)
		thread[k] = k;
	for (; n; thread[i] = thread[--n]) {
		i = prng_below(prng, n);
		*t = thread[i];
		if (graph_is_alive(&x->graph, *t) && step_thread(x, prng, *t))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return x->clock && (trust_time_passes(x) || (x->answer == ANSWER_LABEL && pass_time(x, t)));
}

/* A walk adds at most so many nodes. */
#define CACHE_MARGIN 65536

static void begin_walk(struct trust *x)
{
	bool restarts = x->answer == ANSWER_RESTART;

	x->answer = ANSWER_LABEL;
	x->restarts += restarts;
	if (restarts || cache_is_full(&x->cache, CACHE_MARGIN))
		trust_clear(x);
	else
		shrink_to(x, 0);
}

static bool stands_at_failure(struct trust *x, u32 t)
{
	const struct label *l = graph_is_alive(&x->graph, t) ? label_of(x, t) : NULL;

	return l && l->type == LABEL_FAIL;
}

bool walk(struct trust *x, struct prng *prng)
{
	enum leaf how;
	u32 t, other;

	begin_walk(x);
	while (!trust_is_long(x) && step_any_thread(x, prng, &t)) {
		u32 last = x->graph.thread[t].last;

		if (ends_process(x, last))
			return x->program->leaf(x->program, &x->graph, LEAF_COMPLETE, 0, 0);
		while (trust_may_be_wrong(x, last) && (other = trust_fault(x, last, &how))) {
			if (!x->program->leaf(x->program, &x->graph, how, t, other))
				return false;
			if (x->answer != ANSWER_LABEL || !trust_passes(x, last, other))
				return true;
		}
		if (stands_at_failure(x, t))
			break; /* the process has ended; other threads might run on without
				  end */
	}
	if (x->answer == ANSWER_LABEL && trust_is_long(x))
		return x->program->leaf(x->program, &x->graph, LEAF_BLOCKED, 0, 0);
	return x->answer == ANSWER_LABEL && report_sample(x);
}
