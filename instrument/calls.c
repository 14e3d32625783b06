/* SPDX-License-Identifier: ISC */
/*
 * calls.c - calls of functions and intrinsics.
 *
 * Copies and fills of memory become calls of the runtime. If one side of a copy is private it must
 * be accessed directly, as all of the function's other accesses to it are: then the copy is a range
 * read or write. A call of a function that this module does not define is preceded
 * by __heddle_extern_call.
 */
#include "llvm_pass.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- memory functions ------------------------------------------------------------------------ */

static LLVMValueRef as_size(struct emit *e, LLVMValueRef n)
{
	return LLVMBuildIntCast2(e->b, n, e->size, 0, "");
}

/* Emit a copy; returns false if both sides are private, and nothing has been emitted. */
static bool emit_copy(struct pass *p, LLVMValueRef to, LLVMValueRef from, LLVMValueRef n, bool move)
{
	struct emit *e = &p->e;
	bool to_private = pass_is_private(p, to), from_private = pass_is_private(p, from);

	if (to_private && from_private)
		return false;
	n = as_size(e, n);
	if (to_private)
		EMIT(e, ENTRY(__heddle_plain_read), to, from, n);
	else if (from_private)
		EMIT(e, ENTRY(__heddle_plain_write), to, from, n);
	else
		emit_call(e, move ? ENTRY(__heddle_memmove) : ENTRY(__heddle_memcpy),
			(LLVMValueRef[]){to, from, n}, 3);
	return true;
}

static bool emit_fill(struct pass *p, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef n)
{
	struct emit *e = &p->e;

	if (pass_is_private(p, to))
		return false;
	EMIT(e, ENTRY(__heddle_memset), to, LLVMBuildIntCast2(e->b, byte, e->i32, 0, ""),
		as_size(e, n));
	return true;
}

/* memcpy() and the like, as calls of a function or as intrinsics. Returns false if it is
 * neither. */
static bool memory_call(struct pass *p, LLVMValueRef call, const char *name)
{
	unsigned n = LLVMGetNumArgOperands(call);
	enum memory_function what = plan_memory_function(name, n);
	LLVMValueRef to;
	bool done;

	if (text_starts(name, "llvm.memcpy."))
		what = MEMORY_COPY;
	else if (text_starts(name, "llvm.memmove."))
		what = MEMORY_MOVE;
	else if (text_starts(name, "llvm.memset."))
		what = MEMORY_FILL;
	if (what == MEMORY_OTHER || !LLVMIsACallInst(call) || shim_call_is_musttail(call))
		return false;
	emit_before(&p->e, call);
	to = LLVMGetOperand(call, 0);
	if (what == MEMORY_FILL)
		done = emit_fill(p, to, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
	else
		done = emit_copy(p, to, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2),
			what == MEMORY_MOVE);
	if (!done)
		return true; /* private on both sides: left as it is */
	if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
		LLVMReplaceAllUsesWith(call, to);
	LLVMInstructionEraseFromParent(call);
	return true;
}

/* --- variable arguments ---------------------------------------------------------------------- */

/* va_start() and va_copy() access the va_list directly: give them a private one. */
static void va_call(struct pass *p, LLVMValueRef call, bool copy)
{
	struct emit *e = &p->e;
	unsigned size = sizeof(va_list); /* the target is this machine */
	LLVMValueRef to = LLVMGetOperand(call, 0), from = copy ? LLVMGetOperand(call, 1) : NULL,
		     temp;

	if (copy) {
		emit_before(e, call);
		if (emit_copy(p, to, from, emit_size(e, size), false))
			LLVMInstructionEraseFromParent(call);
		return;
	}
	if (pass_is_private(p, to))
		return;
	emit_before(e, call);
	temp = emit_alloca(e, size, 16);
	LLVMSetOperand(call, 0, LLVMBuildPointerCast(e->b, temp, LLVMTypeOf(to), ""));
	emit_before(e, LLVMGetNextInstruction(call));
	EMIT(e, ENTRY(__heddle_plain_write), to, temp, emit_size(e, size));
}

/* --- intrinsics ------------------------------------------------------------------------------ */

