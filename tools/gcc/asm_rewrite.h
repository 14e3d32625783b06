/* SPDX-License-Identifier: ISC */
/*
 * asm_rewrite.h - inline assembly in the output of `gcc -fsanitize=thread': accesses and fences
 * become calls of the runtime (heddle/asm_call.h); unknown instructions are announced.
 */
#ifndef GCC_ASM_REWRITE_H
#define GCC_ASM_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

/* The same assembly with calls, or NULL if there is nothing to change. quiet: no warnings. */
char *asm_rewrite(const char *text, size_t size, bool quiet);

#endif
