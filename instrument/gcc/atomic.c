/* SPDX-License-Identifier: ISC */
/*
 * atomic.c - the builtin functions __atomic_* and __sync_*, and gcc's internal forms of them.
 *
 * The last part of a name is the size. Orders may be computed: then they are passed as they are, as
 * the C standard has it; gcc itself makes such operations seq_cst.
 */
#include "pass.h"

#include <stdlib.h>

enum what { LOAD, STORE, CLEAR, UPDATE, CAS, CAS_VALUE, CAS_OK, TEST_AND_SET };

struct meaning {
	const char *name; /* without _N */
	enum what what;
	enum heddle_rmw op;
	bool after; /* its result is the new value */
	int order;  /* -1: the last argument */
};

static const struct meaning meanings[] = {
	{"__atomic_load", LOAD, 0, false, -1},
	{"__atomic_store", STORE, 0, false, -1},
	{"__atomic_exchange", UPDATE, HEDDLE_XCHG, false, -1},
	{"__atomic_compare_exchange", CAS, 0, false, -1},
	{"__atomic_test_and_set", TEST_AND_SET, HEDDLE_XCHG, false, -1},
	{"__atomic_clear", CLEAR, 0, false, -1},
	{"__atomic_fetch_add", UPDATE, HEDDLE_ADD, false, -1},
	{"__atomic_fetch_sub", UPDATE, HEDDLE_SUB, false, -1},
	{"__atomic_fetch_and", UPDATE, HEDDLE_AND, false, -1},
	{"__atomic_fetch_nand", UPDATE, HEDDLE_NAND, false, -1},
	{"__atomic_fetch_or", UPDATE, HEDDLE_OR, false, -1},
	{"__atomic_fetch_xor", UPDATE, HEDDLE_XOR, false, -1},
	{"__atomic_add_fetch", UPDATE, HEDDLE_ADD, true, -1},
	{"__atomic_sub_fetch", UPDATE, HEDDLE_SUB, true, -1},
	{"__atomic_and_fetch", UPDATE, HEDDLE_AND, true, -1},
	{"__atomic_nand_fetch", UPDATE, HEDDLE_NAND, true, -1},
	{"__atomic_or_fetch", UPDATE, HEDDLE_OR, true, -1},
	{"__atomic_xor_fetch", UPDATE, HEDDLE_XOR, true, -1},
	{"__sync_fetch_and_add", UPDATE, HEDDLE_ADD, false, __ATOMIC_SEQ_CST},
	{"__sync_fetch_and_sub", UPDATE, HEDDLE_SUB, false, __ATOMIC_SEQ_CST},
	{"__sync_fetch_and_and", UPDATE, HEDDLE_AND, false, __ATOMIC_SEQ_CST},
	{"__sync_fetch_and_nand", UPDATE, HEDDLE_NAND, false, __ATOMIC_SEQ_CST},
	{"__sync_fetch_and_or", UPDATE, HEDDLE_OR, false, __ATOMIC_SEQ_CST},
	{"__sync_fetch_and_xor", UPDATE, HEDDLE_XOR, false, __ATOMIC_SEQ_CST},
	{"__sync_add_and_fetch", UPDATE, HEDDLE_ADD, true, __ATOMIC_SEQ_CST},
	{"__sync_sub_and_fetch", UPDATE, HEDDLE_SUB, true, __ATOMIC_SEQ_CST},
	{"__sync_and_and_fetch", UPDATE, HEDDLE_AND, true, __ATOMIC_SEQ_CST},
	{"__sync_nand_and_fetch", UPDATE, HEDDLE_NAND, true, __ATOMIC_SEQ_CST},
	{"__sync_or_and_fetch", UPDATE, HEDDLE_OR, true, __ATOMIC_SEQ_CST},
	{"__sync_xor_and_fetch", UPDATE, HEDDLE_XOR, true, __ATOMIC_SEQ_CST},
	{"__sync_val_compare_and_swap", CAS_VALUE, 0, false, __ATOMIC_SEQ_CST},
	{"__sync_bool_compare_and_swap", CAS_OK, 0, false, __ATOMIC_SEQ_CST},
	{"__sync_lock_test_and_set", UPDATE, HEDDLE_XCHG, false, __ATOMIC_ACQUIRE},
	{"__sync_lock_release", CLEAR, 0, false, __ATOMIC_RELEASE},
};

/* The row for a name, and the size, 1 if the name has none. */
static const struct meaning *find_meaning(const char *name, unsigned *size)
{
	size_t n;

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		n = strlen(meanings[i].name);
		if (strncmp(name, meanings[i].name, n))
			continue;
		*size = name[n] == '_' ? (unsigned)atoi(name + n + 1) : 1;
		if (name[n] ? plan_is_one_event(*size)
			    : meanings[i].what == TEST_AND_SET || meanings[i].what == CLEAR)
			return &meanings[i];
	}
	return NULL;
}

