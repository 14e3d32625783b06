/* SPDX-License-Identifier: ISC */
/* shim.cc - see shim.h: the function and its statements. */
#include "plugin.h"

#include "shim.h"

static bool has_attribute(tree decl, const char *name)
{
	return lookup_attribute(name, DECL_ATTRIBUTES(decl)) != NULL_TREE;
}

void shim_add_attribute(tree decl, const char *name, tree args)
{
	if (!has_attribute(decl, name))
		DECL_ATTRIBUTES(decl) =
			tree_cons(get_identifier(name), args, DECL_ATTRIBUTES(decl));
}

/* --- the function ----------------------------------------------------------------------------- */

gcc_stmt *gcc_statements(unsigned *n)
{
	auto_vec<gimple *> all;
	gcc_stmt *list;
	basic_block b;

	FOR_EACH_BB_FN(b, cfun)
	for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
		if (!is_gimple_debug(gsi_stmt(i)))
			all.safe_push(gsi_stmt(i));
	list = XNEWVEC(gcc_stmt, all.length() + 1);
	*n = all.length();
	for (unsigned i = 0; i < *n; i++)
		list[i] = all[i];
	return list;
}

/* __attribute__((annotate("heddle_ignore"))), as for clang. */
static bool is_ignored(tree function)
{
	tree mark = lookup_attribute("annotate", DECL_ATTRIBUTES(function));

	for (; mark; mark = lookup_attribute("annotate", TREE_CHAIN(mark))) {
		tree text = TREE_VALUE(mark) ? TREE_VALUE(TREE_VALUE(mark)) : NULL_TREE;

		if (text && TREE_CODE(text) == STRING_CST &&
			!strcmp(TREE_STRING_POINTER(text), "heddle_ignore"))
			return true;
	}
	return has_attribute(function, "naked");
}

bool gcc_is_ignored(void)
{
	return is_ignored(current_function_decl);
}

static const char *name_of(tree function)
{
	return targetm.strip_name_encoding(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)));
}

const char *gcc_function_name(void)
{
	return name_of(current_function_decl);
}

uint64_t gcc_variable_size(gcc_tree variable)
{
	tree size = DECL_SIZE_UNIT(variable);

	return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

static bool has_words(tree type)
{
	if (TREE_CODE(type) == ARRAY_TYPE)
		return has_words(TREE_TYPE(type));
	if (RECORD_OR_UNION_TYPE_P(type)) {
		for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f))
			if (TREE_CODE(f) == FIELD_DECL && has_words(TREE_TYPE(f)))
				return true;
		return false;
	}
	return !VOID_TYPE_P(type) && COMPLETE_TYPE_P(type) &&
	       tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)) && tree_to_uhwi(TYPE_SIZE_UNIT(type)) >= 4;
}

bool gcc_has_words(gcc_tree variable)
{
	return VAR_P(variable) && !TREE_THIS_VOLATILE(variable) && has_words(TREE_TYPE(variable));
}

bool gcc_points_to_words(gcc_tree pointer)
{
	return has_words(TREE_TYPE(TREE_TYPE(pointer)));
}

bool gcc_is_memory_parameter(gcc_tree variable)
{
	unsigned position = 0;

	if (TREE_CODE(variable) != PARM_DECL)
		return false;
	for (tree p = DECL_ARGUMENTS(current_function_decl); p != variable; p = DECL_CHAIN(p))
		position++;
	return AGGREGATE_TYPE_P(TREE_TYPE(variable)) || position >= 6;
}

struct mention {
	tree variable;
	bool found;
};

static tree mentions(tree *t, int *subtrees, void *data)
{
	struct mention *m = (struct mention *)((struct walk_stmt_info *)data)->info;

	m->found |= *t == m->variable;
	*subtrees = !m->found;
	return NULL_TREE;
}

