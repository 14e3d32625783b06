/* SPDX-License-Identifier: ISC */
/* rounds.c - see rounds.h. */
#include "prove/rounds.h"
#include "prove/words_priv.h"

#define ROUND_NODES 40 /* of a round, at most */

/* What two nodes have between them: steps that were put into the path of the first one, in one
 * place, and those after it. */
struct round {
	u32 at, nbefore, tail;
};

static struct {
	u32 thread; /* whose word grows */
	u32 place, n; /* of the letters, in its word */
	struct buffer_words first, middle;
	u64 step[WORD_PATH_MAX], last_step[WORD_PATH_MAX];
	struct word_path path, last; /* of the middle, and the new node */
} R;

/* --- paths ------------------------------------------------------------------------------------ */

/* Steps were put in at a place of the path. False: they are not beside the others. */
static bool add_steps(struct round *r, u32 at, u32 n)
{
	if (at >= r->tail)
		return true;
	if (r->nbefore && (at < r->at || at > r->at + r->nbefore))
		return false;
	r->at = r->nbefore ? r->at : at;
	r->nbefore += n;
	r->tail += n;
	return true;
}

/* From a node to one below it. */
static bool find_round(u32 from, u32 to, struct round *r)
{
	u32 chain[ROUND_NODES], n = 0;

	for (; to != from; to = nodes.node[to].parent)
		chain[n++] = to;
	*r = (struct round){.tail = nodes.node[from].length};
	while (n--) {
		const struct set_node *d = &nodes.node[chain[n]];

		if (d->path && (d->pumped == NODE_NONE ||
				       !add_steps(r, d->pumped,
					       d->length - 1 - nodes.node[d->parent].length)))
			return false;
	}
	return true;
}

static bool equal_steps(const u64 *a, const u64 *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Is `b', which ends with the path q, what `a' is, which ends with p? */
static bool equal_rounds(const struct round *a, const struct word_path *p, const struct round *b,
	const struct word_path *q)
{
	u32 n = p->n - a->tail;

	return a->nbefore == b->nbefore && n == q->n - b->tail &&
	       (!a->nbefore || b->at == a->at || b->at == a->at + a->nbefore) &&
	       equal_steps(p->step + a->at, q->step + b->at, a->nbefore) &&
	       equal_steps(p->step + a->tail, q->step + b->tail, n);
}

/* Does a store of the thread reach memory in the round that could be one of the letters? */
static bool takes_letters(
	const struct round *r, const struct word_path *q, const struct buffer_word *w)
{
	for (u32 i = r->tail; i < q->n; i++) {
		if (!(q->step[i] & STEP_COMMIT) || step_thread(q->step[i]) != R.thread)
			continue;
		if (M.buffers != BUFFERS_BY_LOCATION)
			return true;
		for (u32 k = R.place; k < R.place + R.n; k++)
			if ((word_letter_address(w->item[k].letter) & STEP_PLACE) ==
				(q->step[i] & STEP_PLACE))
				return true;
	}
	return false;
}

/* --- words ------------------------------------------------------------------------------------ */

static bool same_item(const struct word_item *a, const struct word_item *b)
{
	return a->letter == b->letter && a->loop == b->loop;
}

static bool same_items(const struct word_item *a, const struct word_item *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!same_item(a + i, b + i))
			return false;
	return true;
}

static bool is_inserted(const struct buffer_word *a, const struct buffer_word *b, u32 place, u32 n)
{
	return same_items(a->item, b->item, place) &&
	       same_items(a->item + place, b->item + place + n, a->n - place);
}

/* One word is longer in the second: which? */
static bool find_thread(const struct buffer_words *a, const struct buffer_words *b)
{
	R.thread = WORD_THREADS;
	for (u32 t = 0; t < WORD_THREADS; t++) {
		const struct buffer_word *x = &a->of[t], *y = &b->of[t];

		if (x->n == y->n && same_items(x->item, y->item, x->n))
			continue;
		if (R.thread != WORD_THREADS || x->n >= y->n)
			return false;
		R.thread = t;
	}
	return R.thread != WORD_THREADS;
}

/* Letters, with a loop before them at most, of no thread's stack. */
static bool can_be_repeated(const struct word_item *item, u32 n)
{
	if (item->loop)
		item++, n--;
	for (u32 i = 0; i < n; i++)
		if (item[i].letter <= LETTER_MARKER ||
			mover_is_stack(word_letter_address(item[i].letter)))
			return false;
	return n > 0;
}

/* Where the second word has so many more items than the first, and the third so many more. */
static bool find_insertion(
	const struct buffer_word *a, const struct buffer_word *b, const struct buffer_word *c)
{
	R.n = b->n - a->n;
	if (c->n != b->n + R.n)
		return false;
	for (R.place = 0; R.place <= a->n; R.place++)
		if (is_inserted(a, b, R.place, R.n) && is_inserted(b, c, R.place, R.n) &&
			same_items(b->item + R.place, c->item + R.place, R.n) &&
			can_be_repeated(b->item + R.place, R.n))
			return true;
	return false;
}

