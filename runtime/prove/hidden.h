/* SPDX-License-Identifier: ISC */
/*
 * hidden.h - state that the C library keeps between calls, and that no program state contains.
 *
 * Idea.   Its memory is not restored between executions (process/module.h), so it cannot be part of
 *         a state. ecvt(), getpwent(), hsearch() and others keep data there: two states would be
 *         taken for one although the next calls return different results.
 * How.    A word may change once, as a table of a locale does at its first use. One that changes
 *         again, from one state to the next, is hidden state.
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
