/* SPDX-License-Identifier: ISC */
#include "table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 8

struct entry {
	struct entry *next;
	unsigned count;
	char word[];
};

static struct bucket {
	pthread_mutex_t lock;
	struct entry *first;
} buckets[BUCKETS] = {[0 ... BUCKETS - 1] = {PTHREAD_MUTEX_INITIALIZER, NULL}};

static unsigned hash(const char *word, size_t length)
{
	unsigned h = 5381;

	while (length--)
		h = h * 33 + (unsigned char)*word++;
	return h % BUCKETS;
}

void table_add(const char *word, size_t length)
{
	struct bucket *b = &buckets[hash(word, length)];
	struct entry *e;

	pthread_mutex_lock(&b->lock);
	for (e = b->first; e; e = e->next)
		if (!strncmp(e->word, word, length) && !e->word[length])
			break;
	if (!e) {
		e = malloc(sizeof(*e) + length + 1);
		if (!e)
			abort();
		memcpy(e->word, word, length);
		e->word[length] = 0;
		e->count = 0;
		e->next = b->first;
		b->first = e;
	}
	e->count++;
	pthread_mutex_unlock(&b->lock);
}

void table_totals(unsigned *words, unsigned *different)
{
	*words = *different = 0;
	for (int i = 0; i < BUCKETS; i++)
		for (struct entry *e = buckets[i].first; e; e = e->next) {
			*words += e->count;
			++*different;
		}
}

void table_clear(void)
{
	for (int i = 0; i < BUCKETS; i++)
		while (buckets[i].first) {
			struct entry *e = buckets[i].first;

			buckets[i].first = e->next;
			free(e);
		}
}
