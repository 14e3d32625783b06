/* SPDX-License-Identifier: ISC */
/*
 * traces_step.c - a step of a thread: the operations that other threads see as one, and the
 * locations that it accesses.
 *
 * By Lipton's theorem a step consists of right movers (LOCK), at most one operation that is no
 * mover, left movers (UNLOCK, CREATE, END), and plain accesses, which do not race, anywhere. An
 * operation that may have to wait is the first one of its step. If that is within a section, the
 * section is several steps, and is ordered with all others of its mutex.
 */
#include "traces/traces_priv.h"
#include "model/addition.h"

#include <heddle/abi.h>

const char traces_may_race[] = "some accesses may race, or use freed memory";
static const char not_of_locks[] = "an operation is not one of mutexes, conditions, semaphores or "
				   "sequentially consistent atomics";

enum mover_kind {
	MOVER_FIRST, /* right mover: only at the beginning */
	MOVER_BOTH,  /* anywhere */
	MOVER_NONE,  /* one of these */
	MOVER_LEFT,  /* then only these */
	MOVER_ALIEN, /* not known */
};

/* Is it sequentially consistent under the model? */
static bool is_strong(const struct traces *x, const struct label *l)
{
	enum sc_accesses strong = x->trust->graph.model->sc_accesses;

	if (label_has_pieces(l) || l->flags & LABEL_WEAK)
		return false;
	if (strong != SC_ACCESSES_SEQ_CST)
		return strong == SC_ACCESSES_ALL;
	return l->order == __ATOMIC_SEQ_CST && !(l->flags & LABEL_VOLATILE) &&
	       (l->type != LABEL_CAS || l->fail == __ATOMIC_SEQ_CST);
}

static enum mover_kind mover_of_operation(const struct label *l)
{
	if (l->flags & (LABEL_TIMED | LABEL_INTERRUPT))
		return MOVER_ALIEN;
	return object_op_has(l->op, OP_RIGHT_MOVER)  ? MOVER_FIRST
	       : object_op_has(l->op, OP_LEFT_MOVER) ? MOVER_LEFT
	       : object_op_has(l->op, OP_NO_MOVER)   ? MOVER_NONE
						     : MOVER_ALIEN;
}

static enum mover_kind mover_of(const struct traces *x, const struct label *l)
{
	if (l->again || l->skips)
		return MOVER_ALIEN;
	switch (l->type) {
	case LABEL_PLAIN_READ:
	case LABEL_PLAIN_WRITE: return MOVER_BOTH;
	case LABEL_READ:
	case LABEL_WRITE:
	case LABEL_RMW:
	case LABEL_CAS: return is_strong(x, l) ? MOVER_NONE : MOVER_ALIEN;
	case LABEL_SYNC: return mover_of_operation(l);
	case LABEL_CHOOSE:
		return l->op != LABEL_OBSERVED ? MOVER_ALIEN
		       : l->value == 1	       ? MOVER_BOTH
					       : MOVER_FIRST;
	case LABEL_START:
	case LABEL_JOIN: return MOVER_FIRST;
	case LABEL_CREATE: return MOVER_LEFT;
	case LABEL_END: return l->flags & LABEL_EXIT ? MOVER_FIRST : MOVER_LEFT;
	case LABEL_FAIL: return MOVER_FIRST; /* nothing is behind it */
	}
	return MOVER_ALIEN;
}

/* --- footprints ------------------------------------------------------------------------------- */

static bool note_footprint(struct traces *x, struct footprint *f, u32 loc, enum access_mode mode)
{
	struct traces_priv *p = x->priv;
	struct traces_access *a = &p->access[f->first];

	if (f->mask >> loc % 64 & 1) {
		for (u32 i = 0; i < f->n; i++) {
			if (a[i].loc != loc)
				continue;
			if (a[i].mode != mode)
				a[i].mode = ACCESS_WRITE;
			return true;
		}
	}
	if (f->first + f->n == TRACES_ACCESSES)
		return traces_refuse(x, "its critical sections access too much memory");
	a[f->n++] = (struct traces_access){(u16)loc, (u16)mode};
	f->mask |= 1ull << loc % 64;
	return true;
}

