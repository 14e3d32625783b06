/* SPDX-License-Identifier: ISC */
/* variable.h - from an offset in a type to `slot[3].seq`, and values as that type would show them. */
#ifndef REPORT_VARIABLE_H
#define REPORT_VARIABLE_H

#include <stdio.h>

#include "report/symbol.h"

/* Append to `to` the path to the part of `type` at `offset` that is `size` bytes, or for size 0 to
 * the largest part that begins there; *leaf is the type of that part. */
void type_path(Dwarf_Die *type, u64 offset, u64 size, FILE *to, struct leaf *leaf);

/* What a type is, once typedefs and qualifiers are off. */
struct leaf type_leaf(Dwarf_Die *type);

/* The type that a pointer leaf points to; false for void. */
bool type_pointee(const struct leaf *leaf, Dwarf_Die *type);

/* A name for it: "node" for struct node, "int"; "" if it has none. */
const char *type_name(Dwarf_Die *type);

/* The name of the enumerator with this value, or NULL. */
const char *type_enumerator(const struct leaf *leaf, i64 value);

/* The type of a variable, member, pointer, ...; false if it has none. */
bool type_of(Dwarf_Die *die, Dwarf_Die *type);

#endif
