/* SPDX-License-Identifier: ISC */
/*
 * flight.c - heddle-cc --recorder: a production build whose synchronisation events are recorded.
 *
 * Nothing is rewritten but the names of calls: after each atomic or volatile access, and before
 * each fence, an event is put into the ring of the thread (runtime/flight/flight.h). Calls of
 * runtime/flight/calls.def go through functions of the recorder.
 *
 *     at = __heddle_flight_at
 *     if (at % FLIGHT_CHUNK == 0) at = __heddle_flight_chunk(at)
 *     if (the event before, at[-1], is the same) count it
 *     else __heddle_flight_at = at + 1, *at = the event
 */
#include "llvm_pass.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "flight/flight.h"

#define POSITION_NAME "__heddle_flight_at"

struct flight {
	struct emit e;
	LLVMValueRef position; /* a thread-local variable */
	LLVMTypeRef chunk_type;
	LLVMValueRef chunk; /* a function */
	LLVMTypeRef place_type;
	LLVMValueRef place; /* assembly */
	LLVMValueRef *list;
	size_t n;
};

static bool is_recorded_call(const char *name)
{
	static const char *const names[] = {
#define CALL(how, ret, name, params, args, object) #name,
#include "flight/calls.def"
#undef CALL
		"syscall",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static LLVMValueRef without_casts(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

/* Is the access an event? Volatile variables of the function are for setjmp() and debuggers. */
static bool is_event(struct flight *f, LLVMValueRef access, LLVMValueRef pointer)
{
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
		return false;
	if (LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic)
		return true;
	return LLVMGetVolatile(access) && f->e.volatile_is_atomic &&
	       !LLVMIsAAllocaInst(without_casts(pointer));
}

/* The first 8 bytes of a value; NULL: it has none that fit. */
static LLVMValueRef first_bits(struct flight *f, LLVMValueRef value)
{
	LLVMValueRef bits = shim_is_sized(LLVMTypeOf(value)) ? emit_to_bits(&f->e, value) : NULL;

	return bits ? LLVMBuildIntCast2(f->e.b, bits, f->e.i64, 0, "")
		    : LLVMConstInt(f->e.i64, 0, 0);
}

/* --- an event ------------------------------------------------------------------------------- */

static LLVMValueRef build_position(struct flight *f)
{
	LLVMValueRef at = LLVMBuildLoad2(f->e.b, f->e.ptr, f->position, "");

	LLVMSetVolatile(at, 1);
	return at;
}

/* Where the event goes. */
static LLVMValueRef build_place_in_ring(struct flight *f, LLVMValueRef before)
{
	LLVMBuilderRef b = f->e.b;
	LLVMValueRef at[2] = {build_position(f)}, low, full, phi;
	LLVMBasicBlockRef from[2];

	low = LLVMBuildAnd(b, LLVMBuildPtrToInt(b, at[0], f->e.i64, ""),
		LLVMConstInt(f->e.i64, FLIGHT_CHUNK - 1, 0), "");
	full = LLVMBuildICmp(b, LLVMIntEQ, low, LLVMConstInt(f->e.i64, 0, 0), "");
	from[0] = emit_if(&f->e, full, before);
	at[1] = LLVMBuildCall2(b, f->chunk_type, f->chunk, at, 1, "");
	LLVMSetInstDebugLocation(b, at[1]);
	from[1] = emit_end_if(&f->e, before);
	phi = LLVMBuildPhi(b, f->e.ptr, "");
	LLVMAddIncoming(phi, at, from, 2);
	return phi;
}

/* A part of the event that is `events' after `at'. */
static LLVMValueRef build_part(struct flight *f, LLVMValueRef at, int events, size_t offset)
{
	long long bytes = events * (long long)sizeof(struct flight_event) + (long long)offset;
	LLVMValueRef by = LLVMConstInt(f->e.i64, (unsigned long long)bytes, 1);

	return LLVMBuildGEP2(f->e.b, f->e.i8, at, &by, 1, "");
}

#define PART(at, events, member) build_part(f, at, events, offsetof(struct flight_event, member))

struct event {
	LLVMValueRef place, object, value; /* i64 */
};

/* Whether a part of the event before is this one. */
static LLVMValueRef build_same(
	struct flight *f, LLVMValueRef at, size_t offset, LLVMValueRef value, unsigned bits)
{
	LLVMBuilderRef b = f->e.b;
	LLVMValueRef was = emit_direct_load(&f->e, f->e.i64, build_part(f, at, -1, offset));
	LLVMValueRef differs = LLVMBuildShl(
		b, LLVMBuildXor(b, was, value, ""), LLVMConstInt(f->e.i64, 64 - bits, 0), "");

	return LLVMBuildICmp(b, LLVMIntEQ, differs, LLVMConstInt(f->e.i64, 0, 0), "");
}

/* In the upper bits of the object, up to their greatest number. */
static void count_repeat(struct flight *f, LLVMValueRef at)
{
	LLVMBuilderRef b = f->e.b;
	LLVMTypeRef i16 = LLVMInt16TypeInContext(f->e.ctx);
	LLVMValueRef p = build_part(f, at, -1, offsetof(struct flight_event, object) + 6), n, more;

	n = emit_direct_load(&f->e, i16, p);
	more = LLVMBuildICmp(b, LLVMIntNE, n, LLVMConstInt(i16, 0xffff, 0), "");
	emit_direct_store(&f->e, LLVMBuildAdd(b, n, LLVMBuildZExt(b, more, i16, ""), ""), p);
}

static void store_event(struct flight *f, LLVMValueRef at, const struct event *v)
{
	LLVMSetVolatile(LLVMBuildStore(f->e.b, build_part(f, at, 1, 0), f->position), 1);
	emit_direct_store(&f->e, v->object, PART(at, 0, object));
	emit_direct_store(&f->e, v->value, PART(at, 0, value));
	emit_direct_store(&f->e, v->place, PART(at, 0, place));
}

static void build_branch(
	struct flight *f, LLVMValueRef condition, LLVMBasicBlockRef rare, LLVMBasicBlockRef often)
{
	LLVMMetadataRef weights[] = {
		LLVMMDStringInContext2(f->e.ctx, "branch_weights", strlen("branch_weights")),
		LLVMValueAsMetadata(LLVMConstInt(f->e.i32, 1, 0)),
		LLVMValueAsMetadata(LLVMConstInt(f->e.i32, 64, 0))};
	LLVMValueRef branch = LLVMBuildCondBr(f->e.b, condition, rare, often);

	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(f->e.ctx, "prof", 4),
		LLVMMetadataAsValue(f->e.ctx, LLVMMDNodeInContext2(f->e.ctx, weights, 3)));
}

/* Unless it is the event before: one that waits in a loop does not fill the ring. */
static void store_or_count(
	struct flight *f, LLVMValueRef at, const struct event *v, LLVMValueRef before)
{
	LLVMBuilderRef b = f->e.b;
	LLVMBasicBlockRef head = LLVMGetInsertBlock(b), tail = shim_split_before(before), next[3];
	LLVMValueRef same;

	for (int i = 0; i < 3; i++)
		next[i] = LLVMInsertBasicBlockInContext(f->e.ctx, tail, "");
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
	LLVMPositionBuilderAtEnd(b, head);
	same = build_same(f, at, offsetof(struct flight_event, value), v->value, 64);
	build_branch(f, same, next[1], next[0]);
	LLVMPositionBuilderAtEnd(b, next[0]);
	store_event(f, at, v);
	LLVMBuildBr(b, tail);
	LLVMPositionBuilderAtEnd(b, next[1]);
	same = build_same(
		f, at, offsetof(struct flight_event, object), v->object, FLIGHT_ADDRESS_BITS);
	same = LLVMBuildAnd(b, same,
		build_same(f, at, offsetof(struct flight_event, place), v->place, 64), "");
	build_branch(f, same, next[2], next[0]);
	LLVMPositionBuilderAtEnd(b, next[2]);
	count_repeat(f, at);
	LLVMBuildBr(b, tail);
}

/* Two places that the compiler makes one have no line. */
static void keep_apart(struct flight *f, LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("nomerge", strlen("nomerge"));

	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(f->e.ctx, kind, 0));
}

static void announce(struct flight *f, enum flight_kind kind, LLVMValueRef before,
	LLVMValueRef pointer, LLVMValueRef value)
{
	LLVMBuilderRef b = f->e.b;
	LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(b);
	LLVMValueRef at = build_place_in_ring(f, before);
	struct event v = {.value = value};

	LLVMSetCurrentDebugLocation2(b, line);
	v.place = LLVMBuildCall2(b, f->place_type, f->place, NULL, 0, "");
	LLVMSetInstDebugLocation(b, v.place);
	keep_apart(f, v.place);
	v.place = LLVMBuildOr(b, v.place,
		LLVMConstInt(f->e.i64, (unsigned long long)kind << FLIGHT_ADDRESS_BITS, 0), "");
	v.object = pointer ? LLVMBuildPtrToInt(b, pointer, f->e.i64, "")
			   : LLVMConstInt(f->e.i64, 0, 0);
	if (kind == FLIGHT_STORE || kind == FLIGHT_FENCE)
		store_event(f, at, &v);
	else
		store_or_count(f, at, &v, before);
}

/* --- the program ----------------------------------------------------------------------------- */

/* After the access: its value is that of the instruction, or what it has stored. */
static void announce_access(struct flight *f, enum flight_kind kind, LLVMValueRef access,
	LLVMValueRef pointer, LLVMValueRef value)
{
	LLVMValueRef before = shim_after(access);

	emit_before(&f->e, before);
	LLVMSetCurrentDebugLocation2(f->e.b, LLVMInstructionGetDebugLoc(access));
	if (kind == FLIGHT_CAS)
		value = LLVMBuildExtractValue(f->e.b, value, 0, "");
	announce(f, kind, before, pointer, first_bits(f, value));
}

static void redirect_call(struct flight *f, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call), to;
	size_t length;
	const char *name;
	char wrapped[64];

	if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return;
	name = LLVMGetValueName2(callee, &length);
	if (!is_recorded_call(name))
		return;
	snprintf(wrapped, sizeof(wrapped), "__heddle_flight_%s", name);
	to = LLVMGetNamedFunction(f->e.module, wrapped);
	if (!to)
		to = LLVMAddFunction(f->e.module, wrapped, LLVMGlobalGetValueType(callee));
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, to);
	keep_apart(f, call);
	if (!shim_call_is_musttail(call))
		LLVMSetTailCall(call, 0); /* the place is its return address */
}

