/* SPDX-License-Identifier: ISC */
/*
 * primitive.h - functions that stand for the access they make: reports show the place in their
 * caller.
 *
 * An atomic load has the same line in <atomic> wherever it is used; the useful line is that of the
 * use. A function is a primitive if the last rule that matches it says so (heddle help places);
 * without a rule,
 *
 *   - if its code is in a system header, or in a library of the system;
 *   - if it is marked as one: HEDDLE_PRIMITIVE (heddle.h), which debug information shows as
 *     DW_AT_artificial;
 *   - if it is an accessor that is inlined in several places: its body is one statement without a
 *     branch that makes at most one call, and one of its parameters is a pointer, as in `int
 *     get(atomic_int *p) { return atomic_load(p); }`, or the call is a fence.
 */
#ifndef SOURCE_PRIMITIVE_H
#define SOURCE_PRIMITIVE_H

#include <elfutils/libdw.h>

#include "source/symbol.h"

/* One more rule: a glob of functions, or of the last parts of files; `!' before it: matches are no
 * primitives. */
void primitive_rule(const char *glob);

/* Read ./heddle.primitives, if there is one: a rule a line, # begins a comment. Rules given before
 * it count for more. */
void primitive_rules_read(void);
/* Drop all rules; their memory is the caller's to free. */
void primitive_rules_forget(void);

/* Does a rule, a header or a mark say so? function: the frame's DIE, NULL = there is none. */
bool primitive_is(const struct frame *f, const char *module, Dwarf_Die *function);

/* Does a rule say that it is none? */
bool primitive_is_denied(const struct frame *f);

/* Is it an accessor, inlined or not? */
bool primitive_is_accessor(const struct frame *f, Dwarf_Die *function);

/* Is a file one of the system's? */
bool primitive_is_system(const char *file);

#endif
