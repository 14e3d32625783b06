/* SPDX-License-Identifier: ISC */
/*
 * deps_flow.c - which values of a function may have dependencies: see deps.h.
 *
 * The least set with: parameters, results of accesses and of calls, what is computed from members,
 * what is loaded from private variables that members were stored to. Variables that are only loaded
 * and stored as a whole are *shadowed* by a variable with their dependencies, which LLVM turns into
 * values; those of other private memory are kept by the runtime.
 */
#include "deps.h"

/* --- kinds of instructions ------------------------------------------------------------------- */

static bool calls(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
}

static LLVMValueRef strip(LLVMValueRef v)
{
	for (;;) {
		if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMBitCast)
			v = LLVMGetOperand(v, 0);
		else if (LLVMIsAGlobalAlias(v))
			v = LLVMAliasGetAliasee(v);
		else
			return v;
	}
}

static const char *called_name(LLVMValueRef call)
{
	LLVMValueRef f = strip(LLVMGetCalledValue(call));
	size_t length;

	return LLVMIsAFunction(f) ? LLVMGetValueName2(f, &length) : "";
}

bool deps_is_entry(LLVMValueRef i, const char **name)
{
	if (!calls(i))
		return false;
	*name = called_name(i);
	return text_starts(*name, "__heddle_");
}

/* Functions without memory, other than ours: their results are computed from their arguments. */
static bool is_computation(LLVMValueRef call, const char *name)
{
	static const char *const functions[] = {"abs", "labs", "llabs"};

	for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(name, functions[i]))
			return true;
	return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || shim_call_has_no_memory(call);
}

static enum deps_source entry_source(const char *name)
{
	static const char *const results[] = {"__heddle_load", "__heddle_plain_load",
		"__heddle_used_load", "__heddle_rmw", "__heddle_cas"};

	for (unsigned i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (text_starts(name, results[i]))
			return DEPS_RESULT;
	return text_starts(name, "__heddle_lib_") ? DEPS_LIBRARY : DEPS_NONE;
}

static enum deps_source call_source(LLVMValueRef call)
{
	LLVMValueRef f = strip(LLVMGetCalledValue(call));
	const char *name = called_name(call);
	bool defined = LLVMIsAFunction(f) && !LLVMIsDeclaration(f) &&
		       LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage;

	if (text_starts(name, "__heddle_"))
		return entry_source(name);
	if (defined && !pass_is_ignored(f))
		return DEPS_CALL;
	if (defined || is_computation(call, name))
		return DEPS_OPERANDS;
	if (text_starts(name, "llvm.") || plan_is_known(name) || shim_call_returns_twice(call) ||
		plan_returns_twice(name) || plan_memory_function(name, 3) != MEMORY_OTHER)
		return DEPS_NONE;
	return DEPS_FOREIGN;
}

enum deps_source deps_source(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: return DEPS_MEMORY;
	case LLVMPHI:
	case LLVMSelect: return DEPS_CHOICE;
	case LLVMCall:
	case LLVMInvoke: return call_source(i);
	case LLVMAlloca:
	case LLVMLandingPad:
	case LLVMCallBr:
	case LLVMVAArg: return DEPS_NONE;
	default: return LLVMIsATerminatorInst(i) ? DEPS_NONE : DEPS_OPERANDS;
	}
}

bool deps_is_call(LLVMValueRef i)
{
	return calls(i) && (call_source(i) == DEPS_CALL || call_source(i) == DEPS_FOREIGN);
}

/* --- private memory -------------------------------------------------------------------------- */

static LLVMValueRef root(LLVMValueRef p)
{
	for (;;) {
		bool constant = LLVMIsAConstantExpr(p);
		unsigned op = constant		      ? LLVMGetConstOpcode(p)
			      : LLVMIsAInstruction(p) ? LLVMGetInstructionOpcode(p)
						      : 0;

		if (op != LLVMGetElementPtr && op != LLVMBitCast && op != LLVMAddrSpaceCast &&
			op != LLVMFreeze)
			return p;
		p = LLVMGetOperand(p, 0);
	}
}

LLVMValueRef deps_variable(LLVMValueRef pointer)
{
	LLVMValueRef v = root(pointer);

	return LLVMIsAAllocaInst(v) || LLVMIsAArgument(v) ? v : NULL;
}

bool deps_is_constant(LLVMValueRef pointer)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) ||
	       LLVMIsAConstant(root(pointer));
}

/* --- variables with a shadow ------------------------------------------------------------------ */

/* Is it the copy of v for the head of a loop (loop_call.c)? */
static bool is_observed(struct deps *d, LLVMValueRef call, LLVMValueRef v)
{
	return calls(call) && text_starts(called_name(call), "llvm.memcpy.") &&
	       LLVMGetOperand(call, 1) == v && LLVMGetOperand(call, 0) != v &&
	       map_find(&d->e->scratch, root(LLVMGetOperand(call, 0)));
}