/* --- orders ----------------------------------------------------------------------------------- */

static int constant_order(int64_t order)
{
	order &= HEDDLE_ORDER_MASK;
	return order == __ATOMIC_CONSUME ? __ATOMIC_ACQUIRE : (int)order;
}

static gcc_tree order_value(gcc_tree value)
{
	int64_t order = gcc_constant(value);

	return order < 0 ? gcc_order(value) : gcc_int(constant_order(order));
}

static gcc_tree order_of(gcc_stmt call, const struct meaning *m)
{
	if (m->order >= 0)
		return gcc_int(m->order);
	return order_value(gcc_arg(call, gcc_nargs(call) - 1));
}

/* Of a compare and exchange, in one number. */
static gcc_tree both_orders(gcc_tree success, gcc_tree failure, gcc_tree flags)
{
	gcc_tree orders;

	failure = gcc_compute(GCC_SHIFT_LEFT, order_value(failure), gcc_int(8));
	orders = gcc_compute(GCC_OR, order_value(success), failure);
	return gcc_compute(GCC_OR, orders, flags);
}

/* --- operations ------------------------------------------------------------------------------- */

static void give_result(gcc_stmt call, gcc_tree value)
{
	gcc_tree lhs = gcc_lhs(call);

	if (lhs)
		gcc_define(lhs, gcc_resize(value, gcc_type_of(lhs)));
}

static gcc_tree emit_rmw(gcc_tree p, gcc_tree operand, int op, gcc_tree order, unsigned size)
{
	return GCC_EMIT(plan_sized(ENTRY(__heddle_rmw1), size), p, operand, gcc_int(op), order);
}

/* The value that the operation stores. */
static gcc_tree new_value(enum heddle_rmw op, gcc_tree old, gcc_tree operand)
{
	switch (op) {
	case HEDDLE_ADD: return gcc_compute(GCC_PLUS, old, operand);
	case HEDDLE_SUB: return gcc_compute(GCC_MINUS, old, operand);
	case HEDDLE_AND: return gcc_compute(GCC_AND, old, operand);
	case HEDDLE_OR: return gcc_compute(GCC_OR, old, operand);
	case HEDDLE_XOR: return gcc_compute(GCC_XOR, old, operand);
	case HEDDLE_NAND: return gcc_compute(GCC_NOT, gcc_compute(GCC_AND, old, operand), NULL);
	default: return operand;
	}
}

static bool is_sum(int op)
{
	return op == HEDDLE_ADD || op == HEDDLE_SUB;
}

static void update(gcc_stmt call, const struct meaning *m, unsigned size)
{
	gcc_tree operand = gcc_to_bits(gcc_arg(call, 1), size), order = order_of(call, m), old;

	if (!gcc_lhs(call) && is_sum(m->op))
		order = gcc_compute(GCC_OR, order, gcc_int(HEDDLE_RESULT_UNUSED << HEDDLE_RESULT));
	old = emit_rmw(gcc_arg(call, 0), operand, m->op, order, size);
	if (gcc_lhs(call))
		give_result(call, m->after ? new_value(m->op, old, operand) : old);
}

/* Emit it; *found: the old value. Returns an int, whether it has succeeded. */
static gcc_tree emit_cas(gcc_tree p, gcc_tree expected, gcc_tree desired, gcc_tree orders,
	unsigned size, gcc_tree *found)
{
	gcc_tree type = gcc_bits_type(size), slot = gcc_temporary(type), ok;

	gcc_set(slot, gcc_to_bits(expected, size));
	ok = GCC_EMIT(plan_sized(ENTRY(__heddle_cas1), size), p, gcc_address(slot, 0),
		gcc_to_bits(desired, size), orders);
	*found = gcc_get(slot);
	return ok;
}

/* A bool, maybe computed. */
static gcc_tree weak_flags(gcc_tree weak)
{
	gcc_tree is = gcc_compute(GCC_AND, gcc_resize(weak, gcc_type_of(gcc_int(0))), gcc_int(1));

	is = gcc_compute(GCC_SHIFT_LEFT, is, gcc_int(__builtin_ctz(HEDDLE_WEAK)));
	return gcc_compute(GCC_OR, is, gcc_int(HEDDLE_TEMPORARY));
}

