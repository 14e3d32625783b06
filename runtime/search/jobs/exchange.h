/* SPDX-License-Identifier: ISC */
/*
 * exchange.h - distribution of tasks among workers, and detection of the end.
 *
 * An idle worker looks for an *offer*, and waits for the bell if there is none. A worker with spare
 * tasks that sees an idle one reserves a free offer, fills it, and rings. The last worker to become
 * idle has found no offer: the work is done.
 *
 * Always. (1) Only the owner of an offer, which fills it or has taken it, accesses its data. (2)
 * `idle` and `ready` count workers and offers, when the lock is free. (3) When `over` is set, all
 * are idle and no offer is filled or being filled. tests/self explores this with Heddle itself.
 *
 * Memory is shared by processes of which any may be killed at any time (share.h), so nothing here
 * allocates, and states record the operation that their owner had begun.
 */
#ifndef SEARCH_JOBS_EXCHANGE_H
#define SEARCH_JOBS_EXCHANGE_H

#include "base/option.h"

#define OFFERS TINY(1, 64)

enum worker_state { WORKER_WORKS, WORKER_IDLE, WORKER_PAUSED, WORKER_GONE };

enum offer_state { OFFER_FREE, OFFER_FILLING, OFFER_READY, OFFER_TAKEN };

struct offer {
	volatile u32 state;
	u32 owner; /* worker that fills it, or has taken it */
	u64 ticket, number;
	size_t size;
	u8 *data;
};

struct exchange {
	volatile u32 lock; /* process/shared.h */
	volatile u32 bell; /* look again */
	volatile u32 stop, pause, restart, over;
	volatile u32 idle, ready;
	u32 nworkers;
	u32 next_image; /* the first image of the file that no worker has taken */
	u64 tickets;
	volatile u32 state[JOBS_MAX]; /* of workers */
	struct offer offer[OFFERS];
};

/* Reset, with all workers at work; data and next_image stay. */
void exchange_begin(struct exchange *x, u32 nworkers);

/* The bell: its value; wait until it differs from `seen`, at most so long (0: for ever). A reader
 * that takes its value first and then checks a condition misses no change made before it rang. */
u32 exchange_bell(const struct exchange *x);
void exchange_ring(struct exchange *x);
void exchange_wait(struct exchange *x, u32 seen, u32 milliseconds);

/* Request the end of all workers. */
void exchange_stop(struct exchange *x);

/* Is a worker idle without an offer for it? A guess: without the lock. */
static inline bool exchange_wants(const struct exchange *x)
{
	return x->idle > x->ready;
}

/* An offer, to be filled by the worker; NULL: none is free. / It was filled, or could not be. */
struct offer *exchange_reserve(struct exchange *x, u32 worker);
void exchange_offer(struct exchange *x, struct offer *o, bool filled);

enum exchange_task { EXCHANGE_NOTHING, EXCHANGE_OFFER, EXCHANGE_IMAGE };

/*
 * A task for the worker, waiting for one if necessary, and checking again after so many
 * milliseconds: an offer that it owns until exchange_done(), or one of `images` images, by number.
 * NOTHING: all work is done, or to be ended.
 */
enum exchange_task exchange_find(struct exchange *x, u32 worker, u32 images, u32 milliseconds,
	struct offer **offer, u32 *image);
void exchange_done(struct offer *o);

/* The worker's state. / Under the lock: count again. */
void exchange_become(struct exchange *x, u32 worker, enum worker_state s);
void exchange_count(struct exchange *x);

/*
 * The worker was killed; `ticket` is that of the last offer known to be its own. It counts as
 * working again. Returns the number of the level in an offer that it was filling, ~0: none.
 */
u64 exchange_killed(struct exchange *x, u32 worker, u64 ticket);

#endif
