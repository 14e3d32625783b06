/* SPDX-License-Identifier: ISC */
/* value.c - values formatted by their types, and pointers by their targets. */
#include "report/block.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "source/variable.h"

static i64 sign_extend(u64 value, u64 size)
{
	unsigned shift = size < 8 ? (unsigned)(64 - 8 * size) : 0;

	return (i64)(value << shift) >> shift;
}

/* Whole bytes in hex, most significant first. */
static char *value_hex(const u64 *value, u64 size)
{
	if (size > 8 && value[1])
		return xprintf("0x%llx%016llx", (unsigned long long)value[1],
			(unsigned long long)value[0]);
	return xprintf("0x%llx", (unsigned long long)value[0]);
}

/* The place that begins at this address, the largest if there are several, or NULL. */
static const struct trace_place *find_place_at(const struct report *r, u64 address)
{
	const struct trace_place *best = NULL;

	for (u32 i = 0; i < r->t->nplaces; i++) {
		const struct trace_place *p = &r->t->places[i];

		if (p->address == address && p->kind != PLACE_OTHER &&
			(!best || p->size > best->size))
			best = p;
	}
	return best;
}

/* A pointer by the name of its target: &x, node#1, a function; else as a number. */
static char *value_pointer(const struct report *r, const struct leaf *leaf, u64 value)
{
	const struct trace_place *place = find_place_at(r, value);
	const struct trace_block *b = block_around(r, value);
	const struct trace_module *m = trace_module_at(r->t, value);
	Dwarf_Die to;
	bool typed = type_pointee(leaf, &to);
	u64 size = typed ? type_leaf(&to).size : 0;
	const struct hint hint = {NULL, typed ? &to : NULL};
	struct variable v;
	struct leaf none;
	u64 offset;

	if (!value)
		return xstrdup("NULL");
	if (b && b->address == value)
		return xstrdup(r->blocks[b - r->t->blocks].name);
	if (b)
		return xprintf("&%s",
			name_in_block(r, b->id, value - b->address, size, NULL, hint.type, &none));
	if (m && symbol_variable(r->symbols, value, size, &hint, &v))
		return xprintf(symbol_function(r->symbols, value) ? "%s" : "&%s", v.name);
	v.name = m ? symbol_literal(r->symbols, value, &offset) : NULL;
	if (v.name)
		return xprintf(offset ? "%s+%llu" : "%s", v.name, (unsigned long long)offset);
	if (place)
		return xprintf("&%s", name_of_pointee(r, place->id, hint.type));
	return xprintf("0x%llx", (unsigned long long)value);
}

static char *value_char(u64 value)
{
	u8 c = (u8)value;

	if (c >= ' ' && c < 0x7f && c != '\'' && c != '\\')
		return xprintf("'%c'", c);
	return xprintf("%u", c);
}

static char *value_float(u64 value, u64 size)
{
	float narrow;
	double wide;
	u32 half = (u32)value;

	memcpy(&narrow, &half, sizeof(narrow));
	memcpy(&wide, &value, sizeof(wide));
	return xprintf("%g", size == 4 ? (double)narrow : wide);
}

/* Are these bits a known address? */
static bool is_known_address(const struct report *r, u64 value)
{
	return (value > 0xffff && block_around(r, value)) ||
	       (value > UINT32_MAX && trace_module_at(r->t, value));
}

/* Without a type: small numbers in decimal, likely addresses and patterns in hex. */
static char *value_plain(const struct report *r, const u64 *value, u64 size)
{
	const struct leaf none = {LEAF_UNKNOWN, 0, {0}};

	if (size == 8 && is_known_address(r, value[0]))
		return value_pointer(r, &none, value[0]);
	if (size > 8 || value[0] > 0xffffff)
		return value_hex(value, size);
	return xprintf("%llu", (unsigned long long)value[0]);
}

static char *value_signed(i64 value)
{
	return xprintf("%lld", (long long)value);
}

static char *put_part(const struct report *r, const char *before, const struct scalar_part *part,
	const u64 *value)
{
	u64 shift = 8 * (part->offset % 8), word = value[part->offset / 8] >> shift;
	char *text = name_of_value(r, &part->leaf, &word, part->leaf.size);

	return xprintf("%s%s%s%s%s", before, *before ? ", " : "", part->name ? part->name : "",
		part->name ? " = " : "", text);
}

/* {ptr = node#1, tag = 3}; without known members, its two words. */
static char *value_parts(
	const struct report *r, const struct leaf *leaf, const u64 *value, u64 size)
{
	const struct scalar_part words[2] = {
		{NULL, {LEAF_UNKNOWN, 8, {0}}, 0}, {NULL, {LEAF_UNKNOWN, 8, {0}}, 8}};
	struct scalar_part parts[16];
	Dwarf_Die type = leaf->type;
	unsigned n = leaf->kind == LEAF_STRUCT && leaf->size == size
			     ? type_parts(&type, parts, array_size(parts))
			     : 0;
	char *text = xstrdup("");

	if (!n && size <= 8)
		return value_plain(r, value, size);
	for (unsigned i = 0; i < (n ? n : 2); i++)
		text = put_part(r, text, n ? &parts[i] : &words[i], value);
	return xprintf("{%s}", text);
}

char *name_of_value(const struct report *r, const struct leaf *leaf, const u64 *value, u64 size)
{
	u64 bits = size < 8 ? value[0] & ((1ull << 8 * size) - 1) : value[0];
	const char *name;

	if (size > sizeof(u64[2]))
		return xstrdup("{...}"); /* not all of it is in the trace */
	if (!size)
		return value_plain(r, value, size);
	if (size > 8 && leaf->kind != LEAF_STRUCT && !value[1] && !is_known_address(r, value[0]))
		return value_plain(r, value, size);
	if (size > 8 || leaf->kind == LEAF_STRUCT)
		return value_parts(r, leaf, size > 8 ? value : &bits, size);
	switch (leaf->kind) {
	case LEAF_SIGNED: return value_signed(sign_extend(bits, size));
	case LEAF_POINTER: return value_pointer(r, leaf, bits);
	case LEAF_CHAR: return value_char(bits);
	case LEAF_BOOL:
		return bits <= 1 ? xstrdup(bits ? "true" : "false") : value_hex(value, size);
	case LEAF_FLOAT:
		if (size == 4 || size == 8)
			return value_float(bits, size);
		break;
	case LEAF_ENUM:
		name = type_enumerator(leaf, sign_extend(bits, size));
		return name ? xstrdup(name) : value_signed(sign_extend(bits, size));
	case LEAF_UNSIGNED: break;
	default: break;
	}
	return value_plain(r, &bits, size);
}
