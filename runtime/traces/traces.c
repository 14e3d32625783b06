/* SPDX-License-Identifier: ISC */
/*
 * traces.c - see traces.h: one schedule of each trace, by backtracking and sleep sets.
 *
 * Backtracking. Whenever the next step of a thread t is known, each earlier step i that races with
 *         it is found: dependent on it, and not ordered before it by other steps. Then another
 *         thread is explored in the state where i began: one that can come first among the steps
 *         that lead to t's step without i. If t waits, or there is no such thread, all threads are
 *         explored.
 * Sleep sets. After a thread's step has been explored in a state, that thread is asleep in the
 *         other branches until a step that depends on its own. So no trace is explored twice.
 *
 * Flanagan, Godefroid, Dynamic partial-order reduction for model checking software, POPL 2005;
 * Godefroid, Partial-order methods for the verification of concurrent systems, 1996; Abdulla,
 * Aronsson, Jonsson, Sagonas, Optimal dynamic partial order reduction, POPL 2014 (source sets).
 */
#include "traces/traces_priv.h"

static struct traces_frame *current_frame(struct traces *x)
{
	return &x->priv->frame[x->priv->depth];
}

static u64 slot_bit(u32 t)
{
	return 1ull << t;
}

/* --- dependence --------------------------------------------------------------------- */

static const struct footprint *frame_footprint(const struct traces_frame *f)
{
	return &f->next[f->thread].foot;
}

static void join_steps(const struct traces *x, u16 *to, const u16 *from)
{
	for (u32 t = 0; t < x->trust->graph.nthreads; t++)
		to[t] = from[t] > to[t] ? from[t] : to[t];
}

static bool is_clock_before(const struct traces_frame *step, const u16 *clock)
{
	return clock[step->thread] >= step->index;
}

/* The clock of thread t's last step. */
static void last_clock(const struct traces *x, u32 t, u16 *clock)
{
	const struct traces_priv *p = x->priv;

	__builtin_memset(clock, 0, sizeof p->frame[0].clock);
	for (u32 i = p->depth; i--;) {
		if (p->frame[i].thread == t) {
			join_steps(x, clock, p->frame[i].clock);
			return;
		}
	}
}

/* The clock of a step of thread t, without itself, after all steps. */
static void full_clock(const struct traces *x, u32 t, const struct footprint *foot, u16 *clock)
{
	const struct traces_priv *p = x->priv;

	last_clock(x, t, clock);
	for (u32 i = p->depth; i--;) {
		const struct traces_frame *f = &p->frame[i];

		if (!is_clock_before(f, clock) && step_dependent(x, frame_footprint(f), foot))
			join_steps(x, clock, f->clock);
	}
}

/* --- backtracking ----------------------------------------------------------------------------- */

/* The threads that can come first, after frame i, among the steps that do not depend on i's,
 * followed by t's, which has this clock. */
static u64 initials(const struct traces *x, u32 i, u32 t, const u16 *clock)
{
	const struct traces_priv *p = x->priv;
	const struct traces_frame *race = &p->frame[i];
	u64 all = 0, seen = 0;
	bool first;

	for (u32 k = i + 1; k < p->depth; k++) {
		const struct traces_frame *f = &p->frame[k];

		if (is_clock_before(race, f->clock))
			continue;
		first = !(seen & slot_bit(f->thread));
		for (u32 j = i + 1; first && j < k; j++)
			first = is_clock_before(race, p->frame[j].clock) ||
				!is_clock_before(&p->frame[j], f->clock);
		seen |= slot_bit(f->thread);
		all |= first ? slot_bit(f->thread) : 0;
	}
	first = !(seen & slot_bit(t));
	for (u32 j = i + 1; first && j < p->depth; j++)
		first = is_clock_before(race, p->frame[j].clock) ||
			!is_clock_before(&p->frame[j], clock);
	return all | (first ? slot_bit(t) : 0);
}

/* The next step of thread t races with that of frame i. */
static void backtrack_at(struct traces *x, u32 i, u32 t, bool waits, const u16 *clock)
{
	struct traces_frame *f = &x->priv->frame[i];
	u64 which = waits ? 0 : initials(x, i, t, clock);

	if (which & f->backtrack)
		return;
	which &= f->ready;
	f->backtrack |= which ? which & -which : f->ready;
}

