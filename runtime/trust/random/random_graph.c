/* SPDX-License-Identifier: ISC */
/* random_graph.c - see random_graph.h. */
#include "trust/random/random_graph.h"
#include "trust/trust_priv.h"

#define CHOICES 1024 /* maximum sources and places considered: the newest */
#define RARE	8    /* one in so many possible spurious failures happens */

struct random_walk {
	struct prng *prng;
	struct pctwm *guide; /* NULL: all choices are equally likely */
};

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
static bool try_random_choice(struct trust *x, u32 t, u32 choice, bool rare, bool reads)
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

/* Decide at random: does the weak CAS fail spuriously, if it may? */
static bool fails_for_no_reason(
	struct trust *x, const struct random_walk *w, const struct label *l, u32 source)
{
	return l->flags & LABEL_WEAK &&
	       graph_write_value(&x->graph, source, l->loc) == l->expected &&
	       !prng_below(w->prng, RARE) && trust_rare_allowed(x);
}

/* Would t's access be an RMW of a write that another one has changed? */
static bool comes_too_late(const struct trust *x, u32 t, const struct label *l, u32 source)
{
	return l->type != LABEL_WRITE && !(l->flags & LABEL_WEAK) &&
	       consumed(&x->graph, source, l->loc) &&
	       effect_of(l, t, graph_write_value(&x->graph, source, l->loc), false).excl;
}

/* Thread t tries to take an object, and fails: does it try again, for as long as no other thread
 * changes the object? It is then at the end of an attempt. */
static bool tries_for_ever(struct trust *x, u32 t)
{
	struct graph *g = &x->graph;
	u32 n = g->n;
	const struct label *l = label_of(x, t);

	graph_know_place(g, l->loc);
	if (!try_random_choice(x, t, g->place[l->loc].co_last, false, false))
		return false;
	l = label_of(x, t);
	if (l && l->type == LABEL_SPIN && trust_spins_for_ever(x, t, l->value))
		return true;
	if (x->answer == ANSWER_LABEL)
		shrink_to(x, n);
	return false;
}

/* A read of w by thread t makes no progress. Is w the newest write, so that the thread may read it
 * until another one writes? Then it waits, although older writes could be read: they can in many
 * livelocks. */
static bool may_wait(struct trust *x, u32 t, const struct label *l, u32 w)
{
	u32 n = x->graph.n;
	bool waits;

	if (w != x->graph.place[l->loc].co_last || !is_read(l))
		return false;
	if (l->type != LABEL_SYNC)
		return !trust_ready(x, t) && trust_waits_for_ever(x, t, l);
	if (object_op_has(l->op, OP_LOOKS) || !trust_ready(x, t))
		return false;
	waits = tries_for_ever(x, t);
	if (waits)
		shrink_to(x, n);
	return waits;
}

/* As move_access(). */
static bool move_guided(struct trust *x, const struct random_walk *w, u32 t, const struct label *l)
{
	u32 choice[CHOICES], n, local, first;
	bool reads = is_read(l);

	graph_know_place(&x->graph, l->loc);
	n = choices_of(x, t, l, choice);
	local = n ? choice[n - 1] : 0;
	first = n - 1;
	for (pctwm_arrange(w->guide, w->prng, t, l, choice, n); n--;) {
		if (comes_too_late(x, t, l, choice[n]))
			continue;
		if (try_random_choice(x, t, choice[n], fails_for_no_reason(x, w, l, choice[n]),
			reads)) {
			if (reads)
				pctwm_has_read(w->guide, t, choice[n] == local);
			return true;
		}
		if (x->answer != ANSWER_LABEL || (n == first && may_wait(x, t, l, choice[n])))
			return false;
	}
	return false;
}

/* Choose one of the possible ones at random. */
static bool move_access(struct trust *x, const struct random_walk *w, u32 t, const struct label *l)
{
	u32 choice[CHOICES], n, i;
	bool reads = is_read(l);

	if (w->guide)
		return move_guided(x, w, t, l);
	graph_know_place(&x->graph, l->loc);
	for (n = choices_of(x, t, l, choice); n; choice[i] = choice[--n]) {
		i = prng_below(w->prng, n);
		if (try_random_choice(x, t, choice[i], fails_for_no_reason(x, w, l, choice[i]),
			reads))
			return true;
		if (x->answer != ANSWER_LABEL || may_wait(x, t, l, choice[i]))
			return false;
	}
	return false;
}

