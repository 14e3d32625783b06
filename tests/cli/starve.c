/* SPDX-License-Identifier: ISC */
/*
 * starve.c - programs with loops, by argv[1]: for t_starvation.sh. The first kind loops for ever
 * under some schedules; the second kind ends, though its state is often nearly the same.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <heddle/heddle.h>

#define TURNS 400 /* more steps than before the first check */

static atomic_int flag[2], lock, stop, done;
static int shared;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;

static void take(void)
{
	while (atomic_exchange(&lock, 1))
		;
}

static void give(void)
{
	atomic_store(&lock, 0);
}

static void two(void *(*f)(void *), void *(*g)(void *))
{
	pthread_t a, b;

	pthread_create(&a, NULL, f, NULL);
	pthread_create(&b, NULL, g, &shared);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

/* --- for ever --------------------------------------------------------------------------------- */

/* Each lowers its flag when it sees the other's. */
static void *polite(void *arg)
{
	int me = arg != NULL;

	for (;;) {
		atomic_store(&flag[me], 1);
		if (!atomic_load(&flag[1 - me]))
			break;
		atomic_store(&flag[me], 0);
	}
	shared++;
	atomic_store(&flag[me], 0);
	return NULL;
}

/* Likewise with locks, and it sleeps in between. */
static void *back_off(void *arg)
{
	pthread_mutex_t *mine = arg ? &second : &first, *other = arg ? &first : &second;

	for (;;) {
		pthread_mutex_lock(mine);
		if (!pthread_mutex_trylock(other))
			break;
		pthread_mutex_unlock(mine);
		usleep(100);
	}
	shared++;
	pthread_mutex_unlock(other);
	pthread_mutex_unlock(mine);
	return NULL;
}

/* Takes and releases the lock that main wants, too. */
static void *serve(void *arg)
{
	for (;;) {
		take();
		give();
	}
	return NULL;
}

static void server(void)
{
	pthread_t t;

	pthread_create(&t, NULL, serve, NULL);
	take();
	shared = 1;
	give();
}

/* Main waits for a signal that the looping thread never gives. */
static void no_signal(void)
{
	pthread_t t;

	pthread_create(&t, NULL, serve, NULL);
	pthread_mutex_lock(&first);
	while (!shared)
		pthread_cond_wait(&ready, &first);
	pthread_mutex_unlock(&first);
}

/* Ends without lowering its flag. */
static void *rude(void *arg)
{
	atomic_store(&flag[0], 1);
	return NULL;
}

/* --- not for ever ----------------------------------------------------------------------------- */

/* A lock, and a counter that several threads change a number of times. */
static void *bounded(void *arg)
{
	int old = atomic_load(&done);

	for (int i = 0; i < TURNS / 4; i++) {
		take();
		shared = 1;
		give();
		while (!atomic_compare_exchange_strong(&done, &old, old + 1))
			;
		atomic_store(&done, 0);
	}
	return NULL;
}

/* Stores in each iteration, until a stop flag is set. */
static void *until_stopped(void *arg)
{
	while (!atomic_load(&stop)) {
		take();
		give();
	}
	return NULL;
}

static void *stops(void *arg)
{
	for (int i = 0; i < TURNS; i++)
		atomic_store(&flag[0], i & 1);
	atomic_store(&stop, 1);
	return NULL;
}

static void back_and_forth(int i)
{
	atomic_store(&flag[i], 1);
	atomic_store(&flag[i], 0);
}

/* The remaining work is kept inside libc. */
static void *in_libc(void *arg)
{
	static char text[2 * TURNS];

	if (arg)
		return NULL;
	memset(text, 0, sizeof text);
	for (int i = 0; i < TURNS - 1; i++)
		text[2 * i] = 'a', text[2 * i + 1] = ',';
	for (char *p = strtok(text, ","); p; p = strtok(NULL, ","))
		back_and_forth(0);
	return NULL;
}

static void *in_key(void *arg)
{
	pthread_setspecific(key, (void *)1);
	while ((size_t)pthread_getspecific(key) < TURNS) {
		pthread_setspecific(key, (char *)pthread_getspecific(key) + 1);
		back_and_forth(arg != NULL);
	}
	return NULL;
}

static void *in_clock(void *arg)
{
	struct timespec t;

	do {
		back_and_forth(arg != NULL);
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while (t.tv_sec == 1000 && t.tv_nsec < 1000 * TURNS);
	return NULL;
}

static void *in_rand(void *arg)
{
	while (rand() % 512)
		back_and_forth(arg != NULL);
	return NULL;
}

/* As often as heddle_choose() likes, which cannot be for ever. */
static void *by_chance(void *arg)
{
	while (heddle_choose(256))
		back_and_forth(arg != NULL);
	return NULL;
}

/* Only the pending value to be stored differs. */
static void *pending(void *arg)
{
	int n = 0;

	while (n != TURNS) {
		n = atomic_fetch_add(&done, 1);
		back_and_forth(arg != NULL);
	}
	return NULL;
}

/* Loops for ever, without delaying a thread. */
static void detached(void)
{
	pthread_t t;

	pthread_create(&t, NULL, serve, NULL);
	pthread_detach(t);
	for (int i = 0; i < TURNS; i++)
		atomic_store(&flag[0], i & 1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void *(*f)(void *), *(*g)(void *);
		void (*whole)(void);
	} kinds[] = {
		{"polite", polite, polite, NULL},
		{"back-off", back_off, back_off, NULL},
		{"server", NULL, NULL, server},
		{"no-signal", NULL, NULL, no_signal},
		{"rude", rude, polite, NULL},
		{"bounded", bounded, bounded, NULL},
		{"until-stopped", until_stopped, stops, NULL},
		{"in-libc", in_libc, in_libc, NULL},
		{"in-key", in_key, in_key, NULL},
		{"in-clock", in_clock, in_clock, NULL},
		{"in-rand", in_rand, in_rand, NULL},
		{"by-chance", by_chance, by_chance, NULL},
		{"pending", pending, stops, NULL},
		{"detached", NULL, NULL, detached},
	};

	pthread_key_create(&key, NULL);
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (argc != 2 || strcmp(argv[1], kinds[i].name))
			continue;
		if (kinds[i].whole)
			kinds[i].whole();
		else
			two(kinds[i].f, kinds[i].g);
		return 0;
	}
	fprintf(stderr, "which?\n");
	return 2;
}
