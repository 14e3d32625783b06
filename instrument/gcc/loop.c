/* SPDX-License-Identifier: ISC */
/*
 * loop.c - __heddle_turn() at the head of a loop that may wait for another thread: see ../loop.c.
 *
 * The values are the phis of the head, and the private variables in memory that the loop changes.
 * There are no counters: each number of iterations is a state of its own.
 */
#include "pass.h"

#include <stdlib.h>

static bool call_may_look(gcc_stmt call)
{
	const char *name = gcc_callee_name(call);

	return !gcc_has_no_memory(call) && (!plan_is_known(name) || plan_may_look(name)) &&
	       !plan_is_replaced(name) && !text_starts(name, "__builtin_") &&
	       plan_memory_function(name, gcc_nargs(call)) == MEMORY_OTHER;
}

/* May the statement observe other threads? */
static bool may_look(gcc_stmt s)
{
	struct gcc_reference r;

	switch (gcc_kind(s)) {
	case GCC_ASSIGN:
		r = gcc_reference(gcc_rhs(s));
		return r.is_memory && r.is_volatile && !r.is_private && plan_volatile_is_atomic();
	case GCC_CALL: return call_may_look(s);
	case GCC_INTERNAL: return text_starts(gcc_callee_name(s), "ATOMIC_");
	case GCC_ASM: return true;
	default: return false;
	}
}

static bool may_wait(unsigned loop)
{
	unsigned n;
	gcc_stmt *s = gcc_loop_statements(loop, &n);

	for (unsigned i = 0; i < n; i++)
		if (may_look(s[i]))
			return true;
	return false;
}

/* Of all values; more than HEDDLE_TURN_MAX: they are too many, or of unknown size. */
static uint64_t value_bytes(unsigned loop)
{
	uint64_t bytes = 0, size;
	gcc_tree v;

	for (unsigned i = 0; (v = gcc_loop_value(loop, i)); i++) {
		size = gcc_size_of(v);
		if (!size || size > HEDDLE_TURN_MAX)
			return HEDDLE_TURN_MAX + 1;
		bytes += size;
	}
	return bytes;
}

/* Store all values, contiguously, in private memory. */
static gcc_tree gather_values(unsigned loop, uint64_t bytes)
{
	gcc_tree to = gcc_bytes(bytes ? bytes : 1), v;
	uint64_t at = 0;

	for (unsigned i = 0; (v = gcc_loop_value(loop, i)); i++) {
		uint64_t size = gcc_size_of(v);

		if (gcc_is_narrow(v))
			gcc_set(gcc_at(to, at, gcc_bits_type(size)), gcc_to_bits(v, size));
		else
			gcc_set(gcc_at(to, at, gcc_type_of(v)), v);
		at += size;
	}
	return gcc_address(to, 0);
}

static void insert_turn(unsigned loop)
{
	uint64_t bytes = value_bytes(loop);
	gcc_tree name, values;

	if (bytes > HEDDLE_TURN_MAX)
		return;
	values = gather_values(loop, bytes);
	name = gcc_loop_name(loop);
	GCC_EMIT(ENTRY(__heddle_turn), name, gcc_return_slot(), values, gcc_size(bytes), gcc_int(0),
		gcc_loop_entered(loop));
	gcc_insert_at_head(loop);
}

void loop_heads(void)
{
	unsigned n = gcc_loops();
	bool *waits = calloc(n + 1, sizeof(*waits));

	if (!waits)
		abort();
	for (unsigned i = 0; i < n; i++) {
		waits[i] = may_wait(i);
		if (waits[i])
			gcc_loop_prepare(i);
	}
	for (unsigned i = 0; i < n; i++)
		if (waits[i])
			insert_turn(i);
	free(waits);
}
