/* SPDX-License-Identifier: ISC */
/*
 * primitive.h - a mark for functions that stand for the accesses they make, as wrappers of atomics
 * and locks do: reports, `heddle fences' and `heddle relax' then speak of the places where they are
 * called (`heddle help places').
 *
 *     static inline HEDDLE_PRIMITIVE void publish(atomic_int *p, int value)
 *
 * The mark stands in debug information. The function is always inlined; nothing else is different.
 */
#ifndef HEDDLE_PRIMITIVE_H
#define HEDDLE_PRIMITIVE_H

#define HEDDLE_PRIMITIVE __attribute__((always_inline, artificial))

#endif
