/* SPDX-License-Identifier: ISC */
/*
 * asm_call.h - inline assembly under `heddle-cc --gcc` (tools/gcc): each instruction becomes calls
 * of __heddle_asm(), which keeps all registers.
 *
 * The request lies below the caller's stack pointer, where there is no red zone; the offsets are
 * from that stack pointer. A loaded value, or the one replaced by an atomic update, is in the cell
 * afterwards; a stored value is taken from it. The instruction itself is then run on the cell.
 *
 * Before the call of a function of another file it calls __heddle_called() with the function in
 * r11: __heddle_extern_call() (abi.def), but for code that this compiler has made, too.
 */
#ifndef HEDDLE_ASM_CALL_H
#define HEDDLE_ASM_CALL_H

#define HEDDLE_ASM_AT_CELL    (-64) /* 16 bytes */
#define HEDDLE_ASM_AT_CODE    (-40) /* 4 bytes */
#define HEDDLE_ASM_AT_OPERAND (-32)
#define HEDDLE_ASM_AT_ADDRESS (-24)
#define HEDDLE_ASM_AT_RAX     (-16) /* kept here while the address is computed */

/* The code: one of these, and bytes << 8, and for some an operation << 16. */
enum heddle_asm {
	HEDDLE_ASM_LOAD,
	HEDDLE_ASM_STORE,
	HEDDLE_ASM_RMW,	     /* operation: an enum heddle_rmw */
	HEDDLE_ASM_NEGATE,   /* atomically */
	HEDDLE_ASM_CAS,	     /* expected in rax */
	HEDDLE_ASM_CAS_PAIR, /* cmpxchg8b, cmpxchg16b: all of it, flags and registers */
	HEDDLE_ASM_BIT,	     /* bt (HEDDLE_XCHG), bts, btr, btc; all of it */
	HEDDLE_ASM_FENCE,    /* operation: a memory order */
	HEDDLE_ASM_PAUSE,
	HEDDLE_ASM_CYCLES, /* rdtsc, all of it; operation 1: rdtscp */
	HEDDLE_ASM_OPAQUE,	 /* the instructions that follow are unknown */
	HEDDLE_ASM_OPAQUE_ORDER, /* and may order accesses */
};

#define HEDDLE_ASM_LOCKED  0x01000000 /* BIT, CAS_PAIR */
#define HEDDLE_ASM_FAR	   0x02000000 /* BIT: the number may be of a bit of memory further on */
#define HEDDLE_ASM_VECTORS 0x80000000 /* the function uses vector registers */

#endif
