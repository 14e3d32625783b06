/* SPDX-License-Identifier: ISC */
/* addition.h - atomic additions, whose results the program may not use, or only compare. */
#ifndef MODEL_ADDITION_H
#define MODEL_ADDITION_H

#include "model/label.h"

/* Does the label add to, or subtract from, one location of at most 8 bytes? The result's use is in
 * `fail', an enum heddle_result_use, and the value that it is compared with in `expected'. */
bool label_adds(const struct label *l);

/* The number added, as a signed one. */
i64 label_addend(const struct label *l);

/* A label that adds has read v: might its thread do otherwise, had it read another one of the
 * values from v - less to v + more? less, more >= 0. */
bool label_minds(const struct label *l, u64 v, i64 less, i64 more);

#endif
