/* SPDX-License-Identifier: ISC */
/* A wheel of timers: one thread turns it, four add timers and cancel some. Wrong (depth 2): whether a timer has fired is
 * looked up before the lock is taken, so that it is cancelled, and freed, a second time. */
#include "scale.h"

#define SLOTS  8
#define USERS  4
#define TIMERS 10
#define TICKS  24

enum state { WAITING, FIRED, CANCELLED };

struct timer {
	struct timer *next;
	int slot, at;
	_Atomic enum state state;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timer *slot[SLOTS];
static int now, waiting, fired, cancelled;

static void add(struct timer *t, int delay)
{
	pthread_mutex_lock(&lock);
	t->at = now + delay;
	t->slot = t->at % SLOTS;
	t->state = WAITING;
	t->next = slot[t->slot];
	slot[t->slot] = t;
	waiting++;
	pthread_mutex_unlock(&lock);
}

static void take_out(struct timer *t)
{
	struct timer **at = &slot[t->slot];

	while (*at && *at != t)
		at = &(*at)->next;
	assert(*at == t);
	*at = t->next;
	waiting--;
}

static int cancel(struct timer *t)
{
	int good;

#ifdef WRONG
	good = t->state == WAITING;
	pthread_mutex_lock(&lock);
#else
	pthread_mutex_lock(&lock);
	good = t->state == WAITING;
#endif
	if (good) {
		take_out(t);
		t->state = CANCELLED;
		cancelled++;
	}
	pthread_mutex_unlock(&lock);
	return good;
}

static void tick(void)
{
	struct timer *next;

	pthread_mutex_lock(&lock);
	now++;
	for (struct timer *t = slot[now % SLOTS]; t; t = next) {
		next = t->next;
		if (t->at > now)
			continue;
		take_out(t);
		t->state = FIRED;
		fired++;
	}
	pthread_mutex_unlock(&lock);
}

static void *turn(void *unused)
{
	for (int i = 0; i < TICKS; i++)
		tick();
	return unused;
}

static void *user(void *id)
{
	static struct timer timer[USERS][TIMERS];
	struct timer *own = timer[(intptr_t)id];
	unsigned seed = (unsigned)(intptr_t)id;

	for (int i = 0; i < TIMERS; i++)
		add(&own[i], 1 + (int)(next_random(&seed) % (2 * SLOTS)));
	for (int i = 0; i < TIMERS; i += 2)
		if (!cancel(&own[i]))
			assert(own[i].state == FIRED);
	return NULL;
}

int main(void)
{
	start(0, USERS, user);
	start(USERS, 1, turn);
	join(0, USERS + 1);
	assert(fired + cancelled + waiting == USERS * TIMERS);
	return 0;
}