#define POSTS_MANY (1u << 30) /* beyond this, one may fail, SEM_VALUE_MAX being near */

enum access_mode step_mode(const struct traces *x, u32 e)
{
	const struct gevent *ev = &x->trust->graph.event[e];
	const struct label *l = trust_label(x->trust, e);

	if (label_locks(l) || label_has(l, OP_RELEASES))
		return ACCESS_SECTION;
	if (!(ev->flags & (E_WRITE | E_EXCL)))
		return ACCESS_READ;
	if (label_has(l, OP_INCREMENTS) && ev->value < POSTS_MANY)
		return ACCESS_POST;
	if (label_has(l, OP_WAIT_BEGINS))
		return ACCESS_JOIN;
	return label_adds(l) && l->fail == HEDDLE_RESULT_UNUSED ? ACCESS_ADD : ACCESS_WRITE;
}

/* The accesses of the events from `first' on, which are those of label l. */
static bool note_event(struct traces *x, struct footprint *f, const struct label *l, u32 first)
{
	const struct graph *g = &x->trust->graph;
	u32 t = g->event[first].thread, block = label_block(l);

	switch (l->type) {
	case LABEL_CREATE: return note_footprint(x, f, ACCESS_THREAD + l->other, ACCESS_WRITE);
	case LABEL_START: return note_footprint(x, f, ACCESS_THREAD + t, ACCESS_READ);
	case LABEL_END: return note_footprint(x, f, ACCESS_THREAD + t, ACCESS_WRITE);
	case LABEL_JOIN: return note_footprint(x, f, ACCESS_THREAD + l->other, ACCESS_READ);
	case LABEL_CHOOSE: return true;
	}
	if (block && block != l->loc && !note_footprint(x, f, block, ACCESS_READ))
		return false;
	return note_footprint(x, f, l->loc, step_mode(x, first));
}

static bool are_dependent(
	const struct traces *x, const struct footprint *a, const struct footprint *b, u32 limit)
{
	const struct traces_access *p = &x->priv->access[a->first], *q = &x->priv->access[b->first];

	if (!(a->mask & b->mask))
		return false;
	for (u32 i = 0; i < a->n; i++) {
		if (!(b->mask >> p[i].loc % 64 & 1) || p[i].loc >= limit)
			continue;
		for (u32 k = 0; k < b->n; k++)
			if (p[i].loc == q[k].loc &&
				(p[i].mode != q[k].mode || p[i].mode == ACCESS_WRITE))
				return true;
	}
	return false;
}

bool step_dependent(const struct traces *x, const struct footprint *a, const struct footprint *b)
{
	return are_dependent(x, a, b, UINT32_MAX);
}

