/* SPDX-License-Identifier: ISC */
/*
 * llvm_pass.c - rewrites a module: the last pass of clang's pipeline. README is the specification.
 *
 * For each function the instructions are listed first and then rewritten one by one, so inserted
 * code is not instrumented.
 */
#include "llvm_pass.h"
#include "counter.h"
#include "deps.h"

#include <stdio.h>
#include <string.h>

bool pass_is_private(struct pass *p, LLVMValueRef pointer)
{
	LLVMValueRef base = pointer;
	size_t length;

	if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
		return true; /* relative to a segment register: nothing that C can share */
	while (LLVMIsAConstantExpr(base) && LLVMGetNumOperands(base))
		base = LLVMGetOperand(base, 0);
	if (LLVMIsAGlobalVariable(base) && plan_is_compiler_data(LLVMGetValueName2(base, &length)))
		return true;
	return private_pointer(p->private, pointer);
}

/* Warn, once for each place in the source. */
static void pass_warn(struct pass *p, LLVMValueRef at, const char *format, const char *what)
{
	unsigned long long place = shim_source(at);
	char text[512];

	if (place && !map_add(&p->warned, (const void *)(uintptr_t)place, 0))
		return;
	snprintf(text, sizeof(text), format, what);
	shim_warn(at, text);
}

void pass_opaque(struct pass *p, LLVMValueRef at, bool orders, const char *format, const char *what)
{
	pass_warn(p, at, format, what);
	emit_before(&p->e, at);
	if (orders)
		EMIT(&p->e, ENTRY(__heddle_opaque_order));
	else
		EMIT(&p->e, ENTRY(__heddle_opaque));
}

/* --- the end of a frame ---------------------------------------------------------------------- */

/* The call that must stand directly before a return, or the return itself. */
static LLVMValueRef before_return(LLVMValueRef ret)
{
	LLVMValueRef i = LLVMGetPreviousInstruction(ret);

	if (i && LLVMIsABitCastInst(i))
		i = LLVMGetPreviousInstruction(i);
	return i && LLVMIsACallInst(i) && shim_call_is_musttail(i) ? i : ret;
}

static void end_frame(struct pass *p, LLVMValueRef ret)
{
	struct emit *e = &p->e;
	unsigned param[32], n = private_escaped_params(p->private, param, 32);
	unsigned long long size;
	LLVMTypeRef type;
	LLVMValueRef arg;

	emit_before(e, before_return(ret));
	EMIT(e, ENTRY(__heddle_frame_leave), emit_return_slot(e));
	for (unsigned i = 0; i < n; i++) {
		/* A copy that the caller made lies above the frame. */
		unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);

		arg = LLVMGetParam(e->function, param[i]);
		type = LLVMGetTypeAttributeValue(
			LLVMGetEnumAttributeAtIndex(e->function, param[i] + 1, kind));
		size = LLVMABISizeOfType(e->layout, type);
		arg = LLVMBuildPointerCast(e->b, arg, e->ptr, "");
		arg = LLVMBuildGEP2(e->b, e->i8, arg, (LLVMValueRef[]){emit_size(e, size)}, 1, "");
		EMIT(e, ENTRY(__heddle_frame_leave), arg);
	}
}

static void end_frames(struct pass *p, LLVMValueRef function)
{
	LLVMValueRef last;

	if (!p->frame_dies)
		return;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b)) {
		last = LLVMGetBasicBlockTerminator(b);
		if (last && LLVMIsAReturnInst(last))
			end_frame(p, last);
	}
}

/* --- functions ------------------------------------------------------------------------------- */

static void rewrite(struct pass *p, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: access_load_insn(p, i); break;
	case LLVMStore: access_store_insn(p, i); break;
	case LLVMAtomicRMW: access_rmw_insn(p, i); break;
	case LLVMAtomicCmpXchg: access_cas_insn(p, i); break;
	case LLVMFence: access_fence_insn(p, i); break;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr: calls_call_insn(p, i); break;
	default: break;
	}
}

static unsigned count_instructions(LLVMValueRef function)
{
	unsigned n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			n++;
	return n;
}

static void rewrite_function(struct pass *p, LLVMValueRef function)
{
	unsigned n, k = 0;
	LLVMValueRef *list;

	counter_promote(function);
	n = count_instructions(function);
	list = malloc((n + 1) * sizeof(*list));
	if (!list)
		abort();
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			list[k++] = i;
	emit_function(&p->e, function);
	p->private = private_analyse(function);
	p->frame_dies = private_any_escapes(p->private);
	loop_heads(p, function);
	variables_announce(p);
	for (k = 0; k < n; k++)
		rewrite(p, list[k]);
	end_frames(p, function);
	if (p->deps)
		deps_function(p, function);
	private_free(p->private);
	free(list);
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

bool pass_is_ignored(LLVMValueRef function)
{
	const char *mark = "heddle-ignore";

	return has_attribute(function, "naked") ||
	       LLVMGetStringAttributeAtIndex(
		       function, LLVMAttributeFunctionIndex, mark, strlen(mark));
}

/* --- the module ------------------------------------------------------------------------------ */

/* struct { name size, description size, type; "heddle"; ABI version }, as the ELF standard has
 * it. */
static void add_note(struct emit *e, bool deps)
{
	static const char owner[8] = "heddle";
	LLVMValueRef field[5] = {LLVMConstInt(e->i32, 7, 0), LLVMConstInt(e->i32, 4, 0),
		LLVMConstInt(e->i32, deps ? HEDDLE_NOTE_DEPS : HEDDLE_NOTE, 0),
		LLVMConstStringInContext(e->ctx, owner, 8, 1),
		LLVMConstInt(e->i32, HEDDLE_ABI_VERSION, 0)};
	LLVMValueRef value = LLVMConstStructInContext(e->ctx, field, 5, 0), note;

	note = LLVMAddGlobal(e->module, LLVMTypeOf(value), "heddle.note");
	LLVMSetInitializer(note, value);
	LLVMSetGlobalConstant(note, 1);
	LLVMSetLinkage(note, LLVMPrivateLinkage);
	LLVMSetSection(note, ".note.heddle");
	LLVMSetAlignment(note, 4);
	shim_keep(e->module, &note, 1);
}

bool pass_run(LLVMModuleRef module)
{
	struct pass p = {.deps = plan_tracks_dependencies()};
	LLVMValueRef f;

	if (plan_records())
		return flight_record(module);
	if (LLVMGetNamedGlobal(module, "heddle.note"))
		return false; /* the pass has run before */
	emit_init(&p.e, module);
	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage ||
			pass_is_ignored(f))
			continue;
		rewrite_function(&p, f);
		shim_mark_function(f, HEDDLE_FUNCTION_MARK);
	}
	add_note(&p.e, p.deps);
	map_release(&p.warned);
	emit_release(&p.e);
	return true;
}