#define COMBINATIONS 16 /* of an access of several locations that are tried */

/* The k-th attempt to choose for each of the n pieces of t's access, at l. A guided read that was
 * not drawn begins with its local view. */
static void choose_pieces(struct trust *x, const struct random_walk *w, u32 t,
	const struct label *l, u32 k, u32 *taken)
{
	struct graph *g = &x->graph;
	struct label part = *l;
	u16 piece[PIECES_MAX];
	u32 choice[CHOICES], n = place_pieces(g->places, l->loc, piece), m;
	bool local = !k && w->guide && is_read(l) && !pctwm_is_delayed(w->guide, t);

	for (u32 i = 0; i < n; i++) {
		part.loc = piece[i];
		graph_know_place(g, part.loc);
		if (k < COMBINATIONS) {
			m = choices_of(x, t, &part, choice);
			taken[i] = choice[local ? m - 1 : prng_below(w->prng, m)];
		} else {
			taken[i] = g->place[part.loc].co_last;
		}
	}
}

/* An access of several locations: a random choice for each; the newest writes if all attempts
 * fail. */
static bool move_pieces(struct trust *x, const struct random_walk *w, u32 t, const struct label *l)
{
	u32 taken[PIECES_MAX], before = x->graph.n;

	for (u32 k = 0; k <= COMBINATIONS; k++) {
		choose_pieces(x, w, t, l, k, taken);
		bool rare = l->flags & LABEL_WEAK && !prng_below(w->prng, RARE) &&
			    trust_rare_allowed(x);

		if (trust_add_pieces(x, t, taken, rare) &&
			x->answer == ANSWER_LABEL && graph_consistent(&x->graph, before + 1, 0) &&
			!(is_read(l) && trust_blocked_read(x, t)) && x->answer == ANSWER_LABEL) {
			if (w->guide && is_read(l))
				pctwm_has_read(w->guide, t, !k);
			return true;
		}
		if (x->answer != ANSWER_LABEL)
			return false;
		shrink_to(x, before);
	}
	return false;
}

/* Thread t takes a step. False: it waits, or has ended, or x->answer. */
static bool random_thread_step(struct trust *x, const struct random_walk *w, u32 t)
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
			return move_pieces(x, w, t, l);
		return move_access(x, w, t, l);
	case LABEL_PLAIN_READ:
	case LABEL_PLAIN_WRITE:
		graph_know_place(&x->graph, l->loc);
		return trust_add(x, t, x->graph.place[l->loc].co_last, false);
	case LABEL_CHOOSE:
		return trust_add(x, t, prng_below(w->prng, (u32)l->value), false) ||
		       trust_add(x, t, 0, false);
	case LABEL_TIME:
	case LABEL_SPIN: return false;
	default:
		return trust_add(x, t, 0, false);
	}
}

/* Thread t, which waits for a descriptor to become ready, checks the newest states. Returns its
 * next label, NULL: one of them cannot be read, or x->answer. */
static const struct label *look_for_nothing(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);

	while (l && x->answer == ANSWER_LABEL && l->type == LABEL_SYNC &&
		object_op_has(l->op, OP_LOOKS)) {
		graph_know_place(&x->graph, l->loc);
		if (!try_random_choice(x, t, x->graph.place[l->loc].co_last, false, false))
			return NULL;
		l = label_of(x, t);
	}
	return x->answer == ANSWER_LABEL ? l : NULL;
}

/* When thread t, which then finds none ready, stops waiting, 0: never. */
static u64 stops_waiting(struct trust *x, u32 t)
{
	const struct label *l = look_for_nothing(x, t);

	return l ? label_deadline(l) : 0;
}

/* Does thread t check the newest states for ever? */
static bool looks_for_ever(struct trust *x, u32 t)
{
	u32 n = x->graph.n;
	const struct label *l = look_for_nothing(x, t);
	bool spins = l && l->type == LABEL_SPIN && trust_spins_for_ever(x, t, l->value);

	shrink_to(x, n);
	return spins;
}