static void record_instruction(struct flight *f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		if (is_event(f, i, LLVMGetOperand(i, 0)))
			announce_access(f, FLIGHT_LOAD, i, LLVMGetOperand(i, 0), i);
		break;
	case LLVMStore:
		if (is_event(f, i, LLVMGetOperand(i, 1)))
			announce_access(
				f, FLIGHT_STORE, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
		break;
	case LLVMAtomicRMW: announce_access(f, FLIGHT_RMW, i, LLVMGetOperand(i, 0), i); break;
	case LLVMAtomicCmpXchg: announce_access(f, FLIGHT_CAS, i, LLVMGetOperand(i, 0), i); break;
	case LLVMFence:
		if (shim_fence_is_signal(i))
			break;
		emit_before(&f->e, i);
		announce(f, FLIGHT_FENCE, i, NULL, LLVMConstInt(f->e.i64, 0, 0));
		break;
	case LLVMCall:
	case LLVMInvoke: redirect_call(f, i); break;
	default: break;
	}
}

/* A list first: blocks are split. */
static void record_function(struct flight *f, LLVMValueRef function)
{
	f->n = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			i = LLVMGetNextInstruction(i)) {
			if (f->n % 1024 == 0)
				f->list = realloc(f->list, (f->n + 1024) * sizeof(f->list[0]));
			if (!f->list)
				abort();
			f->list[f->n++] = i;
		}
	emit_function(&f->e, function);
	for (size_t i = 0; i < f->n; i++)
		record_instruction(f, f->list[i]);
}

