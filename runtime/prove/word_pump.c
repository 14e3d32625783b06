/* SPDX-License-Identifier: ISC */
/* word_pump.c - word_pump(): further rounds of a loop are put into a word, and into the path to its
 * state. */
#include "prove/words_priv.h"
#include "process/bytes.h"

/* The word with the alternative's letters, between what remains of the loop. */
static bool put_letters(struct buffer_word *w, const struct word_pump *p, u32 before, u32 steps)
{
	static struct buffer_word new;
	struct word_item item = w->item[p->item];
	const struct loop_alt *a = &word_loops[item.loop].language.alt[p->alt];
	bool full = false, ok = true;
	u16 left = word_some_of(item.loop, p->left, &full);
	u16 right = word_some_of(item.loop, p->right, &full);

	if (full)
		return false;
	new.n = 0;
	for (u32 i = 0; i < w->n; i++) {
		if (i != p->item) {
			if (new.n == LOOP_WORD_ITEMS)
				return false;
			new.item[new.n++] = w->item[i];
			continue;
		}
		ok &= !left || word_push_loop(&new, left, item.at + before, item.before);
		for (u32 k = 0; k < a->n; k++)
			ok &= word_push(&new, a->letter[k]);
		ok &= !right || word_push_loop(&new, right, item.at + before + steps,
					item.before + before);
	}
	*w = new;
	return ok;
}

static bool put_steps(struct word_path *path, u32 at, const u64 *step, u32 n)
{
	if (path->n + n > path->room)
		return false;
	for (u32 i = path->n; i-- > at;)
		path->step[i + n] = path->step[i];
	bytes_copy(path->step + at, step, n * sizeof *step);
	path->n += n;
	return true;
}

/* Steps are put in at a place of the path: what is after it moves. Loops at that place are of
 * rounds in front of them. */
static void move_back(struct buffer_words *w, u32 at, u32 steps)
{
	for (u32 t = 0; t < WORD_THREADS; t++)
		for (u32 i = 0; i < w->of[t].n; i++) {
			struct word_item *item = &w->of[t].item[i];

			if (item->loop && item->at > at)
				item->at += steps;
			if (item->loop && item->before > at)
				item->before += steps;
		}
}

/* The same for a round of the item; those at its place that are not before it in its buffer are
 * after it. */
static void move_behind(struct buffer_words *w, const struct word_pump *p, u32 at, u32 steps)
{
	for (u32 t = 0; t < WORD_THREADS; t++)
		for (u32 i = 0; i < w->of[t].n; i++) {
			struct word_item *item = &w->of[t].item[i];

			if (item->loop && item->at == at && (t != p->thread || i > p->item))
				item->at += steps;
		}
	move_back(w, at, steps);
}

u32 word_pump_place(const struct buffer_words *w, const struct word_pump *p)
{
	const struct word_item *item = &w->of[p->thread].item[p->item];

	return word_loops[item->loop].way[p->alt].nbefore ? UINT32_MAX : item->at;
}

bool word_pump(struct buffer_words *w, const struct word_pump *p, struct word_path *path, u64 addr,
	u32 size)
{
	struct buffer_word *own = &w->of[p->thread];
	const struct word_item item = own->item[p->item];
	const struct word_loop *l = &word_loops[item.loop];
	u32 before = l->way[p->alt].nbefore, steps = l->way[p->alt].n, at = item.at + before;

	if (before)
		move_back(w, item.before, before);
	move_behind(w, p, at, steps);
	own->item[p->item].at = item.at;
	own->item[p->item].before = item.before;
	if (size)
		word_narrow_after(own, p->item, addr, size);
	return put_letters(own, p, before, steps) &&
	       put_steps(path, item.before, l->way[p->alt].before, before) &&
	       put_steps(path, at, l->way[p->alt].step, steps);
}