/* The function and the text of one __attribute__((annotate(...))). */
static void prepare_annotation(LLVMContextRef ctx, LLVMValueRef annotation)
{
	LLVMValueRef f = LLVMGetOperand(annotation, 0), text = LLVMGetOperand(annotation, 1);
	const char *mark = "heddle-ignore", *s;
	size_t length;

	while (LLVMIsAConstantExpr(f))
		f = LLVMGetOperand(f, 0);
	while (LLVMIsAConstantExpr(text))
		text = LLVMGetOperand(text, 0);
	if (!LLVMIsAFunction(f) || !LLVMIsAGlobalVariable(text))
		return;
	text = LLVMGetInitializer(text);
	if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
		return;
	s = LLVMGetAsString(text, &length);
	if (length < 13 || memcmp(s, "heddle_ignore", 13))
		return;
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(ctx, mark, strlen(mark), "", 0));
	if (!has_attribute(f, "alwaysinline"))
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
			LLVMCreateEnumAttribute(
				ctx, LLVMGetEnumAttributeKindForName("noinline", 8), 0));
}

/*
 * Where it is cheap, LLVM makes loads speculatively. By LLVM's rules such a load may race; here it
 * would be reported as a data race that the program does not have. This attribute, on which LLVM's
 * thread sanitizer relies, forbids it.
 */
static bool forbid_early_loads(LLVMModuleRef module)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);
	LLVMAttributeRef a = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
	bool any = false;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!LLVMGetFirstBasicBlock(f))
			continue;
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, a);
		any = true;
	}
	return any;
}

/* Is the variable at v, or a part of it, loaded? Is it stored to? Other uses may do both. */
static void find_uses(LLVMValueRef v, bool *loaded, bool *stored)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsALoadInst(user)) {
			*loaded = true;
		} else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v) {
			*stored = true;
		} else if (LLVMIsAConstantExpr(user) || LLVMIsAGetElementPtrInst(user) ||
			   LLVMIsABitCastInst(user)) {
			find_uses(user, loaded, stored);
		} else {
			*loaded = *stored = true;
		}
	}
}

/*
 * The variables of the module stay as they are. Else one to which a single value is stored would
 * become a flag, and reports would have 1 in the place of the value; one that keeps a block from
 * malloc() would become that block, with defined contents and without an end.
 */
static bool keep_variables(LLVMModuleRef module)
{
	unsigned n = 0, kept = 0;
	LLVMValueRef *list;

	for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
		n++;
	list = malloc((n + 1) * sizeof(*list));
	for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) {
		bool loaded = false, stored = false;

		if (LLVMGetLinkage(v) != LLVMInternalLinkage || LLVMIsGlobalConstant(v))
			continue;
		find_uses(v, &loaded, &stored);
		if (loaded && stored)
			list[kept++] = v;
	}
	if (kept)
		shim_keep(module, list, kept);
	free(list);
	return kept > 0;
}

/*
 * Equal calls at the ends of sibling branches would become one, which reports could not name a line
 * for: not if it is a call that they name, or that becomes one of the runtime.
 */
static void keep_call_apart(LLVMValueRef i)
{
	const char *name = LLVMIsACallInst(i) ? callee_name(i) : "llvm.";

	if (!text_starts(name, "llvm.") || text_starts(name, "llvm.mem"))
		LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex,
			emit_nomerge(LLVMGetTypeContext(LLVMTypeOf(i))));
}

static void keep_calls(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
			b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
				i = LLVMGetNextInstruction(i))
				keep_call_apart(i);
}

bool pass_prepare(LLVMModuleRef module)
{
	LLVMValueRef all = LLVMGetNamedGlobal(module, "llvm.global.annotations");
	bool any = !plan_records() && forbid_early_loads(module);

	all = all ? LLVMGetInitializer(all) : NULL;
	for (int i = 0; all && i < LLVMGetNumOperands(all); i++)
		prepare_annotation(LLVMGetModuleContext(module), LLVMGetOperand(all, i));
	if (plan_records())
		return all;
	keep_calls(module);
	any |= keep_variables(module);
	any |= latch_strengthen(module);
	return primitive_inline(module) || any || all;
}
