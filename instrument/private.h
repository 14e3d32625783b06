/* SPDX-License-Identifier: ISC */
/*
 * private.h - memory of a function that no other thread, and no other function, can see.
 */
#ifndef INSTRUMENT_PRIVATE_H
#define INSTRUMENT_PRIVATE_H

#include "shim.h"

struct private; /* of one function */

struct private *private_analyse(LLVMValueRef function);
void private_free(struct private *p);

/* Whether every object that the pointer may point to is private, or a constant. */
bool private_pointer(struct private *p, LLVMValueRef pointer);

/* Whether some local variable of the function is not private. */
bool private_any_escapes(const struct private *p);

/* Each of the function's private objects once, from *i = 0 on; NULL when there are no more. */
LLVMValueRef private_next(const struct private *p, unsigned *i);
/* The same for those that are not private. */
LLVMValueRef private_next_escaped(const struct private *p, unsigned *i);

/* The parameter numbers, from 0, of by-value copies that are not private; returns the number of
 * them. */
unsigned private_escaped_params(const struct private *p, unsigned *index, unsigned max);

/* The name of the function that a call calls, "" if that is defined in this module or not known. */
const char *callee_name(LLVMValueRef call);

#endif