/* Race detection of thread t's next step with all earlier ones. */
static void backtrack_for(struct traces *x, u32 t)
{
	const struct traces_priv *p = x->priv;
	const struct next *next = &p->frame[p->depth].next[t];
	u16 before[GRAPH_THREADS], full[GRAPH_THREADS];
	bool waits = next->kind == NEXT_WAITS;

	last_clock(x, t, before);
	full_clock(x, t, &next->foot, full);
	for (u32 i = p->depth; i--;) {
		const struct traces_frame *f = &p->frame[i];

		if (is_clock_before(f, before) ||
			!step_dependent(x, frame_footprint(f), &next->foot))
			continue;
		if (step_reversible(x, frame_footprint(f), &next->foot))
			backtrack_at(x, i, t, waits, full);
		if (!waits)
			join_steps(x, before, f->clock);
	}
}

/* --- states ----------------------------------------------------------------------------------- */

/* Compute thread t's next step in the current state, unless the last step, of `below', has not
 * changed it. */
static bool update_label(struct traces *x, const struct traces_frame *below, u32 t)
{
	struct next *next = &current_frame(x)->next[t];

	if (below && below->thread != t && below->next[t].kind != NEXT_NOTHING &&
		!step_dependent(x, frame_footprint(below), &below->next[t].foot)) {
		*next = below->next[t];
		return true;
	}
	trust_make_room(x->trust);
	if (!step_look(x, t, next))
		return false;
	if (next->kind != NEXT_NOTHING)
		backtrack_for(x, t);
	return true;
}

static bool stop(struct traces *x)
{
	x->trust->answer = ANSWER_STOP;
	return false;
}

/* No thread is ready, or one has failed: the execution is over. False: so is the search. */
static bool report_trace_end(struct traces *x, enum leaf how, u32 t)
{
	struct trust *tr = x->trust;

	if (how == LEAF_COMPLETE)
		tr->complete++;
	else if (how == LEAF_BLOCKED)
		return traces_refuse(x, "a thread waits for an older write");
	else
		tr->failing++;
	if (!tr->program->leaf(tr->program, &tr->graph, how, t, 0))
		return stop(x);
	return how == LEAF_COMPLETE || traces_refuse(x, "it fails");
}

static bool report_trace_leaf(struct traces *x)
{
	struct trust *tr = x->trust;
	bool ended = true;
	enum leaf how;

	for (u32 t = 0; t < tr->graph.nthreads; t++)
		ended &= current_frame(x)->next[t].kind == NEXT_NOTHING;
	how = ended ? LEAF_COMPLETE : trust_leaf(tr);
	return tr->answer == ANSWER_LABEL && report_trace_end(x, how, 0);
}

/* Has a thread failed, or does the process end before its threads? */
static bool check_ends(struct traces *x)
{
	struct trust *tr = x->trust;
	bool others = false;

	for (u32 t = 0; t < tr->graph.nthreads; t++)
		others |= current_frame(x)->next[t].kind != NEXT_NOTHING;
	for (u32 t = 0; t < tr->graph.nthreads; t++) {
		const struct label *l =
			current_frame(x)->next[t].kind == NEXT_NOTHING &&
				graph_is_alive(&tr->graph, t)
				? label_of(tr, t)
				: NULL;

		if (l && l->type == LABEL_FAIL)
			return report_trace_end(x, LEAF_FAIL, t);
		if (l && l->type == LABEL_END && others)
			return traces_refuse(x, "the process ends while threads run");
	}
	return true;
}

/* A part begins with the current state. */
static bool begins_taken(struct traces *x)
{
	return x->takes(x->parts++);
}

/* Leave the current state out. */
static void skip_state(struct traces *x)
{
	struct traces_frame *f = current_frame(x);

	f->ready = f->backtrack = f->done = f->asleep = 0;
	f->events = x->trust->graph.n;
	f->accesses = x->priv->naccesses;
}

