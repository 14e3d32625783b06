/* SPDX-License-Identifier: ISC */
/*
 * abi.h - the entry points of abi.def as declarations, and the constants they take.
 *
 * For the compiler pass, the runtime and its tests; a program under test includes heddle.h.
 */
#ifndef HEDDLE_ABI_H
#define HEDDLE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_ABI_VERSION 2

/* Type of the note (instrument/README 6); of one of an object that tracks dependencies. */
#define HEDDLE_NOTE	 1
#define HEDDLE_NOTE_DEPS 2

/* The eight bytes before the first instruction of every function that the pass has rewritten. */
#define HEDDLE_FUNCTION_MARK 0x6e756620656c6464ull /* "ddle fun" */

/* or'ed to a memory order */
#define HEDDLE_ORDER_MASK 0x07
#define HEDDLE_NO_RESULT  0x08 /* of a read-modify-write: the instruction has no result (STADD) */
#define HEDDLE_VOLATILE   0x10 /* the access was volatile, not atomic */
#define HEDDLE_ASM        0x20 /* the access is in inline assembly */
#define HEDDLE_LOCK       0x800 /* of an access: of a lock of the Linux kernel */

/* or'ed to the order of a fence, shifted by HEDDLE_FENCE: instructions that no C fence is. Models
 * without them take the order. */
#define HEDDLE_FENCE	     8
#define HEDDLE_FENCE_MASK    0x1f
#define HEDDLE_FENCE_FULL    1 /* dmb ish, sync, fence rw,rw */
#define HEDDLE_FENCE_LOADS   2 /* dmb ishld, fence r,rw */
#define HEDDLE_FENCE_STORES  3 /* dmb ishst, fence w,w */
#define HEDDLE_FENCE_LIGHT   4 /* lwsync */
#define HEDDLE_FENCE_CONTEXT 5 /* isb, isync */
#define HEDDLE_FENCE_READS   6 /* fence r,r; elsewhere smp_rmb() is another one of these */
/* The Linux kernel's, which only its own model tells apart from a full barrier, or from none. */
#define HEDDLE_FENCE_AROUND	       7 /* of a read-modify-write that is fully ordered */
#define HEDDLE_FENCE_BEFORE_ATOMIC     8
#define HEDDLE_FENCE_AFTER_ATOMIC      9
#define HEDDLE_FENCE_AFTER_SPINLOCK    10
#define HEDDLE_FENCE_AFTER_UNLOCK_LOCK 11
#define HEDDLE_FENCE_RCU_LOCK	       12
#define HEDDLE_FENCE_RCU_UNLOCK	       13
#define HEDDLE_FENCE_RCU_SYNC	       14
#define HEDDLE_FENCE_AFTER_SRCU_UNLOCK 15
/* of a domain: __heddle_srcu() */
#define HEDDLE_FENCE_SRCU_LOCK	       16
#define HEDDLE_FENCE_SRCU_UNLOCK       17
#define HEDDLE_FENCE_SRCU_SYNC	       18

/* of a load: the bytes of it that are used, see abi.def */
#define HEDDLE_USED	  16
/* with these bytes: the value is only changed and stored at the same address, or printed */
#define HEDDLE_USED_COUNTS 0x100

/* or'ed to the order of an addition or subtraction, shifted by HEDDLE_RESULT: its result is not
 * used, or only compared with the value of __heddle_compared(), in all uses alike: whether it is
 * equal, or less as a signed, or an unsigned number. */
#define HEDDLE_RESULT 16
enum heddle_result_use {
	HEDDLE_RESULT_USED,
	HEDDLE_RESULT_UNUSED,
	HEDDLE_RESULT_EQUAL,
	HEDDLE_RESULT_LESS,
	HEDDLE_RESULT_BELOW,
};

/* or'ed to the `orders` of a compare and exchange */
#define HEDDLE_WEAK	 0x10000
#define HEDDLE_TEMPORARY 0x20000 /* `expected` is a temporary of the pass, read at once */

/*
 * A variable that only counts the iterations of a loop, in units of its lowest bit as the top bits
 * of 64: its value, made to rise, and its distance to the next change of a comparison
 * (HEDDLE_COUNTER_FREE: none will change).
 */
struct heddle_counter {
	uint64_t at, left;
};
#define HEDDLE_COUNTER_FREE  UINT64_MAX
#define HEDDLE_TURN_COUNTERS 8

/* Maximum bytes of the values of a loop iteration; a loop with more has no __heddle_turn(). */
#define HEDDLE_TURN_MAX 512

/*
 * Dependencies (instrument/README 12): a number stands for a set of loads of the thread, 0 for
 * none. Words of __heddle_deps: of the address and of the value of the next access; of the
 * arguments of the next call; of the result of the last access or call. Accesses clear the words
 * that they take.
 */
#define HEDDLE_DEPS_ADDRESS   0
#define HEDDLE_DEPS_DATA      4
#define HEDDLE_DEPS_PARTS     4 /* words of each of these: the union counts */
#define HEDDLE_DEPS_ARGUMENT  8
#define HEDDLE_DEPS_ARGUMENTS 8
#define HEDDLE_DEPS_RESULT    16
#define HEDDLE_DEPS_WORDS     17
#define HEDDLE_DEPS_PICK      0x80000000u /* or'ed to a number: the value is only picked by them */
#define HEDDLE_DEPS_TRACKED   0xffffffffu /* of __heddle_deps_call() */

/* The value that a read-modify-write stores. f-operations take the operand as the bits of a float
 * (4 bytes) or double (8 bytes). */
enum heddle_rmw {
	HEDDLE_XCHG,
	HEDDLE_ADD,
	HEDDLE_SUB,
	HEDDLE_AND,
	HEDDLE_NAND,
	HEDDLE_OR,
	HEDDLE_XOR,
	HEDDLE_MAX,
	HEDDLE_MIN,
	HEDDLE_UMAX,
	HEDDLE_UMIN,
	HEDDLE_FADD,
	HEDDLE_FSUB,
};

#ifdef __cplusplus
extern "C" {
#endif

#define u8   uint8_t
#define u16  uint16_t
#define u32  uint32_t
#define u64  uint64_t
#define u128 unsigned __int128
#define ABI(ret, name, params) ret name params;
#include "abi.def"
#undef ABI
#undef u8
#undef u16
#undef u32
#undef u64
#undef u128

/* Not 0: iterations of loops are observed. Only then __heddle_turn() is called. */
extern uint8_t __heddle_turns;

/* See HEDDLE_DEPS_WORDS. / Has anything in private memory dependencies? */
extern uint32_t __heddle_deps[HEDDLE_DEPS_WORDS];
extern uint8_t __heddle_deps_kept;

#ifdef __cplusplus
}
#endif

#endif
