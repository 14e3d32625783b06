/* SPDX-License-Identifier: ISC */
/*
 * entry.S - entry stubs of the program's loads, RMWs, CASes and attempts to take a lock.
 *
 * Natively they jump to native.c, or to native_*() beside the interceptor. While exploring the
 * callee-saved registers are stored first and machine_frame points at them: they, the stack above
 * and memory are all that is live across the call, which is what the spin detector compares
 * (spin.h). A store that was announced before (machine/execution/tsan_store.h) is performed first.
 */
	.text

	/* machine_settle() between the call of an entry stub and its work: keeps all arguments. */
	.type	entry_settle, %function
	.balign	16
entry_settle:
	.cfi_startproc
	stp	x29, x30, [sp, #-80]!
	.cfi_def_cfa_offset 80
	.cfi_offset x29, -80
	.cfi_offset x30, -72
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	bl	machine_settle
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x29, x30, [sp], #80
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	entry_settle, . - entry_settle

	.macro	GLOBAL symbol
	.globl	\symbol
	BEGIN	\symbol
	.endm

	.macro	BEGIN symbol
	.type	\symbol, %function
	.balign	16
\symbol:
	.cfi_startproc
	hint	#34 /* bti c */
	.endm

	/* Natively a jump to `native`; `settle`: announced accesses are performed first. */
	.macro	ENTRANCE native, settle
	adrp	x16, machine_exploring
	ldrb	w16, [x16, :lo12:machine_exploring]
	cmp	w16, #1
	b.eq	1f
	b.hi	2f
	b	\native
2:
	.if	\settle
	str	x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 0
	bl	entry_settle
	ldr	x30, [sp], #16
	.cfi_restore x30
	.cfi_adjust_cfa_offset -16
	.endif
1:
	.endm

	/* struct entry_frame (spin.h) */
	.macro	FORWARD function
	sub	sp, sp, #160
	.cfi_adjust_cfa_offset 160
	stp	d8, d9, [sp]
	stp	d10, d11, [sp, #16]
	stp	d12, d13, [sp, #32]
	stp	d14, d15, [sp, #48]
	stp	x19, x20, [sp, #64]
	stp	x21, x22, [sp, #80]
	stp	x23, x24, [sp, #96]
	stp	x25, x26, [sp, #112]
	stp	x27, x28, [sp, #128]
	stp	x29, x30, [sp, #144]
	.cfi_rel_offset x29, 144
	.cfi_rel_offset x30, 152
	adrp	x16, machine_frame
	mov	x17, sp
	str	x17, [x16, :lo12:machine_frame]
	bl	\function
	ldr	x30, [sp, #152]
	.cfi_restore x29
	.cfi_restore x30
	add	sp, sp, #160
	.cfi_adjust_cfa_offset -160
	ret
	.endm

	.macro	BODY symbol, name
	BEGIN	\symbol
	ENTRANCE	native_\name, 1
	FORWARD	explore_\name
	.cfi_endproc
	.size	\symbol, . - \symbol
	.endm

	/*
	 * A plain load that the thread has made before, in its present epoch: private_again()
	 * (machine/access/again.h), where private_quick. Keeps the arguments; goes back to 9 if it is none.
	 */
	.macro	AGAIN size
	and	w9, w0, #7
	cmp	w9, #(8 - \size)
	b.hi	9b
	ubfx	x10, x0, #24, #24
	mov	x11, #0x310000000000 /* GRANULE_DIRECTORY */
	ldr	x10, [x11, x10, lsl #3]
	and	w11, w0, #0xfffff8
	add	x10, x10, x11, lsl #1
	mov	x11, #0x320000000000 /* GRANULE_WORDS */
	add	x10, x10, x11
	adrp	x12, M
	ldr	x12, [x12, :lo12:M]
	ldr	x12, [x12] /* the epoch */
	mov	w11, #((1 << \size) - 1)
	lsl	w11, w11, w9
	orr	x11, x11, #-256
	ldr	x13, [x10]
	eor	x13, x13, x12
	tst	x13, x11
	b.eq	8f
	ldr	x13, [x10, #8]
	eor	x13, x13, x12
	tst	x13, x11
	b.ne	9b
8:
	adrp	x13, private_left
	ldr	w11, [x13, :lo12:private_left]
	subs	w11, w11, #1
	str	w11, [x13, :lo12:private_left]
	b.mi	9b
	.if	\size == 1
	ldrb	w0, [x0]
	.elseif	\size == 2
	ldrh	w0, [x0]
	.elseif	\size == 4
	ldr	w0, [x0]
	.else
	ldr	x0, [x0]
	.endif
	ret
	.endm

	.macro	PLAIN name, size
	GLOBAL	__heddle_\name
	ENTRANCE	native_\name, 1
	adrp	x16, private_quick
	ldrb	w16, [x16, :lo12:private_quick]
	cbnz	w16, 7f
9:
	FORWARD	explore_\name
7:
	AGAIN	\size
	.cfi_endproc
	.size	__heddle_\name, . - __heddle_\name
	.endm

	.macro	LOADING bits, size
	GLOBAL	__tsan_atomic\bits\()_load
	and	w1, w1, #7
	ENTRANCE	native_load\size, 1
	FORWARD	explore_load\size
	.cfi_endproc
	.size	__tsan_atomic\bits\()_load, . - __tsan_atomic\bits\()_load
	.endm

	/* (p, operand, order): the operation goes before the order. Of 16 bytes the operand is two words. */
	.macro	UPDATE bits, size, name, op
	GLOBAL	__tsan_atomic\bits\()_\name
	.if	\size == 16
	and	w5, w4, #7
	mov	w4, #\op
	.else
	and	w3, w2, #7
	mov	w2, #\op
	.endif
	ENTRANCE	native_rmw\size, 1
	FORWARD	explore_rmw\size
	.cfi_endproc
	.size	__tsan_atomic\bits\()_\name, . - __tsan_atomic\bits\()_\name
	.endm

	/* (p, &expected, desired, order, failure's order): one word for both orders */
	.macro	EXCHANGE bits, size, name, weak
	GLOBAL	__tsan_atomic\bits\()_compare_exchange_\name
	mov	w16, #\weak
	.if	\size == 16
	bfi	w16, w5, #8, #3
	bfi	w16, w4, #0, #3
	mov	w4, w16
	.else
	bfi	w16, w4, #8, #3
	bfi	w16, w3, #0, #3
	mov	w3, w16
	.endif
	ENTRANCE	native_cas\size, 1
	FORWARD	explore_cas\size
	.cfi_endproc
	.size	__tsan_atomic\bits\()_compare_exchange_\name, . - __tsan_atomic\bits\()_compare_exchange_\name
	.endm

#include "arch/entry.def"
	.section .note.GNU-stack, "", %progbits
