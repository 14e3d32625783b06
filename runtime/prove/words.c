/* SPDX-License-Identifier: ISC */
/* words.c - see words.h. */
#include "prove/words_priv.h"
#include "base/prng.h"
#include "base/table.h"
#include "process/bytes.h"
#include "process/pages.h"

#define LETTERS (1u << 13)
#define LOOPS	4096
#define ARENA	(1u << 22) /* words of 8 bytes */

static struct buffer_letter {
	u64 addr, value[2];
	u32 size; /* 0: a marker */
} letters[LETTERS];

struct word_loop word_loops[LOOPS];

static struct {
	u32 nletters, nloops, used;
	u16 *slot; /* of letters, by hash */
	u64 *arena;
	bool by_location;
} W;

void words_begin(bool by_location)
{
	if (!W.arena) {
		W.arena = pages_need(ARENA * sizeof *W.arena);
		W.slot = pages_need(2 * LETTERS * sizeof *W.slot);
	}
	bytes_fill(W.slot, 0, 2 * LETTERS * sizeof *W.slot);
	W.nletters = LETTER_MARKER + 1;
	letters[LETTER_MARKER] = (struct buffer_letter){0};
	W.nloops = 1;
	W.used = 0;
	W.by_location = by_location;
}

/* --- letters ---------------------------------------------------------------------------------- */

static bool matches_letter(const struct buffer_letter *l, u64 addr, u32 size, const u64 value[2])
{
	return l->addr == addr && l->size == size && l->value[0] == value[0] &&
	       (size <= 8 || l->value[1] == value[1]);
}

/* The number of a store or marker; 0: there are too many. */
static u16 number_letter(u64 addr, u32 size, const u64 value[2])
{
	u64 hash = prng_mix(addr ^ prng_mix(value[0] + size));
	u32 i;

	if (!size)
		return LETTER_MARKER;
	TABLE_FIND(i, hash, 2 * LETTERS,
		!W.slot[i] || matches_letter(&letters[W.slot[i]], addr, size, value));
	if (W.slot[i] || W.nletters == LETTERS)
		return W.slot[i];
	letters[W.nletters] =
		(struct buffer_letter){addr, {value[0], size > 8 ? value[1] : 0}, size};
	W.slot[i] = (u16)W.nletters++;
	return W.slot[i];
}

bool word_letter_overlaps(u16 letter, u64 addr, u32 size)
{
	const struct buffer_letter *l = &letters[letter];

	return l->size && l->addr < addr + size && addr < l->addr + l->size;
}

static bool conflict(u16 a, u16 b)
{
	return word_letter_overlaps(a, letters[b].addr, letters[b].size);
}

u64 word_letter_address(u16 letter)
{
	return letters[letter].addr;
}

bool word_is_last(const u16 *letter, u32 n, u32 i)
{
	if (letter[i] == LETTER_MARKER)
		return false;
	for (u32 k = i + 1; k < n; k++)
		if (conflict(letter[i], letter[k]))
			return false;
	return true;
}

/* --- loops ------------------------------------------------------------------------------------ */

static void *put_away(const void *from, u32 bytes)
{
	u32 n = (bytes + 7) / 8;
	void *to = W.arena + W.used;

	if (n > ARENA - W.used)
		return NULL;
	bytes_copy(to, from, bytes);
	W.used += n;
	return to;
}

u16 word_loop(const struct word_ways *w)
{
	struct word_loop *l = &word_loops[W.nloops];

	if (W.nloops == LOOPS)
		return 0;
	l->language.n = w->n;
	for (u32 i = 0; i < w->n; i++) {
		u16 *letter = put_away(w->way[i].letter, w->way[i].nletters * (u32)sizeof(u16));
		u64 *step = put_away(w->way[i].step, w->way[i].nsteps * (u32)sizeof(u64));
		u64 *before = put_away(w->way[i].before, w->way[i].nbefore * (u32)sizeof(u64));

		if (!letter || !step || !before)
			return 0;
		l->language.alt[i] = (struct loop_alt){letter, w->way[i].nletters};
		l->way[i].step = step;
		l->way[i].n = w->way[i].nsteps;
		l->way[i].before = before;
		l->way[i].nbefore = w->way[i].nbefore;
	}
	l->base = (u16)W.nloops;
	l->alts = (word_alts)((1u << w->n) - 1);
	return (u16)W.nloops++;
}