bool gcc_has_value_at_once(gcc_tree variable)
{
	basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
	struct mention m = {variable, false};
	struct walk_stmt_info info;

	for (gimple_stmt_iterator i = gsi_start_bb(first); !gsi_end_p(i); gsi_next(&i)) {
		gimple *s = gsi_stmt(i);

		if (is_gimple_debug(s) || gimple_clobber_p(s))
			continue;
		memset(&info, 0, sizeof info);
		info.info = &m;
		walk_gimple_op(s, mentions, &info);
		if (m.found)
			return gimple_assign_single_p(s) && gimple_assign_lhs(s) == variable;
	}
	return false;
}

bool gcc_calls_alloca(void)
{
	return cfun->calls_alloca;
}

void gcc_mark_function(void)
{
	tree eight = build_int_cst(integer_type_node, 8);

	shim_add_attribute(current_function_decl, "patchable_function_entry",
		tree_cons(NULL_TREE, eight, tree_cons(NULL_TREE, eight, NULL_TREE)));
}

/* --- statements ------------------------------------------------------------------------------- */

enum gcc_kind gcc_kind(gcc_stmt s)
{
	switch (gimple_code(s)) {
	case GIMPLE_ASSIGN:
		if (gimple_clobber_p(s))
			return GCC_CLOBBER;
		return gimple_assign_single_p(s) ? GCC_ASSIGN : GCC_OTHER;
	case GIMPLE_CALL: return gimple_call_internal_p(s) ? GCC_INTERNAL : GCC_CALL;
	case GIMPLE_ASM: return GCC_ASM;
	case GIMPLE_RETURN: return GCC_RETURN;
	default: return GCC_OTHER;
	}
}

gcc_tree gcc_lhs(gcc_stmt s)
{
	return gimple_get_lhs(s);
}

gcc_tree gcc_rhs(gcc_stmt s)
{
	if (greturn *r = dyn_cast<greturn *>(s))
		return gimple_return_retval(r);
	return gimple_assign_rhs1(s);
}

void gcc_set_lhs(gcc_stmt s, gcc_tree value)
{
	gimple_set_lhs(s, value);
	update_stmt(s);
}

void gcc_set_return(gcc_stmt s, gcc_tree value)
{
	gimple_return_set_retval(as_a<greturn *>(s), value);
	update_stmt(s);
}

bool gcc_is_clear(gcc_stmt s)
{
	return gimple_assign_rhs_code(s) == CONSTRUCTOR;
}

/* What an alias stands for. */
static cgraph_node *node_of(tree function)
{
	cgraph_node *node = cgraph_node::get(function);

	return node ? node->ultimate_alias_target() : NULL;
}

bool gcc_callee_is_here(gcc_stmt call)
{
	tree f = gimple_call_fndecl(call);
	cgraph_node *node = f ? node_of(f) : NULL;

	return node && node->definition && !DECL_EXTERNAL(node->decl);
}

bool gcc_callee_is_ignored(gcc_stmt call)
{
	return is_ignored(node_of(gimple_call_fndecl(call))->decl);
}

const char *gcc_callee_name(gcc_stmt call)
{
	tree f = gimple_call_internal_p(call) ? NULL_TREE : gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return internal_fn_name(gimple_call_internal_fn(call));
	return f && !gcc_callee_is_here(call) ? name_of(f) : "";
}

const char *gcc_called_name(gcc_stmt call)
{
	tree f = gimple_call_fndecl(call);

	return f ? name_of(f) : "";
}

gcc_tree gcc_callee(gcc_stmt call)
{
	return shim_settled(unshare_expr(gimple_call_fn(call)));
}

static bool is_builtin(gimple *call, enum built_in_class kind)
{
	tree f = gimple_call_fndecl(call);

	return f && DECL_BUILT_IN_CLASS(f) == kind;
}

bool gcc_callee_is_builtin(gcc_stmt call)
{
	return is_builtin(call, BUILT_IN_NORMAL);
}

bool gcc_callee_is_of_target(gcc_stmt call)
{
	return is_builtin(call, BUILT_IN_MD);
}

bool gcc_has_no_memory(gcc_stmt call)
{
	return gimple_call_flags(call) & (ECF_CONST | ECF_NOVOPS);
}

