/* SPDX-License-Identifier: ISC */
/*
 * call.c - calls of functions, builtin and internal ones among them, and inline assembly.
 *
 * Inline assembly itself is rewritten in gcc's output (tools/gcc). Here only its results are
 * looked at: what a register is used for is stored by the compiler.
 */
#include "pass.h"

#include <stdarg.h>
#include <stdio.h>

/* The environment of floating-point operations, which belongs to the thread, in a variable. */
static bool is_environment(const char *name)
{
	return text_starts(name, "__builtin_ia32_stmxcsr") ||
	       text_starts(name, "__builtin_ia32_fnst") ||
	       text_starts(name, "__builtin_ia32_fldenv");
}

bool call_keeps_private(gcc_stmt call, unsigned argument)
{
	const char *name = gcc_callee_name(call);

	if (atomic_keeps_private(name, argument) || text_starts(name, "__builtin_va_") ||
		is_environment(name) || plan_hands_back(name, argument))
		return true;
	return !gcc_lhs(call) && plan_memory_function(name, gcc_nargs(call)) != MEMORY_OTHER;
}

/* --- arguments and results -------------------------------------------------------------------- */

/* Arguments in memory are copied by the call itself, directly: from a private copy. */
static void copy_arguments(gcc_stmt call)
{
	struct gcc_reference from, to;

	for (unsigned i = 0; i < gcc_nargs(call); i++) {
		from = gcc_reference(gcc_arg(call, i));
		if (!from.is_memory || from.is_private)
			continue;
		to = from;
		to.tree = gcc_temporary(from.type);
		to.is_private = true;
		access_copy(&to, &from);
		gcc_insert_before(call);
		gcc_set_arg(call, i, to.tree);
	}
}

/* The result is stored through the runtime, unless the called function itself does that. */
static void store_result(gcc_stmt call)
{
	struct gcc_reference to = gcc_reference(gcc_lhs(call)), from;
	bool in_memory = to.is_memory && !to.is_private && gcc_returns_in_memory(call);

	if (!to.is_memory || to.is_private || (in_memory && gcc_returns_in_place(call)))
		return;
	if (to.is_register) {
		from.tree = gcc_register(to.type);
		gcc_set_lhs(call, from.tree);
		access_write(&to, from.tree);
	} else {
		from = to;
		from.tree = gcc_temporary(to.type);
		from.is_private = !in_memory;
		gcc_set_lhs(call, from.tree);
		if (in_memory)
			gcc_return_in_place(call);
		access_copy(&to, &from);
	}
	gcc_insert_after(call);
}

/* --- functions of libc ------------------------------------------------------------------------ */

static enum entry memory_entry(enum memory_function what, bool to_private, bool from_private)
{
	if (what == MEMORY_FILL)
		return ENTRY(__heddle_memset);
	if (to_private)
		return ENTRY(__heddle_plain_read);
	if (from_private)
		return ENTRY(__heddle_plain_write);
	return what == MEMORY_MOVE ? ENTRY(__heddle_memmove) : ENTRY(__heddle_memcpy);
}

/* Copies and fills. Private memory is accessed directly: then a copy is a range read or write. */
static bool memory_call(gcc_stmt call, const char *name)
{
	enum memory_function what = plan_memory_function(name, gcc_nargs(call));
	bool to_private, from_private;
	gcc_tree args[3];

	if (what == MEMORY_OTHER)
		return false;
	for (unsigned i = 0; i < 3; i++)
		args[i] = gcc_arg(call, i);
	to_private = gcc_points_to_private(args[0]);
	from_private = what == MEMORY_FILL || gcc_points_to_private(args[1]);
	if (to_private && from_private)
		return true;
	gcc_call(memory_entry(what, to_private, from_private), args, 3);
	if (gcc_lhs(call))
		gcc_define(gcc_lhs(call), gcc_resize(args[0], gcc_type_of(gcc_lhs(call))));
	gcc_replace(call);
	return true;
}

/* Call the runtime's form of a string function; gcc has names of its own for some. */
static bool replaced_call(gcc_stmt call, const char *name)
{
	char ours[64], own[32];
	size_t n = strlen(name);

	if (text_starts(name, "__builtin_") && n > 13 && n < 40 && !strcmp(name + n - 3, "_eq")) {
		snprintf(own, sizeof own, "%.*s", (int)n - 13, name + 10);
		name = own;
	}
	if (!plan_is_replaced(name))
		return false;
	snprintf(ours, sizeof ours, "__heddle_lib_%s", name);
	gcc_set_callee(call, ours);
	return true;
}

/* A wait at a barrier whose result is not used. */
static bool barrier_call(gcc_stmt call, const char *name)
{
	if (strcmp(name, "pthread_barrier_wait") || gcc_lhs(call) || gcc_nargs(call) != 1)
		return false;
	GCC_EMIT(ENTRY(__heddle_barrier_pass), gcc_arg(call, 0));
	gcc_replace(call);
	return true;
}

/* --- builtins --------------------------------------------------------------------------------- */

