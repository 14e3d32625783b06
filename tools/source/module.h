/* SPDX-License-Identifier: ISC */
/* module.h - a module of the program: its variables, its code, and the calls that were inlined. */
#ifndef SOURCE_MODULE_H
#define SOURCE_MODULE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "event/trace.h"

/* A variable, a piece of one, or code of a compile unit. */
struct item {
	u64 start, size;
	u64 skip; /* bytes of the variable before it */
	Dwarf_Die die;
};

/* A function in the symbol table, and the rank of its binding: global, weak, local. */
struct function_symbol {
	u64 address;
	const char *name;
	int rank;
};

struct items {
	struct item *at;
	size_t n, room;
	bool sorted;
};

struct module {
	Dwfl_Module *dwfl; /* NULL = no such file any more */
	const struct trace_module *from;
	bool read; /* the lists below are filled */
	struct items globals, tls, code;
	struct items calls; /* that were inlined: start is the function, size the line, skip the
			       column */
	u64 bias; /* of DWARF addresses */
	struct function_symbol *functions; /* of the symbol table; ends with address 0 */
};

/* Fill the lists, once. */
void module_read(struct module *m);

/* The item that contains the address; NULL: none. */
const struct item *module_find(struct items *l, u64 address);

/* The compile unit with the code at pc. The index is ours: clang writes no .debug_aranges. */
const struct item *module_unit(struct module *m, u64 pc);

/* Has the function that is inlined here been inlined elsewhere, too? */
bool module_inlines_twice(const struct module *m, Dwarf_Die *inlined);

/* The symbol of the function that begins at the address; NULL: none. */
const char *module_function(struct module *m, u64 address);

/* The string literal around the address, quoted; *offset: the bytes before it. NULL: none. */
char *module_literal(const struct module *m, u64 address, u64 *offset);

#endif
