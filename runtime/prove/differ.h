/* SPDX-License-Identifier: ISC */
/*
 * differ.h - the memory that differs most often between states at equal places of the program: if
 * states seem to be without end, that is why.
 *
 * How.    Of the places of all threads that most states share, some states, at equal distances, are
 *         reached again, and the values of each word of memory are compared.
 * Not.    Registers, stacks and the time.
 */
#ifndef PROVE_DIFFER_H
#define PROVE_DIFFER_H

#include "base/base.h"

#define DIFFER_STATES 64 /* that are compared */

/* Choose the states: nodes, to[DIFFER_STATES]. Their number. */
u32 differ_choose(u32 *to);

/* Begin a comparison; see the present state, after the choices of one of these; the byte of the
 * word that has had the most values, and a number that there are at least. */
void differ_begin(void);
void differ_see(void);
u64 differ_end(u32 *values);

#endif