/* The time-stamp counter. */
static bool cycles_intrinsic(struct pass *p, LLVMValueRef call, const char *name)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	bool pair = !strcmp(name, "llvm.x86.rdtscp");
	LLVMValueRef now, both;

	if (!pair && strcmp(name, "llvm.x86.rdtsc") != 0 &&
		strcmp(name, "llvm.readcyclecounter") != 0)
		return false;
	emit_before(&p->e, call);
	now = EMIT(&p->e, ENTRY(__heddle_cycles));
	if (pair) {
		both = LLVMConstNull(type);
		now = LLVMBuildInsertValue(p->e.b, both, now, 0, "");
	}
	LLVMReplaceAllUsesWith(call, now);
	LLVMInstructionEraseFromParent(call);
	return true;
}

/* Fences and hints that have an intrinsic of their own. */
static bool fence_intrinsic(struct pass *p, LLVMValueRef call, const char *name)
{
	static const struct {
		const char *name;
		int order; /* -1: a pause */
	} fences[] = {{"llvm.x86.sse2.mfence", __ATOMIC_SEQ_CST},
		{"llvm.x86.sse2.lfence", __ATOMIC_ACQUIRE},
		{"llvm.x86.sse.sfence", __ATOMIC_RELEASE}, {"llvm.x86.sse2.pause", -1}};

	for (unsigned i = 0; i < sizeof(fences) / sizeof(fences[0]); i++) {
		if (strcmp(name, fences[i].name))
			continue;
		emit_before(&p->e, call);
		if (fences[i].order < 0)
			EMIT(&p->e, ENTRY(__heddle_pause));
		else
			EMIT(&p->e, ENTRY(__heddle_fence), emit_int(&p->e, fences[i].order));
		LLVMInstructionEraseFromParent(call);
		return true;
	}
	return false;
}

/* The end of variable-length arrays: buffered stores to them must not be made later. */
static void stack_restore(struct pass *p, LLVMValueRef call)
{
	if (!p->frame_dies)
		return;
	emit_before(&p->e, call);
	EMIT(&p->e, ENTRY(__heddle_frame_leave), LLVMGetOperand(call, 0));
}

/* Two variables that are never alive together may share a stack slot: not if stores to one of them
 * may still be in a buffer. */
static void lifetime(struct pass *p, LLVMValueRef call)
{
	if (!pass_is_private(p, LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1)))
		LLVMInstructionEraseFromParent(call);
}

/* Intrinsics that take pointers, but do not access the program's shared memory. */
static bool is_harmless(const char *name)
{
	static const char *const prefixes[] = {"llvm.dbg.", "llvm.va_end", "llvm.prefetch",
		"llvm.objectsize", "llvm.invariant.", "llvm.launder.", "llvm.strip.", "llvm.assume",
		"llvm.eh.", "llvm.stack", "llvm.frameaddress", "llvm.returnaddress",
		"llvm.addressofreturnaddress", "llvm.sponentry", "llvm.ptr.annotation",
		"llvm.var.annotation", "llvm.annotation", "llvm.ptrmask", "llvm.threadlocal.",
		"llvm.experimental.", "llvm.coro.", "llvm.init.trampoline",
		"llvm.adjust.trampoline", "llvm.instrprof", "llvm.pseudoprobe", "llvm.localescape",
		"llvm.localrecover", "llvm.type.", "llvm.public.type", "llvm.fake.use",
		"llvm.x86.sse2.clflush", "llvm.x86.clflushopt", "llvm.x86.clwb", "llvm.clear_cache",
		"llvm.sideeffect", "llvm.is.constant", "llvm.icall.branch", "llvm.load.relative"};

	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (text_starts(name, prefixes[i]))
			return true;
	return false;
}

static bool takes_shared_pointer(struct pass *p, LLVMValueRef call)
{
	LLVMTypeRef type;

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		type = LLVMTypeOf(LLVMGetOperand(call, i));
		if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
			type = LLVMGetElementType(type);
		if (LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
			(type != LLVMTypeOf(LLVMGetOperand(call, i)) ||
				!pass_is_private(p, LLVMGetOperand(call, i))))
			return true;
	}
	return false;
}

static void intrinsic_call(struct pass *p, LLVMValueRef call, const char *name)
{
	if (memory_call(p, call, name) || fence_intrinsic(p, call, name) ||
		cycles_intrinsic(p, call, name) || masked_call_insn(p, call, name))
		return;
	if (text_starts(name, "llvm.va_start"))
		va_call(p, call, false);
	else if (text_starts(name, "llvm.va_copy"))
		va_call(p, call, true);
	else if (text_starts(name, "llvm.stackrestore"))
		stack_restore(p, call);
	else if (text_starts(name, "llvm.lifetime."))
		lifetime(p, call);
	else if (!is_harmless(name) && !shim_call_has_no_memory(call) &&
		 takes_shared_pointer(p, call))
		pass_opaque(p, call, false, "heddle: intrinsic not understood: %s", name);
}

