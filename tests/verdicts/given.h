/* SPDX-License-Identifier: ISC */
/*
 * given.h - the program that explore.c interprets. Compiled without Heddle, so that reading the
 * program is no event of its execution.
 */
#ifndef COUNT_GIVEN_H
#define COUNT_GIVEN_H

#include "counted.h"

/* The next one from standard input; false: there is none. */
bool given_next(void);

int given_threads(void);
int given_places(void);
int given_length(int thread);
uint64_t given_op(int thread, int i, int half); /* 8 bytes of the operation */
enum gp_kind given_use(int object);		/* its first use, or GP_NOTHING */
bool given_spawned(int thread); /* another one starts it */
bool given_plain(int place);
unsigned given_initial(int place);
int given_final(int place);

/* Random bits that belong to the program. */
unsigned given_style(void);

const char *given_name(void);
unsigned given_verdict(const char *model);
void given_print(void);

#endif
