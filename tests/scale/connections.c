/* SPDX-License-Identifier: ISC */
/* Six clients share three connections: a semaphore counts those that are free, a list has them. Wrong (depth 2): one
 * given back is counted before it is in the list. */
#include "scale.h"

#define CONNECTIONS 3
#define CLIENTS	    6
#define REQUESTS    10
#define BYTES	    16

struct connection {
	struct connection *next;
	int users;
	unsigned char out[BYTES], in[BYTES];
	unsigned sent;
};

static struct connection connection[CONNECTIONS], *idle;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t available;

static struct connection *acquire(void)
{
	struct connection *c;

	sem_wait(&available);
	pthread_mutex_lock(&lock);
	c = idle;
	assert(c);
	idle = c->next;
	pthread_mutex_unlock(&lock);
	assert(c->users++ == 0);
	return c;
}

static void release(struct connection *c)
{
	assert(--c->users == 0);
#ifdef WRONG
	sem_post(&available);
#endif
	pthread_mutex_lock(&lock);
	c->next = idle;
	idle = c;
	pthread_mutex_unlock(&lock);
#ifndef WRONG
	sem_post(&available);
#endif
}

static void request(struct connection *c, unsigned char x)
{
	memset(c->out, x, BYTES);
	for (int i = 0; i < BYTES; i++)
		c->in[i] = (unsigned char)(c->out[i] ^ 0x55);
	for (int i = 0; i < BYTES; i++)
		assert(c->in[i] == (x ^ 0x55));
	c->sent++;
}

static void *client(void *id)
{
	for (int i = 0; i < REQUESTS; i++) {
		struct connection *c = acquire();

		request(c, (unsigned char)(i + 16 * (int)(intptr_t)id));
		release(c);
	}
	return NULL;
}

int main(void)
{
	unsigned sent = 0;

	sem_init(&available, 0, CONNECTIONS);
	for (int i = 0; i < CONNECTIONS; i++) {
		connection[i].next = idle;
		idle = &connection[i];
	}
	start(0, CLIENTS, client);
	join(0, CLIENTS);
	for (int i = 0; i < CONNECTIONS; i++)
		sent += connection[i].sent;
	assert(sent == CLIENTS * REQUESTS);
	return 0;
}