static void declare_recorder(struct flight *f)
{
	static const char constraint[] = "=r";
	LLVMTypeRef params[1] = {f->e.ptr};
	unsigned cold = LLVMGetEnumAttributeKindForName("cold", 4);

	f->position = LLVMAddGlobal(f->e.module, f->e.ptr, POSITION_NAME);
	LLVMSetThreadLocalMode(f->position, LLVMInitialExecTLSModel);
	f->chunk_type = LLVMFunctionType(f->e.ptr, params, 1, 0);
	f->chunk = LLVMAddFunction(f->e.module, "__heddle_flight_chunk", f->chunk_type);
	LLVMAddAttributeAtIndex(f->chunk, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(f->e.ctx, cold, 0));
	f->place_type = LLVMFunctionType(f->e.i64, NULL, 0, 0);
	f->place = LLVMGetInlineAsm(f->place_type, (char *)ARCH_HERE, strlen(ARCH_HERE),
		(char *)constraint, strlen(constraint), 1, 0, LLVMInlineAsmDialectATT, 0);
}

bool flight_record(LLVMModuleRef module)
{
	struct flight f = {.list = NULL};

	if (LLVMGetNamedGlobal(module, POSITION_NAME))
		return false; /* the pass has run before */
	emit_init(&f.e, module);
	declare_recorder(&f);
	for (LLVMValueRef g = LLVMGetFirstFunction(module); g; g = LLVMGetNextFunction(g))
		if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage &&
			!pass_is_ignored(g))
			record_function(&f, g);
	free(f.list);
	emit_release(&f.e);
	return true;
}
