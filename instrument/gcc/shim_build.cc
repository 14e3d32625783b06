/* SPDX-License-Identifier: ISC */
/* shim_build.cc - see shim.h: building code and inserting it; messages. */
#include "plugin.h"

#include "shim.h"

static gimple_seq pending;
static tree entries[ENTRY_COUNT], turns;

static const struct ggc_root_tab roots[] = {
	{entries, ENTRY_COUNT, sizeof(entries[0]), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
	{&turns, 1, sizeof(turns), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

void shim_register(const char *plugin)
{
	register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)roots);
}

/* --- building --------------------------------------------------------------------------------- */

tree shim_settled(tree expression)
{
	gimple_seq s = NULL;
	tree value = force_gimple_operand(expression, &s, true, NULL_TREE);

	gimple_seq_add_seq(&pending, s);
	return value;
}

static tree assigned(tree type, tree expression)
{
	tree value = make_ssa_name(type);

	gimple_seq_add_stmt(&pending, gimple_build_assign(value, expression));
	return value;
}

static tree converted(tree type, tree value)
{
	return useless_type_conversion_p(type, TREE_TYPE(value))
		       ? value
		       : shim_settled(fold_convert(type, value));
}

gcc_tree gcc_bits_type(uint64_t size)
{
	return build_nonstandard_integer_type(size * BITS_PER_UNIT, 1);
}

static tree entry_type(enum abi_type type, bool parameter)
{
	switch (type) {
	case ABI_VOID: return void_type_node;
	case ABI_U8: return parameter ? unsigned_type_node : gcc_bits_type(1);
	case ABI_U16: return parameter ? unsigned_type_node : gcc_bits_type(2);
	case ABI_U32: return gcc_bits_type(4);
	case ABI_U64: return gcc_bits_type(8);
	case ABI_U128: return gcc_bits_type(16);
	case ABI_INT: return integer_type_node;
	case ABI_SIZE: return size_type_node;
	case ABI_PTR: break;
	}
	return ptr_type_node;
}

static tree entry_function(enum entry entry)
{
	tree type, params[ENTRY_PARAMS], f;
	struct entry_type t;

	if (entries[entry])
		return entries[entry];
	plan_entry(entry, &t);
	for (unsigned i = 0; i < t.n; i++)
		params[i] = entry_type(t.param[i], true);
	type = build_function_type_array(entry_type(t.ret, false), t.n, params);
	f = build_fn_decl(t.name, type);
	TREE_NOTHROW(f) = 1;
	if (flag_pic && !flag_pie) /* no dynamic linker in the middle of an execution */
		shim_add_attribute(f, "noplt", NULL_TREE);
	return entries[entry] = f;
}

gcc_tree gcc_call(enum entry entry, gcc_tree *args, unsigned n)
{
	tree f = entry_function(entry), ret = TREE_TYPE(TREE_TYPE(f)), value = NULL_TREE;
	auto_vec<tree> vector;
	struct entry_type t;
	gcall *call;

	plan_entry(entry, &t);
	for (unsigned i = 0; i < n; i++)
		vector.safe_push(converted(entry_type(t.param[i], true), args[i]));
	call = gimple_build_call_vec(f, vector);
	if (!VOID_TYPE_P(ret)) {
		value = make_ssa_name(ret);
		gimple_call_set_lhs(call, value);
	}
	gimple_seq_add_stmt(&pending, call);
	return value;
}

/* It is in memory from now on. */
static void set_addressable(tree reference)
{
	tree base = get_base_address(reference);

	if (base && DECL_P(base))
		TREE_ADDRESSABLE(base) = 1;
}

gcc_tree gcc_address(gcc_tree reference, uint64_t offset)
{
	tree p;

	set_addressable(reference);
	p = build_fold_addr_expr(unshare_expr(reference));
	p = shim_settled(fold_convert(ptr_type_node, p));
	return offset ? shim_settled(fold_build_pointer_plus_hwi(p, offset)) : p;
}

gcc_tree gcc_int(int64_t value)
{
	return build_int_cst(integer_type_node, value);
}

gcc_tree gcc_size(uint64_t value)
{
	return build_int_cst(size_type_node, value);
}

gcc_tree gcc_type_of(gcc_tree value)
{
	return TREE_TYPE(value);
}

unsigned gcc_integer_size(gcc_tree value)
{
	return tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(value)));
}

