/* SPDX-License-Identifier: ISC */
/*
 * deps.c - the dependencies of a program (--deps): what is done with them. README 12 is the
 * specification, deps.h the idea.
 *
 * The last part of the pass, over code in which each access to memory that other threads may see is
 * a call of the runtime. Before such a call the dependencies of its operands are put into words of
 * __heddle_deps, from which the runtime takes them. A branch passes on those of its condition.
 */
#include "deps.h"

/* Put the dependencies of v into up to `max' words, from `word' on; the others are 0 already. */
static void put_words(
	struct deps *d, LLVMValueRef v, LLVMValueRef at, unsigned word, unsigned max)
{
	LLVMValueRef part[HEDDLE_DEPS_PARTS];
	unsigned n = deps_parts(d, v, at, part, max);

	emit_before(d->e, at);
	for (unsigned k = 0; k < n; k++)
		LLVMBuildStore(d->e->b, part[k], deps_word(d->e, word + k));
}

static void put_address(struct deps *d, LLVMValueRef v, LLVMValueRef at)
{
	put_words(d, v, at, HEDDLE_DEPS_ADDRESS, HEDDLE_DEPS_PARTS);
}

static void put_data(struct deps *d, LLVMValueRef v, LLVMValueRef at)
{
	put_words(d, v, at, HEDDLE_DEPS_DATA, HEDDLE_DEPS_PARTS);
}

/* All that follows depends on v. */
static void branch_on(struct deps *d, LLVMValueRef v, LLVMValueRef at)
{
	struct emit *e = d->e;
	LLVMValueRef part[HEDDLE_DEPS_PARTS], any;
	unsigned n = deps_parts(d, v, at, part, HEDDLE_DEPS_PARTS);

	if (!n)
		return;
	emit_before(e, at);
	any = part[0];
	for (unsigned k = 1; k < n; k++)
		any = LLVMBuildOr(e->b, any, part[k], "");
	any = LLVMBuildICmp(e->b, LLVMIntNE, any, LLVMConstInt(e->i32, 0, 0), "");
	emit_if(e, any, at);
	for (unsigned k = 0; k < n; k++)
		EMIT(e, ENTRY(__heddle_deps_branch), part[k]);
	emit_end_if(e, at);
}

/* --- accesses -------------------------------------------------------------------------------- */

static bool begins_with_any(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (text_starts(name, *list))
			return true;
	return false;
}

/* What a string function reads and what it returns depends on its arguments. */
static void library_call(struct deps *d, LLVMValueRef call)
{
	struct emit *e = d->e;
	LLVMValueRef its = NULL, at = shim_after(call);

	for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
		its = deps_union(d, its, deps_of(d, LLVMGetOperand(call, k), call), call);
	emit_before(e, call);
	EMIT(e, ENTRY(__heddle_deps_collect), deps_or_none(d, its));
	emit_before(e, at);
	deps_know(d, call, EMIT(e, ENTRY(__heddle_deps_collected)));
}

/* A call by the pass of the runtime's function `name'. */
static void entry_call(struct deps *d, LLVMValueRef call, const char *name)
{
	static const char *const loads[] = {
		"__heddle_load", "__heddle_plain_load", "__heddle_used_load", NULL};
	static const char *const stores[] = {
		"__heddle_store", "__heddle_plain_store", "__heddle_rmw", NULL};
	static const char *const copies[] = {"__heddle_memcpy", "__heddle_memmove", NULL};

	if (begins_with_any(name, loads)) {
		put_address(d, LLVMGetOperand(call, 0), call);
	} else if (begins_with_any(name, stores)) {
		put_address(d, LLVMGetOperand(call, 0), call);
		put_data(d, LLVMGetOperand(call, 1), call);
	} else if (text_starts(name, "__heddle_cas")) {
		put_address(d, LLVMGetOperand(call, 0), call);
		put_data(d, LLVMGetOperand(call, 2), call);
	} else if (!strcmp(name, "__heddle_plain_read")) {
		put_address(d, LLVMGetOperand(call, 1), call);
		branch_on(d, LLVMGetOperand(call, 2), call);
	} else if (!strcmp(name, "__heddle_plain_write")) {
		put_address(d, LLVMGetOperand(call, 0), call);
		branch_on(d, LLVMGetOperand(call, 2), call);
	} else if (begins_with_any(name, copies)) {
		branch_on(d, LLVMGetOperand(call, 2), call);
		put_address(d, LLVMGetOperand(call, 1), call);
		put_data(d, LLVMGetOperand(call, 0), call);
	} else if (!strcmp(name, "__heddle_memset")) {
		branch_on(d, LLVMGetOperand(call, 2), call);
		put_address(d, LLVMGetOperand(call, 0), call);
		put_data(d, LLVMGetOperand(call, 1), call);
	} else if (text_starts(name, "__heddle_lib_")) {
		library_call(d, call);
	}
}

/* --- private memory -------------------------------------------------------------------------- */