/* The loop with some of its alternatives, of its base; 0: none of them, or (*full) no room. */
u16 word_some_of(u16 loop, word_alts alts, bool *full)
{
	const struct word_loop *of = &word_loops[loop], *base = &word_loops[of->base];
	struct word_loop *l = &word_loops[W.nloops];
	u32 k = 0;

	alts &= of->alts;
	if (!alts || alts == of->alts)
		return alts ? loop : 0;
	for (u32 i = of->base; i < W.nloops; i++)
		if (word_loops[i].base == of->base && word_loops[i].alts == alts)
			return (u16)i;
	if (W.nloops == LOOPS) {
		*full = true;
		return 0;
	}
	for (u32 i = 0; i < base->language.n; i++) {
		if (!(alts >> i & 1))
			continue;
		l->language.alt[k] = base->language.alt[i];
		l->way[k] = base->way[i];
		k++;
	}
	l->language.n = k;
	l->base = of->base;
	l->alts = alts;
	return (u16)W.nloops++;
}

/* The bit, in its base, of an alternative. */
static word_alts alternative_bit(u16 loop, u32 alt)
{
	word_alts alts = word_loops[loop].alts;

	while (alt--)
		alts &= (word_alts)(alts - 1);
	return alts & (word_alts)-alts;
}

static bool alt_has_marker(const struct loop_alt *a)
{
	for (u32 i = 0; i < a->n; i++)
		if (a->letter[i] == LETTER_MARKER)
			return true;
	return false;
}

bool word_ways_have_markers(const struct word_ways *w)
{
	for (u32 i = 0; i < w->n; i++)
		for (u32 k = 0; k < w->way[i].nletters; k++)
			if (w->way[i].letter[k] == LETTER_MARKER)
				return true;
	return false;
}

/* The last letter of these bytes; 0: none. */
static u16 alt_last(const struct loop_alt *a, u64 addr, u32 size)
{
	for (u32 i = a->n; i--;)
		if (word_letter_overlaps(a->letter[i], addr, size))
			return a->letter[i];
	return 0;
}

/* The alternatives without a store to these bytes. */
static word_alts alts_without(u16 loop, u64 addr, u32 size)
{
	const struct loop *l = &word_loops[loop].language;
	word_alts alts = 0;

	for (u32 i = 0; i < l->n; i++)
		if (!alt_last(&l->alt[i], addr, size))
			alts |= alternative_bit(loop, i);
	return alts;
}

/* The alternatives that a store may overtake. */
static word_alts alts_overtaken(u16 loop, u16 letter)
{
	const struct loop *l = &word_loops[loop].language;
	word_alts alts = 0;

	if (!W.by_location)
		return 0;
	for (u32 i = 0; i < l->n; i++)
		if (!alt_has_marker(&l->alt[i]) &&
			!alt_last(&l->alt[i], letters[letter].addr, letters[letter].size))
			alts |= alternative_bit(loop, i);
	return alts;
}

/* --- words ------------------------------------------------------------------------------------ */

static void remove_word_item(struct buffer_word *w, u32 i)
{
	w->n--;
	for (; i < w->n; i++)
		w->item[i] = w->item[i + 1];
}

/* Keep some alternatives of an item. Without room all are kept: no content is lost. True: the item
 * is gone. */
static bool restrict_item(struct buffer_word *w, u32 i, word_alts alts)
{
	bool full = false;
	u16 loop = word_some_of(w->item[i].loop, alts, &full);

	if (full)
		return false;
	w->item[i].loop = loop;
	if (!loop)
		remove_word_item(w, i);
	return !loop;
}

bool word_push(struct buffer_word *w, u16 letter)
{
	if (letter == LETTER_MARKER && (!w->n || w->item[w->n - 1].letter == LETTER_MARKER))
		return true;
	if (w->n == LOOP_WORD_ITEMS || !letter)
		return false;
	w->item[w->n++] = (struct word_item){.letter = letter};
	return true;
}

bool word_push_loop(struct buffer_word *w, u16 loop, u32 at, u32 before)
{
	if (w->n == LOOP_WORD_ITEMS || !loop)
		return false;
	w->item[w->n++] = (struct word_item){.loop = loop, .at = at, .before = before};
	return true;
}

bool word_has_loops(const struct buffer_word *w)
{
	for (u32 i = 0; i < w->n; i++)
		if (w->item[i].loop)
			return true;
	return false;
}

/* Without loops, as a buffer would have it: markers are neither first nor side by side. */
static u32 without_loops(const struct buffer_word *w, u16 *to)
{
	u32 n = 0;

	for (u32 i = 0; i < w->n; i++) {
		u16 letter = w->item[i].letter;

		if (!letter || (letter == LETTER_MARKER && (!n || to[n - 1] == LETTER_MARKER)))
			continue;
		to[n++] = letter;
	}
	return n;
}

static u16 letter_of(const struct buffer *b, u32 i)
{
	const struct store *s = &b->entry[b->head + i];

	return number_letter(s->addr, s->size, s->value);
}

