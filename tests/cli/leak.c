/* SPDX-License-Identifier: ISC */
/* leak.c - tests that leak blocks, or do not: all of them, one line each. A name that ends in "!"
 * leaks. Arguments: model strategy [name to report]. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	int v;
};

static struct node *slot, *kept;
static pthread_key_t key;

static void *exchange(struct node *n)
{
	return __atomic_exchange_n(&slot, n, __ATOMIC_ACQ_REL);
}

static void *give(void *arg)
{
	struct node *n = malloc(sizeof *n);

	n->next = NULL;
	n->v = 1;
	free(exchange(n));
	return NULL;
}

static void *take(void *arg)
{
	free(exchange(NULL));
	return NULL;
}

static void *forget(void *arg)
{
	exchange(NULL);
	return NULL;
}

static void *overwrite(void *arg)
{
	__atomic_store_n(&slot, malloc(16), __ATOMIC_RELEASE);
	return NULL;
}

static void *list(void *arg)
{
	struct node *n = malloc(sizeof *n), *old;

	n->v = 1;
	n->next = NULL;
	for (old = NULL; !__atomic_compare_exchange_n(&slot, &old, n, false, __ATOMIC_ACQ_REL,
		     __ATOMIC_ACQUIRE);)
		n->next = old;
	return NULL;
}

static void two(void *(*f)(void *), void *(*g)(void *))
{
	pthread_t t, u;

	pthread_create(&t, NULL, f, NULL);
	pthread_create(&u, NULL, g, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

static void freed(void *arg)
{
	two(give, take);
	free(slot);
}

static void reachable(void *arg)
{
	two(give, take);
}

static void chain(void *arg)
{
	two(list, list);
}

static void forgotten_sometimes(void *arg)
{
	two(give, forget);
	free(slot);
}

static void overwritten(void *arg)
{
	two(overwrite, overwrite);
	free(slot);
}

static void block_in_block(void *arg)
{
	struct node *volatile n = malloc(sizeof *n);

	n->next = malloc(100);
	n->next->next = NULL;
	n = NULL;
}

static void tag_above(void *arg)
{
	kept = (struct node *)((uintptr_t)malloc(24) | 0xabcd000000000001);
}

static void caller_keeps(void *arg)
{
	*(void **)arg = malloc(10);
}

static void thread_specific(void *arg)
{
	pthread_setspecific(key, malloc(10));
}

static void moved(void *arg)
{
	char *volatile p = malloc(10);

	p = realloc(p, 1000);
	free(p);
}

static void freed_before(void *arg)
{
	free(kept);
	kept = NULL;
}

static const struct test {
	const char *name;
	void (*fn)(void *);
} tests[] = {
	{"freed", freed}, {"reachable", reachable}, {"chain", chain},
	{"forgotten!", forgotten_sometimes}, {"overwritten!", overwritten},
	{"block in block!", block_in_block}, {"tag", tag_above}, {"caller keeps", caller_keeps},
	{"thread-specific", thread_specific}, {"moved", moved}, {"freed before", freed_before},
};

int main(int argc, char **argv)
{
	kept = malloc(sizeof *kept);
	pthread_key_create(&key, free);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		const char *name = tests[i].name;
		bool leaks = strchr(name, '!') != NULL, loud = argc > 3 && !strcmp(argv[3], name);
		struct heddle_options o = {.model = argv[1], .strategy = argv[2], .name = name,
			.quiet = !loud, .executions = strcmp(argv[2], "random") ? 0 : 300};
		struct heddle_result r;
		void *arg = NULL;
		int code = heddle_check(tests[i].fn, &arg, &o, &r);

		printf("%s %s: code %d, %s\n", leaks == (code == 1) ? "right" : "WRONG", name, code,
			r.message ? r.message : "nothing found");
		o.ignore_leaks = true;
		if (heddle_check(tests[i].fn, &arg, &o, NULL) == 1)
			printf("WRONG %s: leaks should have been ignored\n", name);
		fflush(stdout);
	}
	free(kept);
	return 0;
}
