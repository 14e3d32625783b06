/* SPDX-License-Identifier: ISC */
/*
 * deps_variadic.c - the dependencies of variable arguments: see deps.h.
 *
 * The called function finds its arguments where the ABI of x86-64 has them: in the area to which it
 * saved the registers at its beginning, and on the caller's stack. Its va_arg is code that loads
 * from there, so these bytes get the dependencies. A *place* is an offset in the area, of 176
 * bytes; from there on, one on the stack. The caller lists places; the runtime uses the list at
 * va_start.
 */
#include "deps.h"

#define GP_END 48  /* six registers of 8 bytes */
#define FP_END 176 /* eight of 16 bytes */

/* The next free places. */
struct places {
	unsigned gp, fp, stack;
};

static unsigned place_of(struct deps *d, LLVMValueRef call, unsigned k, struct places *next)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	unsigned long long size = LLVMABISizeOfType(d->e->layout, type);
	bool real = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
		    kind == LLVMHalfTypeKind || (kind == LLVMVectorTypeKind && size <= 16);
	bool whole = kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && size <= 8);
	unsigned at, align;

	if (shim_call_byval(call, k, &size, &align))
		whole = false;
	if (whole && next->gp < GP_END) {
		next->gp += 8;
		return next->gp - 8;
	}
	if (real && next->fp < FP_END) {
		next->fp += 16;
		return next->fp - 16;
	}
	at = next->stack;
	next->stack += (unsigned)(size + 7) / 8 * 8;
	return FP_END + at;
}

void deps_variadic_call(struct deps *d, LLVMValueRef call)
{
	LLVMTypeRef type = LLVMGetCalledFunctionType(call);
	struct places next = {0, GP_END, 0};
	struct emit *e = d->e;
	unsigned fixed, place;
	LLVMValueRef its, some;

	if (!LLVMIsFunctionVarArg(type))
		return;
	fixed = LLVMCountParamTypes(type);
	emit_before(e, call);
	EMIT(e, ENTRY(__heddle_deps_variadic));
	for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
		if (k == fixed)
			next.stack = 0; /* va_start skips the others */
		place = place_of(d, call, k, &next);
		its = k < fixed ? NULL : deps_of(d, LLVMGetOperand(call, k), call);
		if (!its)
			continue;
		emit_before(e, call);
		some = LLVMBuildICmp(e->b, LLVMIntNE, its, deps_or_none(d, NULL), "");
		emit_if(e, some, call);
		EMIT(e, ENTRY(__heddle_deps_argument), LLVMConstInt(e->i32, place, 0), its);
		emit_end_if(e, call);
	}
}

void deps_va_start(struct deps *d, LLVMValueRef call)
{
	emit_before(d->e, shim_after(call));
	EMIT(d->e, ENTRY(__heddle_deps_va_start), LLVMGetOperand(call, 0));
}
