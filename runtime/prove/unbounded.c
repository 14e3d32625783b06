/* SPDX-License-Identifier: ISC */
/* unbounded.c - see unbounded.h. */
#include "prove/unbounded.h"
#include "process/bytes.h"
#include "process/pages.h"
#include "prove/alone.h"
#include "prove/component.h"
#include "prove/hidden.h"
#include "prove/rounds.h"

#define MOVES_MAX 512

struct move {
	u64 step;
	bool pumps, narrows;
	struct word_pump pump;
	u64 addr; /* of the load that narrows, or is to see the iteration */
	u32 size; /* 0: none */
};

enum node_task { TASK_FIRST, TASK_MOVE, TASK_ALONE, TASK_LOOK };

static struct {
	u32 next, next_move; /* to be explored */
	bool looks;	     /* `next' has to be looked at again: its words have changed */
	bool accelerated;    /* a thread stores for ever */
	/* The present execution: */
	enum node_task task;
	u32 from;	   /* the node */
	struct move move;
	u32 pumped; /* where on the path */
	struct mover mover;
	u64 step[WORD_PATH_MAX];
	struct word_path path;
	u32 at; /* steps done */
	struct buffer_words words;
	u32 n_options;
	const u32 *agents;
} U;

/* --- moves ------------------------------------------------------------------------------------ */

static struct move moves[MOVES_MAX];
static u32 nmoves;
static u64 moves_of; /* word_each_...(): the thread, as a step */

static void add_move(const struct move *m)
{
	if (nmoves == MOVES_MAX)
		nodes_give_up("there are too many steps of one state");
	else
		moves[nmoves++] = *m;
}

static void add_commit(const struct word_pump *p, u64 addr)
{
	u64 place = M.buffers == BUFFERS_BY_LOCATION ? addr & STEP_PLACE : 0;

	add_move(&(struct move){
		.step = moves_of | STEP_COMMIT | place, .pumps = true, .pump = *p});
}

static void add_load(const struct word_pump *p, u64 addr)
{
	const struct thread *t = thread_by_number(p->thread);

	add_move(&(struct move){.step = moves_of, .pumps = true, .pump = *p, .addr = addr,
		.size = t->pending.size});
}

/* The steps of a thread whose word has loops; move: the one that needs no iteration. */
static void add_thread_moves(const struct thread *t, struct move *move)
{
	const struct buffer_word *w = &U.words.of[t->number];
	u64 value[2];

	if (mover_is_strange(t))
		nodes_give_up("a range of bytes is accessed");
	if (!mover_is_at(t, PENDING_LOAD)) {
		add_move(move);
		return;
	}
	mover_load(t, value);
	switch (word_load(w, t->pending.addr, t->pending.size, value)) {
	case WORD_LOAD_ONE: break;
	case WORD_LOAD_UNKNOWN: nodes_give_up("accesses of different sizes overlap"); break;
	case WORD_LOAD_SEVERAL:
		move->narrows = true;
		move->addr = t->pending.addr;
		move->size = t->pending.size;
		word_each_load(w, (u8)t->number, t->pending.addr, t->pending.size, add_load);
	}
	add_move(move);
}

/* A step that is independent of all others: a store into the buffer, or a marker. */
static bool is_invisible(const struct move *m)
{
	const struct thread *t = thread_by_number(step_thread(m->step));

	if (m->step & STEP_COMMIT || m->pumps)
		return false;
	return mover_is_at(t, PENDING_STORE) || mover_is_at_store_fence(t) ||
	       (mover_is_at(t, PENDING_FENCE) && !U.words.of[t->number].n);
}

/* One of these first: it alone is enough. */
static bool put_invisible_first(void)
{
	for (u32 i = 0; i < nmoves && !M.options->unreduced; i++) {
		struct move m = moves[i];

		if (!is_invisible(&m))
			continue;
		moves[i] = moves[0];
		moves[0] = m;
		return true;
	}
	return false;
}

static void keep_moves(struct set_node *d)
{
	d->nmoves = d->first_moves = (u16)nmoves;
	d->moves = node_keep(moves, nmoves * (u32)sizeof *moves);
}

