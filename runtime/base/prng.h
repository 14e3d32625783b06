/* SPDX-License-Identifier: ISC */
/* prng.h - seeded random numbers: splitmix64 seeds xorshift64*; the same on every machine. */
#ifndef BASE_PRNG_H
#define BASE_PRNG_H

#include "base/base.h"

struct prng {
	u64 state; /* never 0 */
};

/* One step of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that scatters x. */
static inline u64 prng_mix(u64 x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static inline void prng_seed(struct prng *p, u64 seed)
{
	p->state = prng_mix(seed);
	if (!p->state)
		p->state = 1;
}

/* 64 random bits (Marsaglia's xorshift64 with a multiplied output, Vigna 2016). */
static inline u64 prng_next(struct prng *p)
{
	u64 x = p->state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	p->state = x;
	return x * 0x2545f4914f6cdd1du;
}

/* A number in [0, n), n > 0; biased by at most n / 2^32. */
static inline u32 prng_below(struct prng *p, u32 n)
{
	return (u32)(((prng_next(p) >> 32) * n) >> 32);
}

#endif
