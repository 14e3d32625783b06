/* SPDX-License-Identifier: ISC */
/*
 * asm_x86.c - inline assembly: fences for now.
 */
#include "llvm_pass.h"

#include <string.h>

void asm_call_insn(struct pass *p, LLVMValueRef call)
{
	size_t n;
	const char *text = shim_asm_text(LLVMGetCalledValue(call), &n);

	if (!n)
		return;
	if (n == 6 && !memcmp(text, "mfence", 6)) {
		emit_before(&p->e, call);
		EMIT(&p->e, ENTRY(__heddle_fence), emit_int(&p->e, __ATOMIC_SEQ_CST));
		LLVMInstructionEraseFromParent(call);
		return;
	}
	pass_opaque(p, call, "heddle: inline assembly not understood: %s", text);
}
