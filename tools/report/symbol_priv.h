/* SPDX-License-Identifier: ISC */
/* symbol_priv.h - what symbol.c and local.c share. */
#ifndef REPORT_SYMBOL_PRIV_H
#define REPORT_SYMBOL_PRIV_H

#include "report/symbol.h"

/* The compile unit with the code at pc, and what to subtract from pc to get its own addresses. */
bool symbol_unit(struct symbols *s, u64 pc, Dwarf_Die *cu, u64 *bias);

/* Name and type of `size` bytes at `offset` in a variable; hint may be NULL. */
void symbol_describe(
	Dwarf_Die variable, u64 offset, u64 size, const struct hint *hint, struct variable *v);

#endif
