/* SPDX-License-Identifier: ISC */
/*
 * relax.h - shared by the programs of this folder: threads, and orders that are all seq_cst, or
 * with -DPUBLISHED those of the literature.
 */
#ifndef RELAX_H
#define RELAX_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef PUBLISHED
#define O(order) memory_order_##order
#else
#define O(order) memory_order_seq_cst
#endif

static inline void run(int n, void *(*const body[])(void *))
{
	pthread_t id[8];

	for (int i = 0; i < n; i++)
		pthread_create(&id[i], NULL, body[i], (void *)(size_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(id[i], NULL);
}

#define RUN(...) \
	run(sizeof((void *(*[])(void *)){__VA_ARGS__}) / sizeof(void *), \
		(void *(*[])(void *)){__VA_ARGS__})

#endif
