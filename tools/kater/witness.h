/* SPDX-License-Identifier: ISC */
/* witness.h - executions that have a given circle of events. */
#ifndef KATER_WITNESS_H
#define KATER_WITNESS_H

#include "kater/comparison.h"
#include "kater/execution.h"

/*
 * Looks for a coherent execution with the word's circle that the stronger model allows and the
 * weaker one forbids, or, weaker->c NULL, any: all sources of reads that the circle leaves open,
 * and all orders of writes, up to a bound. False: there is none.
 */
bool witness_find(const struct event_word *w, const struct kater_model *stronger,
	const struct kater_model *weaker, struct execution *to);

#endif
