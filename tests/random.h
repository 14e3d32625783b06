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

/* 64 bits; splitmix64 (Steele, Lea, Flood, OOPSLA 2014). Any state is a seed. */
static inline uint64_t random_mix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
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
