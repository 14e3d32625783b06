/* SPDX-License-Identifier: ISC */
/*
 * asm_rewrite.h - inline assembly in what `gcc -fsanitize=thread' hands to the assembler: accesses
 * and fences become calls of the runtime (heddle/asm_call.h); what is not understood is announced.
 */
#ifndef GCC_ASM_REWRITE_H
#define GCC_ASM_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

/* The same assembly with calls, or NULL if nothing is to be changed. quiet: no warnings. */
char *asm_rewrite(const char *text, size_t size, bool quiet);

#endif
