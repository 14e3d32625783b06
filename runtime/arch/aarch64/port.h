/* SPDX-License-Identifier: ISC */
/* port.h - AArch64: the macros and types of arch.h. */
#ifndef ARCH_AARCH64_PORT_H
#define ARCH_AARCH64_PORT_H

#include "base/base.h"

#define ARCH_NAME	 "aarch64"
#define ARCH_TP_FEATURE	 "tpidr_el0"
#define ARCH_BELOW_FRAME 0 /* all above x29 */
#define ARCH_SAVED	19 /* d8..d15, x19..x29 */
#define ARCH_UNWOUND	11
#define ARCH_RED_ZONE	0
#define ARCH_SPIN_FREE	0
#define ARCH_ASSEMBLY	"ARM"
#define ARCH_MODEL	"arm8"
#define ARCH_HERE	"adr $0, . + 4"
#define ARCH_FLOATS_BYTE 0x44 /* of msr fpcr and msr fpsr, the second */
#define ARCH_BREAK	 0xd4200000u
#define ARCH_BREAK_SIZE 0
#define ARCH_ADDRESSES	 48

typedef u32 arch_code;

struct arch_floats {
	u64 control, status; /* FPCR, FPSR */
};

#endif
