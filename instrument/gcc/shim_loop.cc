/* SPDX-License-Identifier: ISC */
/* shim_loop.cc - see shim.h: natural loops, and the values at their heads. */
#include "plugin.h"

#include "shim.h"

struct natural_loop {
	basic_block head;
	auto_vec<basic_block> blocks; /* the first is the head */
	auto_vec<gimple *> statements;
	auto_vec<tree> values; /* of the phis; variables in memory */
	tree entered;
};

static auto_delete_vec<natural_loop> loops;

static bool has_block(const natural_loop *l, basic_block b)
{
	return l->blocks.contains(b);
}

/* Everything that leads to the latch without leading through the head. */
static void add_blocks(natural_loop *l, basic_block latch)
{
	auto_vec<basic_block> work;
	edge_iterator i;
	edge e;

	work.safe_push(latch);
	while (!work.is_empty()) {
		basic_block b = work.pop();

		if (has_block(l, b))
			continue;
		l->blocks.safe_push(b);
		FOR_EACH_EDGE(e, i, b->preds)
		work.safe_push(e->src);
	}
}

static void add_statements(natural_loop *l)
{
	for (basic_block b : l->blocks)
		for (gimple_stmt_iterator s = gsi_start_bb(b); !gsi_end_p(s); gsi_next(&s))
			if (!is_gimple_debug(gsi_stmt(s)))
				l->statements.safe_push(gsi_stmt(s));
}

/* The loop whose head it is, NULL: it is none. */
static natural_loop *loop_of(basic_block head)
{
	natural_loop *l = NULL;
	edge_iterator i;
	edge e;

	FOR_EACH_EDGE(e, i, head->preds)
	{
		if (e->flags & (EDGE_EH | EDGE_ABNORMAL)) {
			delete l;
			return NULL;
		}
		if (!dominated_by_p(CDI_DOMINATORS, e->src, head))
			continue;
		if (!l) {
			l = new natural_loop;
			l->head = head;
			l->blocks.safe_push(head);
		}
		add_blocks(l, e->src);
	}
	return l;
}

unsigned gcc_loops(void)
{
	natural_loop *l;
	basic_block b;

	while (!loops.is_empty())
		delete loops.pop();
	calculate_dominance_info(CDI_DOMINATORS);
	FOR_EACH_BB_FN(b, cfun)
	if ((l = loop_of(b))) {
		add_statements(l);
		loops.safe_push(l);
	}
	return loops.length();
}

gcc_stmt *gcc_loop_statements(unsigned loop, unsigned *n)
{
	*n = loops[loop]->statements.length();
	return loops[loop]->statements.address();
}

/* --- values ----------------------------------------------------------------------------------- */

static tree new_phi(
	natural_loop *l, tree type, tree (*argument)(natural_loop *, edge, gphi *), gphi *like)
{
	gphi *phi = create_phi_node(make_ssa_name(type), l->head);
	edge_iterator i;
	edge e;

	FOR_EACH_EDGE(e, i, l->head->preds)
	add_phi_arg(phi, argument(l, e, like), e, UNKNOWN_LOCATION);
	return gimple_phi_result(phi);
}

static tree entry_argument(natural_loop *l, edge e, gphi *)
{
	return gcc_int(!has_block(l, e->src));
}

static bool is_undefined(tree value)
{
	return TREE_CODE(value) == SSA_NAME && ssa_undefined_value_p(value, false);
}

/* Zero in place of a value that is not defined, which would be any contents of a register. */
static tree defined_argument(natural_loop *, edge e, gphi *like)
{
	tree value = gimple_phi_arg_def(like, e->dest_idx);

	return is_undefined(value) ? build_zero_cst(TREE_TYPE(value)) : value;
}

static tree defined_value(natural_loop *l, gphi *phi)
{
	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
		if (is_undefined(gimple_phi_arg_def(phi, i)))
			return new_phi(l, TREE_TYPE(gimple_phi_result(phi)), defined_argument, phi);
	return gimple_phi_result(phi);
}

/* The effect of a statement on a variable's contents. */
struct effect {
	tree variable;
	bool reads, replaces;
};

