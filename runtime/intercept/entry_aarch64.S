/* SPDX-License-Identifier: ISC */
/*
 * entry_aarch64.S - the doors of entry_x86_64.S for aarch64: x19..x29 and d8..d15 are what a call
 * keeps. The frame is padded with two zero words, so that the stack stays aligned and the return
 * address is its last word (struct entry_frame).
 */
#if defined(__aarch64__)
	.text

	.macro	BODY symbol, name
	.type	\symbol, %function
	.balign	16
\symbol:
	.cfi_startproc
	adrp	x16, machine_exploring
	ldrb	w16, [x16, :lo12:machine_exploring]
	cbnz	w16, 1f
	b	native_\name
1:
	sub	sp, sp, #176
	.cfi_def_cfa_offset 176
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	d8, d9, [sp, #80]
	stp	d10, d11, [sp, #96]
	stp	d12, d13, [sp, #112]
	stp	d14, d15, [sp, #128]
	stp	x29, xzr, [sp, #144]
	.cfi_offset 29, -32
	stp	xzr, x30, [sp, #160]
	.cfi_offset 30, -8
	adrp	x16, machine_frame
	mov	x17, sp
	str	x17, [x16, :lo12:machine_frame]
	bl	explore_\name
	ldr	x30, [sp, #168]
	add	sp, sp, #176
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	\symbol, . - \symbol
	.endm

	.macro	DOOR name
	.globl	__heddle_\name
	BODY	__heddle_\name, \name
	.endm

	/* An interposed function: weak, as the others are (intercept.h). */
	.macro	ATTEMPT name
	.weak	\name
	BODY	\name, \name
	.endm

	.irp	size, 1, 2, 4, 8, 16
	DOOR	load\size
	DOOR	rmw\size
	DOOR	cas\size
	DOOR	plain_load\size
	.endr
	.irp	size, 1, 2, 4, 8
	DOOR	used_load\size
	.endr

	ATTEMPT	mtx_timedlock
	ATTEMPT	mtx_trylock
	ATTEMPT	pthread_mutex_clocklock
	ATTEMPT	pthread_mutex_timedlock
	ATTEMPT	pthread_mutex_trylock
	ATTEMPT	pthread_rwlock_clockrdlock
	ATTEMPT	pthread_rwlock_clockwrlock
	ATTEMPT	pthread_rwlock_timedrdlock
	ATTEMPT	pthread_rwlock_timedwrlock
	ATTEMPT	pthread_rwlock_tryrdlock
	ATTEMPT	pthread_rwlock_trywrlock
	ATTEMPT	pthread_spin_trylock
	ATTEMPT	sem_clockwait
	ATTEMPT	sem_timedwait
	ATTEMPT	sem_trywait
#endif
	.section .note.GNU-stack, "", %progbits
