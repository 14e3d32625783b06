/* SPDX-License-Identifier: ISC */
/*
 * primitive.h - a mark for functions that wrap accesses, such as wrappers of atomics and locks:
 * reports, `heddle fences' and `heddle relax' locate these accesses at the calls (`heddle help
 * places').
 *
 *     static inline HEDDLE_PRIMITIVE void publish(atomic_int *p, int value)
 *
 * The mark is in the debug information. The function is always inlined and otherwise unchanged.
 */
#ifndef HEDDLE_PRIMITIVE_H
#define HEDDLE_PRIMITIVE_H

#define HEDDLE_PRIMITIVE __attribute__((always_inline, artificial))

#endif