/* (p, &expected, desired, weak, success, failure): on failure the old value is stored. */
static void compare_exchange(gcc_stmt call, unsigned size)
{
	gcc_tree orders =
		both_orders(gcc_arg(call, 4), gcc_arg(call, 5), weak_flags(gcc_arg(call, 3)));
	gcc_tree expected = gcc_arg(call, 1), found, ok, failed;
	bool is_private = gcc_points_to_private(expected);

	if (is_private)
		found = gcc_get(gcc_pointee(expected, gcc_bits_type(size)));
	else
		found = GCC_EMIT(plan_sized(ENTRY(__heddle_plain_load1), size), expected);
	ok = emit_cas(gcc_arg(call, 0), found, gcc_arg(call, 2), orders, size, &found);
	give_result(call, ok);
	failed = gcc_compute(GCC_XOR, ok, gcc_int(1));
	gcc_insert_before(call);
	if (is_private)
		gcc_set(gcc_pointee(expected, gcc_bits_type(size)), found);
	else
		GCC_EMIT(plan_sized(ENTRY(__heddle_plain_store1), size), expected, found);
	gcc_insert_if(call, failed);
}

/* (p, expected, desired) of __sync. */
static void compare_and_swap(gcc_stmt call, const struct meaning *m, unsigned size)
{
	gcc_tree orders = gcc_int(__ATOMIC_SEQ_CST | __ATOMIC_SEQ_CST << 8 | HEDDLE_TEMPORARY),
		 found, ok;

	ok = emit_cas(gcc_arg(call, 0), gcc_arg(call, 1), gcc_arg(call, 2), orders, size, &found);
	give_result(call, m->what == CAS_OK ? ok : found);
}

static void replace(gcc_stmt call, const struct meaning *m, unsigned size)
{
	gcc_tree p = gcc_arg(call, 0), order;

	switch (m->what) {
	case LOAD:
		order = order_of(call, m);
		if (gcc_counts(call))
			order = gcc_compute(
				GCC_OR, order, gcc_int(HEDDLE_USED_COUNTS << HEDDLE_USED));
		give_result(call, GCC_EMIT(plan_sized(ENTRY(__heddle_load1), size), p, order));
		break;
	case STORE:
		GCC_EMIT(plan_sized(ENTRY(__heddle_store1), size), p,
			gcc_to_bits(gcc_arg(call, 1), size), order_of(call, m));
		break;
	case CLEAR:
		GCC_EMIT(plan_sized(ENTRY(__heddle_store1), size), p, gcc_to_bits(gcc_int(0), size),
			order_of(call, m));
		break;
	case TEST_AND_SET:
		give_result(call,
			emit_rmw(p, gcc_to_bits(gcc_int(1), 1), HEDDLE_XCHG, order_of(call, m), 1));
		break;
	case UPDATE: update(call, m, size); break;
	case CAS: compare_exchange(call, size); break;
	case CAS_VALUE:
	case CAS_OK: compare_and_swap(call, m, size); break;
	}
	gcc_replace(call);
}

/* --- fences and hints ------------------------------------------------------------------------- */

static bool fence_call(gcc_stmt call, const char *name)
{
	static const struct {
		const char *name;
		int order;
	} fences[] = {{"__sync_synchronize", __ATOMIC_SEQ_CST},
		{"__builtin_ia32_mfence", __ATOMIC_SEQ_CST},
		{"__builtin_ia32_lfence", __ATOMIC_ACQUIRE},
		{"__builtin_ia32_sfence", __ATOMIC_RELEASE}};

	for (unsigned i = 0; i < sizeof(fences) / sizeof(fences[0]); i++) {
		if (strcmp(name, fences[i].name))
			continue;
		GCC_EMIT(ENTRY(__heddle_fence), gcc_int(fences[i].order));
		gcc_replace(call);
		return true;
	}
	if (!strcmp(name, "__atomic_thread_fence") && !gcc_constant(gcc_arg(call, 0)))
		; /* a relaxed one is none */
	else if (!strcmp(name, "__atomic_thread_fence"))
		GCC_EMIT(ENTRY(__heddle_fence), order_of(call, &(struct meaning){.order = -1}));
	else if (!strcmp(name, "__builtin_ia32_pause"))
		gcc_call(ENTRY(__heddle_pause), NULL, 0);
	else if (strcmp(name, "__atomic_signal_fence"))
		return false;
	gcc_replace(call);
	return true;
}

/* rdtsc; rdtscp also stores the number of the processor. */
static bool cycles_call(gcc_stmt call, const char *name)
{
	bool pair = !strcmp(name, "__builtin_ia32_rdtscp");

	if (!pair && strcmp(name, "__builtin_ia32_rdtsc"))
		return false;
	if (pair)
		GCC_EMIT(
			ENTRY(__heddle_plain_store4), gcc_arg(call, 0), gcc_to_bits(gcc_int(0), 4));
	give_result(call, gcc_call(ENTRY(__heddle_cycles), NULL, 0));
	gcc_replace(call);
	return true;
}

