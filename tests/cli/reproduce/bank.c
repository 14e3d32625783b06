/* SPDX-License-Identifier: ISC */
/* bank.c - for t_reproduce.sh: code with a deadlock and a crash, part of two programs. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "bank.h"

struct account {
	pthread_mutex_t lock;
	long money;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};
static struct rate {
	long percent;
} *_Atomic rate;

static void lock_both(struct account *a, struct account *b)
{
	pthread_mutex_lock(&a->lock);
	pthread_mutex_lock(&b->lock);
}

void transfer(int from, int to, long sum)
{
	lock_both(&accounts[from], &accounts[to]);
	accounts[from].money -= sum;
	accounts[to].money += sum;
	pthread_mutex_unlock(&accounts[to].lock);
	pthread_mutex_unlock(&accounts[from].lock);
}

void audit(void)
{
	lock_both(&accounts[0], &accounts[1]);
	pthread_mutex_unlock(&accounts[1].lock);
	pthread_mutex_unlock(&accounts[0].lock);
}

void set_rate(struct rate *to)
{
	rate = to;
}

static long percent_of(const struct rate *r, long sum)
{
	return sum * r->percent / 100;
}

long interest(long sum)
{
	if (!rate)
		return 0;
	return percent_of(rate, sum);
}

struct rate *new_rate(long percent)
{
	struct rate *r = malloc(sizeof *r);

	r->percent = percent;
	return r;
}

/* A name that is freed while it is in use: its first word is the allocator's then. */
static struct holder {
	const char *text;
	long more[8];
} *_Atomic name;

void rename_bank(void)
{
	free(name);
	name = NULL;
}

int name_length(void)
{
	struct holder *n = name;

	return n ? n->text[0] : 0;
}

void name_bank(void)
{
	struct holder *n = calloc(1, sizeof *n);

	n->text = "bank";
	name = n;
}

/* Deposits that are lost. */
static atomic_long total;

void deposit(void)
{
	total = total + 1;
}

void settle(long expected)
{
	assert(total == expected);
	total = 0;
}

/* A wake-up that is lost: the condition is tested without the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static atomic_int is_open;

void wait_for_opening(void)
{
	if (!is_open) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&opened, &lock);
		pthread_mutex_unlock(&lock);
	}
}

void open_bank(void)
{
	is_open = 1;
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&opened);
	pthread_mutex_unlock(&lock);
}

void close_bank(void)
{
	is_open = 0;
}

/* Two keys and a gate: the one who leaves has a key, the guard the gate. */
static pthread_mutex_t day_key = PTHREAD_MUTEX_INITIALIZER, night_key = PTHREAD_MUTEX_INITIALIZER,
		       gate = PTHREAD_MUTEX_INITIALIZER;

void leave_bank(int night)
{
	pthread_mutex_t *key = night ? &night_key : &day_key;

	pthread_mutex_lock(key);
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	pthread_mutex_unlock(key);
}

void guard_bank(int night)
{
	pthread_mutex_t *key = night ? &night_key : &day_key;

	pthread_mutex_lock(&gate);
	pthread_mutex_lock(key);
	pthread_mutex_unlock(key);
	pthread_mutex_unlock(&gate);
}

/* A lock of two flags without a fence: each thread may miss the other's store. */
static atomic_int want[2];
static int inside[2];

void try_door(int me)
{
	atomic_store_explicit(&want[me], 1, memory_order_relaxed);
	inside[me] = !atomic_load_explicit(&want[!me], memory_order_relaxed);
}

void check_doors(void)
{
	assert(!inside[0] || !inside[1]);
	want[0] = want[1] = 0;
}
