/* SPDX-License-Identifier: ISC */
/*
 * orders.h - pairs of programs for orders.c: `base` with the orders of an orders file is to
 * be `real`.
 */
#ifndef AGREE_ORDERS_H
#define AGREE_ORDERS_H

#include <heddle/heddle.h>

#include <stdatomic.h>

#define ORDERS_THREADS 4
#define ORDERS_SITES   10

typedef int orders_body(void);

struct orders_thread {
	orders_body *base, *real; /* NULL: no such thread */
	const char
		*wants[ORDERS_SITES]; /* of base's sites, in the order of its code; "": nothing */
};

struct orders_case {
	const char *name;
	bool plain; /* has plain accesses that race */
	struct orders_thread thread[ORDERS_THREADS];
};

extern const struct orders_case orders_cases[];
extern const int orders_ncases;

extern atomic_int orders_x[2];
extern int orders_p; /* plain */

#endif
