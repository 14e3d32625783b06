/* SPDX-License-Identifier: ISC */
/* symbol_priv.h - shared by symbol.c and local.c. */
#ifndef SOURCE_SYMBOL_PRIV_H
#define SOURCE_SYMBOL_PRIV_H

#include "source/symbol.h"

/* The compile unit with the code at pc, and the difference between pc and its own addresses. */
bool symbol_unit(struct symbols *s, u64 pc, Dwarf_Die *cu, u64 *bias);

/* Name and type of `size` bytes at `offset` in a variable; hint may be NULL. */
void symbol_describe(
	Dwarf_Die variable, u64 offset, u64 size, const struct hint *hint, struct variable *v);

#endif
