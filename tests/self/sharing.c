/* SPDX-License-Identifier: ISC */
/*
 * sharing.c - how Heddle's workers share their work (-j), explored by Heddle.
 *
 * The code is the product's (runtime/search/jobs/exchange.c, runtime/process/shared.c), compiled
 * with heddle-cc; the workers are threads here, and explore UNITS of work, each to be done once.
 * They wait for the bell without a time limit, so that a lost wake-up is a deadlock.
 * Variants:
 *
 *     -DWORKERS=N -DUNITS=N
 *     -DSTOP	worker 0 finds something after its first unit: all end, no unit is done twice
 *     -DKILL	worker 1 dies once, with an offer that it was filling, or had taken: the parent
 *		begins its work again
 *     -DSLEEPER       one more worker is idle and sleeps all the time: offers go to workers that
 *     look
 *
 * tests/cli/t_self.sh compiles it, also with lines of the code changed for the worse.
 */
#include "process/shared.h"
#include "search/jobs/exchange.h"

#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <string.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef UNITS
#define UNITS 2
#endif

struct range {
	u32 from, to;
};

static struct exchange x;
static struct range room[OFFERS];
static struct range left[WORKERS]; /* by worker: its record */
static u64 ticket[WORKERS];
static int done[UNITS];
static bool dead[WORKERS];

#ifdef KILL
static bool dies(u32 who)
{
	static u32 deaths;

	if (who == 1 && !deaths && heddle_choose(2)) {
		deaths++;
		dead[who] = true;
	}
	return dead[who];
}
#else
static bool dies(u32 who)
{
	return false;
}
#endif

/* The last unit, which may be all there is. */
static void give(u32 who)
{
	struct range *own = &left[who], last = {own->to - 1, own->to};
	struct offer *o = exchange_reserve(&x, who);

	if (!o)
		return;
	o->number = last.from;
	if (dies(who))
		return;
	memcpy(o->data, &last, sizeof last);
	o->size = sizeof last;
	own->to = last.from;
	exchange_offer(&x, o, true);
}

static void explore(u32 who)
{
	struct range *own = &left[who];

	while (own->from < own->to && !x.stop && !dead[who]) {
		done[own->from++]++;
#ifdef STOP
		if (who == 0)
			exchange_stop(&x);
#endif
		if (own->from < own->to && exchange_wants(&x))
			give(who);
	}
}

static bool find(u32 who)
{
	struct offer *o;
	u32 image;

	if (exchange_find(&x, who, 0, 0, &o, &image) == EXCHANGE_NOTHING)
		return false;
	if (dies(who))
		return false;
	memcpy(&left[who], o->data, sizeof left[who]);
	ticket[who] = o->ticket;
	if (dies(who))
		return false;
	exchange_done(o);
	return true;
}

static void *work(void *arg)
{
	u32 who = (u32)(unsigned long)arg;

	do
		explore(who);
	while (!dead[who] && find(who));
	return NULL;
}

static void start(pthread_t *t, u32 who)
{
	int error = pthread_create(t, NULL, work, (void *)(unsigned long)who);

	assert(!error);
}

int main(void)
{
	pthread_t t[WORKERS];
	u32 all = 0;

	for (u32 i = 0; i < OFFERS; i++)
		x.offer[i].data = (u8 *)&room[i];
#ifdef SLEEPER
	exchange_begin(&x, WORKERS + 1);
	exchange_become(&x, WORKERS, WORKER_IDLE);
#else
	exchange_begin(&x, WORKERS);
#endif
	left[0].to = UNITS;
	shared_take(
		&x.lock); /* so that it knows its process, which is the same for all threads here */
	shared_give(&x.lock);
	for (u32 i = 0; i < WORKERS; i++)
		start(&t[i], i);
#ifdef KILL
	pthread_join(t[1], NULL);
	if (dead[1]) {
		dead[1] = false;
		exchange_killed(&x, 1, ticket[1]);
		work((void *)1);
	}
	pthread_join(t[0], NULL);
#else
	for (u32 i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
#endif
	for (u32 i = 0; i < UNITS; i++) {
		all += (u32)done[i];
		assert(done[i] <= 1 && "a unit was done twice");
	}
#ifndef STOP
	assert(all == UNITS && "a unit was lost");
	assert(x.over && x.idle == x.nworkers && !x.ready);
	for (u32 i = 0; i < OFFERS; i++)
		assert(x.offer[i].state == OFFER_FREE);
#endif
	return 0;
}