/* Thread t waits at l: does it wait for ever, for all sources of its last iteration? */
static bool random_waits_for_ever(struct trust *x, u32 t, const struct label *l)
{
	if (trust_polls_fruitlessly(x, t))
		return trust_polls_for_ever(x, t);
	if (l->type == LABEL_SYNC && object_op_has(l->op, OP_LOOKS))
		return looks_for_ever(x, t);
	switch (l->type) {
	case LABEL_SYNC: return !trust_ready(x, t) || tries_for_ever(x, t);
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
		if (!random_waits_for_ever(x, t, l))
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

/* No thread can take a step. Checks that find nothing are not events of a walk, as no later write
 * could revisit them; but one may end with the first deadline. */
static bool pass_time(struct trust *x, u32 *t)
{
	u32 n = x->graph.n;
	u64 first = 0, deadline;

	for (u32 u = 0; u < x->graph.nthreads; u++) {
		deadline = graph_is_alive(&x->graph, u) ? stops_waiting(x, u) : 0;
		if (x->answer != ANSWER_LABEL)
			return false;
		shrink_to(x, n);
		if (deadline && (!first || deadline < first)) {
			first = deadline;
			*t = u;
		}
	}
	return first && stops_waiting(x, *t) && trust_time_reaches(x, *t);
}

/* Step a random enabled thread, *t. */
static bool step_random_thread(struct trust *x, const struct random_walk *w, u32 *t)
{
	u32 n = 0, thread[GRAPH_THREADS], i;

	for (u32 k = 0; k < x->graph.nthreads; k++)
		if (graph_is_alive(&x->graph, k))
			thread[n++] = k;
	for (; n; thread[i] = thread[--n]) {
		i = prng_below(w->prng, n);
		*t = thread[i];
		if (random_thread_step(x, w, *t))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return false;
}

/* Step the enabled thread with the highest priority, *t. */
static bool step_best_thread(struct trust *x, const struct random_walk *w, u32 *t)
{
	u32 n = x->graph.nthreads; /* of all walks */
	u64 tried = 0;

	while (n && !graph_has_thread(&x->graph, n - 1))
		n--;
	while ((*t = pctwm_best(w->guide, w->prng, n, tried)) < n) {
		const struct label *l = graph_is_alive(&x->graph, *t) ? label_of(x, *t) : NULL;

		if (x->answer != ANSWER_LABEL)
			return false;
		if (l && pctwm_falls(w->guide, *t, x->graph.thread[*t].node, l))
			continue;
		if (l && random_thread_step(x, w, *t))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
		tried |= 1ull << *t;
	}
	return false;
}

/*
 * Is t's next step an access whose order among others does not matter? Races are found by
 * happens-before. The walk draws nothing for it, so that it is the same one whether or not it is
 * known yet that threads share the memory.
 */
static bool steps_on(struct trust *x, u32 t)
{
	const struct label *l =
		t < x->graph.nthreads && graph_is_alive(&x->graph, t) ? label_of(x, t) : NULL;

	return l && (l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE);
}

/* A thread takes a step, *t; the thread of the last step if it goes on. */
static bool step_any_thread(struct trust *x, const struct random_walk *w, u32 *t)
{
	if (steps_on(x, *t) && random_thread_step(x, w, *t))
		return true;
	if (x->answer != ANSWER_LABEL)
		return false;
	if (w->guide ? step_best_thread(x, w, t) : step_random_thread(x, w, t))
		return true;
	if (x->answer != ANSWER_LABEL)
		return false;
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

static bool walk_to_leaf(struct trust *x, const struct random_walk *w)
{
	enum leaf how;
	u32 t = 0, other;

	begin_walk(x);
	while (!trust_is_long(x) && step_any_thread(x, w, &t)) {
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

bool walk(struct trust *x, struct prng *prng, struct pctwm *guide)
{
	const struct random_walk w = {prng, guide};
	bool goes_on;

	if (guide)
		pctwm_begin(guide, prng);
	goes_on = walk_to_leaf(x, &w);
	if (guide && x->answer == ANSWER_LABEL && !trust_is_long(x))
		pctwm_end(guide);
	return goes_on;
}
