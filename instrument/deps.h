/* SPDX-License-Identifier: ISC */
/*
 * deps.h - shared by the files that make a program track its dependencies (--deps): README 12.
 *
 * The *dependencies* of a value are the loads of its thread that it was computed from. At run time
 * they are a number, 0 for none. A value has an SSA value of its own for them only where they are
 * needed, and where they may be other than 0.
 */
#ifndef INSTRUMENT_DEPS_H
#define INSTRUMENT_DEPS_H

#include "llvm_pass.h"

/* Where the dependencies of an instruction's result come from. */
enum deps_source {
	DEPS_NONE,
	DEPS_OPERANDS, /* all operands: it only computes */
	DEPS_CHOICE,   /* phi, select */
	DEPS_MEMORY,   /* private memory */
	DEPS_RESULT,   /* the runtime has left them in __heddle_deps */
	DEPS_LIBRARY,  /* the runtime's form of a string function has collected them */
	DEPS_CALL,     /* a function has left them there, if it tracks dependencies */
	DEPS_FOREIGN,  /* likewise, but it may be one that does not */
};

struct deps {
	struct pass *p;
	struct emit *e;
	LLVMValueRef *code; /* the function's instructions, as the rest of the pass has left them */
	unsigned n;
	struct map may;	   /* values that may have dependencies; variables that may contain some */
	struct map shadow; /* variables whose dependencies are a variable: index of them */
	LLVMValueRef *shadows;
	unsigned nshadows;
	struct map known; /* values: index of the SSA value with their dependencies */
	LLVMValueRef *value;
	unsigned nvalues, room;
};

/* --- deps_flow.c ----------------------------------------------------------------------------- */

enum deps_source deps_source(LLVMValueRef instruction);
/* Is it a call of a function that may track dependencies? */
bool deps_is_call(LLVMValueRef instruction);
/* A call of the runtime by the pass, and its name. */
bool deps_is_entry(LLVMValueRef instruction, const char **name);
/* The private variable that the pointer points into, if it is one for sure; else NULL. */
LLVMValueRef deps_variable(LLVMValueRef pointer);
/* Is it memory that never has dependencies of its own: a constant, a variable of the runtime? */
bool deps_is_constant(LLVMValueRef pointer);

/* Find d->may and d->shadow. */
void deps_flow(struct deps *d);
static inline bool deps_may(struct deps *d, LLVMValueRef v)
{
	return map_find(&d->may, v);
}

/* --- deps_value.c ---------------------------------------------------------------------------- */

/* The dependencies of a value, of two values, where `at` is; emitted before it. NULL: none. */
LLVMValueRef deps_of(struct deps *d, LLVMValueRef v, LLVMValueRef at);
LLVMValueRef deps_union(struct deps *d, LLVMValueRef a, LLVMValueRef b, LLVMValueRef at);

/* The SSA values of which those of v are the union, no more than max (united if there are). */
unsigned deps_parts(
	struct deps *d, LLVMValueRef v, LLVMValueRef at, LLVMValueRef *part, unsigned max);

/* From now on, these are the dependencies of v. Returns them. */
LLVMValueRef deps_know(struct deps *d, LLVMValueRef v, LLVMValueRef its);

/* What the runtime's function returns, called where `at` is if the condition holds; else none. */
LLVMValueRef deps_call_if(struct deps *d, LLVMValueRef condition, LLVMValueRef at,
	enum entry entry, LLVMValueRef *arg, unsigned n);

/* Word i of __heddle_deps, as a pointer. */
LLVMValueRef deps_word(struct emit *e, unsigned i);
/* Is anything in private memory that has dependencies? An i1, or with these values, not NULL. */
LLVMValueRef deps_any(struct deps *d, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef deps_or_none(struct deps *d, LLVMValueRef v);

/* --- deps_variadic.c ------------------------------------------------------------------------- */

/* Before the call of a function with variable arguments. / After llvm.va_start. */
void deps_variadic_call(struct deps *d, LLVMValueRef call);
void deps_va_start(struct deps *d, LLVMValueRef call);

/* --- deps.c ---------------------------------------------------------------------------------- */

/* After everything else in the function has been rewritten. */
void deps_function(struct pass *p, LLVMValueRef function);

#endif
