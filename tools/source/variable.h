/* SPDX-License-Identifier: ISC */
/* variable.h - from an offset in a type to `slot[3].seq`, and values in the format of their
 * type. */
#ifndef SOURCE_VARIABLE_H
#define SOURCE_VARIABLE_H

#include <stdio.h>

#include "source/symbol.h"

/* Append to `to` the path to the part of `type` at `offset` that is `size` bytes, or for size 0 to
 * the largest part that begins there; *leaf is the type of that part. hint may be NULL. */
void type_path(Dwarf_Die *type, u64 offset, u64 size, const struct hint *hint, FILE *to,
	struct leaf *leaf);

/* The kind of a type, without typedefs and qualifiers. */
struct leaf type_leaf(Dwarf_Die *type);

/* The type that a pointer leaf points to; false for void. */
bool type_pointee(const struct leaf *leaf, Dwarf_Die *type);

/* The member of a struct or union with this name, in anonymous ones, too; its place is added to
 * *offset. */
bool type_member(Dwarf_Die *type, const char *name, u64 *offset, Dwarf_Die *member);

/* The element type of an array. */
bool type_element(Dwarf_Die *type, Dwarf_Die *element, u64 *size);

/* The scalars of a small struct or array, in their order, if none crosses a word; 0: otherwise, or
 * too many. */
struct scalar_part {
	const char *name; /* NULL: an element */
	struct leaf leaf;
	u64 offset;
};
unsigned type_parts(Dwarf_Die *type, struct scalar_part *parts, unsigned most);

/* Does a struct end with an array of unspecified length? */
bool type_is_open(Dwarf_Die *type);

/* A name for it: "node" for struct node, "int"; "" if it has none. */
const char *type_name(Dwarf_Die *type);

/* The name of the enumerator with this value, or NULL. */
const char *type_enumerator(const struct leaf *leaf, i64 value);

/* The type of a variable, member, pointer, ...; false if it has none. */
bool type_of(Dwarf_Die *die, Dwarf_Die *type);

#endif