bool step_reversible(const struct traces *x, const struct footprint *a, const struct footprint *b)
{
	return are_dependent(x, a, b, ACCESS_THREAD);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Perform thread t's operation l, which reads the newest write. */
static bool add_trace_event(
	struct traces *x, u32 t, const struct label *l, u32 choice, struct footprint *foot)
{
	struct trust *tr = x->trust;
	struct graph *g = &tr->graph;
	u32 first = g->n + 1;
	struct label label = *l;
	enum leaf how;

	if (first + 2 > TRACES_EVENTS || trust_is_long(tr))
		return traces_refuse(x, "its executions have too many events");
	graph_know_place(g, label.loc);
	if (label.type != LABEL_CHOOSE)
		choice = g->place[label.loc].co_last;
	if (!trust_add(tr, t, choice, false) || tr->answer != ANSWER_LABEL)
		return tr->answer == ANSWER_LABEL &&
		       traces_refuse(x, "an operation is not possible");
	if (trust_may_be_wrong(tr, first) && trust_fault(tr, first, &how))
		return traces_refuse(x, traces_may_race);
	return note_event(x, foot, &label, first);
}

/* Does the step end before l? */
static bool ends_before(enum mover_kind last, enum mover_kind mover)
{
	return mover == MOVER_FIRST || mover == MOVER_ALIEN ||
	       (mover == MOVER_NONE && last > MOVER_BOTH);
}

/* The step does not unlock the mutex that it has locked: the order of the mutex's sections is
 * kept. */
static bool split_section(struct traces *x, struct footprint *foot, u32 lock)
{
	return !lock || note_footprint(x, foot, lock, ACCESS_WRITE);
}

bool step_perform(struct traces *x, u32 t, u32 choice, struct footprint *foot)
{
	struct trust *tr = x->trust;
	enum mover_kind last = MOVER_FIRST;
	const struct label *l;
	u32 lock = 0; /* held, and taken in this step */

	*foot = (struct footprint){.first = x->priv->naccesses};
	for (bool first = true; (l = label_of(tr, t)); first = false) {
		bool unlocks = label_has(l, OP_RELEASES), locks = label_locks(l);
		bool ends = l->type == LABEL_END || (l->type == LABEL_CHOOSE && l->value > 1);
		enum mover_kind mover = mover_of(x, l);

		if (first && mover == MOVER_ALIEN)
			return traces_refuse(x, not_of_locks);
		if (!first && ends_before(last, mover))
			return split_section(x, foot, lock);
		if (unlocks && l->loc != lock && !note_footprint(x, foot, l->loc, ACCESS_WRITE))
			return false;
		if (locks || (unlocks && l->loc == lock))
			lock = locks ? l->loc : 0;
		if (mover != MOVER_BOTH && !locks)
			last = mover == MOVER_FIRST ? MOVER_NONE : mover;
		if (!add_trace_event(x, t, l, first ? choice : 0, foot))
			return false;
		if (ends)
			return split_section(x, foot, lock);
	}
	return false;
}

void step_undo(struct traces *x, u32 n)
{
	while (x->trust->graph.n > n)
		graph_pop(&x->trust->graph);
}

/* The footprint of a thread that waits at l. */
static bool look_waiting(struct traces *x, const struct label *l, struct footprint *foot)
{
	*foot = (struct footprint){.first = x->priv->naccesses};
	if (l->type == LABEL_JOIN)
		return note_footprint(x, foot, ACCESS_THREAD + l->other, ACCESS_READ);
	return mover_of(x, l) != MOVER_ALIEN
		       ? note_footprint(x, foot, l->loc, ACCESS_WRITE)
		       : traces_refuse(x, not_of_locks);
}

bool step_look(struct traces *x, u32 t, struct next *next)
{
	struct trust *tr = x->trust;
	const struct label *l;
	u32 n = tr->graph.n;
	enum thread_state s;
	bool good;

	*next = (struct next){.kind = NEXT_NOTHING, .choices = 1};
	if (!graph_is_alive(&tr->graph, t))
		return true;
	l = label_of(tr, t);
	s = l ? trust_plain_state(tr, t) : THREAD_FAILED;
	if (tr->answer != ANSWER_LABEL)
		return false;
	if (s == THREAD_ENDED && l->flags & LABEL_EXIT)
		return true;
	switch (s) {
	case THREAD_FAILED: return true;
	case THREAD_WAITING:
		next->kind = NEXT_WAITS;
		good = look_waiting(x, l, &next->foot);
		break;
	case THREAD_ENDED:
	case THREAD_READY:
	case THREAD_JOINING:
		next->kind = NEXT_READY;
		if (l->type == LABEL_CHOOSE)
			next->choices = (u32)l->value;
		good = step_perform(x, t, 0, &next->foot) && tr->answer == ANSWER_LABEL;
		step_undo(x, n);
		break;
	default: return traces_refuse(x, "a loop waits, or an assumption fails");
	}
	x->priv->naccesses += good ? next->foot.n : 0;
	return good;
}
