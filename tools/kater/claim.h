/* SPDX-License-Identifier: ISC */
/* claim.h - claims that follow from the theory of coherent executions alone. */
#ifndef KATER_CLAIM_H
#define KATER_CLAIM_H

#include "kater/automaton.h"

/* Those of C's loads, stores, read-modify-writes and fences: not of threads, mutexes and
 * instructions that no operation of C compiles to. */
#define KINDS_CLAIMED (KINDS_ALL & ~kinds_of(1u << KIND_BARRIER | KINDS_SYNC))

/* The cycles of e as the left side of an inclusion. */
struct automaton *claim_left(const struct term *e, enum mark mark, const struct kind_view *view);

/* Is each path of e one of f? */
bool claim_within(const struct term *e, const struct term *f, const struct kind_view *view);
/* Has e no cycle in any coherent execution? */
bool claim_acyclic(const struct term *e, const struct kind_view *view);
/* Are these all of the cycles of e that `known' does not have? (inclusion.h) */
bool claim_none_missing(
	const struct term *e, struct automaton *known, const struct kind_view *view);

#endif
