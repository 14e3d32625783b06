/* SPDX-License-Identifier: ISC */
/* t_loop_word.c - inclusion of words with loops, against all short words of each. */
#include "base/prng.h"
#include "model/loop_word.h"

#include "unit.h"

#define LENGTH	10 /* of the words that are compared */
#define LETTERS 2
#define CASES	3000

static struct prng prng;
static struct loop loops[2][4];
static u16 letters[2][4][LOOP_WORD_ALTS][3];

static void make_loop(struct loop *l, u16 (*letter)[3])
{
	l->n = 1 + prng_below(&prng, 2);
	for (u32 k = 0; k < l->n; k++) {
		l->alt[k] = (struct loop_alt){letter[k], 1 + prng_below(&prng, 3)};
		for (u32 i = 0; i < l->alt[k].n; i++)
			letter[k][i] = (u16)prng_below(&prng, LETTERS);
	}
}

static void make_word(struct loop_word *w, int which)
{
	w->n = prng_below(&prng, 5);
	for (u32 i = 0; i < w->n; i++) {
		w->item[i] = (struct loop_item){.letter = (u16)prng_below(&prng, LETTERS)};
		if (prng_below(&prng, 2))
			continue;
		make_loop(&loops[which][i], letters[which][i]);
		w->item[i].loop = &loops[which][i];
	}
}

/* Is the text, from `at' on, a word of w from its i-th item on? */
static bool matches(const struct loop_word *w, u32 i, u32 text, u32 at, u32 n)
{
	const struct loop *l = i < w->n ? w->item[i].loop : NULL;

	if (i == w->n)
		return at == n;
	if (!l)
		return at < n && (text >> at & 1) == w->item[i].letter &&
		       matches(w, i + 1, text, at + 1, n);
	if (matches(w, i + 1, text, at, n))
		return true;
	for (u32 k = 0; k < l->n; k++) {
		u32 same = 0;

		while (same < l->alt[k].n && at + same < n &&
			(text >> (at + same) & 1) == l->alt[k].letter[same])
			same++;
		if (same == l->alt[k].n && matches(w, i, text, at + same, n))
			return true;
	}
	return false;
}

/* By the words of at most LENGTH letters. */
static bool includes(const struct loop_word *b, const struct loop_word *a)
{
	for (u32 n = 0; n <= LENGTH; n++)
		for (u32 text = 0; text < 1u << n; text++)
			if (matches(a, 0, text, 0, n) && !matches(b, 0, text, 0, n))
				return false;
	return true;
}

static void random_words(void)
{
	u32 included = 0;

	prng_seed(&prng, 1);
	for (u32 i = 0; i < CASES; i++) {
		struct loop_word a, b;
		bool want;

		make_word(&a, 0);
		make_word(&b, 1);
		want = includes(&b, &a);
		included += want;
		CU_ASSERT_EQUAL(loop_word_includes(&b, &a), want);
		CU_ASSERT(loop_word_includes(&a, &a));
	}
	CU_ASSERT(included > CASES / 20);
}

static void rotated_loops(void)
{
	static const u16 xy[] = {0, 1}, yx[] = {1, 0};
	const struct loop one = {1, {{xy, 2}}}, two = {1, {{yx, 2}}};
	const struct loop_word after = {3, {{.letter = 0}, {.loop = &two}, {.letter = 1}}};
	const struct loop_word before = {3, {{.loop = &one}, {.letter = 0}, {.letter = 1}}};

	CU_ASSERT(loop_word_includes(&after, &before));
	CU_ASSERT(loop_word_includes(&before, &after));
}

const struct unit_test loop_word_tests[] = {
	{"random words", random_words},
	{"rotated loops", rotated_loops},
	{NULL, NULL},
};
