/* SPDX-License-Identifier: ISC */
/* bank.c - for t_reproduce.sh: code with a deadlock and a crash, part of two programs. */
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
