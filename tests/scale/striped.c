/* SPDX-License-Identifier: ISC */
/* A hash map with a lock for each of 8 stripes; amounts are moved between keys. Wrong (depth 2): a move takes the
 * locks in the order of its arguments, and two of them wait for each other. */
#include "scale.h"

#define STRIPES 8
#define BUCKETS 32
#define KEYS	48
#define MOVERS	4
#define MOVES	20
#define AMOUNT	100

struct entry {
	struct entry *next;
	unsigned key;
	int value;
};

static pthread_mutex_t lock[STRIPES];
static struct entry *bucket[BUCKETS];

static unsigned bucket_of(unsigned key)
{
	return key * 2654435761u >> 27;
}

static pthread_mutex_t *lock_of(unsigned key)
{
	return &lock[bucket_of(key) % STRIPES];
}

static struct entry *find(unsigned key)
{
	struct entry *e = bucket[bucket_of(key)];

	while (e && e->key != key)
		e = e->next;
	return e;
}

static void insert(unsigned key, int value)
{
	struct entry *e = malloc(sizeof *e);

	pthread_mutex_lock(lock_of(key));
	*e = (struct entry){bucket[bucket_of(key)], key, value};
	bucket[bucket_of(key)] = e;
	pthread_mutex_unlock(lock_of(key));
}

static void move(unsigned from, unsigned to, int amount)
{
	pthread_mutex_t *a = lock_of(from), *b = lock_of(to);

#ifndef WRONG
	if (a > b) {
		a = lock_of(to);
		b = lock_of(from);
	}
#endif
	pthread_mutex_lock(a);
	if (a != b)
		pthread_mutex_lock(b);
	find(from)->value -= amount;
	find(to)->value += amount;
	if (a != b)
		pthread_mutex_unlock(b);
	pthread_mutex_unlock(a);
}

static void *mover(void *id)
{
	unsigned seed = 17 + (unsigned)(intptr_t)id;

	for (int i = 0; i < MOVES; i++) {
		unsigned from = next_random(&seed) % KEYS, to = next_random(&seed) % KEYS;

		if (from != to)
			move(from, to, (int)(next_random(&seed) % 10));
		if (i % 5 == 0)
			insert(KEYS + (unsigned)(intptr_t)id * MOVES + (unsigned)i, 0);
	}
	return NULL;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_init(&lock[i], NULL);
	for (unsigned key = 0; key < KEYS; key++)
		insert(key, AMOUNT);
	start(0, MOVERS, mover);
	join(0, MOVERS);
	for (int i = 0; i < BUCKETS; i++)
		for (struct entry *e = bucket[i]; e; e = e->next)
			sum += e->value;
	assert(sum == KEYS * AMOUNT);
	return 0;
}