/* n bytes at p get these dependencies, and those of the pointer. */
static void store_private(
	struct deps *d, LLVMValueRef p, LLVMValueRef n, LLVMValueRef its, LLVMValueRef at)
{
	struct emit *e = d->e;
	LLVMValueRef address = deps_of(d, p, at);

	emit_before(e, at);
	emit_if(e, deps_any(d, its, address), at);
	EMIT(e, ENTRY(__heddle_deps_store), p, n, deps_or_none(d, its), deps_or_none(d, address));
	emit_end_if(e, at);
}

static void store_value(
	struct deps *d, LLVMValueRef pointer, LLVMTypeRef type, LLVMValueRef its, LLVMValueRef at)
{
	LLVMValueRef variable = deps_variable(pointer);
	unsigned *shadow = map_find(&d->shadow, variable);

	if (shadow && !d->shadows[*shadow])
		return; /* it never has any */
	if (shadow) {
		emit_before(d->e, at);
		LLVMBuildStore(d->e->b, deps_or_none(d, its), d->shadows[*shadow]);
	} else if (!deps_is_constant(pointer) && shim_is_sized(type) &&
		   (!variable || deps_may(d, variable))) {
		store_private(d, pointer, emit_size(d->e, emit_store_size(d->e, type)), its, at);
	}
}

/* An atomic operation on private memory, an operand of which has the number `first'. */
static void update_private(struct deps *d, LLVMValueRef i, unsigned first, unsigned n)
{
	LLVMValueRef its = deps_of(d, i, i);

	for (unsigned k = first; k < first + n; k++)
		its = deps_union(d, its, deps_of(d, LLVMGetOperand(i, k), i), i);
	store_value(d, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, first)), its, i);
}

/* Copies and fills within private memory. */
static void private_intrinsic(struct deps *d, LLVMValueRef call, const char *name)
{
	struct emit *e = d->e;
	LLVMValueRef to = LLVMGetOperand(call, 0), n, its;

	if (text_starts(name, "llvm.va_start")) {
		deps_va_start(d, call);
	} else if (text_starts(name, "llvm.memset.")) {
		its = deps_of(d, LLVMGetOperand(call, 1), call);
		emit_before(e, call);
		n = LLVMBuildIntCast2(e->b, LLVMGetOperand(call, 2), e->size, 0, "");
		store_private(d, to, n, its, call);
	} else if (text_starts(name, "llvm.memcpy.") || text_starts(name, "llvm.memmove.")) {
		n = LLVMGetOperand(call, 2);
		emit_before(e, call);
		emit_if(e, deps_any(d, NULL, NULL), call);
		n = LLVMBuildIntCast2(e->b, n, e->size, 0, "");
		EMIT(e, ENTRY(__heddle_deps_copy), to, LLVMGetOperand(call, 1), n);
		emit_end_if(e, call);
	}
}

/* --- functions ------------------------------------------------------------------------------- */

static LLVMValueRef of_argument(struct deps *d, LLVMValueRef call, unsigned k)
{
	struct emit *e = d->e;
	LLVMValueRef arg = LLVMGetOperand(call, k);
	unsigned long long size;
	unsigned align;

	if (!shim_call_byval(call, k, &size, &align))
		return deps_of(d, arg, call);
	emit_before(e, call);
	return deps_call_if(d, deps_any(d, NULL, NULL), call, ENTRY(__heddle_deps_load),
		(LLVMValueRef[]){arg, emit_size(e, size), deps_or_none(d, NULL)}, 3);
}

/* All words are written: the function that is called reads those of its parameters. */
static void put_arguments(struct deps *d, LLVMValueRef call)
{
	LLVMValueRef its[HEDDLE_DEPS_ARGUMENTS];
	unsigned n = LLVMGetNumArgOperands(call);

	n = n < HEDDLE_DEPS_ARGUMENTS ? n : HEDDLE_DEPS_ARGUMENTS;
	for (unsigned k = 0; k < n; k++)
		its[k] = deps_or_none(d, of_argument(d, call, k));
	emit_before(d->e, call);
	for (unsigned k = 0; k < n; k++)
		LLVMBuildStore(d->e->b, its[k], deps_word(d->e, HEDDLE_DEPS_ARGUMENT + k));
}

/* The function may be one that does not track dependencies: the runtime knows which. */
static void foreign_call(struct deps *d, LLVMValueRef call)
{
	struct emit *e = d->e;
	LLVMValueRef f = LLVMGetCalledValue(call), foreign, tracks;

	emit_before(e, call);
	foreign = EMIT(e, ENTRY(__heddle_deps_call), f);
	if (!deps_may(d, call) || shim_call_is_musttail(call))
		return;
	emit_before(e, shim_after(call));
	tracks = LLVMBuildICmp(
		e->b, LLVMIntEQ, foreign, LLVMConstInt(e->i32, HEDDLE_DEPS_TRACKED, 0), "");
	deps_know(d, call,
		LLVMBuildSelect(e->b, tracks,
			LLVMBuildLoad2(e->b, e->i32, deps_word(e, HEDDLE_DEPS_RESULT), ""), foreign,
			""));
}

