/* SPDX-License-Identifier: ISC */
/*
 * loop.c - __heddle_turn() at the head of a loop that may wait for another thread: see ../loop.c.
 *
 * The values are the phis of the head, and the private variables in memory that the loop changes.
 * Phis that only count are treated as in ../counter.h.
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
	for (unsigned i = 0; i < gcc_loop_counters(loop); i++)
		bytes += gcc_counter_views(loop, i);
	return bytes + gcc_loop_tests(loop);
}

/* Store the views of the counters and the tests there; returns their number. */
static uint64_t gather_views(unsigned loop, gcc_tree to, uint64_t at)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < gcc_loop_counters(loop); i++)
		for (unsigned k = 0; k < gcc_counter_views(loop, i); k++)
			gcc_set(gcc_at(to, at + n++, gcc_bits_type(1)),
				gcc_counter_view(loop, i, k));
	for (unsigned i = 0; i < gcc_loop_tests(loop); i++)
		gcc_set(gcc_at(to, at + n++, gcc_bits_type(1)), gcc_loop_test(loop, i));
	return n;
}

#define COUNTER_SIZE sizeof(struct heddle_counter)

static gcc_tree position_at(gcc_tree values, unsigned i, uint64_t member)
{
	return gcc_at(values, i * COUNTER_SIZE + member, gcc_bits_type(8));
}

/* Store the counters and all values, contiguously, in private memory. */
static gcc_tree gather_values(unsigned loop, uint64_t bytes)
{
	unsigned counters = gcc_loop_counters(loop);
	uint64_t at = counters * COUNTER_SIZE;
	gcc_tree to = gcc_bytes(at + bytes ? at + bytes : 1), v;

	for (unsigned i = 0; i < counters; i++) {
		gcc_set(position_at(to, i, offsetof(struct heddle_counter, at)),
			gcc_counter_at(loop, i));
		gcc_set(position_at(to, i, offsetof(struct heddle_counter, left)),
			gcc_counter_left(loop, i));
	}
	at += gather_views(loop, to, at);
	for (unsigned i = 0; (v = gcc_loop_value(loop, i)); i++) {
		uint64_t size = gcc_size_of(v);

		if (gcc_is_narrow(v))
			gcc_set(gcc_at(to, at, gcc_bits_type(size)), gcc_to_bits(v, size));
		else
			gcc_set(gcc_at(to, at, gcc_type_of(v)), v);
		at += size;
	}
	return to;
}

static void insert_turn(unsigned loop)
{
	uint64_t bytes = value_bytes(loop);
	unsigned counters = gcc_loop_counters(loop);
	gcc_tree name, values, again;

	if (bytes > HEDDLE_TURN_MAX)
		return;
	values = gather_values(loop, bytes);
	name = gcc_loop_name(loop);
	again = GCC_EMIT(ENTRY(__heddle_turn), name, gcc_return_slot(), gcc_address(values, 0),
		gcc_size(bytes), gcc_int(counters), gcc_loop_entered(loop));
	for (unsigned i = 0; i < counters; i++)
		gcc_counter_move(loop, i,
			gcc_get(position_at(values, i, offsetof(struct heddle_counter, at))));
	gcc_insert_at_head(loop, counters ? again : NULL);
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
