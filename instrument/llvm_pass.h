/* SPDX-License-Identifier: ISC */
/*
 * llvm_pass.h - shared by the files of the pass.
 */
#ifndef INSTRUMENT_LLVM_PASS_H
#define INSTRUMENT_LLVM_PASS_H

#include "emit.h"
#include "map.h"
#include "private.h"

struct pass {
	struct emit e;
	struct private *private; /* of the function that is being rewritten */
	bool frame_dies;   /* stores to the function's frame may be in a buffer: announce its end */
	struct map warned; /* places */
	bool deps;	   /* track dependencies */
};

/* Whether no other thread can see the target of the pointer. */
bool pass_is_private(struct pass *p, LLVMValueRef pointer);

/* Is the function not instrumented, by request or by necessity? */
bool pass_is_ignored(LLVMValueRef function);

/* --- flight.c -------------------------------------------------------------------------------- */

/* Announce events to the flight recorder, and do nothing else. True: the module has changed. */
bool flight_record(LLVMModuleRef module);

/* --- latch.c --------------------------------------------------------------------------------- */

/* Give std::latch::count_down() seq_cst order. True: the module has changed. */
bool latch_strengthen(LLVMModuleRef module);

/* --- primitive.c ----------------------------------------------------------------------------- */

/* At the start of the pipeline: mark functions that stand for one access to be inlined. */
bool primitive_inline(LLVMModuleRef module);

/* An operation at this place accesses memory in an unknown way: warn, and announce it at run
 * time. */
void pass_opaque(
	struct pass *p, LLVMValueRef at, bool orders, const char *format, const char *what);

/* access.c: loads, stores, atomic operations. Each may replace and erase the instruction. */
void access_load_insn(struct pass *p, LLVMValueRef load);
void access_store_insn(struct pass *p, LLVMValueRef store);
void access_rmw_insn(struct pass *p, LLVMValueRef rmw);
void access_cas_insn(struct pass *p, LLVMValueRef cas);
void access_fence_insn(struct pass *p, LLVMValueRef fence);

/* Emit a plain load or store of any type, through a pointer that is not private. */
LLVMValueRef access_plain_load(struct pass *p, LLVMTypeRef type, LLVMValueRef pointer);
void access_plain_store(struct pass *p, LLVMValueRef value, LLVMValueRef pointer);

/* calls.c: calls of functions, intrinsics and inline assembly. */
void calls_call_insn(struct pass *p, LLVMValueRef call);

/* loop.c: the heads of loops that may wait. Before anything in the function is rewritten. */
void loop_heads(struct pass *p, LLVMValueRef function);

/* variable.c: local variables without a value. After loop_heads(). */
void variables_announce(struct pass *p);

/* masked.c: vector accesses with a mask. Returns false if the call is not one, or not
 * understood. */
bool masked_call_insn(struct pass *p, LLVMValueRef call, const char *name);

/* asm_site.c: replace the call by events if its assembly is understood. */
void asm_call_insn(struct pass *p, LLVMValueRef call);

#endif
