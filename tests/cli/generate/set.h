/* SPDX-License-Identifier: ISC */
/*
 * set.h - a hash set of lists, for heddle generate: nodes stay, and say whether their key is in the
 * set. With PUT and GET other than seq_cst, two threads can each miss what the other has added.
 */
#include <heddle/generate.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef PUT
#define PUT memory_order_seq_cst
#endif
#ifndef GET
#define GET memory_order_seq_cst
#endif
#define BUCKETS 2

struct node {
	struct node *next;
	int key;
	atomic_bool present;
};

static _Atomic(struct node *) bucket[BUCKETS];
static struct node pool[40];

static struct node *find(struct node *n, int key)
{
	while (n && n->key != key)
		n = n->next;
	return n;
}

static bool change(struct node *n, bool to)
{
	bool from = !to;

	return atomic_compare_exchange_strong_explicit(&n->present, &from, to, PUT, GET);
}

static bool add(struct node *fresh, int key)
{
	_Atomic(struct node *) *head = &bucket[key % BUCKETS];
	struct node *first = atomic_load_explicit(head, GET), *n;

	fresh->key = key;
	atomic_store_explicit(&fresh->present, true, memory_order_relaxed);
	do {
		if ((n = find(first, key)))
			return change(n, true);
		fresh->next = first;
	} while (!atomic_compare_exchange_strong_explicit(head, &first, fresh, PUT, GET));
	return true;
}

static bool take(int key)
{
	struct node *n = find(atomic_load_explicit(&bucket[key % BUCKETS], GET), key);

	return n && change(n, false);
}

static bool contains(int key)
{
	struct node *n = find(atomic_load_explicit(&bucket[key % BUCKETS], GET), key);

	return n && atomic_load_explicit(&n->present, GET);
}

/* A node for each call. */
static struct node *fresh(int thread)
{
	static int used[4];

	return &pool[10 * thread + used[thread]++];
}

HEDDLE_SPECIFICATION(set)
#ifdef FEW
HEDDLE_THREADS(add: add(fresh(thread), 1..2), contains(1..2))
#else
HEDDLE_THREADS(add: add(fresh(thread), 1..2), remove: take(1..2), contains(1..2))
#endif
HEDDLE_AFTER(contains(1..2))
