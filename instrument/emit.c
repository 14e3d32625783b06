/* SPDX-License-Identifier: ISC */
/*
 * emit.c - inserting calls of the runtime: declarations, conversions to and from bits, scratch
 * space.
 *
 * The runtime's functions are declared nounwind: a landing pad is never needed around them. Code
 * that can only be part of an executable calls them directly; code for shared libraries through the
 * GOT without a PLT (nonlazybind): no dynamic linker in the middle of an execution. They carry no
 * attribute about memory: the compiler must assume that they read and write anything, which keeps
 * later passes from moving accesses across them.
 */
#include "emit.h"

#include <string.h>

static LLVMTypeRef llvm_type(struct emit *e, enum abi_type t)
{
	switch (t) {
	case ABI_VOID: return LLVMVoidTypeInContext(e->ctx);
	case ABI_U8: return e->i8;
	case ABI_U16: return LLVMInt16TypeInContext(e->ctx);
	case ABI_U32:
	case ABI_INT: return e->i32;
	case ABI_U64: return e->i64;
	case ABI_U128: return LLVMInt128TypeInContext(e->ctx);
	case ABI_SIZE: return e->size;
	case ABI_PTR: break;
	}
	return e->ptr;
}

void emit_init(struct emit *e, LLVMModuleRef module)
{
	memset(e, 0, sizeof(*e));
	e->module = module;
	e->ctx = LLVMGetModuleContext(module);
	e->b = LLVMCreateBuilderInContext(e->ctx);
	e->layout = LLVMGetModuleDataLayout(module);
	e->i1 = LLVMInt1TypeInContext(e->ctx);
	e->i8 = LLVMInt8TypeInContext(e->ctx);
	e->i32 = LLVMInt32TypeInContext(e->ctx);
	e->i64 = LLVMInt64TypeInContext(e->ctx);
	e->size = LLVMIntPtrTypeInContext(e->ctx, e->layout);
	e->ptr = LLVMPointerType(e->i8, 0);
	e->pic = LLVMGetModuleFlag(module, "PIC Level", 9) &&
		 !LLVMGetModuleFlag(module, "PIE Level", 9);
	e->volatile_is_atomic = plan_volatile_is_atomic();
}

void emit_release(struct emit *e)
{
	LLVMDisposeBuilder(e->b);
	map_release(&e->scratch);
}

void emit_function(struct emit *e, LLVMValueRef function)
{
	e->function = function;
	e->slot = NULL;
	e->slot_size = 0;
	e->slot_align = 0;
	map_release(&e->scratch);
}

void emit_before(struct emit *e, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(e->b, instruction);
}

LLVMBasicBlockRef emit_if(struct emit *e, LLVMValueRef condition, LLVMValueRef before)
{
	LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(e->b);
	LLVMBasicBlockRef head = LLVMGetInsertBlock(e->b), tail = shim_split_before(before);
	LLVMBasicBlockRef then = LLVMInsertBasicBlockInContext(e->ctx, tail, "");

	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
	LLVMPositionBuilderAtEnd(e->b, head);
	LLVMSetCurrentDebugLocation2(e->b, location);
	LLVMBuildCondBr(e->b, condition, then, tail);
	LLVMPositionBuilderAtEnd(e->b, then);
	LLVMSetCurrentDebugLocation2(e->b, location);
	return head;
}

LLVMBasicBlockRef emit_end_if(struct emit *e, LLVMValueRef before)
{
	LLVMBasicBlockRef then = LLVMGetInsertBlock(e->b);

	LLVMBuildBr(e->b, LLVMGetInstructionParent(before));
	emit_before(e, before);
	return then;
}

static void add_attribute(struct emit *e, LLVMValueRef f, LLVMAttributeIndex i, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(f, i, LLVMCreateEnumAttribute(e->ctx, kind, 0));
}

/* Callers always widen small integers, as the expectations of gcc and clang differ. */
static bool is_small(enum abi_type t)
{
	return t == ABI_U8 || t == ABI_U16;
}

