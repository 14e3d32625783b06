/* SPDX-License-Identifier: ISC */
/* asm_functions.h - the functions of a file of assembly. */
#ifndef GCC_ASM_FUNCTIONS_H
#define GCC_ASM_FUNCTIONS_H

#include <stdbool.h>

#define ASM_SYMBOL_MAX 256

struct asm_functions {
	void *names; /* tsearch() */
};

void asm_functions_find(struct asm_functions *f, const char *text, const char *end);
bool asm_functions_has(const struct asm_functions *f, const char *name);
void asm_functions_release(struct asm_functions *f);

/* The text up to a comma or the end of the line. */
bool asm_functions_name(const char *text, char name[ASM_SYMBOL_MAX]);

/* The directive at this line is .type of a function: its name is `name`. */
bool asm_functions_type(const char *line, char name[ASM_SYMBOL_MAX]);

#endif
