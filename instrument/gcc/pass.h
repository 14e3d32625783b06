/* SPDX-License-Identifier: ISC */
/* pass.h - shared by the files of the pass for gcc. */
#ifndef INSTRUMENT_GCC_PASS_H
#define INSTRUMENT_GCC_PASS_H

#include "shim.h"

/* --- access.c --------------------------------------------------------------------------------- */

/* A load, a store, or the copy of an aggregate. */
void access_assign(gcc_stmt s);

/* Build the access. The value is one of GIMPLE's registers. */
gcc_tree access_read(const struct gcc_reference *r);
void access_write(const struct gcc_reference *r, gcc_tree value);

/* Build a copy; false: both sides are private, and nothing has been built. */
bool access_copy(const struct gcc_reference *to, const struct gcc_reference *from);

/* --- atomic.c --------------------------------------------------------------------------------- */

/* Replace the call if its name is that of an atomic operation, a fence, a hint. Else false. */
bool atomic_call(gcc_stmt call, const char *name);
bool atomic_internal(gcc_stmt call, const char *name);

/* Is it an atomic operation, and may this argument point to a private variable? */
bool atomic_keeps_private(const char *name, unsigned argument);

/* --- loop.c ----------------------------------------------------------------------------------- */

/* The heads of loops that may wait. Before anything in the function is rewritten. */
void loop_heads(void);

/* --- latch.c ---------------------------------------------------------------------------------- */

/* If this is std::latch::count_down(), before it is inlined. */
void latch_strengthen(void);

/* --- call.c ----------------------------------------------------------------------------------- */

void call_function(gcc_stmt call);
void call_internal(gcc_stmt call);
void call_assembly(gcc_stmt s);

#endif
