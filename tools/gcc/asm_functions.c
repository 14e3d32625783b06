/* SPDX-License-Identifier: ISC */
/* asm_functions.c - see asm_functions.h. */
#include "gcc/asm_functions.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

bool asm_functions_name(const char *text, char name[ASM_SYMBOL_MAX])
{
	size_t n = strcspn(text, ",\n");

	if (!n || n >= ASM_SYMBOL_MAX)
		return false;
	memcpy(name, text, n);
	name[n] = 0;
	return true;
}

bool asm_functions_type(const char *line, char name[ASM_SYMBOL_MAX])
{
	static const char type[] = "\t.type\t", function[] = ", @function";

	return !strncmp(line, type, sizeof(type) - 1) &&
	       asm_functions_name(line + sizeof(type) - 1, name) &&
	       !strncmp(line + sizeof(type) - 1 + strlen(name), function, sizeof(function) - 1);
}

void asm_functions_find(struct asm_functions *f, const char *text, const char *end)
{
	static const char type[] = "\n\t.type\t";
	char name[ASM_SYMBOL_MAX], *copy;

	while ((text = memmem(text, (size_t)(end - text), type, sizeof(type) - 1))) {
		text++;
		if (!asm_functions_type(text, name) || asm_functions_has(f, name))
			continue;
		copy = strdup(name);
		if (!copy || !tsearch(copy, &f->names, compare_names))
			abort();
	}
}

bool asm_functions_has(const struct asm_functions *f, const char *name)
{
	return tfind(name, &f->names, compare_names);
}

void asm_functions_release(struct asm_functions *f)
{
	tdestroy(f->names, free);
}
