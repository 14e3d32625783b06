/* SPDX-License-Identifier: ISC */
/*
 * entry.S - entry stubs of the program's loads, RMWs, CASes and attempts to take a lock.
 *
 * Natively they jump to native.c, or to native_*() beside the interceptor. While exploring the
 * callee-saved registers are pushed first and machine_frame points at them: they, the stack above
 * and memory are all that is live across the call, which is what the spin detector compares
 * (spin.h). A store that was announced before (machine/execution/tsan_store.h) is performed first.
 */
	.text

	/* machine_settle() between the call of an entry stub and its work: keeps all arguments. */
	.type	entry_settle, @function
	.balign	16
entry_settle:
	.cfi_startproc
	.irp	register, rdi, rsi, rdx, rcx, r8, r9
	pushq	%\register
	.cfi_adjust_cfa_offset 8
	.endr
	call	machine_settle
	.irp	register, r9, r8, rcx, rdx, rsi, rdi
	popq	%\register
	.cfi_adjust_cfa_offset -8
	.endr
	ret
	.cfi_endproc
	.size	entry_settle, . - entry_settle

	.macro	BODY symbol, name
	.type	\symbol, @function
	.balign	16
\symbol:
	.cfi_startproc
	endbr64
	ENTRANCE	native_\name, 1
	FORWARD	explore_\name
	.cfi_endproc
	.size	\symbol, . - \symbol
	.endm

	/* Natively a jump to `native`; `settle`: announced accesses are performed first. */
	.macro	ENTRANCE native, settle
	cmpb	$1, machine_exploring(%rip)
	je	1f
	jb	\native
	.if	\settle
	call	entry_settle
	.endif
1:
	.endm

	.macro	FORWARD function
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r14, 0
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r13, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	movq	%rsp, machine_frame(%rip)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	\function
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.endm

	/*
	 * A plain load that the thread has made before, in its present epoch: private_again()
	 * (machine/access/again.h), where private_quick. Keeps the arguments; goes back to 9 if it is none.
	 */
	.macro	AGAIN size
	movl	%edi, %ecx
	andl	$7, %ecx
	cmpl	$(8 - \size), %ecx
	ja	9b
	movq	%rdi, %rax
	shrq	$24, %rax
	andl	$0x7fffff, %eax
	movabsq	$0x310000000000, %r8 /* GRANULE_DIRECTORY */
	movq	(%r8,%rax,8), %rax
	movl	%edi, %r10d
	andl	$0xfffff8, %r10d
	leaq	(%rax,%r10,2), %rax
	movabsq	$0x320000000000, %r8 /* GRANULE_WORDS */
	addq	%r8, %rax
	movq	M(%rip), %r9
	movq	(%r9), %r9 /* the epoch */
	movl	$((1 << \size) - 1), %r10d
	shll	%cl, %r10d
	orq	$-256, %r10
	movq	(%rax), %r8
	xorq	%r9, %r8
	testq	%r10, %r8
	je	8f
	movq	8(%rax), %r8
	xorq	%r9, %r8
	testq	%r10, %r8
	jne	9b
8:
	decl	private_left(%rip)
	js	9b
	.if	\size == 1
	movzbl	(%rdi), %eax
	.elseif	\size == 2
	movzwl	(%rdi), %eax
	.elseif	\size == 4
	movl	(%rdi), %eax
	.else
	movq	(%rdi), %rax
	.endif
	ret
	.endm

	.macro	PLAIN name, size
	.globl	__heddle_\name
	.type	__heddle_\name, @function
	.balign	16
__heddle_\name:
	.cfi_startproc
	endbr64
	ENTRANCE	native_\name, 1
	cmpb	$0, private_quick(%rip)
	jne	7f
9:
	.cfi_remember_state
	FORWARD	explore_\name
	.cfi_restore_state
7:
	AGAIN	\size
	.cfi_endproc
	.size	__heddle_\name, . - __heddle_\name
	.endm

	/*
	 * The calls of -fsanitize=thread, of gcc and clang (tsan.c). Atomics have a different order
	 * of arguments, or an additional one.
	 */
	.macro	GLOBAL symbol
	.globl	\symbol
	.type	\symbol, @function
	.balign	16
