/* SPDX-License-Identifier: ISC */
/* port.h - x86-64: the macros and types of arch.h. */
#ifndef ARCH_X86_64_PORT_H
#define ARCH_X86_64_PORT_H

#include "base/base.h"

#define ARCH_NAME	 "x86_64"
#define ARCH_TP_FEATURE	 "fsgsbase"
#define ARCH_BELOW_FRAME 40 /* r12..r15 and rbx, below rbp */
#define ARCH_SAVED	 6 /* r12..r15, rbx, rbp */
#define ARCH_UNWOUND	 6
#define ARCH_RED_ZONE	 128
#define ARCH_SPIN_FREE	 1
#define ARCH_ASSEMBLY	 "x86"
#define ARCH_MODEL	 "tso"
#define ARCH_HERE	 "leaq 0(%rip), $0"
#define ARCH_FLOATS_BYTE 0xae /* of ldmxcsr and vldmxcsr, the second last */
#define ARCH_BREAK	 0xcc
#define ARCH_BREAK_SIZE 1
#define ARCH_ADDRESSES	 47

typedef u8 arch_code;

struct arch_floats {
	u32 sse;
	u16 x87_control, x87_flags;
};

#endif