/* va_start() writes the list directly: give it a private one. */
static bool variadic_call(gcc_stmt call, const char *name)
{
	bool is_private;
	gcc_tree list, copy;

	if (!strcmp(name, "__builtin_va_copy")) {
		list = gcc_size(sizeof(va_list));
		is_private = gcc_points_to_private(gcc_arg(call, 0));
		if (is_private && gcc_points_to_private(gcc_arg(call, 1)))
			return true;
		GCC_EMIT(memory_entry(
				 MEMORY_COPY, is_private, gcc_points_to_private(gcc_arg(call, 1))),
			gcc_arg(call, 0), gcc_arg(call, 1), list);
		gcc_replace(call);
		return true;
	}
	if (strcmp(name, "__builtin_va_start"))
		return false;
	list = gcc_arg(call, 0);
	if (gcc_points_to_private(list))
		return true;
	copy = gcc_va_list();
	gcc_set_arg(call, 0, gcc_pointer(copy));
	GCC_EMIT(
		ENTRY(__heddle_plain_write), list, gcc_address(copy, 0), gcc_size(sizeof(va_list)));
	gcc_insert_after(call);
	return true;
}

/* Not a function that could be called: it becomes code. */
static bool is_expanded(gcc_stmt call, const char *name)
{
	return gcc_callee_is_builtin(call) &&
	       (text_starts(name, "__builtin_") || !strcmp(name, "alloca") ||
		       !strcmp(name, "__clear_cache"));
}

/* The end of variable-length arrays: buffered stores to them must not be made later. */
static void stack_restore(gcc_stmt call, const char *name)
{
	if (strcmp(name, "__builtin_stack_restore"))
		return;
	GCC_EMIT(ENTRY(__heddle_frame_leave), gcc_arg(call, 0));
	gcc_insert_before(call);
}

/* A variable-length array, or space of alloca(), has no value yet. */
static void announce_array(gcc_stmt call, const char *name)
{
	gcc_tree array = gcc_lhs(call);
	bool aligned = text_starts(name, "__builtin_alloca_with_align");

	if (!array || (!aligned && strcmp(name, "__builtin_alloca") && strcmp(name, "alloca")) ||
		!gcc_points_to_words(array))
		return;
	GCC_EMIT(ENTRY(__heddle_variable), array, gcc_arg(call, 0));
	gcc_insert_after(call);
}

static void opaque(gcc_stmt s, const char *format, const char *what)
{
	gcc_warn(s, format, what);
	gcc_call(ENTRY(__heddle_opaque), NULL, 0);
	gcc_insert_before(s);
}

/* A builtin of the processor that is not understood. */
static void target_call(gcc_stmt call, const char *name)
{
	static const char *const harmless[] = {"__builtin_ia32_clflush", "__builtin_ia32_clwb",
		"__builtin_ia32_prefetch", "__builtin_ia32_xbegin", "__builtin_ia32_monitor", NULL};
	bool takes_pointer = false;

	for (unsigned i = 0; harmless[i]; i++)
		if (text_starts(name, harmless[i]))
			return;
	for (unsigned i = 0; i < gcc_nargs(call); i++)
		takes_pointer |= gcc_arg_is_pointer(call, i) && !is_environment(name);
	if (takes_pointer && !gcc_has_no_memory(call))
		opaque(call, "heddle: builtin not understood: %s", name);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void announce(gcc_stmt call, const char *name)
{
	if (gcc_callee_is_here(call)) {
		if (!gcc_callee_is_ignored(call))
			return;
		gcc_call(ENTRY(__heddle_unseen), NULL, 0);
		gcc_insert_before(call);
		return;
	}
	if (gcc_has_no_memory(call) || gcc_returns_twice(call) || plan_is_known(name) ||
		plan_returns_twice(name))
		return;
	gcc_through_table(call);
	GCC_EMIT(ENTRY(__heddle_extern_call), gcc_callee(call));
	gcc_insert_before(call);
}

void call_function(gcc_stmt call)
{
	const char *name = gcc_callee_name(call);

	gcc_keep_call(call);
	copy_arguments(call);
	if (*name &&
		(atomic_call(call, name) || memory_call(call, name) || replaced_call(call, name) ||
			barrier_call(call, name) || variadic_call(call, name)))
		return;
	if (gcc_callee_is_of_target(call)) {
		target_call(call, name);
	} else if (is_expanded(call, name)) {
		stack_restore(call, name);
		announce_array(call, name);
	} else {
		announce(call, name);
	}
	store_result(call);
}

void call_internal(gcc_stmt call)
{
	static const char *const memory[] = {"MASK_LOAD", "MASK_STORE", "LOAD_LANES", "STORE_LANES",
		"GATHER_LOAD", "MASK_GATHER", "SCATTER_STORE", "MASK_SCATTER", "LEN_LOAD",
		"LEN_STORE", NULL};
	const char *name = gcc_callee_name(call);

	if (atomic_internal(call, name))
		return;
	for (unsigned i = 0; memory[i]; i++)
		if (text_starts(name, memory[i])) {
			opaque(call, "heddle: vector access not understood: %s", name);
			return;
		}
	store_result(call);
}

/* --- inline assembly -------------------------------------------------------------------------- */

void call_assembly(gcc_stmt s)
{
	for (unsigned i = 0; i < gcc_asm_outputs(s); i++) {
		gcc_tree output = gcc_asm_register_output(s, i), value;
		struct gcc_reference to;

		if (!output)
			continue;
		to = gcc_reference(output);
		if (!to.is_memory || to.is_private)
			continue;
		if (gcc_asm_has_labels(s) || !to.is_register) {
			gcc_refuse(s, "this output of inline assembly in memory");
			return;
		}
		value = gcc_register(to.type);
		gcc_asm_set_output(s, i, value);
		access_write(&to, value);
		gcc_insert_after(s);
	}
}