bool atomic_call(gcc_stmt call, const char *name)
{
	const struct meaning *m;
	unsigned size;

	if (fence_call(call, name) || cycles_call(call, name))
		return true;
	m = find_meaning(name, &size);
	if (m && !gcc_points_to_private(gcc_arg(call, 0)))
		replace(call, m, size);
	return m;
}

bool atomic_keeps_private(const char *name, unsigned argument)
{
	unsigned size;
	const struct meaning *m = find_meaning(name, &size);

	return m && argument == (m->what == CAS);
}

/* --- internal functions ----------------------------------------------------------------------- */

/* (p, expected, desired, weak << 8 | size, success, failure): a pair of the old value and
 * success. */
static void internal_exchange(gcc_stmt call)
{
	int64_t flag = gcc_constant(gcc_arg(call, 3));
	gcc_tree orders = both_orders(gcc_arg(call, 4), gcc_arg(call, 5),
		gcc_int((flag & 256 ? HEDDLE_WEAK : 0) | HEDDLE_TEMPORARY));
	gcc_tree found, ok;

	ok = emit_cas(gcc_arg(call, 0), gcc_arg(call, 1), gcc_arg(call, 2), orders,
		(unsigned)(flag & 255), &found);
	if (gcc_lhs(call))
		gcc_define(gcc_lhs(call), gcc_pair(gcc_type_of(gcc_lhs(call)), found, ok));
}

/* With an order if there are five arguments; the last one is the function that gcc would call. */
static gcc_tree internal_order(gcc_stmt call)
{
	int64_t order = gcc_nargs(call) >= 5 ? gcc_constant(gcc_arg(call, 3)) : __ATOMIC_SEQ_CST;

	return gcc_int(order < 0 ? __ATOMIC_SEQ_CST : constant_order(order));
}

/* (p, bit, 1 if the result is 0 or 1, else the bit in its place, ...) */
static void internal_bit(gcc_stmt call, enum heddle_rmw op)
{
	gcc_tree flag = gcc_arg(call, 2), type, one, mask, old, bit = gcc_arg(call, 1);
	unsigned size = gcc_integer_size(flag);

	type = gcc_bits_type(size);
	one = gcc_resize(gcc_int(1), type);
	mask = gcc_compute(GCC_SHIFT_LEFT, one, bit);
	old = emit_rmw(gcc_arg(call, 0), op == HEDDLE_AND ? gcc_compute(GCC_NOT, mask, NULL) : mask,
		op, internal_order(call), size);
	if (gcc_constant(flag))
		old = gcc_compute(GCC_AND, gcc_compute(GCC_SHIFT_RIGHT, old, bit), one);
	else
		old = gcc_compute(GCC_AND, old, mask);
	give_result(call, old);
}

/* (comparison, p, operand, ...): the new value compared with 0. */
static void internal_compared(gcc_stmt call, enum heddle_rmw op)
{
	unsigned size = gcc_integer_size(gcc_arg(call, 0));
	gcc_tree operand = gcc_to_bits(gcc_arg(call, 2), size), old;
	enum gcc_comparison how = (enum gcc_comparison)gcc_constant(gcc_arg(call, 0));

	old = emit_rmw(gcc_arg(call, 1), operand, op, internal_order(call), size);
	give_result(call, gcc_compare_zero(how, new_value(op, old, operand)));
}

bool atomic_internal(gcc_stmt call, const char *name)
{
	static const struct {
		const char *name;
		void (*emit)(gcc_stmt, enum heddle_rmw);
		enum heddle_rmw op;
	} functions[] = {
		{"ATOMIC_BIT_TEST_AND_SET", internal_bit, HEDDLE_OR},
		{"ATOMIC_BIT_TEST_AND_COMPLEMENT", internal_bit, HEDDLE_XOR},
		{"ATOMIC_BIT_TEST_AND_RESET", internal_bit, HEDDLE_AND},
		{"ATOMIC_ADD_FETCH_CMP_0", internal_compared, HEDDLE_ADD},
		{"ATOMIC_SUB_FETCH_CMP_0", internal_compared, HEDDLE_SUB},
		{"ATOMIC_AND_FETCH_CMP_0", internal_compared, HEDDLE_AND},
		{"ATOMIC_OR_FETCH_CMP_0", internal_compared, HEDDLE_OR},
		{"ATOMIC_XOR_FETCH_CMP_0", internal_compared, HEDDLE_XOR},
	};
	bool found = !strcmp(name, "ATOMIC_COMPARE_EXCHANGE");

	if (found)
		internal_exchange(call);
	for (unsigned i = 0; !found && i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(name, functions[i].name)) {
			functions[i].emit(call, functions[i].op);
			found = true;
		}
	if (found)
		gcc_replace(call);
	return found;
}