static void tracking_call(struct deps *d, LLVMValueRef call)
{
	branch_on(d, LLVMGetCalledValue(call), call);
	deps_variadic_call(d, call);
	put_arguments(d, call);
	if (deps_source(call) == DEPS_FOREIGN)
		foreign_call(d, call);
}

static void call_insn(struct deps *d, LLVMValueRef call)
{
	const char *name = "";

	if (deps_is_call(call))
		tracking_call(d, call);
	else if (deps_is_entry(call, &name))
		entry_call(d, call, name);
	else
		private_intrinsic(d, call, callee_name(call));
}

static void return_insn(struct deps *d, LLVMValueRef ret)
{
	LLVMValueRef i = LLVMGetPreviousInstruction(ret), its;

	if (i && LLVMIsABitCastInst(i))
		i = LLVMGetPreviousInstruction(i);
	if (!LLVMGetNumOperands(ret) || (i && LLVMIsACallInst(i) && shim_call_is_musttail(i)))
		return;
	its = deps_or_none(d, deps_of(d, LLVMGetOperand(ret, 0), ret));
	emit_before(d->e, ret);
	LLVMBuildStore(d->e->b, its, deps_word(d->e, HEDDLE_DEPS_RESULT));
}

static LLVMValueRef after_variables(LLVMValueRef function)
{
	LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	return at;
}

/* A parameter that is passed in memory: its content has one number, its address none. */
static void begin_byval(struct deps *d, LLVMValueRef param, LLVMValueRef at)
{
	struct emit *e = d->e;
	LLVMValueRef its = deps_of(d, param, at), size = emit_size(e, shim_param_size(param));

	emit_before(e, at);
	emit_if(e, deps_any(d, its, NULL), at);
	EMIT(e, ENTRY(__heddle_deps_store), param, size, deps_or_none(d, its),
		deps_or_none(d, NULL));
	emit_end_if(e, at);
	deps_know(d, param, deps_or_none(d, NULL));
}

/* The variables that shadow others: without dependencies at first. */
static void begin_shadows(struct deps *d, LLVMValueRef at)
{
	struct emit *e = d->e;

	for (unsigned k = 0; k < d->n; k++) {
		unsigned *i = map_find(&d->shadow, d->code[k]);

		if (!i || !deps_may(d, d->code[k]))
			continue;
		emit_before(e, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(e->function)));
		d->shadows[*i] = LLVMBuildAlloca(e->b, e->i32, "");
		emit_before(e, at);
		LLVMBuildStore(e->b, deps_or_none(d, NULL), d->shadows[*i]);
	}
}

static void end_shadows(struct deps *d)
{
	unsigned n = 0;

	for (unsigned i = 0; i < d->nshadows; i++)
		if (d->shadows[i])
			d->shadows[n++] = d->shadows[i];
	if (n)
		shim_promote(d->shadows, n);
}

/* --- the function ----------------------------------------------------------------------------- */

static void track_insn(struct deps *d, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: branch_on(d, LLVMGetOperand(i, 0), i); break;
	case LLVMStore:
		branch_on(d, LLVMGetOperand(i, 1), i);
		store_value(d, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)),
			deps_of(d, LLVMGetOperand(i, 0), i), i);
		break;
	case LLVMAtomicRMW: update_private(d, i, 1, 1); break;
	case LLVMAtomicCmpXchg: update_private(d, i, 1, 2); break;
	case LLVMBr:
		if (LLVMIsConditional(i))
			branch_on(d, LLVMGetCondition(i), i);
		break;
	case LLVMSwitch:
	case LLVMIndirectBr: branch_on(d, LLVMGetOperand(i, 0), i); break;
	case LLVMRet: return_insn(d, i); break;
	case LLVMCall:
	case LLVMInvoke: call_insn(d, i); break;
	default: break;
	}
}

static void list_code(struct deps *d)
{
	unsigned n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(d->e->function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			n++;
	d->code = malloc((n + 1) * sizeof(*d->code));
	if (!d->code)
		abort();
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(d->e->function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			d->code[d->n++] = i;
}

void deps_function(struct pass *p, LLVMValueRef function)
{
	struct deps d = {.p = p, .e = &p->e};
	LLVMValueRef at = after_variables(function), param;

	list_code(&d);
	deps_flow(&d);
	begin_shadows(&d, at);
	for (unsigned k = 0; k < LLVMCountParams(function); k++) {
		param = LLVMGetParam(function, k);
		if (shim_param_is_byval(param))
			begin_byval(&d, param, at);
	}
	for (unsigned k = 0; k < d.n; k++)
		track_insn(&d, d.code[k]);
	end_shadows(&d);
	map_release(&d.may);
	map_release(&d.shadow);
	map_release(&d.known);
	free(d.code);
	free(d.shadows);
	free(d.value);
}