bool gcc_returns_twice(gcc_stmt call)
{
	return gimple_call_flags(call) & ECF_RETURNS_TWICE;
}

unsigned gcc_nargs(gcc_stmt call)
{
	return gimple_call_num_args(call);
}

gcc_tree gcc_arg(gcc_stmt call, unsigned i)
{
	return gimple_call_arg(call, i);
}

void gcc_set_arg(gcc_stmt call, unsigned i, gcc_tree value)
{
	gimple_call_set_arg(call, i, value);
	update_stmt(call);
}

void gcc_set_arg_number(gcc_stmt call, unsigned i, int value)
{
	gcc_set_arg(call, i, build_int_cst(TREE_TYPE(gimple_call_arg(call, i)), value));
}

bool gcc_arg_is_pointer(gcc_stmt call, unsigned i)
{
	return POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i)));
}

void gcc_set_callee(gcc_stmt call, const char *name)
{
	tree f = build_fn_decl(name, TREE_TYPE(gimple_call_fndecl(call)));

	if (flag_pic && !flag_pie)
		shim_add_attribute(f, "noplt", NULL_TREE);
	TREE_NOTHROW(f) = 1;
	gimple_call_set_fndecl(call, f);
	update_stmt(call);
}

void gcc_keep_call(gcc_stmt call)
{
	if (!gimple_call_must_tail_p(as_a<gcall *>(call)))
		gimple_call_set_tail(as_a<gcall *>(call), false);
}

void gcc_through_table(gcc_stmt call)
{
	tree f = gimple_call_fndecl(call);

	if (f)
		shim_add_attribute(f, "noplt", NULL_TREE);
}

bool gcc_returns_in_memory(gcc_stmt call)
{
	tree type = gimple_call_internal_p(call) ? NULL_TREE : gimple_call_fntype(call);

	return type && aggregate_value_p(TREE_TYPE(gimple_call_lhs(call)), type);
}

bool gcc_returns_in_place(gcc_stmt call)
{
	return gimple_call_return_slot_opt_p(as_a<gcall *>(call)) || gcc_must_be_in_place(call);
}

bool gcc_must_be_in_place(gcc_stmt call)
{
	return TREE_ADDRESSABLE(TREE_TYPE(gimple_call_lhs(call)));
}

void gcc_return_in_place(gcc_stmt call)
{
	gimple_call_set_return_slot_opt(as_a<gcall *>(call), true);
}

bool gcc_result_is_in_memory(void)
{
	tree result = DECL_RESULT(current_function_decl);

	return result && !DECL_BY_REFERENCE(result) &&
	       aggregate_value_p(result, current_function_decl);
}

gcc_tree gcc_result(void)
{
	return DECL_RESULT(current_function_decl);
}

unsigned gcc_asm_outputs(gcc_stmt s)
{
	return gimple_asm_noutputs(as_a<gasm *>(s));
}

gcc_tree gcc_asm_register_output(gcc_stmt s, unsigned i)
{
	gasm *a = as_a<gasm *>(s);
	tree output = gimple_asm_output_op(a, i);
	const char *constraint = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(output)));
	bool memory, is_register, both;

	if (!parse_output_constraint(&constraint, i, gimple_asm_ninputs(a), gimple_asm_noutputs(a),
		    &memory, &is_register, &both) ||
		!is_register)
		return NULL_TREE;
	return TREE_VALUE(output);
}

void gcc_asm_set_output(gcc_stmt s, unsigned i, gcc_tree value)
{
	tree output = copy_node(gimple_asm_output_op(as_a<gasm *>(s), i));

	TREE_VALUE(output) = value;
	gimple_asm_set_output_op(as_a<gasm *>(s), i, output);
	if (TREE_CODE(value) == SSA_NAME)
		SSA_NAME_DEF_STMT(value) = s;
	update_stmt(s);
}

bool gcc_asm_has_labels(gcc_stmt s)
{
	return gimple_asm_nlabels(as_a<gasm *>(s)) > 0;
}
