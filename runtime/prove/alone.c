/* SPDX-License-Identifier: ISC */
/* alone.c - see alone.h. */
#include "prove/alone.h"
#include "process/bytes.h"

#define STEPS  64
#define RUNS   64
#define VALUES 16 /* chosen, of one run */

static struct {
	u32 thread, runs; /* NODE_NONE: none */
	struct word was; /* its word at the state */
	struct state_sum sum; /* of the state, without buffers */
	u32 given, nvalues, value[VALUES], options[VALUES]; /* values chosen */
	struct state_sum seen[STEPS];
	u32 nseen;
	u64 step[STEPS + VALUES];
	u32 nsteps;
	u16 letter[LOOP_WORD_ALTS][STEPS];
	u64 steps[LOOP_WORD_ALTS][STEPS + VALUES];
	struct word_ways ways;
	struct word word; /* at its present step */
	u8 effect;
} A;

/* Does the thread, before its step, see the same in its buffer whatever the loops are? */
static bool is_step_certain(const struct thread *t)
{
	u64 value[2];

	if (t->op || mover_effect(t) == EFFECT_DRAIN || mover_is_strange(t))
		return false;
	if (!mover_is_at(t, PENDING_LOAD))
		return true;
	mover_load(t, value);
	return word_load(&A.word, t->pending.addr, t->pending.size, value) == WORD_LOAD_ONE;
}

static bool is_of_stack(u64 addr)
{
	for (u32 i = 0; i < M.nthreads; i++)
		if (addr - fiber_low(M.created[i]) < FIBER_STACK_STRIDE)
			return true;
	return false;
}

/* It has come back: are the new stores what it saw in its buffer before? */
static void add_way(void)
{
	const struct word *was = &A.was;
	u32 k = A.ways.n, n = A.word.n - was->n;
	u16 *letter = A.letter[k % LOOP_WORD_ALTS];

	if (!n || k == LOOP_WORD_ALTS || n > STEPS)
		return;
	for (u32 i = 0; i < n; i++)
		letter[i] = A.word.item[was->n + i].letter;
	for (u32 i = 0; i < n; i++)
		if (is_of_stack(word_letter_address(letter[i])) ||
			(word_is_last(letter, n, i) && !word_sees(was, letter[i])))
			return;
	bytes_copy(A.steps[k], A.step, A.nsteps * sizeof *A.step);
	A.ways.way[k].letter = letter;
	A.ways.way[k].nletters = n;
	A.ways.way[k].step = A.steps[k];
	A.ways.way[k].nsteps = A.nsteps;
	A.ways.n++;
}

/* After a step: does the run go on? */
static bool run_goes_on(void)
{
	const struct thread *t = thread_by_number(A.thread);
	struct state_sum s = state_sum_without_buffers();

	if (A.nseen && A.effect == EFFECT_MARK && !word_push(&A.word, LETTER_MARKER))
		return false;
	if (A.nseen && !word_extend(&A.word, &sched_of(t)->buffer))
		return false;
	if (A.nseen && s.a == A.sum.a && s.b == A.sum.b) {
		add_way();
		return false;
	}
	for (u32 i = 0; i < A.nseen; i++)
		if (A.seen[i].a == s.a && A.seen[i].b == s.b)
			return false;
	if (A.nseen == STEPS || sched_of(t)->buffer.n + 1 >= BUFFER_MAX ||
		!is_step_certain(t))
		return false;
	A.seen[A.nseen++] = s;
	A.effect = (u8)mover_effect(t);
	return true;
}

static bool alone_goes_on;

static void look_alone(void)
{
	alone_goes_on = run_goes_on();
}

static u32 choose_value_alone(u32 n)
{
	u32 i = A.nvalues;

	if (i == VALUES || A.nsteps == array_size(A.step))
		return EXPLORE_NONE;
	if (i >= A.given)
		A.value[i] = 0;
	A.options[i] = n;
	A.nvalues++;
	A.step[A.nsteps++] = STEP_VALUE | A.value[i];
	return A.value[i];
}

u32 alone_choose(u32 n, const u32 *agents)
{
	u64 step = (u64)A.thread << STEP_THREAD;
	u32 i;

	if (!agents)
		return choose_value_alone(n);
	i = step_find(n, agents, step);
	if (i == EXPLORE_NONE || A.nsteps == array_size(A.step))
		return EXPLORE_NONE;
	state_look(look_alone);
	A.step[A.nsteps++] = step;
	return alone_goes_on ? i : EXPLORE_NONE;
}

void alone_begin(void)
{
	A.thread = NODE_NONE;
}

bool alone_is_on(void)
{
	return A.thread != NODE_NONE;
}

/* Are there other values to choose? */
static bool next_run(void)
{
	u32 i = A.nvalues;

	while (i && A.value[i - 1] + 1 == A.options[i - 1])
		i--;
	if (!i || ++A.runs == RUNS)
		return false;
	A.value[i - 1]++;
	A.given = i;
	return true;
}

/* All its runs have ended: its loops become a part of the state. */
static bool accelerate(struct set_node *d)
{
	static struct words words;
	struct word *w = &words.of[A.thread];

	if (!A.ways.n)
		return false;
	if (M.buffers == BUFFERS_BY_LOCATION && word_ways_have_markers(&A.ways))
		A.ways.n = 1;
	node_words(d->words, &words);
	if (!word_push_loop(w, word_loop(&A.ways), d->length) || word_includes(&A.was, w))
		return false;
	node_set_words(d, &words);
	return true;
}

bool alone_next(struct set_node *d, bool *accelerated)
{
	static struct words words;

	*accelerated = false;
	if (A.thread != NODE_NONE && !next_run()) {
		*accelerated = accelerate(d);
		d->alone &= (u8) ~(1u << A.thread);
		A.thread = NODE_NONE;
	}
	if (A.thread == NODE_NONE && !d->alone)
		return false;
	if (A.thread == NODE_NONE) {
		A.thread = (u32)__builtin_ctz(d->alone);
		A.runs = A.given = A.ways.n = 0;
		A.sum = (struct state_sum){.a = d->a, .b = d->b};
		node_words(d->words, &words);
		A.was = words.of[A.thread];
	}
	A.nseen = A.nvalues = A.nsteps = 0;
	A.word = A.was;
	return true;
}
