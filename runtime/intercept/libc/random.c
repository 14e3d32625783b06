/* SPDX-License-Identifier: ISC */
/*
 * random.c - random numbers are a function of the execution: the generators' states are restored.
 *
 * The generators are glibc's own, called through their reentrant forms with a state of ours, so the
 * numbers are those of a native run. Requests for the system's entropy get a fixed sequence.
 */
#include "intercept/intercept.h"
#include "cycle/state_cycle.h"
#include "base/prng.h"
#include "machine/wait/foreign.h"
#include "machine/record/name.h"

#include <errno.h>
#include <sys/random.h>

#define CALLER __builtin_return_address(0)

static PER_EXECUTION struct random_data generator;
static PER_EXECUTION char generator_words[128]; /* glibc's default size */
static PER_EXECUTION struct drand48_data generator48;
static PER_EXECUTION struct prng entropy;

static struct random_data *state(void)
{
	if (!generator.state)
		initstate_r(1, generator_words, sizeof generator_words, &generator);
	return &generator;
}

/* All threads share the generators, and glibc's take a lock: the order of calls is a choice. */
static void draw_step(void)
{
	static const struct sync_op op = {EV_DRAIN, NULL, NULL};

	sync_arrive(&op, &generator);
}

INTERCEPT long random(void)
{
	i32 r = 0;

	NATIVELY(random);
	draw_step();
	random_r(state(), &r);
	return r;
}

INTERCEPT int rand(void)
{
	NATIVELY(rand);
	return (int)random();
}

INTERCEPT void srandom(unsigned seed)
{
	if (machine_entered())
		draw_step();
	else
		real(srandom)(seed);
	srandom_r(seed, state()); /* natively too: an exploration may begin later */
}

INTERCEPT void srand(unsigned seed)
{
	srandom(seed);
}

/* A state supplied by the program. */
INTERCEPT char *initstate(unsigned seed, char *words, size_t n)
{
	char *old = (char *)state()->state;

	NATIVELY(initstate, seed, words, n);
	machine_drain();
	return initstate_r(seed, words, n, &generator) ? NULL : old - sizeof(i32);
}

INTERCEPT char *setstate(char *words)
{
	char *old = (char *)state()->state;

	NATIVELY(setstate, words);
	machine_drain();
	return setstate_r(words, &generator) ? NULL : old - sizeof(i32);
}

/* --- drand48 and its family ------------------------------------------------------------------ */

/* libc's take no lock: two threads that call one of them race. The order of calls is as above. */
static PER_EXECUTION u64 draws48;

static void note_draw48(const void *caller)
{
	u64 n;

	if (!foreign_is_caller(caller))
		return;
	name_give((u64)(uintptr_t)&draws48, sizeof draws48, "the state of drand48()");
	machine_read(&n, &draws48, sizeof n);
	n++;
	machine_write(&draws48, &n, sizeof n);
}

INTERCEPT double drand48(void)
{
	double r = 0;

	NATIVELY(drand48);
	draw_step();
	drand48_r(&generator48, &r);
	note_draw48(CALLER);
	return r;
}

INTERCEPT long lrand48(void)
{
	long r = 0;

	NATIVELY(lrand48);
	draw_step();
	lrand48_r(&generator48, &r);
	note_draw48(CALLER);
	return r;
}

INTERCEPT long mrand48(void)
{
	long r = 0;

	NATIVELY(mrand48);
	draw_step();
	mrand48_r(&generator48, &r);
	note_draw48(CALLER);
	return r;
}

INTERCEPT double erand48(unsigned short state[3])
{
	double r = 0;

	NATIVELY(erand48, state);
	draw_step();
	erand48_r(state, &generator48, &r);
	return r;
}

INTERCEPT long nrand48(unsigned short state[3])
{
	long r = 0;

	NATIVELY(nrand48, state);
	draw_step();
	nrand48_r(state, &generator48, &r);
	return r;
}

INTERCEPT long jrand48(unsigned short state[3])
{
	long r = 0;

	NATIVELY(jrand48, state);
	draw_step();
	jrand48_r(state, &generator48, &r);
	return r;
}

INTERCEPT unsigned short *seed48(unsigned short state[3])
{
	static PER_EXECUTION unsigned short before[3];
	unsigned short *natively = NULL;

	if (machine_entered())
		draw_step();
	else
		natively = real(seed48)(state);
	seed48_r(state, &generator48);
	note_draw48(CALLER);
	memcpy(before, generator48.__old_x, sizeof before);
	return natively ? natively : before;
}

INTERCEPT void lcong48(unsigned short parameters[7])
{
	if (machine_entered())
		draw_step();
	else
		real(lcong48)(parameters);
	lcong48_r(parameters, &generator48);
	note_draw48(CALLER);
}

INTERCEPT void srand48(long seed)
{
	if (machine_entered())
		draw_step();
	else
		real(srand48)(seed);
	srand48_r(seed, &generator48);
	note_draw48(CALLER);
}

/* --- entropy --------------------------------------------------------------------------------- */

static u64 entropy_next(void)
{
	machine_unrepeatable("random numbers");
	machine_progress();
	if (!entropy.state)
		prng_seed(&entropy, 0);
	return prng_next(&entropy);
}

static void entropy_fill(void *to, size_t n)
{
	machine_drain();
	for (size_t i = 0; i < n; i++)
		((u8 *)to)[i] = (u8)(entropy_next() >> 56);
}

INTERCEPT ssize_t getrandom(void *to, size_t n, unsigned flags)
{
	NATIVELY(getrandom, to, n, flags);
	entropy_fill(to, n);
	return (ssize_t)n;
}

INTERCEPT int getentropy(void *to, size_t n)
{
	NATIVELY(getentropy, to, n);
	if (n > 256)
		return (int)errno_return(-EIO);
	entropy_fill(to, n);
	return 0;
}

INTERCEPT u32 arc4random(void)
{
	NATIVELY(arc4random);
	return (u32)(entropy_next() >> 32);
}

INTERCEPT void arc4random_buf(void *to, size_t n)
{
	if (machine_entered())
		entropy_fill(to, n);
	else
		real(arc4random_buf)(to, n);
}

INTERCEPT u32 arc4random_uniform(u32 bound)
{
	NATIVELY(arc4random_uniform, bound);
	return bound ? (u32)(((entropy_next() >> 32) * bound) >> 32) : 0;
}