/* --- functions ------------------------------------------------------------------------------- */

/* Arguments that are passed by value in memory are copied by the call itself, directly: make that
 * copy from a private one. */
static void copy_byval(struct pass *p, LLVMValueRef call)
{
	struct emit *e = &p->e;
	unsigned long long size;
	LLVMValueRef arg, temp;
	unsigned align;

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		arg = LLVMGetOperand(call, i);
		if (!shim_call_byval(call, i, &size, &align) || pass_is_private(p, arg))
			continue;
		emit_before(e, call);
		temp = emit_alloca(e, size, align);
		EMIT(e, ENTRY(__heddle_plain_read), temp, arg, emit_size(e, size));
		LLVMSetOperand(call, i, LLVMBuildPointerCast(e->b, temp, LLVMTypeOf(arg), ""));
	}
}

/* The function that is called: casts and aliases removed. */
static LLVMValueRef callee_of(LLVMValueRef call)
{
	LLVMValueRef f = LLVMGetCalledValue(call);

	for (;;) {
		if (LLVMIsAConstantExpr(f) && LLVMGetConstOpcode(f) == LLVMBitCast)
			f = LLVMGetOperand(f, 0);
		else if (LLVMIsAGlobalAlias(f))
			f = LLVMAliasGetAliasee(f);
		else
			return f;
	}
}

/* Call the runtime's form of a string function: same type, other name. */
static bool replaced_call(struct pass *p, LLVMValueRef call, const char *name)
{
	char ours[64];
	LLVMValueRef f;

	if (!plan_is_replaced(name))
		return false;
	snprintf(ours, sizeof(ours), "__heddle_lib_%s", name);
	f = LLVMGetNamedFunction(p->e.module, ours);
	if (!f)
		f = LLVMAddFunction(p->e.module, ours, LLVMGetCalledFunctionType(call));
	LLVMSetOperand(call, LLVMGetNumOperands(call) - 1,
		LLVMConstBitCast(f, LLVMTypeOf(LLVMGetCalledValue(call))));
	return true;
}

/* A wait at a barrier whose result is not used. */
static bool barrier_call(struct pass *p, LLVMValueRef call, const char *name)
{
	if (strcmp(name, "pthread_barrier_wait") != 0 || !LLVMIsACallInst(call) ||
		LLVMGetFirstUse(call) || LLVMGetNumArgOperands(call) != 1 ||
		shim_call_is_musttail(call))
		return false;
	emit_before(&p->e, call);
	EMIT(&p->e, ENTRY(__heddle_barrier_pass), LLVMGetOperand(call, 0));
	LLVMInstructionEraseFromParent(call);
	return true;
}

static void function_call(struct pass *p, LLVMValueRef call)
{
	LLVMValueRef callee = callee_of(call);
	const char *name = callee_name(call);

	/* External functions may use their caller's address: the place of an access, or of a
	 * lock. */
	if (*name && LLVMIsACallInst(call) && !shim_call_is_musttail(call))
		LLVMSetTailCall(call, false);
	if (memory_call(p, call, name) || replaced_call(p, call, name) ||
		barrier_call(p, call, name))
		return;
	if (!shim_call_is_musttail(call))
		copy_byval(p, call);
	if (LLVMIsAFunction(callee) && !*name) { /* defined here */
		if (!pass_is_ignored(callee))
			return;
		emit_before(&p->e, call);
		EMIT(&p->e, ENTRY(__heddle_unseen));
		return;
	}
	if (shim_call_has_no_memory(call) || shim_call_returns_twice(call) || plan_is_known(name) ||
		plan_returns_twice(name))
		return;
	if (*name)
		shim_set_local(callee, false);
	emit_before(&p->e, call);
	EMIT(&p->e, ENTRY(__heddle_extern_call), callee);
}

void calls_call_insn(struct pass *p, LLVMValueRef call)
{
	const char *name = callee_name(call);

	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		asm_call_insn(p, call);
	else if (text_starts(name, "llvm."))
		intrinsic_call(p, call, name);
	else
		function_call(p, call);
}
