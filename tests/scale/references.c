/* SPDX-License-Identifier: ISC */
/* Documents with reference counts, in slots where they are replaced by others. Wrong (depth 2): a reader counts itself
 * after it has let go of the slot's lock, and uses a document that is freed. */
#include "scale.h"

#define SLOTS	4
#define READERS 4
#define WRITERS 2
#define ROUNDS	15
#define WORDS	16

struct document {
	atomic_int references;
	unsigned word[WORDS], sum;
};

static struct slot {
	pthread_mutex_t lock;
	struct document *document;
} slot[SLOTS];
static atomic_int alive;

static struct document *document_new(unsigned seed)
{
	struct document *d = malloc(sizeof *d);

	d->references = 1;
	d->sum = 0;
	for (int i = 0; i < WORDS; i++)
		d->sum += d->word[i] = next_random(&seed);
	alive++;
	return d;
}

static void put(struct document *d)
{
	if (atomic_fetch_sub(&d->references, 1) == 1) {
		alive--;
		free(d);
	}
}

static struct document *get(struct slot *s)
{
	struct document *d;

	pthread_mutex_lock(&s->lock);
	d = s->document;
#ifdef WRONG
	pthread_mutex_unlock(&s->lock);
	atomic_fetch_add(&d->references, 1);
#else
	atomic_fetch_add(&d->references, 1);
	pthread_mutex_unlock(&s->lock);
#endif
	return d;
}

static void replace(struct slot *s, struct document *d)
{
	struct document *old;

	pthread_mutex_lock(&s->lock);
	old = s->document;
	s->document = d;
	pthread_mutex_unlock(&s->lock);
	put(old);
}

static void *reader(void *id)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct document *d = get(&slot[(i + (int)(intptr_t)id) % SLOTS]);
		unsigned sum = 0;

		for (int k = 0; k < WORDS; k++)
			sum += d->word[k];
		assert(sum == d->sum);
		put(d);
	}
	return NULL;
}

static void *writer(void *id)
{
	for (int i = 0; i < ROUNDS; i++)
		replace(&slot[i % SLOTS], document_new((unsigned)(i + 100 * (int)(intptr_t)id)));
	return NULL;
}

int main(void)
{
	for (int i = 0; i < SLOTS; i++) {
		pthread_mutex_init(&slot[i].lock, NULL);
		slot[i].document = document_new((unsigned)i);
	}
	start(0, READERS, reader);
	start(READERS, WRITERS, writer);
	join(0, READERS + WRITERS);
	for (int i = 0; i < SLOTS; i++)
		put(slot[i].document);
	assert(!alive);
	return 0;
}
