/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's hash set with one writer: a reader finds an object whole, or does not find
 * it. */
#include <assert.h>
#include <ck_hs.h>
#include <pthread.h>
#include <stdlib.h>

struct object {
	unsigned long key;
	int ready;
};

static ck_hs_t set;
static struct object one = {.key = 1}, two = {.key = 2};

static unsigned long hash(const void *object, unsigned long seed)
{
	return ((const struct object *)object)->key * 0x9e3779b97f4a7c15ul ^ seed;
}

static bool equal(const void *a, const void *b)
{
	return ((const struct object *)a)->key == ((const struct object *)b)->key;
}

static void *allocate(size_t n)
{
	return malloc(n);
}

static void release(void *p, size_t n, bool deferred)
{
	(void)n;
	if (!deferred)
		free(p);
}

static struct ck_malloc allocator = {.malloc = allocate, .free = release};

static struct object *find(unsigned long key)
{
	struct object wanted = {.key = key};

	return ck_hs_get(&set, CK_HS_HASH(&set, hash, &wanted), &wanted);
}

static void *reader(void *arg)
{
	struct object *o = find(1);

	assert(!o || (o == &one && ck_pr_load_int(&o->ready)));
	assert(find(2) == &two);
	return arg;
}

static void *writer(void *arg)
{
	ck_pr_store_int(&one.ready, 1);
	ck_pr_fence_store();
	assert(ck_hs_put(&set, CK_HS_HASH(&set, hash, &one), &one));
	return arg;
}

int main(void)
{
	pthread_t t, u;

	assert(ck_hs_init(
		&set, CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT, hash, equal, &allocator, 8, 7));
	assert(ck_hs_put(&set, CK_HS_HASH(&set, hash, &two), &two));
	pthread_create(&t, NULL, reader, NULL);
	pthread_create(&u, NULL, writer, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(find(1) == &one && ck_hs_count(&set) == 2);
	ck_hs_destroy(&set);
	return 0;
}
