/* SPDX-License-Identifier: ISC */
/*
 * clients.h - main of a program of clients that `heddle generate' has written. Included by it once.
 *
 * PROGRAM --list prints the names of the clients, PROGRAM NAME performs one of them: explored under
 * heddle run --suite, natively otherwise. The number at the beginning of its name suffices.
 */
#ifndef HEDDLE_CLIENTS_H
#define HEDDLE_CLIENTS_H

#include <heddle/generate.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_CLIENT_THREADS 8
#define HEDDLE_AFTER_MOST     16 /* calls of an operation of HEDDLE_AFTER */

struct heddle_client {
	const char *name;
	void *(*thread[HEDDLE_CLIENT_THREADS + 1])(void *); /* the last is NULL */
};

struct heddle_clients {
	void (*before)(void), (*after)(void);
	const struct heddle_client *at;
	int n;
};

/* An operation until it returns HEDDLE_EMPTY, or the same result twice. */
#define HEDDLE_REPEAT(operation) \
	do { \
		int64_t heddle_last = HEDDLE_EMPTY, heddle_next; \
		for (int i = 0; i < HEDDLE_AFTER_MOST; i++, heddle_last = heddle_next) \
			if ((heddle_next = (operation)) == heddle_last || \
				heddle_next == HEDDLE_EMPTY) \
				break; \
	} while (0)

static inline void heddle_client_run(
	const struct heddle_clients *all, const struct heddle_client *c)
{
	pthread_t t[HEDDLE_CLIENT_THREADS];

	all->before();
	for (int i = 0; c->thread[i]; i++)
		pthread_create(&t[i], NULL, c->thread[i], NULL);
	for (int i = 0; c->thread[i]; i++)
		pthread_join(t[i], NULL);
	all->after();
}

/* Returns the exit code of main. heddle run --suite recognizes the program by its name. */
int heddle_clients_main(int argc, char **argv, const struct heddle_clients *all)
{
	int number = argc == 2 ? atoi(argv[1]) : 0;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (int i = 0; i < all->n; i++)
			printf("%s\n", all->at[i].name);
		return 0;
	}
	if (number < 1 || number > all->n) {
		fprintf(stderr, "%s: wanted --list, or the name of a client\n", argv[0]);
		return 2;
	}
	heddle_client_run(all, &all->at[number - 1]);
	return 0;
}

#endif
