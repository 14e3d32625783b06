/* SPDX-License-Identifier: ISC */
#include "queue.h"

#include <string.h>

void queue_init(struct queue *q)
{
	memset(q, 0, sizeof(*q));
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
}

void queue_put(struct queue *q, const char *s)
{
	pthread_mutex_lock(&q->lock);
	while (q->head - q->tail == QUEUE_SIZE)
		pthread_cond_wait(&q->changed, &q->lock);
	q->slot[q->head++ % QUEUE_SIZE] = s;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

const char *queue_get(struct queue *q)
{
	const char *s = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->head == q->tail && !q->closed)
		pthread_cond_wait(&q->changed, &q->lock);
	if (q->head != q->tail)
		s = q->slot[q->tail++ % QUEUE_SIZE];
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
	return s;
}

void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

void queue_destroy(struct queue *q)
{
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
}
