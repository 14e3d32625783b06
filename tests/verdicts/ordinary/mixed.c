/* SPDX-License-Identifier: ISC */
/* mixed.c - the same bytes by atomics of different sizes: halves of 16 bytes, bytes of words,
 * halves of words. */
#include "ordinary.h"

#include <sched.h>
#include <stdlib.h>

/* --- a counted pointer ------------------------------------------------------------------------ */

/* 16 bytes that change at once; readers load the halves, one after the other. */
struct counted_pointer {
	union {
		unsigned __int128 both;
		struct {
			uint64_t pointer, count;
		};
	} at __attribute__((aligned(16)));
};

static void pointer_work(const struct part *p, void *state, int me)
{
	struct counted_pointer *c = state;

	for (int i = 0; i < p->rounds; i++) {
		uint64_t count, pointer;
		unsigned __int128 from, to;

		do {
			count = __atomic_load_n(&c->at.count, __ATOMIC_ACQUIRE);
			pointer = __atomic_load_n(&c->at.pointer, __ATOMIC_RELAXED);
			if (p->weak == 1 && !me) {
				__atomic_store_n(&c->at.pointer, pointer + 16, __ATOMIC_RELAXED);
				__atomic_store_n(&c->at.count, count + 1, __ATOMIC_RELEASE);
				break;
			}
			from = (unsigned __int128)count << 64 | pointer;
			to = (unsigned __int128)(count + 1) << 64 | (pointer + 16);
		} while (!__sync_bool_compare_and_swap(&c->at.both, from, to));
	}
}

static void pointer_end(const struct part *p, void *state)
{
	struct counted_pointer *c = state;
	uint64_t n = (uint64_t)p->users * p->rounds;

	check(__atomic_load_n(&c->at.count, __ATOMIC_RELAXED) == n);
	check(__atomic_load_n(&c->at.pointer, __ATOMIC_RELAXED) == 16 * n);
}

const struct idiom pointer_idiom = {.name = "pointer",
	.least = 2,
	.most = 2,
	.costs = {10, 50, 0},
	.work = pointer_work,
	.end = pointer_end,
	.weakness = {{0}, {"one thread stores the halves, one by one", ALL_MODELS(FAILURE)}}};

/* --- bytes of a word -------------------------------------------------------------------------- */

/* Each sets its byte when its value is there; a thread that sees all reads all values. */
struct bytes {
	union {
		uint32_t word;
		uint8_t byte[4];
	} ready;
	int value[WORKERS];
};

static void bytes_begin(const struct part *p, void *state)
{
	struct bytes *b = state;

	for (int i = p->users; i < 4; i++)
		b->ready.byte[i] = 1;
}

static void bytes_work(const struct part *p, void *state, int me)
{
	struct bytes *b = state;
	uint32_t word;

	b->value[me] = me + 1;
	KEEP();
	if (p->weak == 1)
		__atomic_store_n(&b->ready.byte[me], 1, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&b->ready.byte[me], 1, __ATOMIC_RELEASE);
	KEEP();
	if (me && p->pick[0] % 2)
		return;
	do {
		word = p->weak == 2 ? __atomic_load_n(&b->ready.word, __ATOMIC_RELAXED)
				    : __atomic_load_n(&b->ready.word, __ATOMIC_ACQUIRE);
		if (p->pick[1] % 2)
			sched_yield();
	} while (word != 0x01010101);
	KEEP();
	for (int i = 0; i < p->users; i++)
		check(b->value[i] == i + 1);
}

static void bytes_end(const struct part *p, void *state)
{
	struct bytes *b = state;

	(void)p;
	check(__atomic_load_n(&b->ready.word, __ATOMIC_RELAXED) == 0x01010101);
}

const struct idiom bytes_idiom = {.name = "bytes",
	.least = 2,
	.most = 3,
	.costs = {8, 8, 40},
	.begin = bytes_begin,
	.work = bytes_work,
	.end = bytes_end,
	.weakness = {{0}, {"bytes are set by relaxed stores", NO_RELEASE(RACE)},
		{"the word is looked at by relaxed loads", NO_ACQUIRE(RACE)}}};

/* --- a lock that is a byte of a word ---------------------------------------------------------- */

struct byte_lock {
	union {
		uint32_t word;
		uint8_t locked;
		uint16_t half[2]; /* the second one: how often */
	} at;
	int value;
};

static void byte_lock_work(const struct part *p, void *state, int me)
{
	struct byte_lock *l = state;

	(void)me;
	for (int i = 0; i < p->rounds; i++) {
		uint32_t old = __atomic_load_n(&l->at.word, __ATOMIC_RELAXED);

		while (old & 0xff ||
			!__atomic_compare_exchange_n(&l->at.word, &old, (old + 0x10000) | 1, false,
				__ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
			if (p->pick[0] % 2)
				sched_yield();
			old = __atomic_load_n(&l->at.word, __ATOMIC_RELAXED);
		}
		l->value++;
		KEEP();
		if (p->weak == 1)
			__atomic_store_n(&l->at.locked, 0, __ATOMIC_RELAXED);
		else
			__atomic_store_n(&l->at.locked, 0, __ATOMIC_RELEASE);
		KEEP();
	}
}

static void byte_lock_end(const struct part *p, void *state)
{
	struct byte_lock *l = state;

	check(l->value == p->users * p->rounds);
	check(__atomic_load_n(&l->at.half[1], __ATOMIC_RELAXED) == l->value && !l->at.half[0]);
}

const struct idiom byte_lock_idiom = {.name = "byte-lock",
	.least = 2,
	.most = 3,
	.costs = {10, 60, 200},
	.work = byte_lock_work,
	.end = byte_lock_end,
	.weakness = {{0}, {"the byte is cleared by a relaxed store", NO_RELEASE(RACE)}}};

/* --- halves of a word ------------------------------------------------------------------------- */

/* One operation counts in both halves; each half is also read, and added to, by itself. */
struct halves {
	union {
		uint64_t word;
		uint32_t half[2];
	} at;
};

static void halves_work(const struct part *p, void *state, int me)
{
	struct halves *h = state;

	for (int i = 0; i < p->rounds; i++) {
		uint32_t low = __atomic_load_n(&h->at.half[0], __ATOMIC_ACQUIRE), high;

		if (p->weak == 1 && !me) {
			__atomic_store_n(&h->at.half[0], low + 1, __ATOMIC_RELAXED);
			__atomic_fetch_add(&h->at.half[1], 1, __ATOMIC_RELAXED);
			continue;
		}
		__atomic_fetch_add(&h->at.word, 1 | 1ull << 32, __ATOMIC_ACQ_REL);
		high = __atomic_load_n(&h->at.half[1], __ATOMIC_ACQUIRE);
		check(high > (uint32_t)i && (p->weak || high > low));
	}
}

static void halves_end(const struct part *p, void *state)
{
	struct halves *h = state;

	check(__atomic_load_n(&h->at.word, __ATOMIC_RELAXED) ==
		(uint64_t)p->users * p->rounds * (1 | 1ull << 32));
}

const struct idiom halves_idiom = {.name = "halves",
	.least = 2,
	.most = 2,
	.costs = {20, 200, 0},
	.work = halves_work,
	.end = halves_end,
	.weakness = {{0}, {"one thread counts in the lower half by a load and a store",
				  ALL_MODELS(FAILURE)}}};
