/* SPDX-License-Identifier: ISC */
/* random.h - random numbers of generated programs: for a seed, the same on every machine. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

/* In [0, n), from Knuth's linear congruential generator. Any state is a seed. */
static inline unsigned random_below(uint64_t *state, unsigned n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((*state >> 33) % n);
}

/* Marsaglia's xorshift64; the state must not be 0. */
static inline uint64_t random_shift(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