uint64_t gcc_size_of(gcc_tree value)
{
	tree size = TYPE_SIZE_UNIT(TREE_TYPE(value));

	return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

bool gcc_is_narrow(gcc_tree value)
{
	return INTEGRAL_TYPE_P(TREE_TYPE(value)) && !type_has_mode_precision_p(TREE_TYPE(value));
}

static bool converts(tree type)
{
	return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

gcc_tree gcc_from_bits(gcc_tree bits, gcc_tree type)
{
	if (converts(type))
		return converted(type, bits);
	return assigned(type, build1(VIEW_CONVERT_EXPR, type, bits));
}

gcc_tree gcc_to_bits(gcc_tree value, uint64_t size)
{
	tree type = TREE_TYPE(value), bits = gcc_bits_type(size), folded;

	if (converts(type))
		return converted(bits, value);
	if (TREE_CODE(value) == SSA_NAME)
		return assigned(bits, build1(VIEW_CONVERT_EXPR, bits, value));
	if (!is_gimple_reg_type(type)) {
		folded = gcc_temporary(type);
		gcc_set(folded, value);
		return gcc_get(gcc_at(folded, 0, bits));
	}
	folded = fold_build1(VIEW_CONVERT_EXPR, bits, value);
	if (is_gimple_val(folded))
		return folded;
	return assigned(bits, build1(VIEW_CONVERT_EXPR, bits, assigned(type, value)));
}

gcc_tree gcc_resize(gcc_tree integer, gcc_tree type)
{
	return converted(type, integer);
}

gcc_tree gcc_temporary(gcc_tree type)
{
	tree variable = create_tmp_var_raw(TYPE_MAIN_VARIANT(type), "heddle");

	TREE_ADDRESSABLE(variable) = 1;
	gimple_add_tmp_var(variable);
	return variable;
}

gcc_tree gcc_va_list(void)
{
	return gcc_temporary(TREE_TYPE(va_list_type_node));
}

gcc_tree gcc_pointer(gcc_tree variable)
{
	return build_fold_addr_expr(variable);
}

gcc_tree gcc_bytes(uint64_t size)
{
	return gcc_temporary(build_array_type_nelts(unsigned_char_type_node, size));
}

gcc_tree gcc_at(gcc_tree variable, uint64_t offset, gcc_tree type)
{
	tree address = build_fold_addr_expr(variable);

	type = build_aligned_type(type, BITS_PER_UNIT);
	return build2(MEM_REF, type, address, build_int_cst(ptr_type_node, offset));
}

gcc_tree gcc_pointee(gcc_tree pointer, gcc_tree type)
{
	type = build_aligned_type(type, BITS_PER_UNIT);
	return fold_build2(MEM_REF, type, pointer, build_int_cst(ptr_type_node, 0));
}

gcc_tree gcc_get(gcc_tree memory)
{
	return assigned(TYPE_MAIN_VARIANT(TREE_TYPE(memory)), unshare_expr(memory));
}

void gcc_set(gcc_tree memory, gcc_tree value)
{
	gimple_seq_add_stmt(
		&pending, gimple_build_assign(unshare_expr(memory), unshare_expr(value)));
}

gcc_tree gcc_register(gcc_tree type)
{
	return make_ssa_name(TYPE_MAIN_VARIANT(type));
}

void gcc_define(gcc_tree reg, gcc_tree value)
{
	gimple_seq_add_stmt(&pending, gimple_build_assign(reg, value));
}

gcc_tree gcc_compute(enum gcc_operation op, gcc_tree a, gcc_tree b)
{
	static const enum tree_code codes[] = {PLUS_EXPR, MINUS_EXPR, BIT_AND_EXPR, BIT_IOR_EXPR,
		BIT_XOR_EXPR, BIT_NOT_EXPR, LSHIFT_EXPR, RSHIFT_EXPR};
	tree type = TREE_TYPE(a);

	if (op == GCC_NOT)
		return shim_settled(fold_build1(BIT_NOT_EXPR, type, a));
	if (op != GCC_SHIFT_LEFT && op != GCC_SHIFT_RIGHT)
		b = converted(type, b);
	return shim_settled(fold_build2(codes[op], type, a, b));
}

gcc_tree gcc_compare_zero(enum gcc_comparison how, gcc_tree a)
{
	static const enum tree_code codes[] = {
		EQ_EXPR, NE_EXPR, LT_EXPR, LE_EXPR, GT_EXPR, GE_EXPR};
	tree type = signed_type_for(TREE_TYPE(a));
	tree is = shim_settled(fold_build2(
		codes[how], boolean_type_node, converted(type, a), build_zero_cst(type)));

	return converted(integer_type_node, is);
}

gcc_tree gcc_pair(gcc_tree complex_type, gcc_tree a, gcc_tree b)
{
	tree part = TREE_TYPE(complex_type), value = make_ssa_name(complex_type);

	a = converted(part, a);
	b = converted(part, b);
	gimple_seq_add_stmt(&pending, gimple_build_assign(value, COMPLEX_EXPR, a, b));
	return value;
}

int64_t gcc_constant(gcc_tree value)
{
	return tree_fits_uhwi_p(value) ? (int64_t)(tree_to_uhwi(value) & INT32_MAX) : -1;
}

gcc_tree gcc_order(gcc_tree value)
{
	tree order = converted(integer_type_node, value), is;

	order = shim_settled(
		fold_build2(BIT_AND_EXPR, integer_type_node, order, gcc_int(HEDDLE_ORDER_MASK)));
	is = fold_build2(EQ_EXPR, integer_type_node, order, gcc_int(__ATOMIC_CONSUME));
	return shim_settled(fold_build2(PLUS_EXPR, integer_type_node, order, shim_settled(is)));
}

gcc_tree gcc_return_slot(void)
{
	gcall *call = gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0);
	tree cfa = make_ssa_name(ptr_type_node);

	gimple_call_set_lhs(call, cfa);
	gimple_seq_add_stmt(&pending, call);
	return shim_settled(fold_build_pointer_plus_hwi(cfa, -(HOST_WIDE_INT)UNITS_PER_WORD));
}

/* --- inserting -------------------------------------------------------------------------------- */

static void locate_pending(gimple *at)
{
	gimple_seq_set_location(pending, gimple_location(at));
}

void gcc_insert_before(gcc_stmt s)
{
	gimple_stmt_iterator at = gsi_for_stmt(s);

	locate_pending(s);
	if (pending)
		gsi_insert_seq_before(&at, pending, GSI_SAME_STMT);
	pending = NULL;
}

void gcc_insert_after(gcc_stmt s)
{
	gimple_stmt_iterator at = gsi_for_stmt(s);
	edge e;

	locate_pending(s);
	if (!stmt_ends_bb_p(s)) {
		gsi_insert_seq_after(&at, pending, GSI_NEW_STMT);
	} else if ((e = find_fallthru_edge(gimple_bb(s)->succs))) {
		gsi_insert_seq_on_edge_immediate(e, pending);
	}
	pending = NULL;
}

/* After the parameters have been copied: the first block, before its first statement. */
void gcc_insert_first(void)
{
	edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));

	gimple_seq_set_location(pending, DECL_SOURCE_LOCATION(current_function_decl));
	if (pending)
		gsi_insert_seq_on_edge_immediate(e, pending);
	pending = NULL;
}