/* --- the loop --------------------------------------------------------------------------------- */

/* The alternatives of a loop before the letters, which are put in where those of the round are. */
static bool take_alternatives(struct word_ways *ways, const struct word_item *item, u32 at)
{
	const struct word_loop *l = &word_loops[item->loop];

	if (!item->loop)
		return true;
	if (l->language.n == LOOP_WORD_ALTS || item->at != at)
		return false;
	for (u32 i = 0; i < l->language.n; i++) {
		if (l->way[i].nbefore)
			return false;
		ways->way[i].letter = l->language.alt[i].letter;
		ways->way[i].nletters = l->language.alt[i].n;
		ways->way[i].before = l->way[i].step;
		ways->way[i].nbefore = l->way[i].n;
		ways->way[i].nsteps = 0;
	}
	ways->n = l->language.n;
	return true;
}

/* The loop of the round; 0: none. */
static u16 loop_of(const struct round *r, const struct word_path *q, const struct word_item *item)
{
	static struct word_ways ways;
	static u16 letter[LOOP_WORD_ITEMS];
	u32 k;

	ways.n = 0;
	if (!take_alternatives(&ways, item, r->at))
		return 0;
	k = ways.n++;
	ways.way[k].nletters = 0;
	for (u32 i = 0; i < R.n; i++)
		if (item[i].letter)
			letter[ways.way[k].nletters++] = item[i].letter;
	ways.way[k].letter = letter;
	ways.way[k].before = q->step + r->at;
	ways.way[k].nbefore = r->nbefore;
	ways.way[k].step = q->step + r->tail;
	ways.way[k].nsteps = q->n - r->tail;
	return word_loop(&ways);
}

/* Before the letters of the last two rounds; in place of a loop that it has. */
static bool put_loop(struct buffer_word *w, u16 loop, const struct round *r)
{
	struct word_item new = {.loop = loop, .at = r->tail, .before = r->at};

	if (!loop || w->n == LOOP_WORD_ITEMS)
		return false;
	if (!w->item[R.place].loop) {
		for (u32 i = w->n++; i > R.place; i--)
			w->item[i] = w->item[i - 1];
	}
	w->item[R.place] = new;
	return true;
}

/* --- the search for rounds -------------------------------------------------------------------- */

/* Is a step of the thread, other than its stores that reach memory, among these? */
static bool has_own_step(const u64 *step, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!(step[i] & (STEP_COMMIT | STEP_VALUE)) && step_thread(step[i]) == R.thread)
			return true;
	return false;
}

/* Are the letters stored in one of the two places? Those after a loop, in its place. */
static bool is_of_one_place(
	const struct round *r, const struct word_path *q, const struct buffer_word *w)
{
	bool before = has_own_step(q->step + r->at, r->nbefore);
	bool after = has_own_step(q->step + r->tail, q->n - r->tail);

	return before != after && (before || !w->item[R.place].loop);
}

/* The words of the three nodes. */
static bool find_letters(
	const struct buffer_words *a, const struct buffer_words *b, const struct buffer_words *c)
{
	u32 t;

	if (!find_thread(a, b))
		return false;
	t = R.thread;
	return find_thread(b, c) && R.thread == t &&
	       find_insertion(&a->of[t], &b->of[t], &c->of[t]);
}

static bool accelerate_third(u32 a, u32 b, u32 c, struct buffer_words *w)
{
	struct round one, two;
	struct buffer_word *grown;

	node_words(nodes.node[a].words, &R.first);
	node_words(nodes.node[b].words, &R.middle);
	if (!find_letters(&R.first, &R.middle, w) || !find_round(a, b, &one) ||
		!find_round(b, c, &two))
		return false;
	R.path = (struct word_path){0, WORD_PATH_MAX, R.step};
	R.last = (struct word_path){0, WORD_PATH_MAX, R.last_step};
	grown = &w->of[R.thread];
	if (!node_path(b, &R.path) || !node_path(c, &R.last) ||
		!equal_rounds(&one, &R.path, &two, &R.last) ||
		takes_letters(&two, &R.last, grown) || !is_of_one_place(&two, &R.last, grown))
		return false;
	two.at = two.nbefore ? one.at : two.tail;
	return put_loop(grown, loop_of(&two, &R.last, grown->item + R.place), &two);
}

/* The nearest node above with the same state but for buffers; NODE_NONE: none is near. */
static u32 same_above(u32 node)
{
	const struct set_node *d = &nodes.node[node];
	u32 up = d->parent;

	for (u32 i = 0; i < ROUND_NODES && up != NODE_NONE; i++, up = nodes.node[up].parent)
		if (nodes.node[up].a == d->a && nodes.node[up].b == d->b && !nodes.node[up].value)
			return up;
	return NODE_NONE;
}

bool rounds_accelerate(u32 node, struct buffer_words *w)
{
	u32 b = same_above(node), a = b == NODE_NONE ? b : same_above(b);

	return a != NODE_NONE && accelerate_third(a, b, node, w);
}
