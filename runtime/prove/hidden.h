/* SPDX-License-Identifier: ISC */
/*
 * hidden.h - memory of the C library: what it keeps between calls, and no state contains.
 *
 * Idea.   It is not restored between executions (process/module.h), so it cannot be a part of
 *         states. ecvt(), getpwent(), hsearch() and others keep something there: states would be
 *         taken for one although the next calls return different results.
 * How.    A word may change once, as what is made at the first use (a table of a locale) does. One
 *         that changes again, from one state to the next, is such a thing kept.
 * Not.    The standard streams, which programs write; errno (state.c).
 */
#ifndef PROVE_HIDDEN_H
#define PROVE_HIDDEN_H

#include "base/base.h"

/* Before a search: the memory as it is now. */
void hidden_begin(void);

/* Has a word changed again? */
bool hidden_has_changed(void);

#endif