void gcc_remove(gcc_stmt s)
{
	gimple_stmt_iterator at = gsi_for_stmt(s);
	tree definition = gimple_vdef(s);

	unlink_stmt_vdef(s);
	gsi_remove(&at, true);
	if (definition && TREE_CODE(definition) == SSA_NAME)
		release_ssa_name(definition);
}

void gcc_replace(gcc_stmt s)
{
	gcc_insert_before(s);
	gcc_remove(s);
}

void gcc_insert_if(gcc_stmt s, gcc_tree condition)
{
	gimple_stmt_iterator at = gsi_for_stmt(s), inner;
	gimple *test = gimple_build_cond(NE_EXPR, condition, gcc_int(0), NULL_TREE, NULL_TREE),
	       *before;
	basic_block then;

	locate_pending(s);
	gimple_set_location(test, gimple_location(s));
	gsi_prev(&at);
	before = gsi_stmt(at);
	then = insert_cond_bb(gimple_bb(before), before, test, profile_probability::even());
	inner = gsi_start_bb(then);
	gsi_insert_seq_before(&inner, pending, GSI_SAME_STMT);
	pending = NULL;
}

/* Not 0: iterations are observed (abi.h). */
static tree turns_variable(void)
{
	if (!turns) {
		turns = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier("__heddle_turns"),
			gcc_bits_type(1));
		DECL_EXTERNAL(turns) = TREE_PUBLIC(turns) = DECL_ARTIFICIAL(turns) = 1;
	}
	return turns;
}

