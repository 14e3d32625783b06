/* SPDX-License-Identifier: ISC */
/*
 * variable.c - walk down a DWARF type until the bytes of an access are reached.
 *
 * A struct is entered by the member that holds the bytes, an array by its index; the walk ends
 * at a scalar, or where the access covers more than one member. Bit-fields that share the bytes
 * are named together: flags.{ready,done}.
 */
#include "report/variable.h"

#include <string.h>

#include <dwarf.h>

bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

/* Without typedef, const, volatile, _Atomic. A type that cannot be peeled stays as it is. */
static Dwarf_Die peel(Dwarf_Die *type)
{
	Dwarf_Die bare;

	return dwarf_peel_type(type, &bare) == 0 ? bare : *type;
}

static u64 size_of(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static enum leaf_kind base_kind(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	if (!dwarf_attr(type, DW_AT_encoding, &attr) || dwarf_formudata(&attr, &encoding) != 0)
		return LEAF_UNKNOWN;
	switch (encoding) {
	case DW_ATE_boolean: return LEAF_BOOL;
	case DW_ATE_float: return LEAF_FLOAT;
	case DW_ATE_signed: return LEAF_SIGNED;
	case DW_ATE_unsigned: return LEAF_UNSIGNED;
	case DW_ATE_UTF: return LEAF_CHAR;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		/* int8_t and uint8_t are numbers. */
		if (dwarf_diename(type) && !strcmp(dwarf_diename(type), "char"))
			return LEAF_CHAR;
		return encoding == DW_ATE_signed_char ? LEAF_SIGNED : LEAF_UNSIGNED;
	}
	return LEAF_UNKNOWN;
}

struct leaf type_leaf(Dwarf_Die *type)
{
	struct leaf leaf = {LEAF_UNKNOWN, 0, peel(type)};

	leaf.size = size_of(&leaf.type);
	switch (dwarf_tag(&leaf.type)) {
	case DW_TAG_base_type: leaf.kind = base_kind(&leaf.type); break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type: leaf.kind = LEAF_POINTER; break;
	case DW_TAG_enumeration_type: leaf.kind = LEAF_ENUM; break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_array_type: leaf.kind = LEAF_STRUCT; break;
	}
	return leaf;
}

bool type_pointee(const struct leaf *leaf, Dwarf_Die *type)
{
	Dwarf_Die to;

	if (leaf->kind != LEAF_POINTER || !leaf->type.addr)
		return false;
	to = leaf->type;
	return type_of(&to, type) && size_of(type) > 0;
}

const char *type_name(Dwarf_Die *type)
{
	Dwarf_Die bare = peel(type);
	const char *name = dwarf_diename(&bare);

	if (!name)
		name = dwarf_diename(type); /* typedef struct { ... } name */
	return name ? name : "";
}

const char *type_enumerator(const struct leaf *leaf, i64 value)
{
	Dwarf_Die type = leaf->type, child;

	if (leaf->kind != LEAF_ENUM || dwarf_child(&type, &child) != 0)
		return NULL;
	do {
		Dwarf_Attribute attr;
		Dwarf_Sword number;

		if (dwarf_tag(&child) == DW_TAG_enumerator &&
			dwarf_attr(&child, DW_AT_const_value, &attr) &&
			dwarf_formsdata(&attr, &number) == 0 && number == value)
			return dwarf_diename(&child);
	} while (dwarf_siblingof(&child, &child) == 0);
	return NULL;
}

/* --- members --------------------------------------------------------------------------------- */

struct member {
	Dwarf_Die die, type;
	u64 offset, size; /* bytes */
	bool bits;
};

static bool attr_number(Dwarf_Die *die, unsigned name, u64 *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &word) != 0)
		return false;
	*value = word;
	return true;
}

static bool member_read(Dwarf_Die *die, struct member *m)
{
	u64 bit, width;

	if (dwarf_tag(die) != DW_TAG_member && dwarf_tag(die) != DW_TAG_inheritance)
		return false;
	*m = (struct member){.die = *die};
	if (!type_of(die, &m->type))
		return false;
	m->size = size_of(&m->type);
	attr_number(die, DW_AT_data_member_location, &m->offset);
	if (!attr_number(die, DW_AT_bit_size, &width))
		return true;
	m->bits = true;
	if (attr_number(die, DW_AT_data_bit_offset, &bit)) {
		m->offset = bit / 8;
		m->size = (bit % 8 + width + 7) / 8;
	}
	return true;
}

static bool overlaps(const struct member *m, u64 offset, u64 size)
{
	return m->offset < offset + (size ? size : 1) && offset < m->offset + m->size;
}

