/* SPDX-License-Identifier: ISC */
/* queue.h - a bounded queue of strings between threads. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdbool.h>

#define QUEUE_SIZE 2

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const char *slot[QUEUE_SIZE];
	unsigned head, tail;
	bool closed;
};

void queue_init(struct queue *q);
void queue_put(struct queue *q, const char *s);
const char *queue_get(struct queue *q); /* NULL: closed and empty */
void queue_close(struct queue *q);
void queue_destroy(struct queue *q);

#endif