static void find_moves(struct set_node *d)
{
	bool reduced;

	nmoves = 0;
	for (u32 i = 0; i < U.n_options; i++) {
		struct move m = {.step = step_of_agent(U.agents[i], &M.explore.access[i])};
		const struct thread *t = thread_by_number(step_thread(m.step));

		moves_of = (u64)t->number << STEP_THREAD;
		if (m.step & STEP_COMMIT || !word_has_loops(&U.words.of[t->number]))
			add_move(&m);
		else
			add_thread_moves(t, &m);
	}
	for (u32 i = 0; i < WORD_THREADS; i++) {
		moves_of = (u64)i << STEP_THREAD;
		if (word_has_loops(&U.words.of[i]))
			word_each_commit(&U.words.of[i], (u8)i, add_commit);
	}
	reduced = put_invisible_first();
	keep_moves(d);
	if (reduced)
		d->first_moves = 1;
}

/* --- new states ------------------------------------------------------------------------------- */

/* Threads that have something in their buffers; all, if memory may have changed. */
static u8 threads_alone(void)
{
	u8 set = 0;

	for (u32 t = 0; t < WORD_THREADS; t++)
		if (U.words.of[t].n && (U.task == TASK_FIRST || U.mover.commit ||
					       !U.mover.local || U.mover.thread == t))
			set |= (u8)(1u << t);
	return set;
}

/* The words after the step; false: they are not known. */
static bool update_words(void)
{
	struct buffer_word *w = &U.words.of[U.mover.thread];

	if (U.task == TASK_FIRST)
		return true;
	if (U.mover.commit)
		return word_commit(w, U.mover.place);
	if (U.mover.effect == EFFECT_DRAIN)
		w->n = 0;
	return U.mover.effect != EFFECT_MARK || word_push(w, LETTER_MARKER);
}

static bool compare_buffers(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = thread_by_number(i);
		struct buffer_word *w = &U.words.of[i];
		bool moved = U.task == TASK_FIRST || (!U.mover.commit && U.mover.thread == i);

		if (t->finished && !w->n)
			continue;
		if (moved ? !word_extend(w, &sched_of(t)->buffer)
			  : !word_is_buffer(w, &sched_of(t)->buffer))
			return false;
	}
	return true;
}

/* A node where the execution is, after its step. */
static struct set_node node_here(void)
{
	struct set_node d = {.parent = U.from, .step = U.move.step, .length = U.path.n,
		.next = NODE_NONE};

	if (U.move.pumps) {
		d.path = node_keep(U.path.step, U.path.n * (u32)sizeof *U.path.step);
		d.pumped = U.pumped;
	}
	node_set_words(&d, &U.words);
	return d;
}

static u32 add_state(const struct state_sum *s)
{
	struct set_node d = node_here();
	u32 node;

	d.a = s->a;
	d.b = s->b;
	d.alone = threads_alone();
	node = node_add_state(&d);
	if (node == NODE_NONE)
		return node;
	if (rounds_accelerate(node, &U.words)) {
		U.accelerated = true;
		node_set_words(&nodes.node[node], &U.words);
	}
	find_moves(&nodes.node[node]);
	return node;
}

static void see_state(void)
{
	struct state_sum s;
	u32 known;

	states.limit = state_limit();
	if (M.nthreads > WORD_THREADS)
		nodes_give_up("there are more than 8 threads");
	if (states.limit || states.full)
		return;
	s = state_sum_without_buffers();
	if (!update_words() || !compare_buffers()) {
		nodes_give_up("a thread's stores are taken back, or others are");
		return;
	}
	known = node_known(&s, &U.words, NODE_NONE);
	if (known != NODE_NONE && U.task == TASK_MOVE)
		nodes.node[U.from].first_moves = nodes.node[U.from].nmoves;
	node_lead_to(U.from, known != NODE_NONE ? known : add_state(&s));
}

/* A value is to be chosen in the middle of a step. */
static void add_value(u32 n)
{
	struct set_node d = node_here();

	d.value = true;
	d.mover = U.mover;
	nmoves = 0;
	for (u32 i = 0; i < n; i++)
		add_move(&(struct move){.step = STEP_VALUE | i});
	keep_moves(&d);
	node_lead_to(U.from, node_add(&d));
}

/* --- the strategy ----------------------------------------------------------------------------- */

static void unbounded_start(struct explore *x)
{
	nodes_begin();
	words_begin(M.buffers == BUFFERS_BY_LOCATION);
	hidden_begin();
	alone_begin();
	U.next = U.next_move = 0;
	U.looks = U.accelerated = false;
}

