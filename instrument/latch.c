/* SPDX-License-Identifier: ISC */
/*
 * latch.c - std::latch of libstdc++ counts down with release order, and then loads the number of
 * waiters with seq_cst order. All processors keep that order, C++'s model does not: under rc11 a
 * wake-up would be lost that cannot be. So count_down() gets seq_cst order, before it is inlined.
 */
#include "llvm_pass.h"

#include <string.h>

#define FETCH_SUB "_ZNSt13__atomic_impl9fetch_sub"

/* The call's last argument, the order. */
static bool strengthen(LLVMValueRef call)
{
	size_t n;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &n);
	unsigned last = LLVMGetNumArgOperands(call) - 1;
	LLVMValueRef order;

	if (n < strlen(FETCH_SUB) || memcmp(name, FETCH_SUB, strlen(FETCH_SUB)) != 0)
		return false;
	order = LLVMGetOperand(call, last);
	if (!LLVMIsAConstantInt(order) || LLVMConstIntGetZExtValue(order) != __ATOMIC_RELEASE)
		return false;
	LLVMSetOperand(call, last, LLVMConstInt(LLVMTypeOf(order), __ATOMIC_SEQ_CST, false));
	return true;
}

bool latch_strengthen(LLVMModuleRef module)
{
	LLVMValueRef f = LLVMGetNamedFunction(module, "_ZNSt5latch10count_downEl");
	bool any = false;

	if (!f)
		return false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			i = LLVMGetNextInstruction(i))
			any |= LLVMIsACallInst(i) && strengthen(i);
	return any;
}