static bool begins_buffer(const struct buffer_word *w, const struct buffer *b, u32 *n)
{
	u16 letter[LOOP_WORD_ITEMS];

	*n = without_loops(w, letter);
	if (*n > b->n)
		return false;
	for (u32 i = 0; i < *n; i++)
		if (letter[i] != letter_of(b, i))
			return false;
	return true;
}

bool word_is_buffer(const struct buffer_word *w, const struct buffer *b)
{
	u32 n;

	return begins_buffer(w, b, &n) && n == b->n;
}

bool word_extend(struct buffer_word *w, const struct buffer *b)
{
	u32 n;

	if (!begins_buffer(w, b, &n))
		return false;
	for (; n < b->n; n++)
		if (!word_push(w, letter_of(b, n)))
			return false;
	return true;
}

static void drop_word_markers(struct buffer_word *w)
{
	while (w->n && w->item[0].letter == LETTER_MARKER)
		remove_word_item(w, 0);
	for (u32 i = 1; i < w->n;)
		if (w->item[i].letter == LETTER_MARKER && w->item[i - 1].letter == LETTER_MARKER)
			remove_word_item(w, i);
		else
			i++;
}

/* A loop beside one that has all of its alternatives. */
static void merge_loops(struct buffer_word *w)
{
	for (u32 i = 0; i + 1 < w->n;) {
		const struct word_loop *a = &word_loops[w->item[i].loop];
		const struct word_loop *b = &word_loops[w->item[i + 1].loop];

		if (w->item[i].loop && w->item[i + 1].loop && a->base == b->base &&
			!(a->alts & ~b->alts))
			remove_word_item(w, i);
		else
			i++;
	}
}

/* The store at this item reaches memory: what it cannot overtake has, and has no iterations. */
static void commit_word_item(struct buffer_word *w, u32 i)
{
	u16 letter = w->item[i].letter;
	u32 marker = 0;

	remove_word_item(w, i);
	for (u32 k = 0; k < i; k++)
		if (w->item[k].letter == LETTER_MARKER)
			marker = k + 1;
	for (u32 k = i; k--;)
		if (k < marker)
			remove_word_item(w, k);
		else if (w->item[k].loop)
			restrict_item(w, k, alts_overtaken(w->item[k].loop, letter));
	drop_word_markers(w);
	merge_loops(w);
}

bool word_commit(struct buffer_word *w, u64 addr)
{
	for (u32 i = 0; i < w->n; i++) {
		u16 letter = w->item[i].letter;

		if (letter <= LETTER_MARKER || (W.by_location && letters[letter].addr != addr))
			continue;
		commit_word_item(w, i);
		return true;
	}
	return false;
}

static void as_loop_word(const struct buffer_word *w, struct loop_word *to)
{
	to->n = w->n;
	for (u32 i = 0; i < w->n; i++)
		to->item[i] = (struct loop_item){
			.loop = w->item[i].loop ? &word_loops[w->item[i].loop].language : NULL,
			.letter = w->item[i].letter};
}

bool word_includes(const struct buffer_word *b, const struct buffer_word *a)
{
	static struct loop_word x, y;

	if (!b->n)
		return !a->n;
	if (!word_has_loops(b) && word_has_loops(a))
		return false;
	as_loop_word(a, &x);
	as_loop_word(b, &y);
	return loop_word_includes(&y, &x);
}

static u64 hash_letter(u32 thread, u16 letter)
{
	return prng_mix((u64)letter << 8 | thread);
}

static u64 loop_bits(u32 thread, const struct loop *l)
{
	u64 bits = 0;

	for (u32 k = 0; k < l->n; k++)
		for (u32 i = 0; i < l->alt[k].n; i++)
			bits |= 1ull << hash_letter(thread, l->alt[k].letter[i]) % 64;
	return bits;
}

static u64 count_one(u64 counts, u64 hash)
{
	u32 at = 4 * (hash % 16);

	return (counts >> at & 15) < 7 ? counts + (1ull << at) : counts;
}

struct word_signature words_signature(const struct buffer_words *w)
{
	struct word_signature s = {0};

	for (u32 t = 0; t < WORD_THREADS; t++)
		for (const struct word_item *i = w->of[t].item; i < w->of[t].item + w->of[t].n; i++)
			if (i->loop)
				s.loops |= loop_bits(t, &word_loops[i->loop].language);
			else
				s.letters = count_one(s.letters, hash_letter(t, i->letter));
	return s;
}

/* --- loads ------------------------------------------------------------------------------------ */

bool word_sees(const struct buffer_word *w, u16 letter)
{
	const struct buffer_letter *l = &letters[letter];

	for (u32 i = w->n; i--;) {
		const struct loop *loop = &word_loops[w->item[i].loop].language;

		if (!w->item[i].loop && word_letter_overlaps(w->item[i].letter, l->addr, l->size))
			return w->item[i].letter == letter;
		for (u32 k = 0; w->item[i].loop && k < loop->n; k++) {
			u16 last = alt_last(&loop->alt[k], l->addr, l->size);

			if (last && last != letter)
				return false;
		}
	}
	return false;
}