static LLVMValueRef entry_function(struct emit *e, enum entry entry)
{
	LLVMTypeRef params[ENTRY_PARAMS];
	struct entry_type t;
	LLVMValueRef f;

	if (e->fn[entry])
		return e->fn[entry];
	plan_entry(entry, &t);
	for (unsigned i = 0; i < t.n; i++)
		params[i] = llvm_type(e, t.param[i]);
	e->type[entry] = LLVMFunctionType(llvm_type(e, t.ret), params, t.n, 0);
	f = LLVMGetNamedFunction(e->module, t.name);
	if (!f) {
		f = LLVMAddFunction(e->module, t.name, e->type[entry]);
		add_attribute(e, f, LLVMAttributeFunctionIndex, "nounwind");
		if (e->pic)
			add_attribute(e, f, LLVMAttributeFunctionIndex, "nonlazybind");
		else
			shim_set_local(f, true);
		for (unsigned i = 0; i < t.n; i++)
			if (is_small(t.param[i]))
				add_attribute(e, f, i + 1, "zeroext");
		if (is_small(t.ret))
			add_attribute(e, f, LLVMAttributeReturnIndex, "zeroext");
	}
	/* The program may have declared it with other pointer types. */
	e->fn[entry] = LLVMConstBitCast(f, LLVMPointerType(e->type[entry], 0));
	return e->fn[entry];
}

static LLVMValueRef as_pointer(struct emit *e, LLVMValueRef p)
{
	if (LLVMTypeOf(p) == e->ptr)
		return p;
	return LLVMBuildPointerCast(e->b, p, e->ptr, "");
}

LLVMAttributeRef emit_nomerge(LLVMContextRef ctx)
{
	return LLVMCreateEnumAttribute(ctx, LLVMGetEnumAttributeKindForName("nomerge", 7), 0);
}

LLVMValueRef emit_call(struct emit *e, enum entry entry, LLVMValueRef *args, unsigned n)
{
	LLVMValueRef f = entry_function(e, entry), casted[ENTRY_PARAMS], call;
	struct entry_type t;

	plan_entry(entry, &t);
	for (unsigned i = 0; i < n; i++)
		casted[i] = t.param[i] == ABI_PTR ? as_pointer(e, args[i]) : args[i];
	call = LLVMBuildCall2(e->b, e->type[entry], f, casted, n, "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, emit_nomerge(e->ctx));
	for (unsigned i = 0; i < n; i++)
		if (is_small(t.param[i])) {
			unsigned kind = LLVMGetEnumAttributeKindForName("zeroext", 7);

			LLVMAddCallSiteAttribute(
				call, i + 1, LLVMCreateEnumAttribute(e->ctx, kind, 0));
		}
	return call;
}

LLVMValueRef emit_int(struct emit *e, int value)
{
	return LLVMConstInt(e->i32, (unsigned)value, 0);
}

LLVMValueRef emit_size(struct emit *e, unsigned long long value)
{
	return LLVMConstInt(e->size, value, 0);
}

LLVMTypeRef emit_int_type(struct emit *e, unsigned long long bytes)
{
	return LLVMIntTypeInContext(e->ctx, 8 * bytes);
}

unsigned long long emit_store_size(struct emit *e, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(e->layout, type);
}

LLVMValueRef emit_alloca(struct emit *e, unsigned long long size, unsigned align)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
	LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(e->b);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(e->ctx);
	LLVMValueRef p;

	LLVMPositionBuilderBefore(
		b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here))));
	LLVMSetCurrentDebugLocation2(b, NULL);
	p = LLVMBuildAlloca(b, LLVMArrayType(e->i8, size), "heddle");
	map_add(&e->scratch, p, 0);
	LLVMSetAlignment(p, align);
	p = LLVMBuildPointerCast(b, p, e->ptr, "");
	LLVMDisposeBuilder(b);
	LLVMSetCurrentDebugLocation2(e->b, location);
	return p;
}

LLVMValueRef emit_slot(struct emit *e, unsigned long long size, unsigned align)
{
	if (align < 16)
		align = 16;
	if (e->slot && e->slot_size >= size && e->slot_align >= align)
		return e->slot;
	e->slot_size = size < 16 ? 16 : size;
	e->slot_align = align;
	e->slot = emit_alloca(e, e->slot_size, align);
	return e->slot;
}

LLVMValueRef emit_direct_load(struct emit *e, LLVMTypeRef type, LLVMValueRef p)
{
	p = LLVMBuildPointerCast(e->b, p, LLVMPointerType(type, 0), "");
	p = LLVMBuildLoad2(e->b, type, p, "");
	LLVMSetAlignment(p, 1);
	return p;
}

void emit_direct_store(struct emit *e, LLVMValueRef value, LLVMValueRef p)
{
	p = LLVMBuildPointerCast(e->b, p, LLVMPointerType(LLVMTypeOf(value), 0), "");
	LLVMSetAlignment(LLVMBuildStore(e->b, value, p), 1);
}

