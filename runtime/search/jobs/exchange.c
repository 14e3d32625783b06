/* SPDX-License-Identifier: ISC */
/* exchange.c - see exchange.h. */
#include "search/jobs/exchange.h"
#include "process/shared.h"

/* --- the bell --------------------------------------------------------------------------------- */

u32 exchange_bell(const struct exchange *x)
{
	return __atomic_load_n(&x->bell, __ATOMIC_ACQUIRE);
}

void exchange_ring(struct exchange *x)
{
	shared_ring(&x->bell);
}

void exchange_wait(struct exchange *x, u32 seen, u32 milliseconds)
{
	shared_wait(&x->bell, seen, milliseconds);
}

void exchange_stop(struct exchange *x)
{
	x->stop = 1;
	exchange_ring(x);
}

/* --- states ----------------------------------------------------------------------------------- */

void exchange_begin(struct exchange *x, u32 nworkers)
{
	x->nworkers = nworkers;
	for (u32 i = 0; i < nworkers; i++)
		x->state[i] = WORKER_WORKS;
	for (u32 i = 0; i < OFFERS; i++)
		x->offer[i].state = OFFER_FREE;
	x->stop = x->pause = x->restart = x->over = x->idle = x->ready = 0;
}

void exchange_count(struct exchange *x)
{
	u32 idle = 0, ready = 0;

	for (u32 i = 0; i < OFFERS; i++)
		ready += x->offer[i].state == OFFER_READY;
	for (u32 i = 0; i < x->nworkers; i++)
		idle += x->state[i] == WORKER_IDLE;
	x->idle = idle;
	x->ready = ready;
}

void exchange_become(struct exchange *x, u32 worker, enum worker_state s)
{
	shared_take(&x->lock);
	x->state[worker] = s;
	exchange_count(x);
	shared_give(&x->lock);
}

/* The last write to an offer in each state: the writer may be killed at any time. */
static void set_offer(struct offer *o, enum offer_state s)
{
	__atomic_store_n(&o->state, s, __ATOMIC_RELEASE);
}

/* --- giving ----------------------------------------------------------------------------------- */

struct offer *exchange_reserve(struct exchange *x, u32 worker)
{
	struct offer *o = NULL;

	shared_take(&x->lock);
	for (u32 i = 0; i < OFFERS && !o; i++) {
		if (__atomic_load_n(&x->offer[i].state, __ATOMIC_ACQUIRE) == OFFER_FREE)
			o = &x->offer[i];
	}
	if (o) {
		o->owner = worker;
		o->number = ~(u64)0;
		o->ticket = ++x->tickets;
		set_offer(o, OFFER_FILLING);
	}
	shared_give(&x->lock);
	return o;
}

void exchange_offer(struct exchange *x, struct offer *o, bool filled)
{
	shared_take(&x->lock);
	o->state = filled ? OFFER_READY : OFFER_FREE;
	exchange_count(x);
	shared_give(&x->lock);
	exchange_ring(x);
}

/* --- taking ----------------------------------------------------------------------------------- */

static struct offer *take_offer(struct exchange *x, u32 worker)
{
	for (u32 i = 0; i < OFFERS; i++) {
		struct offer *o = &x->offer[i];

		if (o->state != OFFER_READY)
			continue;
		o->owner = worker;
		set_offer(o, OFFER_TAKEN);
		return o;
	}
	return NULL;
}

enum exchange_task exchange_find(
	struct exchange *x, u32 worker, u32 images, u32 milliseconds, struct offer **offer,
	u32 *image)
{
	for (;;) {
		u32 seen = exchange_bell(x);
		bool file;

		if (x->over || x->stop || x->restart)
			return EXCHANGE_NOTHING;
		shared_take(&x->lock);
		*offer = take_offer(x, worker);
		file = !*offer && x->next_image < images;
		if (file)
			*image = x->next_image++;
		x->state[worker] = *offer || file ? WORKER_WORKS : WORKER_IDLE;
		exchange_count(x);
		if (x->idle == x->nworkers)
			x->over = 1;
		shared_give(&x->lock);
		if (*offer || file)
			return file ? EXCHANGE_IMAGE : EXCHANGE_OFFER;
		if (x->over)
			exchange_ring(x);
		else
			exchange_wait(x, seen, milliseconds);
	}
}

/* Without the lock: a release by its owner, which has read it, for the next one that fills it. */
void exchange_done(struct offer *o)
{
	set_offer(o, OFFER_FREE);
}

/* --- death ------------------------------------------------------------------------------------ */

u64 exchange_killed(struct exchange *x, u32 worker, u64 ticket)
{
	u64 filling = ~(u64)0;

	shared_take(&x->lock);
	for (u32 i = 0; i < OFFERS; i++) {
		struct offer *o = &x->offer[i];

		if (o->owner != worker)
			continue;
		if (o->state == OFFER_FILLING) {
			filling = o->number;
			o->state = OFFER_FREE;
		} else if (o->state == OFFER_TAKEN) {
			o->state = ticket == o->ticket ? OFFER_FREE : OFFER_READY;
		}
	}
	x->state[worker] = WORKER_WORKS;
	exchange_count(x);
	shared_give(&x->lock);
	return filling;
}