/* The size of all accesses to the variable, if they are loads and stores of one size to its
 * beginning, and it is used otherwise only by notes of the compiler; else 0. */
static unsigned long long access_size(struct deps *d, LLVMValueRef v, unsigned long long size)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMTypeRef type = NULL;
		const char *name;

		if (LLVMIsALoadInst(user))
			type = LLVMTypeOf(user);
		else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v)
			type = LLVMTypeOf(LLVMGetOperand(user, 0));
		if (LLVMIsABitCastInst(user)) {
			size = access_size(d, user, size);
		} else if (type && shim_is_sized(type)) {
			unsigned long long n = emit_store_size(d->e, type);

			size = !size || size == n ? n : 0;
		} else {
			name = calls(user) ? called_name(user) : "";
			if (!text_starts(name, "llvm.lifetime.") &&
				!text_starts(name, "llvm.dbg.") && !is_observed(d, user, v))
				return 0;
			continue;
		}
		if (!size)
			return 0;
	}
	return size ? size : 1;
}

static void add_shadow(struct deps *d, LLVMValueRef variable)
{
	map_add(&d->shadow, variable, d->nshadows);
	d->shadows = realloc(d->shadows, (d->nshadows + 1) * sizeof(*d->shadows));
	if (!d->shadows)
		abort();
	d->shadows[d->nshadows++] = NULL;
}

static void find_shadows(struct deps *d)
{
	for (unsigned k = 0; k < d->n; k++)
		if (LLVMIsAAllocaInst(d->code[k]) && access_size(d, d->code[k], 0))
			add_shadow(d, d->code[k]);
}

/* --- the flow -------------------------------------------------------------------------------- */

static bool any_operand(struct deps *d, LLVMValueRef i)
{
	int n = calls(i) ? (int)LLVMGetNumArgOperands(i) : LLVMGetNumOperands(i);

	for (int k = 0; k < n; k++)
		if (deps_may(d, LLVMGetOperand(i, (unsigned)k)))
			return true;
	return false;
}

/* May the private memory there contain dependencies, or the pointer have some? */
static bool memory_may(struct deps *d, LLVMValueRef pointer)
{
	LLVMValueRef v = deps_variable(pointer);

	if (deps_may(d, pointer))
		return true;
	return v ? deps_may(d, v) : !deps_is_constant(pointer);
}

static bool may_depend(struct deps *d, LLVMValueRef i)
{
	switch (deps_source(i)) {
	case DEPS_NONE: return false;
	case DEPS_OPERANDS:
	case DEPS_CHOICE: return any_operand(d, i);
	case DEPS_MEMORY: return memory_may(d, LLVMGetOperand(i, 0));
	default: return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
	}
}

static bool call_flows_into_memory(struct deps *d, LLVMValueRef call)
{
	const char *name = called_name(call);
	bool copy = text_starts(name, "llvm.memcpy.") || text_starts(name, "llvm.memmove.");
	bool changed = false;

	if (text_starts(name, "llvm.lifetime.") || text_starts(name, "llvm.dbg."))
		return false;
	if (copy && !memory_may(d, LLVMGetOperand(call, 1)) &&
		!deps_may(d, LLVMGetOperand(call, 0)))
		return false;
	for (unsigned k = 0; k < (copy ? 1 : LLVMGetNumArgOperands(call)); k++) {
		LLVMValueRef arg = LLVMGetOperand(call, k), v;

		if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMPointerTypeKind)
			continue;
		v = deps_variable(arg);
		if (v && LLVMIsAAllocaInst(v))
			changed |= map_add(&d->may, v, 0);
	}
	return changed;
}

/* What i may store to a private variable. */
static bool flows_into_memory(struct deps *d, LLVMValueRef i)
{
	LLVMValueRef v = NULL;

	if (LLVMIsAStoreInst(i) &&
		(deps_may(d, LLVMGetOperand(i, 0)) || deps_may(d, LLVMGetOperand(i, 1))))
		v = deps_variable(LLVMGetOperand(i, 1));
	else if ((LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) && any_operand(d, i))
		v = deps_variable(LLVMGetOperand(i, 0));
	if (v)
		return map_add(&d->may, v, 0);
	return calls(i) && call_flows_into_memory(d, i);
}

void deps_flow(struct deps *d)
{
	bool changed = true;

	find_shadows(d);
	for (unsigned i = 0; i < LLVMCountParams(d->e->function); i++)
		map_add(&d->may, LLVMGetParam(d->e->function, i), 0);
	while (changed) {
		changed = false;
		for (unsigned k = 0; k < d->n; k++) {
			if (!deps_may(d, d->code[k]) && may_depend(d, d->code[k]))
				changed |= map_add(&d->may, d->code[k], 0);
			changed |= flows_into_memory(d, d->code[k]);
		}
	}
}