static tree variable_of(tree base)
{
	bool through = TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF;

	return through ? shim_root(TREE_OPERAND(base, 0)) : base;
}

static bool note_read(gimple *, tree base, tree, void *data)
{
	effect *e = (effect *)data;

	e->reads |= variable_of(base) == e->variable;
	return false;
}

static bool note_write(gimple *, tree, tree whole, void *data)
{
	effect *e = (effect *)data;

	e->replaces |= whole == e->variable;
	return false;
}

static effect effect_of(gimple *s, tree variable)
{
	effect e = {variable, false, false};

	if (is_gimple_debug(s))
		return e;
	walk_stmt_load_store_addr_ops(s, &e, note_read, note_write, note_read);
	if (is_gimple_call(s))
		for (unsigned i = 0; i < gimple_call_num_args(s); i++)
			e.reads |= shim_root(gimple_call_arg(s, i)) == variable;
	return e;
}

/* Does the block read the contents that it begins with? *passes: it leaves them to its successors.
 */
static bool reads_first(basic_block b, tree variable, bool *passes)
{
	for (gimple_stmt_iterator s = gsi_start_bb(b); !gsi_end_p(s); gsi_next(&s)) {
		effect found = effect_of(gsi_stmt(s), variable);

		*passes = !found.reads && !found.replaces;
		if (!*passes)
			return found.reads;
	}
	*passes = true;
	return false;
}

/* Can the contents at the beginning of the block be read? */
static bool is_live(basic_block b, tree variable)
{
	auto_vec<basic_block> work;
	hash_set<basic_block> seen;
	edge_iterator i;
	bool passes;
	edge e;

	work.safe_push(b);
	while (!work.is_empty()) {
		b = work.pop();
		if (seen.add(b))
			continue;
		if (reads_first(b, variable, &passes))
			return true;
		if (passes)
			FOR_EACH_EDGE(e, i, b->succs)
		work.safe_push(e->dest);
	}
	return false;
}

static void add_variable(natural_loop *l, tree variable)
{
	if (variable && DECL_P(variable) && !is_global_var(variable) && !is_gimple_reg(variable) &&
		shim_is_private_variable(variable) && !l->values.contains(variable) &&
		is_live(l->head, variable))
		l->values.safe_push(variable);
}

static bool add_stored(gimple *, tree base, tree, void *data)
{
	add_variable((natural_loop *)data, variable_of(base));
	return false;
}

/* Private variables that the loop may change. */
static void add_variables(natural_loop *l)
{
	for (gimple *s : l->statements) {
		walk_stmt_load_store_ops(s, l, NULL, add_stored);
		if (is_gimple_call(s))
			for (unsigned i = 0; i < gimple_call_num_args(s); i++)
				if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(s, i))))
					add_variable(l, shim_root(gimple_call_arg(s, i)));
	}
}

void gcc_loop_prepare(unsigned loop)
{
	natural_loop *l = loops[loop];
	auto_vec<gphi *> phis;

	for (gphi_iterator p = gsi_start_phis(l->head); !gsi_end_p(p); gsi_next(&p))
		if (!virtual_operand_p(gimple_phi_result(p.phi())) &&
			!has_zero_uses(gimple_phi_result(p.phi())))
			phis.safe_push(p.phi());
	for (gphi *phi : phis)
		l->values.safe_push(defined_value(l, phi));
	add_variables(l);
	l->entered = new_phi(l, integer_type_node, entry_argument, NULL);
}

gcc_tree gcc_loop_value(unsigned loop, unsigned i)
{
	return i < loops[loop]->values.length() ? loops[loop]->values[i] : NULL_TREE;
}

gcc_tree gcc_loop_entered(unsigned loop)
{
	return loops[loop]->entered;
}

gcc_tree gcc_loop_name(unsigned loop)
{
	tree function = build_fold_addr_expr(current_function_decl);

	return shim_settled(
		fold_build_pointer_plus_hwi(fold_convert(ptr_type_node, function), loop));
}

void gcc_insert_at_head(unsigned loop)
{
	shim_insert_if_observed(loops[loop]->head);
}