/* Compute the next steps in the current state. */
static bool enter_state(struct traces *x, const struct traces_frame *below, u64 asleep)
{
	struct traces_priv *p = x->priv;
	struct traces_frame *f = current_frame(x);
	u32 n = x->trust->graph.nthreads;

	f->ready = f->backtrack = f->done = 0;
	f->events = x->trust->graph.n;
	f->accesses = p->naccesses;
	for (u32 t = 0; t < n; t++) {
		if (!update_label(x, below, t))
			return false;
		f->ready |= f->next[t].kind == NEXT_READY ? slot_bit(t) : 0;
	}
	f->asleep = asleep & f->ready;
	if (!check_ends(x))
		return false;
	if (!f->ready)
		return (p->depth < x->cut && !begins_taken(x)) || report_trace_leaf(x);
	if (p->depth < x->cut)
		f->backtrack = f->ready;
	else if (f->ready & ~f->asleep)
		f->backtrack = (f->ready & ~f->asleep) & -(f->ready & ~f->asleep);
	else
		x->redundant++;
	return true;
}

/* The threads that stay asleep behind the step of the current state. */
static u64 still_asleep(const struct traces *x, const struct traces_frame *f)
{
	u64 left = (f->asleep | f->done) & ~slot_bit(f->thread), asleep = left;

	for (; left; left &= left - 1) {
		u32 t = (u32)__builtin_ctzll(left);

		if (step_dependent(x, &f->next[t].foot, frame_footprint(f)))
			asleep &= ~slot_bit(t);
	}
	return asleep;
}

/* Thread f->thread takes its step f->choice, from the current state. */
static bool take_step(struct traces *x)
{
	struct traces_priv *p = x->priv;
	struct traces_frame *f = current_frame(x);
	struct footprint foot;
	u32 t = f->thread;

	if (p->depth == TRACES_STEPS)
		return traces_refuse(x, "its executions have too many steps");
	last_clock(x, t, f->clock);
	f->index = f->clock[t] + 1;
	full_clock(x, t, &f->next[t].foot, f->clock);
	f->clock[t] = f->index;
	if (!step_perform(x, t, f->choice, &foot) || !order_step(x, f->events + 1))
		return false;
	p->depth++;
	if (unlikely(p->depth == x->cut)) {
		x->cuts = true;
		if (!begins_taken(x)) {
			skip_state(x);
			return true;
		}
	}
	return enter_state(x, f, still_asleep(x, f));
}

/* The next step to explore: of the current state, or of one before it. False: there is none. */
static bool next_step(struct traces *x)
{
	struct traces_priv *p = x->priv;

	for (;;) {
		struct traces_frame *f = current_frame(x);
		u64 left = f->backtrack & ~f->done & ~f->asleep;

		if (left) {
			f->thread = (u16)__builtin_ctzll(left);
			f->choice = 0;
			return true;
		}
		if (!p->depth--)
			return false;
		f = current_frame(x);
		step_undo(x, f->events);
		p->naccesses = p->frame[p->depth + 1].accesses;
		if (++f->choice < f->next[f->thread].choices)
			return true;
		f->done |= slot_bit(f->thread);
	}
}

static void explore(struct traces *x)
{
	struct trust *tr = x->trust;

	x->priv->depth = x->priv->naccesses = 0;
	x->redundant = x->parts = 0;
	x->cuts = false;
	trust_clear(tr);
	if (tr->places->mixed || !tr->graph.model->is_drf_sc) {
		traces_refuse(x, tr->places->mixed ? "atomic accesses of different sizes overlap"
					    : "it is a model of hardware");
		return;
	}
	if (!enter_state(x, NULL, 0))
		return;
	while (next_step(x)) {
		if (trust_enough(tr) || !take_step(x))
			return;
	}
	tr->over = true;
}

void traces_run(struct traces *x)
{
	struct trust *tr = x->trust;

	for (;;) {
		explore(x);
		if (tr->answer != ANSWER_RESTART || tr->fixed || x->refusal)
			return;
		tr->restarts++;
	}
}

void traces_init(struct traces *x, struct trust *t)
{
	*x = (struct traces){.trust = t, .priv = area_cut(&t->area, sizeof *x->priv)};
}
