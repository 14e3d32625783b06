/* SPDX-License-Identifier: ISC */
/* filter.h - conditions on single edges: loc, int, ext and products of sets, and Boolean
 * combinations of these. */
#ifndef KATER_FILTER_H
#define KATER_FILTER_H

#include "kater/term.h"

#define FILTER_TERMS 12

struct filter {
	u32 n; /* more than FILTER_TERMS: it did not fit, and must not be used */
	struct filter_term {
		letters may, must; /* edges that may be in it, or are */
		kinds source, target;
	} term[FILTER_TERMS]; /* one of these holds */
	kinds id;	      /* events that it relates to themselves */
};

struct filter filter_all(void);
struct filter filter_loc(void);
struct filter filter_int(void);
struct filter filter_id(void);
struct filter filter_product(kinds source, kinds target);
struct filter filter_not(struct filter f);
struct filter filter_union(struct filter f, struct filter g);
struct filter filter_inter(struct filter f, struct filter g);
struct filter filter_inverse(struct filter f);

bool filter_is_loc(const struct filter *f);

/* The part of e that passes the filter, approximated from above or below; *exact = false: it is
 * not exact. */
const struct term *filter_apply(
	const struct filter *f, const struct term *e, bool above, bool *exact);

#endif