/* Prepare an execution that leads to the node. */
static bool go_to_node(u32 node, enum node_task task)
{
	U.task = task;
	U.from = node;
	U.move = (struct move){0};
	U.mover = (struct mover){0};
	U.path = (struct word_path){0, WORD_PATH_MAX - 1, U.step};
	bytes_fill(&U.words, 0, sizeof U.words);
	if (node == NODE_NONE)
		return true;
	node_words(nodes.node[node].words, &U.words);
	if (!node_path(node, &U.path))
		nodes_give_up("a path is too long");
	return !states.full;
}

static bool prepare_move(u32 node, const struct move *m)
{
	if (!go_to_node(node, TASK_MOVE))
		return false;
	U.move = *m;
	U.mover = nodes.node[node].mover;
	U.pumped = m->pumps ? word_pump_place(&U.words, &m->pump) : 0;
	if (m->pumps && !word_pump(&U.words, &m->pump, &U.path, m->addr, m->size)) {
		nodes_give_up("a buffer is too long");
		return false;
	}
	if (m->narrows)
		word_narrow(&U.words.of[step_thread(m->step)], m->addr, m->size);
	U.step[U.path.n++] = m->step;
	return true;
}

static bool is_part_of_another(u32 node)
{
	const struct set_node *d = &nodes.node[node];
	struct state_sum s = {.a = d->a, .b = d->b};

	if (d->value)
		return false;
	node_words(d->words, &U.words);
	return node_known(&s, &U.words, node) != NODE_NONE;
}

/* Before the moves of a node: its threads alone. False: nothing. */
static bool prepare_node(u32 node)
{
	bool accelerated, runs = alone_next(&nodes.node[node], &accelerated);

	U.accelerated |= accelerated;
	U.looks |= accelerated;
	if (runs)
		return go_to_node(node, TASK_ALONE);
	if (!U.looks)
		return false;
	U.looks = false;
	return go_to_node(node, TASK_LOOK);
}

static bool next_task(void)
{
	for (; U.next < nodes.n && !states.full; U.next++, U.next_move = 0) {
		struct set_node *d = &nodes.node[U.next];
		const struct move *m =
			(const struct move *)(const void *)(nodes.arena + d->moves);

		if (!U.next_move) {
			if (!alone_is_on() && !U.looks && is_part_of_another(U.next))
				continue;
			if (prepare_node(U.next))
				return true;
		}
		if (U.next_move < d->first_moves)
			return prepare_move(U.next, &m[U.next_move++]);
	}
	return false;
}

static bool unbounded_next(struct explore *x)
{
	state_sum_begin();
	states.cut = false;
	U.at = 0;
	x->prefix = 0;
	if (states.full || states.limit)
		return false;
	return x->executions ? next_task() : go_to_node(NODE_NONE, TASK_FIRST);
}

static _Noreturn void stop_here(void)
{
	states.cut = true;
	execution_end(OUTCOME_STOPPED);
}

static void find_moves_again(void)
{
	find_moves(&nodes.node[U.from]);
}

static u32 choose_after_path(u32 n, const u32 *agents)
{
	u32 i = EXPLORE_NONE;

	U.n_options = n;
	U.agents = agents;
	if (U.task == TASK_ALONE)
		i = alone_choose(n, agents);
	else if (U.task == TASK_LOOK)
		state_look(find_moves_again);
	else if (agents)
		state_look(see_state);
	else
		add_value(n);
	if (i == EXPLORE_NONE)
		stop_here();
	return i;
}

static u32 unbounded_choose(struct explore *x, u32 n, const u32 *agents)
{
	u64 step;
	u32 i = EXPLORE_NONE;

	if (U.at == U.path.n)
		return choose_after_path(n, agents);
	step = U.step[U.at++];
	if (agents)
		i = step_find(n, agents, step);
	else if (step & STEP_VALUE && (u32)step < n)
		i = (u32)step;
	if (i == EXPLORE_NONE) {
		nodes_give_up(M.bounds & BOUND_BUFFER ? "a buffer has more than 64 stores"
						     : "an execution cannot be repeated");
		stop_here();
	}
	if (U.task == TASK_MOVE && U.at == U.path.n && agents)
		mover_note(step, &U.mover);
	return i;
}

bool unbounded_loops(void)
{
	bool loops = U.accelerated;

	if (loops || !components_find())
		return loops;
	for (u32 c = 0; c < components.n; c++)
		loops |= components.cyclic[c];
	components_drop();
	return loops;
}

const struct strategy_ops strategy_unbounded = {
	.name = STRATEGY_STATES,
	.wants_agents = true,
	.wants_accesses = true,
	.start = unbounded_start,
	.next = unbounded_next,
	.choose = unbounded_choose,
};
