/* SPDX-License-Identifier: ISC */
/*
 * shim.h - functions that the LLVM-C API lacks in some version since 14; see llvm_plugin.cc.
 */
#ifndef INSTRUMENT_SHIM_H
#define INSTRUMENT_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fence's order; whether a fence is for signal handlers of its own thread only. */
LLVMAtomicOrdering shim_fence_order(LLVMValueRef fence);
bool shim_fence_is_signal(LLVMValueRef fence);

/* The operation of an atomicrmw as an enum heddle_rmw, -1 if there is none for it. */
int shim_rmw(LLVMValueRef rmw);

/* Inline assembly. The texts live as long as the module. */
const char *shim_asm_text(LLVMValueRef inline_asm, size_t *length);
const char *shim_asm_constraints(LLVMValueRef inline_asm, size_t *length);
bool shim_asm_is_intel(LLVMValueRef inline_asm);

/* The type that memory operand i of a call of inline assembly has, NULL if it is not known. */
LLVMTypeRef shim_asm_element_type(LLVMValueRef call, unsigned i);

/* Whether a call can neither read nor write memory, as far as its attributes say. */
bool shim_call_has_no_memory(LLVMValueRef call);
bool shim_call_returns_twice(LLVMValueRef call);
bool shim_call_is_musttail(LLVMValueRef call);

/* Size and alignment of argument i in memory, if it is passed there by value. */
bool shim_call_byval(LLVMValueRef call, unsigned i, unsigned long long *size, unsigned *align);
bool shim_param_is_byval(LLVMValueRef param);
unsigned long long shim_param_size(LLVMValueRef param);

/* Whether code may assume that the function or variable is in the executable itself; if not, its
 * address comes from the GOT: the real one, not that of a stub in the executable. */
void shim_set_local(LLVMValueRef global, bool local);

/* Whether values of the type have a size that is known now. */
bool shim_is_sized(LLVMTypeRef type);

/* Cut the instruction's block before it; the first half ends in a branch to the second. */
LLVMBasicBlockRef shim_split_before(LLVMValueRef instruction);

/* The place for code that uses the instruction's value: that code is inserted before it. */
LLVMValueRef shim_after(LLVMValueRef instruction);

/* Whether two instructions are equal except for their operands. */
bool shim_same_operation(LLVMValueRef a, LLVMValueRef b);

/* Whether it only computes: no memory access, no side effect. */
bool shim_only_computes(LLVMValueRef instruction);

/* asm goto: the number of its labels (0: none); false if its results are used where it jumps to, or
 * it is an invoke. */
unsigned shim_goto_labels(LLVMValueRef call);
bool shim_goto_is_simple(LLVMValueRef call);
/* Cut the block before it: the first half goes to label number n if the condition holds. */
void shim_goto(LLVMValueRef call, LLVMValueRef condition, unsigned n);
/* Replace it by a branch to the code that follows. */
void shim_goto_end(LLVMValueRef call);

/* Whether the instruction has been executed whenever control comes to the other one. */
bool shim_dominates(LLVMValueRef instruction, LLVMValueRef other);

/* Local variables in memory as values, where they can be: nothing but loads and stores of the
 * whole. */
bool shim_is_promotable(LLVMValueRef variable);
void shim_promote(LLVMValueRef *variable, unsigned n);

/* Each natural loop of the function: its blocks, the head first. An outer loop comes before those
 * in it. */
void shim_loops(LLVMValueRef function,
	void (*each)(void *context, LLVMBasicBlockRef *block, unsigned n), void *context);

/* A number for the place in the source, the same for every copy; 0 if unknown. */
unsigned long long shim_source(LLVMValueRef instruction);

/* Keep these variables of the module in the object as they are, although nothing may use them. */
void shim_keep(LLVMModuleRef module, const LLVMValueRef *variables, unsigned n);

/* Put this number right before the function's code, where the runtime recognises it. */
void shim_mark_function(LLVMValueRef function, unsigned long long mark);

/* A warning in the compiler's own form, at the place of the instruction. */
void shim_warn(LLVMValueRef instruction, const char *text);

/* llvm_pass.c: run by the plugin. */
bool pass_run(LLVMModuleRef module);
/* The same, at the start of the pipeline: keep functions that are to be ignored apart. */
bool pass_prepare(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
