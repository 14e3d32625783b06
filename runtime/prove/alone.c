/* SPDX-License-Identifier: ISC */
/* alone.c - see alone.h. */
#include "prove/alone.h"
#include "process/bytes.h"

#define STEPS  64
#define RUNS   64
#define VALUES 16 /* chosen, of one run */
#define LOADS  32 /* of one run, other than of its own stores */

/* What a round reads that it has not stored. */
struct round_loads {
	u32 n;
	bool keeps_view; /* its last stores have the values that the thread sees before them */
	struct round_load {
		u64 addr, value[2];
		u32 size;
	} load[LOADS];
};

static struct {
	u32 thread, runs; /* NODE_NONE: none */
	struct buffer_word was; /* its word at the state */
	struct state_sum sum; /* of the state, without buffers */
	u32 given, nvalues, value[VALUES], options[VALUES]; /* values chosen */
	struct state_sum seen[STEPS];
	u32 nseen;
	u64 step[STEPS + VALUES];
	u32 nsteps;
	u16 letter[LOOP_WORD_ALTS][STEPS];
	u64 steps[LOOP_WORD_ALTS][STEPS + VALUES];
	struct round_loads loads[LOOP_WORD_ALTS], read; /* of the ways; of the present run */
	struct word_ways ways;
	struct buffer_word word; /* at its present step */
	u8 effect;
} A;

/* Note a load, unless the round itself has stored the value. False: there is no room, or it has
 * stored a part of it. */
static bool note_load(const struct round_load *l)
{
	for (u32 i = A.word.n; i-- > A.was.n;) {
		u16 letter = A.word.item[i].letter;

		if (word_letter_overlaps(letter, l->addr, l->size))
			return word_letter_is(letter, l->addr, l->size, l->value);
	}
	if (A.read.n == LOADS)
		return false;
	A.read.load[A.read.n++] = *l;
	return true;
}

/* Does the thread, before its step, see the same in its buffer whatever the loops are? */
static bool is_step_certain(const struct thread *t)
{
	struct round_load l = {.addr = t->pending.addr, .size = t->pending.size};

	if (t->op || mover_effect(t) == EFFECT_DRAIN || mover_is_strange(t))
		return false;
	if (!mover_is_at(t, PENDING_LOAD))
		return true;
	mover_load(t, l.value);
	return word_load(&A.word, l.addr, l.size, l.value) == WORD_LOAD_ONE && note_load(&l);
}

/* It has come back, with new stores. */
static void add_way(void)
{
	const struct buffer_word *was = &A.was;
	u32 k = A.ways.n, n = A.word.n - was->n;
	u16 *letter = A.letter[k % LOOP_WORD_ALTS];

	if (!n || k == LOOP_WORD_ALTS || n > STEPS)
		return;
	for (u32 i = 0; i < n; i++)
		letter[i] = A.word.item[was->n + i].letter;
	A.read.keeps_view = true;
	for (u32 i = 0; i < n; i++) {
		if (mover_is_stack(word_letter_address(letter[i])))
			return;
		A.read.keeps_view &= !word_is_last(letter, n, i) || word_sees(was, letter[i]);
	}
	A.loads[k] = A.read;
	bytes_copy(A.steps[k], A.step, A.nsteps * sizeof *A.step);
	A.ways.way[k].letter = letter;
	A.ways.way[k].nletters = n;
	A.ways.way[k].step = A.steps[k];
	A.ways.way[k].nsteps = A.nsteps;
	A.ways.way[k].nbefore = 0;
	A.ways.n++;
}

/* False: there is no room, or this round does without the marker, but the next one will not. */
static bool push_marker(void)
{
	const struct buffer_word *w = &A.word;

	if (w->n == A.was.n && (!w->n || w->item[w->n - 1].letter == LETTER_MARKER))
		return false;
	return word_push(&A.word, LETTER_MARKER);
}

/* After a step: does the run go on? */
static bool run_goes_on(void)
{
	const struct thread *t = thread_by_number(A.thread);
	struct state_sum s = state_sum_without_buffers();

	if (A.nseen && A.effect == EFFECT_MARK && !push_marker())
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

/* Does a round read the same after another one? */
static bool reads_the_same(u32 round, u32 other)
{
	const struct round_loads *l = &A.loads[round];
	const u16 *letter = A.ways.way[other].letter;
	u32 n = A.ways.way[other].nletters;

	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < l->n && word_is_last(letter, n, i); k++) {
			const struct round_load *r = &l->load[k];

			if (word_letter_overlaps(letter[i], r->addr, r->size) &&
				!word_letter_is(letter[i], r->addr, r->size, r->value))
				return false;
		}
	return true;
}

/* May the way follow itself and those that are kept, and these it? */
static bool can_be_mixed(u32 way, u32 kept)
{
	if (A.loads[way].keeps_view)
		return true; /* all that are kept so far do */
	for (u32 i = 0; i < LOOP_WORD_ALTS; i++)
		if ((i == way || kept >> i & 1) &&
			!(reads_the_same(way, i) && reads_the_same(i, way)))
			return false;
	return true;
}

/* Keep ways that can be mixed in any order; first those that change nothing for the thread. */
static void keep_mixable(void)
{
	u32 kept = 0, n = 0;

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < A.ways.n; i++)
			if (A.loads[i].keeps_view == !pass && can_be_mixed(i, kept))
				kept |= 1u << i;
	for (u32 i = 0; i < A.ways.n; i++)
		if (kept >> i & 1)
			A.ways.way[n++] = A.ways.way[i];
	A.ways.n = n;
}

/* All its runs have ended: its loops become a part of the state. */
static bool accelerate(struct set_node *d)
{
	static struct buffer_words words;
	struct buffer_word *w = &words.of[A.thread];

	keep_mixable();
	if (!A.ways.n)
		return false;
	if (M.buffers == BUFFERS_BY_LOCATION && word_ways_have_markers(&A.ways))
		A.ways.n = 1;
	node_words(d->words, &words);
	if (!word_push_loop(w, word_loop(&A.ways), d->length, d->length) ||
		word_includes(&A.was, w))
		return false;
	node_set_words(d, &words);
	return true;
}

bool alone_next(struct set_node *d, bool *accelerated)
{
	static struct buffer_words words;

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
	A.nseen = A.nvalues = A.nsteps = A.read.n = 0;
	A.word = A.was;
	return true;
}