\symbol:
	.cfi_startproc
	endbr64
	.endm

	/* (p, operand, order): the operation goes before the order. Of 16 bytes the operand is two words. */
	.macro	UPDATE bits, size, name, op
	GLOBAL	__tsan_atomic\bits\()_\name
	.if	\size == 16
	movl	%ecx, %r8d
	andl	$7, %r8d
	movl	$\op, %ecx
	.else
	movl	%edx, %ecx
	andl	$7, %ecx
	movl	$\op, %edx
	.endif
	ENTRANCE	native_rmw\size, 1
	FORWARD	explore_rmw\size
	.cfi_endproc
	.size	__tsan_atomic\bits\()_\name, . - __tsan_atomic\bits\()_\name
	.endm

	/* (p, &expected, desired, order, failure's order): one word for both orders */
	.macro	EXCHANGE bits, size, name, weak
	GLOBAL	__tsan_atomic\bits\()_compare_exchange_\name
	.if	\size == 16
	andl	$7, %r8d
	andl	$7, %r9d
	shll	$8, %r9d
	leal	\weak(%r8, %r9), %r8d
	.else
	andl	$7, %ecx
	andl	$7, %r8d
	shll	$8, %r8d
	leal	\weak(%rcx, %r8), %ecx
	.endif
	ENTRANCE	native_cas\size, 1
	FORWARD	explore_cas\size
	.cfi_endproc
	.size	__tsan_atomic\bits\()_compare_exchange_\name, . - __tsan_atomic\bits\()_compare_exchange_\name
	.endm

	.macro	LOADING bits, size
	GLOBAL	__tsan_atomic\bits\()_load
	andl	$7, %esi
	ENTRANCE	native_load\size, 1
	FORWARD	explore_load\size
	.cfi_endproc
	.size	__tsan_atomic\bits\()_load, . - __tsan_atomic\bits\()_load
	.endm

	/*
	 * Inline assembly of gcc (heddle/asm_call.h, assembly.c): all registers are kept, as any of them may be
	 * live, and are part of what is compared (spin.h). Vector registers matter only in
	 * functions that use them.
	 */
	.globl	__heddle_asm
	.type	__heddle_asm, @function
	.balign	16
__heddle_asm:
	.cfi_startproc
	endbr64
	leaq	-56(%rsp), %rsp /* the request is above */
	.cfi_def_cfa_offset 64
	pushfq
	.irp	register, rax, rcx, rdx, rbx, rsi, rdi, r8, r9, r10, r11
	pushq	%\register
	.endr
	.cfi_def_cfa_offset 152
	.cfi_offset %rbx, -104
	movq	%rsp, %rbx
	.cfi_def_cfa_register %rbx
	cld
	cmpl	$0, 112(%rbx) /* HEDDLE_ASM_VECTORS */
	jns	1f
	subq	$256, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	%xmm\n, 16*\n(%rsp)
	.endr
1:
	pushq	144(%rbx)
	pushq	%rbp
	pushq	48(%rbx)
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	movq	%rsp, machine_frame(%rip)
	andq	$-64, %rsp
	cmpl	$0, 112(%rbx)
	jns	2f
	subq	$2752, %rsp
	xorl	%eax, %eax
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movq	%rax, 512+8*\n(%rsp)
	.endr
	movl	$0xe7, %eax
	xorl	%edx, %edx
	xsave	(%rsp)
2:
	movq	%rbx, %rdi
	call	assembly_call
	cmpl	$0, 112(%rbx)
	jns	3f
	movl	$0xe7, %eax
	xorl	%edx, %edx
	xrstor	(%rsp)
3:
	movq	%rbx, %rsp
	.cfi_def_cfa_register %rsp
	.irp	register, r11, r10, r9, r8, rdi, rsi, rbx, rdx, rcx, rax
	popq	%\register
	.endr
	.cfi_def_cfa_offset 72
	.cfi_restore %rbx
	popfq
	leaq	56(%rsp), %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	__heddle_asm, . - __heddle_asm

	/* gcc's code calls the function in r11 next: all arguments are kept. */
	.globl	__heddle_called
	.type	__heddle_called, @function
	.balign	16
__heddle_called:
	.cfi_startproc
	endbr64
	cmpb	$0, machine_exploring(%rip)
	jne	1f
	ret
1:
	.irp	register, rdi, rsi, rdx, rcx, r8, r9, rax, r10, r11
	pushq	%\register
	.cfi_adjust_cfa_offset 8
	.endr
	subq	$128, %rsp
	.cfi_adjust_cfa_offset 128
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	%xmm\n, 16*\n(%rsp)
	.endr
	movq	%r11, %rdi
	call	explore_called
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	16*\n(%rsp), %xmm\n
	.endr
	addq	$128, %rsp
	.cfi_adjust_cfa_offset -128
	.irp	register, r11, r10, rax, r9, r8, rcx, rdx, rsi, rdi
	popq	%\register
	.cfi_adjust_cfa_offset -8
	.endr
	ret
	.cfi_endproc
	.size	__heddle_called, . - __heddle_called

#include "arch/entry.def"
	.section .note.GNU-stack, "", @progbits
