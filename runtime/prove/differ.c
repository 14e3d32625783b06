/* SPDX-License-Identifier: ISC */
/* differ.c - see differ.h. */
#include "prove/differ.h"
#include "base/prng.h"
#include "base/table.h"
#include "process/bytes.h"
#include "prove/state.h"
#include "prove/states.h"

#define NODES	 20000 /* the first ones: few steps lead to them */
#define WORDS	 (1u << 16)
#define CONTROLS (1u << 16)

/* Half a word of memory: its first value, the bits that have been others, and the hashes, from 0 to
 * 63, of all its values. */
static struct changing_word {
	u64 address, value, changed, hashes;
} words[WORDS];
static u32 nwords;

/* The control of the most states, by the hashes of all: exact if they are few. */
static u32 most_common(void)
{
	static u32 count[CONTROLS];
	u32 best = 0;

	bytes_fill(count, 0, sizeof count);
	for (u32 d = 0; d < states.nnodes && d < NODES; d++) {
		const struct state_node *n = &states.node[d];
		u32 *c = &count[n->control % CONTROLS];

		if (!(n->a | n->b))
			continue;
		++*c;
		if (*c > count[best % CONTROLS])
			best = n->control;
	}
	return best;
}

u32 differ_choose(u32 *to)
{
	u32 control = most_common(), n = 0, all = 0, step;

	for (u32 d = 0; d < states.nnodes && d < NODES; d++)
		all += states.node[d].control == control;
	step = all / DIFFER_STATES + 1;
	all = 0;
	for (u32 d = 0; d < states.nnodes && d < NODES && n < DIFFER_STATES; d++)
		if (states.node[d].control == control && all++ % step == 0)
			to[n++] = d;
	return n;
}

void differ_begin(void)
{
	bytes_fill(words, 0, sizeof words);
	nwords = 0;
}

static void see_half(u64 address, u64 value)
{
	u32 i;

	TABLE_FIND(i, prng_mix(address), WORDS,
		!words[i].address || words[i].address == address);
	if (!words[i].address && nwords == WORDS / 2)
		return;
	if (!words[i].address) {
		nwords++;
		words[i] = (struct changing_word){.address = address, .value = value};
	}
	words[i].changed |= words[i].value ^ value;
	words[i].hashes |= 1ull << prng_mix(value) % 64;
}

/* Two variables may share a word. */
static void see_word(u64 address, u64 value)
{
	see_half(address, value & UINT32_MAX);
	see_half(address + 4, value >> 32);
}

void differ_see(void)
{
	state_each_word(see_word);
}

u64 differ_end(u32 *values)
{
	const struct changing_word *best = words;

	for (u32 i = 0; i < WORDS; i++)
		if (__builtin_popcountll(words[i].hashes) > __builtin_popcountll(best->hashes))
			best = &words[i];
	*values = (u32)__builtin_popcountll(best->hashes);
	return best->address + (best->changed ? (u64)__builtin_ctzll(best->changed) / 8 : 0);
}