/* Is there something in a type that is no struct or array, and is these bytes? */
static bool has_leaf(Dwarf_Die *type, u64 offset, u64 size, unsigned depth)
{
	struct leaf leaf = type_leaf(type);
	Dwarf_Die child;
	struct member m;

	if (leaf.kind != LEAF_STRUCT || !depth)
		return offset == 0 && leaf.size == size;
	if (dwarf_tag(&leaf.type) == DW_TAG_array_type)
		return type_of(&leaf.type, &child) && size_of(&child) &&
		       has_leaf(&child, offset % size_of(&child), size, depth - 1);
	if (dwarf_child(&leaf.type, &child) != 0)
		return false;
	do {
		if (member_read(&child, &m) && !m.bits && m.offset <= offset &&
			offset - m.offset < m.size &&
			has_leaf(&m.type, offset - m.offset, size, depth - 1))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* How well a member of a union says what is accessed. */
static unsigned suits(struct member *m, u64 offset, u64 size)
{
	if (size && !m->bits && m->offset <= offset && has_leaf(&m->type, offset - m->offset, size, 20))
		return 2;
	return m->size == size;
}

/* The member to go on with: of a struct the one that holds the bytes, of a union the one that has just
 * these bytes, or their number, or the first. *many counts those that share the bytes. */
static bool member_choose(
	Dwarf_Die *type, u64 offset, u64 size, struct member *best, unsigned *many)
{
	Dwarf_Die child;
	bool is_union = dwarf_tag(type) == DW_TAG_union_type;
	struct member m;

	*many = 0;
	if (dwarf_child(type, &child) != 0)
		return false;
	do {
		if (!member_read(&child, &m) || !overlaps(&m, offset, size))
			continue;
		if (!*many || (is_union && suits(&m, offset, size) > suits(best, offset, size)))
			*best = m;
		++*many;
	} while (dwarf_siblingof(&child, &child) == 0);
	if (is_union && *many)
		*many = 1;
	return *many > 0;
}

/* .{a,b} */
static void put_members(Dwarf_Die *type, u64 offset, u64 size, FILE *to)
{
	Dwarf_Die child;
	struct member m;
	const char *before = ".{";

	if (dwarf_child(type, &child) != 0)
		return;
	do {
		if (!member_read(&child, &m) || !overlaps(&m, offset, size))
			continue;
		fprintf(to, "%s%s", before, dwarf_diename(&m.die) ? dwarf_diename(&m.die) : "?");
		before = ",";
	} while (dwarf_siblingof(&child, &child) == 0);
	fputc('}', to);
}

/* What libc's own types are made of is nobody's business: m.__data.__lock is m. */
static bool is_private(const struct member *m)
{
	Dwarf_Die die = m->die;
	const char *name = dwarf_diename(&die);

	return name && name[0] == '_' && name[1] == '_';
}

/* One step into a struct or union; false when the walk ends here. */
static bool enter_struct(Dwarf_Die *type, u64 *offset, u64 size, FILE *to, struct leaf *leaf)
{
	struct member m;
	unsigned many;

	if (!member_choose(type, *offset, size, &m, &many) || is_private(&m))
		return false;
	if (many > 1) {
		if (m.bits)
			put_members(type, *offset, size, to);
		else
			fprintf(to, "+%llu", (unsigned long long)*offset);
		leaf->kind = LEAF_UNKNOWN;
		return false;
	}
	if (dwarf_diename(&m.die))
		fprintf(to, ".%s", dwarf_diename(&m.die));
	*offset = *offset > m.offset ? *offset - m.offset : 0;
	*leaf = type_leaf(&m.type);
	if (m.bits) {
		leaf->kind = LEAF_UNKNOWN;
		return false;
	}
	return true;
}

/* --- arrays ---------------------------------------------------------------------------------- */

/* The number of elements of one dimension, 0 if unknown. */
static u64 dimension(Dwarf_Die *range)
{
	u64 n;

	if (attr_number(range, DW_AT_count, &n))
		return n;
	return attr_number(range, DW_AT_upper_bound, &n) ? n + 1 : 0;
}

/* [i][j]; the walk goes on with the element. */
static bool enter_array(Dwarf_Die *type, u64 *offset, FILE *to, struct leaf *leaf)
{
	Dwarf_Die element, ranges[8];
	u64 index, size, inner = 1;
	unsigned n = 0;

	if (!type_of(type, &element) || !(size = size_of(&element)))
		return false;
	if (dwarf_child(type, &ranges[0]) == 0)
		for (n = 1; n < 8 && dwarf_siblingof(&ranges[n - 1], &ranges[n]) == 0; n++)
			inner *= dimension(&ranges[n]);
	index = *offset / size;
	*offset %= size;
	for (unsigned i = 0; i < n; i++) {
		fprintf(to, "[%llu]", (unsigned long long)(inner ? index / inner : index));
		index = inner ? index % inner : 0;
		if (i + 1 < n && dimension(&ranges[i + 1]))
			inner /= dimension(&ranges[i + 1]);
	}
	*leaf = type_leaf(&element);
	return true;
}

/* A union with a member of this size, or a struct with one member only, is that member. */
static bool is_one_member(Dwarf_Die *type, u64 size)
{
	struct member m;
	unsigned many;

	return size && dwarf_tag(type) != DW_TAG_array_type &&
	       member_choose(type, 0, size, &m, &many) && many == 1 && m.size == size;
}

void type_path(Dwarf_Die *type, u64 offset, u64 size, FILE *to, struct leaf *leaf)
{
	unsigned depth;

	*leaf = type_leaf(type);
	for (depth = 0; depth < 40 && leaf->kind == LEAF_STRUCT; depth++) {
		Dwarf_Die here = leaf->type;

		if (offset == 0 && (!size || (leaf->size && size >= leaf->size)) &&
			!is_one_member(&here, size))
			return; /* all of it */
		if (dwarf_tag(&here) == DW_TAG_array_type) {
			if (!enter_array(&here, &offset, to, leaf))
				return;
		} else if (!enter_struct(&here, &offset, size, to, leaf)) {
			return;
		}
	}
	if (offset)
		fprintf(to, "+%llu", (unsigned long long)offset);
	if (offset || (size && leaf->size && size != leaf->size && leaf->kind != LEAF_STRUCT))
		leaf->kind = LEAF_UNKNOWN;
}