/* The value of a load of that letter; false: it is not of the same bytes. */
static bool is_value(u16 letter, u64 addr, u32 size, const u64 value[2], bool *same)
{
	const struct buffer_letter *l = &letters[letter];
	u64 mask = size < 8 ? (1ull << 8 * size) - 1 : ~0ull;

	if (l->addr != addr || l->size != size)
		return false;
	*same = !((l->value[0] ^ value[0]) & mask) && (size <= 8 || l->value[1] == value[1]);
	return true;
}

bool word_letter_is(u16 letter, u64 addr, u32 size, const u64 value[2])
{
	bool same;

	return is_value(letter, addr, size, value, &same) && same;
}

/* The item of the last letter of these bytes that is in no loop; -1: none. */
static int last_letter(const struct buffer_word *w, u64 addr, u32 size)
{
	int i = (int)w->n - 1;

	while (i >= 0 && !word_letter_overlaps(w->item[i].letter, addr, size))
		i--;
	return i;
}

enum word_load word_load(const struct buffer_word *w, u64 addr, u32 size, const u64 value[2])
{
	enum word_load result = WORD_LOAD_ONE;

	for (int i = (int)w->n - 1; i > last_letter(w, addr, size); i--) {
		const struct loop *loop = &word_loops[w->item[i].loop].language;

		for (u32 k = 0; w->item[i].loop && k < loop->n; k++) {
			u16 last = alt_last(&loop->alt[k], addr, size);
			bool same = false;

			if (last && !is_value(last, addr, size, value, &same))
				return WORD_LOAD_UNKNOWN;
			if (last && !same)
				result = WORD_LOAD_SEVERAL;
		}
	}
	return result;
}

void word_narrow_after(struct buffer_word *w, int from, u64 addr, u32 size)
{
	for (int i = (int)w->n - 1; i > from; i--)
		if (w->item[i].loop)
			restrict_item(w, (u32)i, alts_without(w->item[i].loop, addr, size));
}

void word_narrow(struct buffer_word *w, u64 addr, u32 size)
{
	word_narrow_after(w, last_letter(w, addr, size), addr, size);
}

void word_each_load(const struct buffer_word *w, u8 thread, u64 addr, u32 size, word_see *see)
{
	for (int i = (int)w->n - 1; i > last_letter(w, addr, size); i--) {
		u16 loop = w->item[i].loop;

		for (u32 k = 0; loop && k < word_loops[loop].language.n; k++)
			if (alt_last(&word_loops[loop].language.alt[k], addr, size))
				see(&(struct word_pump){thread, (u8)i, (u8)k, WORD_ALL,
					    alts_without(loop, addr, size)},
					addr);
	}
}

/* --- stores ----------------------------------------------------------------------------------- */

/* Is a store that comes after the item, with this letter, kept from memory by what is before?
 * marked: behind a marker. */
static bool is_held(const struct buffer_word *w, u32 item, u16 letter, bool marked_here)
{
	bool stores = false, marked = false;

	for (u32 i = 0; i < item; i++) {
		u16 l = w->item[i].letter;

		if (l == LETTER_MARKER)
			marked |= stores;
		else if (l && (!W.by_location || conflict(l, letter)))
			return true;
		stores |= l > LETTER_MARKER;
	}
	return marked || (marked_here && stores);
}

/* Is the k-th letter of an alternative a store that nothing before it there holds, but for a marker
 * at its beginning? */
static bool is_first_letter(const struct loop_alt *a, u32 k)
{
	if (!W.by_location)
		return k == 0;
	for (u32 i = 0; i < k; i++)
		if ((a->letter[i] == LETTER_MARKER && i) || conflict(a->letter[i], a->letter[k]))
			return false;
	return a->letter[k] != LETTER_MARKER;
}

void word_each_commit(const struct buffer_word *w, u8 thread, word_see *see)
{
	for (u32 i = 0; i < w->n; i++) {
		const struct loop *l = &word_loops[w->item[i].loop].language;

		for (u32 k = 0; w->item[i].loop && k < l->n; k++)
			for (u32 at = 0; at < l->alt[k].n; at++) {
				u16 letter = l->alt[k].letter[at];

				if (!is_first_letter(&l->alt[k], at) ||
					is_held(w, i, letter,
						l->alt[k].letter[0] == LETTER_MARKER))
					continue;
				see(&(struct word_pump){thread, (u8)i, (u8)k,
					    alts_overtaken(w->item[i].loop, letter), WORD_ALL},
					letters[letter].addr);
			}
	}
}
