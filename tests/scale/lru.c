/* SPDX-License-Identifier: ISC */
/* A cache that drops what was not used for longest: a hash table, and a list in order of use. Wrong (depth 2): the entry
 * found is moved to the front after its lock was released and taken again; meanwhile it may be gone. */
#include "scale.h"

#define ROOM	8
#define KEYS	14
#define USERS	4
#define ROUNDS	25

struct entry {
	struct entry *next, *newer, *older;
	unsigned key, value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *table[KEYS], *newest, *oldest;
static unsigned entries;

static void unlink_entry(struct entry *e)
{
	*(e->newer ? &e->newer->older : &newest) = e->older;
	*(e->older ? &e->older->newer : &oldest) = e->newer;
}

static void link_newest(struct entry *e)
{
	e->newer = NULL;
	e->older = newest;
	*(newest ? &newest->newer : &oldest) = e;
	newest = e;
}

static struct entry *find(unsigned key)
{
	struct entry *e = table[key % 7];

	while (e && e->key != key)
		e = e->next;
	return e;
}

static void drop_oldest(void)
{
	struct entry *e = oldest, **at = &table[e->key % 7];

	unlink_entry(e);
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	entries--;
	free(e);
}

static void add(unsigned key)
{
	struct entry *e = malloc(sizeof *e);

	*e = (struct entry){.next = table[key % 7], .key = key, .value = key * key};
	table[key % 7] = e;
	link_newest(e);
	if (++entries > ROOM)
		drop_oldest();
}

static unsigned look_up(unsigned key)
{
	struct entry *e;
	unsigned value;

	pthread_mutex_lock(&lock);
	e = find(key);
	if (!e) {
		add(key);
		pthread_mutex_unlock(&lock);
		return key * key;
	}
	value = e->value;
#ifdef WRONG
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	unlink_entry(e);
	link_newest(e);
	pthread_mutex_unlock(&lock);
	return value;
}

static void *user(void *id)
{
	unsigned seed = 3 + (unsigned)(intptr_t)id, key;

	for (int i = 0; i < ROUNDS; i++) {
		key = next_random(&seed) % KEYS;
		assert(look_up(key) == key * key);
	}
	return NULL;
}

int main(void)
{
	unsigned n = 0;

	start(0, USERS, user);
	join(0, USERS);
	for (struct entry *e = newest; e; e = e->older) {
		assert(find(e->key) == e && (e->older || e == oldest));
		n++;
	}
	assert(n == entries && n <= ROOM);
	return 0;
}
