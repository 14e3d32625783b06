/* SPDX-License-Identifier: ISC */
/* loop_word.c - see loop_word.h. */
#include "model/loop_word.h"

#define POSITIONS 256
#define PAIRS	  1024

/* Before an item, or after the last one (at 0), or in the middle of an alternative. */
struct position {
	u8 item, alt, at;
};

struct word_automaton {
	const struct loop_word *word;
	u32 n;
	u16 head[LOOP_WORD_ITEMS + 1];			  /* of each item, and the end */
	u16 inside[LOOP_WORD_ITEMS][LOOP_WORD_ALTS]; /* the position after the first letter */
	struct position position[POSITIONS];
};

struct position_set {
	u64 word[POSITIONS / 64];
};

static bool has(const struct position_set *s, u32 i)
{
	return s->word[i / 64] >> i % 64 & 1;
}

static bool is_same_set(const struct position_set *a, const struct position_set *b)
{
	for (u32 i = 0; i < array_size(a->word); i++)
		if (a->word[i] != b->word[i])
			return false;
	return true;
}

/* --- positions -------------------------------------------------------------------------------- */

static bool add_position(struct word_automaton *m, u32 item, u32 alt, u32 at)
{
	if (m->n == POSITIONS)
		return false;
	m->position[m->n++] = (struct position){(u8)item, (u8)alt, (u8)at};
	return true;
}

/* False: there are too many. */
static bool make_machine(struct word_automaton *m, const struct loop_word *w)
{
	m->word = w;
	m->n = 0;
	for (u32 i = 0; i <= w->n; i++) {
		const struct loop *l = i < w->n ? w->item[i].loop : NULL;

		m->head[i] = (u16)m->n;
		if (!add_position(m, i, 0, 0))
			return false;
		for (u32 k = 0; l && k < l->n; k++) {
			m->inside[i][k] = (u16)m->n;
			for (u32 at = 1; at < l->alt[k].n; at++)
				if (!add_position(m, i, k, at))
					return false;
		}
	}
	return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

static u32 after_letter(const struct word_automaton *m, u32 item, u32 alt, u32 at)
{
	const struct loop_alt *a = &m->word->item[item].loop->alt[alt];

	return at + 1 == a->n ? m->head[item] : m->inside[item][alt] + at;
}

/* Call see() with each position that a letter leads to from this one, or any letter. */
static void each_step(const struct word_automaton *m, u32 from,
	void (*see)(const struct word_automaton *m, u16 letter, u32 to, void *arg), void *arg)
{
	struct position p = m->position[from];
	const struct loop_item *i = &m->word->item[p.item];

	if (p.item == m->word->n)
		return;
	if (!i->loop) {
		see(m, i->letter, m->head[p.item + 1], arg);
		return;
	}
	for (u32 k = 0; k < i->loop->n; k++)
		if (!p.at || k == p.alt)
			see(m, i->loop->alt[k].letter[p.at], after_letter(m, p.item, k, p.at), arg);
}

/* Before a loop, its iterations may be over. */
static void add_closed(const struct word_automaton *m, struct position_set *s, u32 i)
{
	for (;; i = m->head[m->position[i].item + 1]) {
		s->word[i / 64] |= 1ull << i % 64;
		if (m->position[i].at || m->position[i].item == m->word->n ||
			!m->word->item[m->position[i].item].loop)
			return;
	}
}

struct word_move {
	u16 letter;
	struct position_set to;
};

static void add_if_same(const struct word_automaton *m, u16 letter, u32 to, void *arg)
{
	struct word_move *move = arg;

	if (letter == move->letter)
		add_closed(m, &move->to, to);
}

static struct position_set move_set(
	const struct word_automaton *m, const struct position_set *s, u16 letter)
{
	struct word_move move = {.letter = letter};

	for (u32 i = 0; i < m->n; i++)
		if (has(s, i))
			each_step(m, i, add_if_same, &move);
	return move.to;
}

/* --- inclusion -------------------------------------------------------------------------------- */

static struct {
	struct word_automaton a, b;
	struct word_pair {
		u32 at;	       /* of a */
		struct position_set of; /* b's positions, after the same letters */
	} pair[PAIRS];
	u32 n, next;
	bool full;
} I;

static void note_pair(u32 at, const struct position_set *of)
{
	for (u32 i = 0; i < I.n; i++)
		if (I.pair[i].at == at && is_same_set(&I.pair[i].of, of))
			return;
	if (I.n == PAIRS) {
		I.full = true;
		return;
	}
	I.pair[I.n++] = (struct word_pair){at, *of};
}

static void follow_letter(const struct word_automaton *m, u16 letter, u32 to, void *arg)
{
	struct position_set of = move_set(&I.b, &I.pair[I.next].of, letter);

	(void)m;
	(void)arg;
	note_pair(to, &of);
}

static bool is_equal(const struct loop_word *a, const struct loop_word *b)
{
	if (a->n != b->n)
		return false;
	for (u32 i = 0; i < a->n; i++)
		if (a->item[i].loop != b->item[i].loop ||
			(!a->item[i].loop && a->item[i].letter != b->item[i].letter))
			return false;
	return true;
}

bool loop_word_includes(const struct loop_word *b, const struct loop_word *a)
{
	struct position_set first = {0};

	if (is_equal(a, b))
		return true;
	if (!make_machine(&I.a, a) || !make_machine(&I.b, b))
		return false;
	I.n = 0;
	I.full = false;
	add_closed(&I.b, &first, 0);
	note_pair(0, &first);
	for (I.next = 0; I.next < I.n && !I.full; I.next++) {
		struct word_pair *p = &I.pair[I.next];
		struct position at = I.a.position[p->at];

		if (at.item == a->n && !has(&p->of, I.b.head[b->n]))
			return false;
		if (!at.at && at.item < a->n && a->item[at.item].loop)
			note_pair(I.a.head[at.item + 1], &p->of);
		each_step(&I.a, p->at, follow_letter, NULL);
	}
	return !I.full;
}
