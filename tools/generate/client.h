/* SPDX-License-Identifier: ISC */
/* client.h - heddle generate: all clients of a list of operations. */
#ifndef GENERATE_CLIENT_H
#define GENERATE_CLIENT_H

#include <stdio.h>

#include "generate/list.h"

#define THREADS_MAX    8 /* HEDDLE_CLIENT_THREADS */
#define OPERATIONS_MAX 9 /* of a client: 10 T + 9 are the values of a thread */
#define CLIENTS_MAX    5000

/* An operation with values for those of its arguments that have some. */
struct client_call {
	const struct operation *operation;
	long value[ARGUMENTS_MAX];
};

/* The operations of a thread of this role. */
struct sequence {
	unsigned role, n;
	const struct client_call *call[OPERATIONS_MAX];
};

struct client {
	unsigned n;
	const struct sequence *thread[THREADS_MAX];
};

struct clients {
	const struct list *list;
	struct sequence *sequence; /* by their lengths */
	unsigned nsequences;
	struct client *at;
	unsigned n;
};

/*
 * All clients of 2 to `threads' threads and at most `operations' operations, the smallest first.
 * Clients that differ in the order of their threads are one. Dies if they are more than
 * CLIENTS_MAX.
 */
struct clients clients_make(const struct list *l, unsigned threads, unsigned operations);

/* Their program, in C. */
void clients_write(const struct clients *c, FILE *out);

#endif