static location_t location_of(basic_block b)
{
	for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
		if (!is_gimple_debug(gsi_stmt(i)) && gimple_has_location(gsi_stmt(i)))
			return gimple_location(gsi_stmt(i));
	return UNKNOWN_LOCATION;
}

basic_block shim_insert_if_observed(basic_block b)
{
	gimple_stmt_iterator at = gsi_after_labels(b), inner;
	tree observed = make_ssa_name(gcc_bits_type(1));
	gimple *load = gimple_build_assign(observed, turns_variable()), *test;
	location_t place = location_of(b);
	basic_block then;

	test = gimple_build_cond(
		NE_EXPR, observed, build_zero_cst(TREE_TYPE(observed)), NULL_TREE, NULL_TREE);
	gimple_set_location(load, place);
	gimple_set_location(test, place);
	gimple_seq_set_location(pending, place);
	gsi_insert_before(&at, load, GSI_SAME_STMT);
	then = insert_cond_bb(b, load, test, profile_probability::unlikely());
	inner = gsi_start_bb(then);
	gsi_insert_seq_before(&inner, pending, GSI_SAME_STMT);
	pending = NULL;
	return then;
}

/* Code behind such a block. */
basic_block shim_after(basic_block then)
{
	return EDGE_SUCC(then, EDGE_SUCC(then, 0)->dest == then)->dest;
}

void shim_repeat(basic_block b, tree condition)
{
	gimple_stmt_iterator end = gsi_last_bb(b);
	edge next = single_succ_edge(b);
	gimple *test = gimple_build_cond(
		NE_EXPR, condition, build_zero_cst(TREE_TYPE(condition)), NULL_TREE, NULL_TREE);

	gimple_set_location(test, location_of(b));
	gsi_insert_after(&end, test, GSI_NEW_STMT);
	next->flags = (next->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	next->probability = profile_probability::likely();
	make_edge(b, b, EDGE_TRUE_VALUE)->probability = profile_probability::unlikely();
	if (current_loops)
		loops_state_set(LOOPS_NEED_FIXUP);
}

/* --- messages --------------------------------------------------------------------------------- */

void gcc_warn(gcc_stmt s, const char *format, const char *what)
{
	char text[512];

	snprintf(text, sizeof text, format, what);
	warning_at(gimple_location(s), 0, "%s", text);
}

void gcc_refuse(gcc_stmt s, const char *what)
{
	error_at(gimple_location(s),
		"heddle: %s is not supported by the plugin for gcc: compile without "
		"%<--gcc%>, or with %<--gcc=tsan%>",
		what);
}
