/* SPDX-License-Identifier: ISC */
/* shim_memory.cc - see shim.h: references to memory. */
#include "plugin.h"

#include "shim.h"

/* errno is switched with the threads. */
static bool is_errno(tree pointer)
{
	gimple *definition = TREE_CODE(pointer) == SSA_NAME ? SSA_NAME_DEF_STMT(pointer) : NULL;

	return definition && is_gimple_call(definition) && !gimple_call_internal_p(definition) &&
	       !strcmp(gcc_callee_name(definition), "__errno_location");
}

static bool is_private_variable(tree v)
{
	if (TREE_CODE(v) == RESULT_DECL)
		return !gcc_result_is_in_memory() && !TREE_ADDRESSABLE(v);
	if (TREE_CODE(v) != VAR_DECL && TREE_CODE(v) != PARM_DECL)
		return true; /* constants, code */
	if (TREE_CODE(v) == PARM_DECL || !is_global_var(v))
		return shim_is_private_variable(v);
	if (DECL_HARD_REGISTER(v) || (TREE_READONLY(v) && !TREE_SIDE_EFFECTS(v)))
		return true;
	return DECL_ARTIFICIAL(v) && DECL_NAME(v) &&
	       !strncmp(IDENTIFIER_POINTER(DECL_NAME(v)), "__gcov", 6);
}

static bool is_private(tree base)
{
	if (!ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(base))))
		return true; /* relative to a segment register */
	if (TREE_CODE(base) == TARGET_MEM_REF && TREE_CODE(TMR_BASE(base)) == ADDR_EXPR)
		base = get_base_address(TREE_OPERAND(TMR_BASE(base), 0));
	if (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF)
		return is_errno(TREE_OPERAND(base, 0)) ||
		       shim_is_private_pointer(TREE_OPERAND(base, 0));
	return is_private_variable(base);
}

static bool is_bits(tree t)
{
	poly_int64 size, position;
	machine_mode mode;
	int is_unsigned, is_reverse, is_volatile;
	tree offset;

	if (TREE_CODE(t) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(t, 1)))
		return true;
	get_inner_reference(
		t, &size, &position, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
	return !multiple_p(size, BITS_PER_UNIT) || !multiple_p(position, BITS_PER_UNIT);
}

/* Bytes that an access reads or writes: of a long double, 10. */
static uint64_t access_size(tree type)
{
	tree size = TYPE_SIZE_UNIT(type);

	if (SCALAR_FLOAT_TYPE_P(type) && TYPE_MODE(type) == XFmode)
		return 10;
	return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

bool gcc_points_to_private(gcc_tree pointer)
{
	tree base = TREE_CODE(pointer) == ADDR_EXPR ? get_base_address(TREE_OPERAND(pointer, 0))
						    : NULL_TREE;

	return base ? is_private(base) : shim_is_private_pointer(pointer);
}

struct gcc_reference gcc_reference(gcc_tree t)
{
	struct gcc_reference r = {};
	tree base;

	if (t && TREE_CODE(t) == WITH_SIZE_EXPR) {
		r.length = TREE_OPERAND(t, 1);
		t = TREE_OPERAND(t, 0);
	}
	r.tree = t;
	if (!t || TREE_CODE(t) == SSA_NAME || (CONSTANT_CLASS_P(t) && TREE_CODE(t) != STRING_CST) ||
		TREE_CODE(t) == ADDR_EXPR || TREE_CODE(t) == CONSTRUCTOR ||
		TREE_CODE(t) == OBJ_TYPE_REF || !(base = get_base_address(t)) ||
		TREE_CODE(base) == SSA_NAME ||
		(CONSTANT_CLASS_P(base) && TREE_CODE(base) != STRING_CST))
		return r;
	r.type = TREE_TYPE(t);
	r.is_memory = true;
	r.is_private = is_private(base);
	r.is_volatile = TREE_THIS_VOLATILE(t);
	r.is_register = is_gimple_reg_type(r.type);
	r.is_result = TREE_CODE(base) == RESULT_DECL && gcc_result_is_in_memory();
	r.is_bits = r.is_register && is_bits(t);
	r.size = access_size(r.type);
	if (!r.size && !r.length)
		r.length = TYPE_SIZE_UNIT(r.type);
	return r;
}

/* The smallest aligned word, within the bytes that the compiler may access, that has all bits: gcc
 * accesses that. */
static void choose_word(
	struct gcc_unit *u, uint64_t first, uint64_t last, uint64_t low, uint64_t high)
{
	u->offset = first;
	u->size = last + 1 - first;
	for (uint64_t size = 1; size <= 8; size *= 2) {
		uint64_t at = first / size * size;

		if (at >= low && at + size <= high && at + size > last) {
			u->offset = at;
			u->size = size;
			return;
		}
	}
}

struct gcc_unit gcc_unit(const struct gcc_reference *r)
{
	tree t = r->tree, field, whole = NULL_TREE;
	uint64_t position, bits, low, high;
	struct gcc_unit u = {};

	u.object = TREE_OPERAND(t, 0);
	u.copy = gcc_temporary(TREE_TYPE(u.object));
	u.part = copy_node(t);
	TREE_OPERAND(u.part, 0) = u.copy;
	TREE_THIS_VOLATILE(u.part) = 0;
	if (TREE_CODE(t) == COMPONENT_REF) {
		field = TREE_OPERAND(t, 1);
		whole = DECL_BIT_FIELD_REPRESENTATIVE(field);
		position = int_bit_position(field);
		bits = tree_to_uhwi(DECL_SIZE(field));
	} else {
		position = bit_field_offset(t).to_constant();
		bits = bit_field_size(t).to_constant();
	}
	low = whole ? int_byte_position(whole) : position / BITS_PER_UNIT;
	high = whole && DECL_SIZE_UNIT(whole) ? low + tree_to_uhwi(DECL_SIZE_UNIT(whole)) : low;
	choose_word(&u, position / BITS_PER_UNIT, (position + bits - 1) / BITS_PER_UNIT, low, high);
	return u;
}