/* Whether a bitcast turns the type into an integer of its store size. */
static bool is_castable(struct emit *e, LLVMTypeRef type)
{
	LLVMTypeKind element;

	switch (LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMFP128TypeKind: return true;
	case LLVMVectorTypeKind:
		element = LLVMGetTypeKind(LLVMGetElementType(type));
		return element != LLVMPointerTypeKind &&
		       LLVMSizeOfTypeInBits(e->layout, type) == 8 * emit_store_size(e, type);
	default: return false;
	}
}

LLVMValueRef emit_to_bits(struct emit *e, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMTypeRef bits = emit_int_type(e, emit_store_size(e, type));
	LLVMValueRef slot;

	if (type == bits)
		return value;
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		return LLVMBuildZExt(e->b, value, bits, "");
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(e->b, value, bits, "");
	if (is_castable(e, type))
		return LLVMBuildBitCast(e->b, value, bits, "");
	slot = emit_slot(e, emit_store_size(e, type), 16);
	emit_direct_store(e, value, slot);
	return emit_direct_load(e, bits, slot);
}

LLVMValueRef emit_from_bits(struct emit *e, LLVMValueRef bits, LLVMTypeRef type)
{
	LLVMValueRef slot;

	if (type == LLVMTypeOf(bits))
		return bits;
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		return LLVMBuildTrunc(e->b, bits, type, "");
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(e->b, bits, type, "");
	if (is_castable(e, type))
		return LLVMBuildBitCast(e->b, bits, type, "");
	slot = emit_slot(e, emit_store_size(e, type), 16);
	emit_direct_store(e, bits, slot);
	return emit_direct_load(e, type, slot);
}

LLVMValueRef emit_cas(struct emit *e, LLVMValueRef p, LLVMValueRef expected, LLVMValueRef desired,
	int orders, LLVMValueRef *found)
{
	LLVMTypeRef type = LLVMTypeOf(expected);
	unsigned size = emit_store_size(e, type);
	LLVMValueRef slot = emit_slot(e, size, 16), ok;

	emit_direct_store(e, expected, slot);
	ok = EMIT(e, plan_sized(ENTRY(__heddle_cas1), size), p, slot, desired, emit_int(e, orders));
	*found = emit_direct_load(e, type, slot);
	return LLVMBuildICmp(e->b, LLVMIntNE, ok, emit_int(e, 0), "");
}

int emit_order(LLVMAtomicOrdering order)
{
	switch (order) {
	case LLVMAtomicOrderingAcquire: return __ATOMIC_ACQUIRE;
	case LLVMAtomicOrderingRelease: return __ATOMIC_RELEASE;
	case LLVMAtomicOrderingAcquireRelease: return __ATOMIC_ACQ_REL;
	case LLVMAtomicOrderingSequentiallyConsistent: return __ATOMIC_SEQ_CST;
	default: return __ATOMIC_RELAXED;
	}
}

/* Call an intrinsic by name, overloaded on `types`. */
static LLVMValueRef emit_intrinsic(struct emit *e, const char *name, LLVMTypeRef *types,
	unsigned ntypes, LLVMValueRef *args, unsigned nargs)
{
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, types, ntypes);
	LLVMTypeRef t = LLVMIntrinsicGetType(e->ctx, id, types, ntypes);

	return LLVMBuildCall2(e->b, t, f, args, nargs, "");
}

LLVMValueRef emit_return_slot(struct emit *e)
{
	/* AArch64 saves its register for the return address below local variables. */
	const char *name = strncmp(LLVMGetTarget(e->module), "x86_64", 6)
				   ? "llvm.sponentry"
				   : "llvm.addressofreturnaddress";
	bool typed = LLVMIntrinsicIsOverloaded(LLVMLookupIntrinsicID(name, strlen(name)));

	return emit_intrinsic(e, name, typed ? &e->ptr : NULL, typed, NULL, 0);
}

LLVMValueRef emit_variable(struct emit *e, const char *name)
{
	LLVMValueRef v = LLVMGetNamedGlobal(e->module, name);

	if (!v) {
		v = LLVMAddGlobal(e->module, e->i8, name);
		shim_set_local(v, !e->pic);
	}
	return LLVMConstBitCast(v, LLVMPointerType(e->i8, 0));
}
