/* SPDX-License-Identifier: ISC */
/*
 * pass.c - rewrites a function, last before gcc expands it. ../README is the specification.
 *
 * The statements are listed first and then rewritten one by one, so inserted code is not
 * instrumented.
 */
#include "pass.h"

#include <stdlib.h>

/* --- the frame -------------------------------------------------------------------------------- */

/* Local variables without a value are announced at the beginning of the function. */
static void announce_variables(void)
{
	gcc_tree v;

	for (unsigned i = 0; (v = gcc_escaped(i)); i++)
		if (gcc_has_words(v) && gcc_variable_size(v) && !gcc_has_value_at_once(v))
			GCC_EMIT(ENTRY(__heddle_variable), gcc_address(v, 0),
				gcc_size(gcc_variable_size(v)));
	gcc_insert_first();
}

static bool frame_dies(void)
{
	return gcc_escaped(0) || gcc_calls_alloca();
}

/* Stores to the frame that are still in the thread's buffer are never made. */
static void leave_frame(gcc_stmt ret)
{
	gcc_tree v;

	if (!frame_dies())
		return;
	GCC_EMIT(ENTRY(__heddle_frame_leave), gcc_return_slot());
	for (unsigned i = 0; (v = gcc_escaped(i)); i++)
		if (gcc_is_memory_parameter(v))
			GCC_EMIT(ENTRY(__heddle_frame_leave), gcc_address(v, gcc_variable_size(v)));
	gcc_insert_before(ret);
}

/* A value in memory is copied by the return itself, directly. */
static void return_value(gcc_stmt ret)
{
	struct gcc_reference from = gcc_reference(gcc_rhs(ret)), to;

	if (from.is_memory && from.tree != gcc_result() && gcc_result_is_in_memory()) {
		to = gcc_reference(gcc_result());
		access_copy(&to, &from);
		gcc_insert_before(ret);
		gcc_set_return(ret, to.tree);
	} else if (from.is_memory && !from.is_private && !from.is_result) {
		to = from;
		to.tree = gcc_temporary(from.type);
		to.is_private = true;
		access_copy(&to, &from);
		gcc_insert_before(ret);
		gcc_set_return(ret, to.tree);
	}
}

/* --- statements ------------------------------------------------------------------------------- */

/* Two variables that are never alive together may share a stack slot: not if stores to one of them
 * may still be in a buffer. */
static void end_life(gcc_stmt s)
{
	struct gcc_reference r = gcc_reference(gcc_lhs(s));

	if (!r.is_private)
		gcc_remove(s);
}

static void rewrite(gcc_stmt s)
{
	switch (gcc_kind(s)) {
	case GCC_ASSIGN: access_assign(s); break;
	case GCC_CLOBBER: end_life(s); break;
	case GCC_CALL: call_function(s); break;
	case GCC_INTERNAL: call_internal(s); break;
	case GCC_ASM: call_assembly(s); break;
	case GCC_RETURN:
		return_value(s);
		leave_frame(s);
		break;
	case GCC_OTHER: break;
	}
}

void pass_function(void)
{
	gcc_stmt *list;
	unsigned n;

	if (gcc_is_ignored())
		return;
	gcc_find_escaped();
	list = gcc_statements(&n);
	loop_heads();
	announce_variables();
	for (unsigned i = 0; i < n; i++)
		rewrite(list[i]);
	gcc_mark_function();
	free(list);
}

void pass_function_early(void)
{
	latch_strengthen();
}
