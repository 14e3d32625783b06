/* SPDX-License-Identifier: ISC */
/* shim_loop.cc - see shim.h: natural loops, and the values at their heads. */
#include "plugin.h"

#include "shim_loop.h"

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

/* Does the block read the contents that it begins with? *passes: it leaves them to its
 * successors. */
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

loop_counter *shim_loop_counter(unsigned loop, unsigned i)
{
	return loops[loop]->counters[i];
}

unsigned gcc_loop_counters(unsigned loop)
{
	return loops[loop]->counters.length();
}

static bool is_view(const natural_loop *l, gimple *s)
{
	for (loop_counter *c : l->counters)
		for (const loop_view &w : c->views)
			if (w.statement == s)
				return true;
	return false;
}

/* Does a comparison of a counter decide whether the block is the last one? */
static bool ends_by_counter(const natural_loop *l, basic_block b)
{
	gimple *s = last_stmt(b);

	if (!s || gimple_code(s) != GIMPLE_COND)
		return false;
	return is_view(l, s) || (TREE_CODE(gimple_cond_lhs(s)) == SSA_NAME &&
					is_view(l, SSA_NAME_DEF_STMT(gimple_cond_lhs(s))));
}

/* Do only they end the loop? Then the program requests each iteration, and none is left out. */
static bool ends_by_counters(const natural_loop *l)
{
	bool ends = false;
	edge_iterator i;
	edge e;

	for (basic_block b : l->blocks)
		FOR_EACH_EDGE(e, i, b->succs)
		if (!has_block(l, e->dest)) {
			if (!ends_by_counter(l, b))
				return false;
			ends = true;
		}
	return ends;
}

/* Those without views are no part of the state. */
static void find_counters(natural_loop *l, const auto_vec<gphi *> &phis, hash_set<gphi *> *counted)
{
	loop_counter *c;

	for (gphi *phi : phis) {
		c = l->counters.length() < HEDDLE_TURN_COUNTERS ? shim_counter_of(l, phi) : NULL;
		if (!c)
			continue;
		counted->add(phi);
		if (c->views.length())
			l->counters.safe_push(c);
		else
			delete c;
	}
	if (!ends_by_counters(l))
		return;
	while (!l->counters.is_empty())
		delete l->counters.pop();
	counted->empty();
}

/* The value of the counter at the head, in memory. */
static void keep_counter(loop_counter *c)
{
	tree word = gcc_bits_type(TYPE_PRECISION(TREE_TYPE(c->value)) / BITS_PER_UNIT);

	c->memory = gcc_temporary(word);
}

void gcc_loop_prepare(unsigned loop)
{
	natural_loop *l = loops[loop];
	hash_set<gphi *> counted;
	auto_vec<gphi *> phis;

	for (gphi_iterator p = gsi_start_phis(l->head); !gsi_end_p(p); gsi_next(&p))
		if (!virtual_operand_p(gimple_phi_result(p.phi())) &&
			!has_zero_uses(gimple_phi_result(p.phi())))
			phis.safe_push(p.phi());
	find_counters(l, phis, &counted);
	for (loop_counter *c : l->counters)
		keep_counter(c);
	for (gphi *phi : phis)
		if (!counted.contains(phi) && !shim_only_tested(l, phi))
			l->values.safe_push(defined_value(l, phi));
	add_variables(l);
	l->entered = new_phi(l, integer_type_node, entry_argument, NULL);
}

gcc_tree gcc_loop_value(unsigned loop, unsigned i)
{
	return i < loops[loop]->values.length() ? loops[loop]->values[i] : NULL_TREE;
}

unsigned gcc_loop_tests(unsigned loop)
{
	return loops[loop]->tests.length();
}

gcc_tree gcc_loop_test(unsigned loop, unsigned i)
{
	return shim_test_result(&loops[loop]->tests[i]);
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

/* Before the call: the counters, in memory. */
static void store_counters(const natural_loop *l)
{
	gimple_stmt_iterator at = gsi_after_labels(l->head);

	for (loop_counter *c : l->counters) {
		gimple_seq s = NULL; /* of this counter: force_gimple_operand() begins a new one */
		tree word = force_gimple_operand(
			fold_convert(TREE_TYPE(c->memory), c->value), &s, true, NULL_TREE);

		gimple_seq_add_stmt(&s, gimple_build_assign(c->memory, word));
		gsi_insert_seq_before(&at, s, GSI_SAME_STMT);
	}
}

/* After the call, in this block: all uses are of the value that it has left. */
static void load_counter(const loop_counter *c, basic_block after)
{
	gimple_stmt_iterator at = gsi_after_labels(after);
	tree word = make_ssa_name(TREE_TYPE(c->memory)), now = make_ssa_name(TREE_TYPE(c->value));
	gimple *convert = gimple_build_assign(now, NOP_EXPR, word);
	use_operand_p use;
	imm_use_iterator i;
	gimple *s;

	FOR_EACH_IMM_USE_STMT(s, i, c->value)
	{
		if (gimple_bb(s) == c->phi->bb && gimple_code(s) != GIMPLE_PHI)
			continue; /* store_counters() */
		FOR_EACH_IMM_USE_ON_STMT(use, i)
		SET_USE(use, now);
		if (gimple_code(s) != GIMPLE_PHI)
			update_stmt(s);
	}
	gsi_insert_before(&at, gimple_build_assign(word, c->memory), GSI_SAME_STMT);
	gsi_insert_before(&at, convert, GSI_SAME_STMT);
}

void gcc_insert_at_head(unsigned loop, gcc_tree again)
{
	natural_loop *l = loops[loop];
	basic_block call;

	call = shim_insert_if_observed(l->head);
	if (!again)
		return;
	store_counters(l);
	shim_repeat(call, again);
	for (loop_counter *c : l->counters)
		load_counter(c, shim_after(call));
}
