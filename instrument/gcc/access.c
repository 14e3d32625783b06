/* SPDX-License-Identifier: ISC */
/*
 * access.c - loads, stores and copies of aggregates become calls.
 *
 * An access of 1, 2, 4, 8 or 16 bytes is one call that carries the value; any other size goes
 * through a private variable and a range call. A bit-field is part of a unit, which is loaded,
 * changed in a private copy of the object, and stored.
 */
#include "pass.h"

static bool is_one_event(const struct gcc_reference *r)
{
	return !r->length && plan_is_one_event(r->size);
}

static bool is_atomic(const struct gcc_reference *r)
{
	return r->is_volatile && plan_volatile_is_atomic();
}

/* `size' bytes at an address, as an unsigned integer. used: as in abi.h. */
static gcc_tree read_bits(gcc_tree address, uint64_t size, bool atomic, int used)
{
	if (atomic)
		return GCC_EMIT(plan_sized(ENTRY(__heddle_load1), size), address,
			gcc_int(HEDDLE_VOLATILE | used << HEDDLE_USED));
	if (used && size <= 8)
		return GCC_EMIT(
			plan_sized(ENTRY(__heddle_used_load1), size), address, gcc_int(used));
	return GCC_EMIT(plan_sized(ENTRY(__heddle_plain_load1), size), address);
}

static void write_bits(gcc_tree address, gcc_tree bits, uint64_t size, bool atomic)
{
	if (atomic)
		GCC_EMIT(plan_sized(ENTRY(__heddle_store1), size), address, bits,
			gcc_int(HEDDLE_VOLATILE));
	else
		GCC_EMIT(plan_sized(ENTRY(__heddle_plain_store1), size), address, bits);
}

/* --- bit-fields ------------------------------------------------------------------------------- */

/* Load the unit into the copy of the object. */
static void fetch_unit(const struct gcc_unit *u, bool atomic)
{
	gcc_tree from = gcc_address(u->object, u->offset);

	if (plan_is_one_event(u->size))
		gcc_set(gcc_at(u->copy, u->offset, gcc_bits_type(u->size)),
			read_bits(from, u->size, atomic, 0));
	else
		GCC_EMIT(ENTRY(__heddle_plain_read), gcc_address(u->copy, u->offset), from,
			gcc_size(u->size));
}

static void store_unit(const struct gcc_unit *u, bool atomic)
{
	gcc_tree to = gcc_address(u->object, u->offset);

	if (plan_is_one_event(u->size))
		write_bits(to, gcc_get(gcc_at(u->copy, u->offset, gcc_bits_type(u->size))), u->size,
			atomic);
	else
		GCC_EMIT(ENTRY(__heddle_plain_write), to, gcc_address(u->copy, u->offset),
			gcc_size(u->size));
}

/* --- registers -------------------------------------------------------------------------------- */

static gcc_tree read_used(const struct gcc_reference *r, int used)
{
	struct gcc_unit u;
	gcc_tree copy;

	if (r->is_private)
		return gcc_get(r->tree);
	if (r->is_bits) {
		u = gcc_unit(r);
		fetch_unit(&u, is_atomic(r));
		return gcc_get(u.part);
	}
	if (is_one_event(r))
		return gcc_from_bits(
			read_bits(gcc_address(r->tree, 0), r->size, is_atomic(r), used), r->type);
	copy = gcc_temporary(r->type);
	GCC_EMIT(ENTRY(__heddle_plain_read), gcc_address(copy, 0), gcc_address(r->tree, 0),
		gcc_size(r->size));
	return gcc_get(copy);
}

gcc_tree access_read(const struct gcc_reference *r)
{
	return read_used(r, 0);
}

void access_write(const struct gcc_reference *r, gcc_tree value)
{
	struct gcc_unit u;
	gcc_tree copy;

	if (r->is_private) {
		gcc_set(r->tree, value);
	} else if (r->is_bits) {
		u = gcc_unit(r);
		fetch_unit(&u, is_atomic(r));
		gcc_set(u.part, value);
		store_unit(&u, is_atomic(r));
	} else if (is_one_event(r)) {
		write_bits(gcc_address(r->tree, 0), gcc_to_bits(value, r->size), r->size,
			is_atomic(r));
	} else {
		copy = gcc_temporary(r->type);
		gcc_set(copy, value);
		GCC_EMIT(ENTRY(__heddle_plain_write), gcc_address(r->tree, 0), gcc_address(copy, 0),
			gcc_size(r->size));
	}
}

/* --- aggregates ------------------------------------------------------------------------------- */

static gcc_tree length_of(const struct gcc_reference *to, const struct gcc_reference *from)
{
	if (to->size)
		return gcc_size(to->size);
	return from && from->length ? from->length : to->length;
}

bool access_copy(const struct gcc_reference *to, const struct gcc_reference *from)
{
	gcc_tree length = length_of(to, from), target, source;

	if (to->is_private && from->is_private)
		return false;
	target = gcc_address(to->tree, 0);
	source = gcc_address(from->tree, 0);
	if (to->is_private)
		GCC_EMIT(ENTRY(__heddle_plain_read), target, source, length);
	else if (from->is_private)
		GCC_EMIT(ENTRY(__heddle_plain_write), target, source, length);
	else if (is_one_event(to))
		write_bits(target, read_bits(source, to->size, false, 0), to->size, false);
	else
		GCC_EMIT(ENTRY(__heddle_memcpy), target, source, length);
	return true;
}

static void clear(gcc_stmt s, const struct gcc_reference *to)
{
	if (to->is_private)
		return;
	GCC_EMIT(ENTRY(__heddle_memset), gcc_address(to->tree, 0), gcc_int(0), length_of(to, NULL));
	gcc_replace(s);
}

void access_assign(gcc_stmt s)
{
	struct gcc_reference to = gcc_reference(gcc_lhs(s)), from = gcc_reference(gcc_rhs(s));

	if (to.is_memory && gcc_is_clear(s) && !to.is_register) {
		clear(s, &to);
	} else if (to.is_memory && from.is_memory) {
		if (access_copy(&to, &from))
			gcc_replace(s);
	} else if (to.is_memory && !to.is_private) {
		access_write(&to, from.tree);
		gcc_replace(s);
	} else if (from.is_memory && !from.is_private) {
		gcc_define(gcc_lhs(s), read_used(&from, gcc_counts(s) ? HEDDLE_USED_COUNTS : 0));
		gcc_replace(s);
	}
}
