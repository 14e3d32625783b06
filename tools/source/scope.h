/* SPDX-License-Identifier: ISC */
/* scope.h - identifiers at a place in the code: variables, parameters and types by name. */
#ifndef SOURCE_SCOPE_H
#define SOURCE_SCOPE_H

#include "source/symbol.h"

/* One function at an address, inlined or not, with the blocks around the address. */
struct scope {
	Dwarf_Die cu;
	Dwarf_Die *at; /* innermost first; at[first..last], the last one is the function */
	int first, last;
};

/* The scope of frame i of symbol_frames(address); false if there is no debug information. */
bool scope_open(struct symbols *s, u64 address, unsigned i, struct scope *scope);
void scope_close(struct scope *scope);

/* The variable or parameter of this name there. */
bool scope_variable(const struct scope *scope, const char *name, Dwarf_Die *variable);
/* The same, if it is one of the function's own. */
bool scope_local(const struct scope *scope, const char *name, Dwarf_Die *variable);

/* The number of the function's parameter with this name, 0 = the first; -1: it is none. */
int scope_parameter(const struct scope *scope, const char *name);

/* The type of this name; tag: of a struct, union or enum without a typedef. */
bool scope_type(const struct scope *scope, const char *name, bool tag, Dwarf_Die *type);

#endif
