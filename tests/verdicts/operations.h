/* SPDX-License-Identifier: ISC */
/*
 * operations.h - the operations of protocols.c: written into the program that was begun, one after
 * the other in each thread. Orders, values and threads are random.
 */
#ifndef VERDICTS_OPERATIONS_H
#define VERDICTS_OPERATIONS_H

#include "counted.h"

/* Memory that is handed over, by its owner to the next one. */
struct payload {
	int n, place[2], value[2];
	bool plain;
};

/* Into this program, which is cleared, with these random numbers. */
void operations_begin(struct counted *to, uint64_t state);

/* The program has no room for an operation, or cannot have a protocol: it is of no use. */
void operations_give_up(void);
bool operations_given_up(void);

unsigned below(unsigned n);
int one_of(int a, int b, int d); /* half of them a */

/* Usually the weakest sufficient order. */
int acquire(void);
int release(void);
int acquire_rmw(void);
int release_rmw(void);

/* The operation; get() and compare(): its register. */
struct gp_op *put(int t, enum gp_kind kind, int place, int order, int value);
int get(int t, enum gp_kind kind, int place, int order, int value);
int compare(int t, enum gp_kind kind, int place, int order, int from, int to);
void role(int t, enum role r); /* of the operation put last */
void fence(int t, int order);

/* The operations that follow are done only if that register has that value, and another one that.
 */
void only_if(int reg, int value);
void only_if_also(int reg, int value);
void always(void);

/* Fails, where it is done, if the register has another value. */
void must_be(int t, int reg, int value);

/* A place, its initial value 0; flag(): of atomic accesses; object(): of a lock. */
int memory(bool plain);
int flag(void);
int object(void);

int thread(void);
int other_than(int t);

/* fill() chooses values, fill_again() has the same ones in another thread. check(): they are there.
 */
struct payload payload(void);
void fill(int t, struct payload *d);
void fill_again(int t, const struct payload *d);
int look(int t, const struct payload *d, int i);
void check(int t, const struct payload *d);
void own(int t, struct payload *d);    /* accesses by a new owner */
void count(int t, struct payload *d);  /* adds 1, inside a lock */
void unknown(const struct payload *d); /* final values are not compared */

#endif
