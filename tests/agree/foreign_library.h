/* SPDX-License-Identifier: ISC */
/* foreign_library.h - a small library with state, of foreign.c, which has it twice: as a shared
 * object that is not instrumented, and compiled with it. All functions but those of a cell need the
 * caller's lock. */
#ifndef AGREE_FOREIGN_LIBRARY_H
#define AGREE_FOREIGN_LIBRARY_H

struct node {
	struct node *next;
	int value;
};

/* Its own counter: the next number. */
int NAME(next)(void);
/* Adds e to the list. */
void NAME(push)(struct node **head, struct node *e);
/* A cache of two entries: the value of the key, or -1, after which it has it. */
int NAME(look_up)(int key, int value);
/* Adds to the caller's variable, and counts the calls; under the library's own lock. */
int NAME(add)(int *cell, int n);

#endif
