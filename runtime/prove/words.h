/* SPDX-License-Identifier: ISC */
/*
 * words.h - the contents of store buffers without a bound, by thread: words with loops.
 *
 * Letter. A store, or a marker of PSO, by number. A *loop* is what a thread has stored in any
 *         number of rounds of a loop of its own (model/loop_word.h); it knows the steps of a round
 *         and its place on the path to the state, where further rounds are put in (word_pump()).
 * Always. The buffer of the execution that stands for a state is the word without its loops, and so
 *         the shortest of all: word_is_buffer().
 * Source. A. Linden's buffer automata and the acceleration of cycles (Liege 2013); here automata
 *         are words, and each set has an execution for any of its elements.
 */
#ifndef PROVE_WORDS_H
#define PROVE_WORDS_H

#include "model/buffer.h"
#include "model/loop_word.h"

#define WORD_THREADS 8 /* numbers of threads */

#define LETTER_MARKER 1

struct word_item {
	u16 letter; /* 0: it is a loop */
	u16 loop;
	u32 at, before; /* of a loop: of the path, where the two parts of a round are put in */
};

struct buffer_word {
	u32 n;
	struct word_item item[LOOP_WORD_ITEMS];
};

struct buffer_words {
	struct buffer_word of[WORD_THREADS];
};

/* Alternatives of a loop: bits. */
typedef u8 word_alts;
#define WORD_ALL 0xff

/* Further rounds of the item, an alternative: between those of `left' and `right'. */
struct word_pump {
	u8 thread, item, alt;
	word_alts left, right;
};

/* A path: steps as numbers. */
#define WORD_PATH_MAX 8192
struct word_path {
	u32 n, room;
	u64 *step;
};

/* Forget all letters and loops. by_location: stores to different locations are not ordered. */
void words_begin(bool by_location);

/* A loop of these alternatives, with the steps of each; 0: there are too many. A round has steps in
 * two places of the path: `before' is for what other threads have in their buffers then. */
struct word_ways {
	u32 n;
	struct {
		const u16 *letter;
		const u64 *step, *before;
		u32 nletters, nsteps, nbefore;
	} way[LOOP_WORD_ALTS];
};
u16 word_loop(const struct word_ways *w);

bool word_ways_have_markers(const struct word_ways *w);

/* The address of a letter's store; 0: it is a marker. */
u64 word_letter_address(u16 letter);

/* Is the letter a store to some of these bytes? Is it one of this value to just these? */
bool word_letter_overlaps(u16 letter, u64 addr, u32 size);
bool word_letter_is(u16 letter, u64 addr, u32 size, const u64 value[2]);

/* Is no letter after the i-th one of letter[n] a store to the same bytes? */
bool word_is_last(const u16 *letter, u32 n, u32 i);

/* Append; false: there is no room. */
bool word_push(struct buffer_word *w, u16 letter);
bool word_push_loop(struct buffer_word *w, u16 loop, u32 at, u32 before);

/* Is it, without its loops, what the buffer has? */
bool word_is_buffer(const struct buffer_word *w, const struct buffer *b);

/* Append what the buffer has in addition. False: it is not the word and more, or no room. */
bool word_extend(struct buffer_word *w, const struct buffer *b);

/* The first store, under PSO the first one to this location, reaches memory. */
bool word_commit(struct buffer_word *w, u64 addr);

/* Has the word loops? */
bool word_has_loops(const struct buffer_word *w);

/* Is each content of a's one of b's? */
bool word_includes(const struct buffer_word *b, const struct buffer_word *a);

/* What all contents of a set have: letters outside of its loops (counts of 4 bits, by hash; 7: or
 * more), and those in loops (bits). signature_may_include() is necessary for an inclusion. */
struct word_signature {
	u64 letters, loops;
};
struct word_signature words_signature(const struct buffer_words *w);

static inline bool signature_may_include(struct word_signature b, struct word_signature a)
{
	const u64 guards = 0x8888888888888888u;

	return !(a.loops & ~b.loops) && (((a.letters | guards) - b.letters) & guards) == guards;
}

/* Does its thread see this letter's value now, whatever the loops are? */
bool word_sees(const struct buffer_word *w, u16 letter);

/* A load of the thread that has `value' if no loop has an iteration: is it always that one? */
enum word_load { WORD_LOAD_ONE, WORD_LOAD_SEVERAL, WORD_LOAD_UNKNOWN };
enum word_load word_load(const struct buffer_word *w, u64 addr, u32 size, const u64 value[2]);

/* No loop has a store that such a load would see. */
void word_narrow(struct buffer_word *w, u64 addr, u32 size);

/* The pumps after which another store may be the first to reach memory, of this location (addr),
 * and after which a load sees a store of a loop: call see() for each. */
typedef void word_see(const struct word_pump *p, u64 addr);
void word_each_commit(const struct buffer_word *w, u8 thread, word_see *see);
void word_each_load(const struct buffer_word *w, u8 thread, u64 addr, u32 size, word_see *see);

/* Where on the path, if it is one place; UINT32_MAX: it is not. */
u32 word_pump_place(const struct buffer_words *w, const struct word_pump *p);

/* Put in a round, in the word and on the path; other loops move. load: addr and size of a load that
 * is to see it; size 0: none. False: there is no room. */
bool word_pump(struct buffer_words *w, const struct word_pump *p, struct word_path *path, u64 addr,
	u32 size);

#endif
