/* SPDX-License-Identifier: ISC */
/*
 * emit.h - inserting calls of the runtime: declarations, conversions to and from bits, scratch
 * space.
 */
#ifndef INSTRUMENT_EMIT_H
#define INSTRUMENT_EMIT_H

#include "map.h"
#include "plan.h"
#include "shim.h"

struct emit {
	LLVMModuleRef module;
	LLVMContextRef ctx;
	LLVMBuilderRef b;
	LLVMTargetDataRef layout;
	LLVMTypeRef ptr; /* i8 *, or ptr where pointers have no type */
	LLVMTypeRef i1, i8, i32, i64, size;
	LLVMTypeRef type[ENTRY_COUNT];
	LLVMValueRef fn[ENTRY_COUNT]; /* NULL until first used */
	bool pic;		      /* the module may become part of a shared library */
	bool volatile_is_atomic;
	/* the function that is being rewritten */
	LLVMValueRef function;
	LLVMValueRef slot; /* private scratch space in its frame; NULL until first used */
	unsigned long long slot_size;
	unsigned slot_align;
	struct map scratch; /* all such allocas of the function */
};

void emit_init(struct emit *e, LLVMModuleRef module);
void emit_release(struct emit *e);
void emit_function(struct emit *e, LLVMValueRef function);

/* Insert from now on before `instruction`, with its debug location. */
void emit_before(struct emit *e, LLVMValueRef instruction);

/* Split the block before an instruction, where the builder is: code inserted next runs only if the
 * condition holds. Returns the first half. / Go on before that instruction; returns the block
 * with that code. */
LLVMBasicBlockRef emit_if(struct emit *e, LLVMValueRef condition, LLVMValueRef before);
LLVMBasicBlockRef emit_end_if(struct emit *e, LLVMValueRef before);

/* The attribute of a call that is not made one with an equal call of a sibling branch. */
LLVMAttributeRef emit_nomerge(LLVMContextRef ctx);

/* Call an entry point. Pointers are cast, integers have the types of abi.def. */
LLVMValueRef emit_call(struct emit *e, enum entry entry, LLVMValueRef *args, unsigned n);
#define EMIT(e, entry, ...) \
	emit_call(e, entry, (LLVMValueRef[]){__VA_ARGS__}, \
		sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))

LLVMValueRef emit_int(struct emit *e, int value);		  /* an int */
LLVMValueRef emit_size(struct emit *e, unsigned long long value); /* a size_t */
LLVMTypeRef emit_int_type(struct emit *e, unsigned long long bytes);

unsigned long long emit_store_size(struct emit *e, LLVMTypeRef type);

/* Private memory in the function's frame for the use of one inserted sequence. */
LLVMValueRef emit_slot(struct emit *e, unsigned long long size, unsigned align);
/* Private memory for the whole function. */
LLVMValueRef emit_alloca(struct emit *e, unsigned long long size, unsigned align);

/* Direct accesses, through a pointer of any type. */
LLVMValueRef emit_direct_load(struct emit *e, LLVMTypeRef type, LLVMValueRef p);
void emit_direct_store(struct emit *e, LLVMValueRef value, LLVMValueRef p);

/* A value as an unsigned integer of its store size in bytes, and back. */
LLVMValueRef emit_to_bits(struct emit *e, LLVMValueRef value);
LLVMValueRef emit_from_bits(struct emit *e, LLVMValueRef bits, LLVMTypeRef type);

/* Compare and exchange on integers; *found is the value that was in memory. Returns an i1. */
LLVMValueRef emit_cas(struct emit *e, LLVMValueRef p, LLVMValueRef expected, LLVMValueRef desired,
	int orders, LLVMValueRef *found);

/*
 * An address between the function's variables and its caller's: that of the return address, or,
 * where the return address is in a register, the stack pointer at the function's entry.
 */
LLVMValueRef emit_return_slot(struct emit *e);

/* The address of a variable of the runtime, of one byte. */
LLVMValueRef emit_variable(struct emit *e, const char *name);

/* A C11 memory order from LLVM's. */
int emit_order(LLVMAtomicOrdering order);

#endif
