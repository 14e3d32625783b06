/* SPDX-License-Identifier: ISC */
/*
 * variable.c - walk down a DWARF type until the bytes of an access are reached.
 *
 * A struct is entered by the member that holds the bytes, an array by its index; the walk ends
 * at a scalar, or where the access covers more than one member. Bit-fields that share the bytes
 * are named together: flags.{ready,done}.
 */
#include "source/variable.h"

#include <ctype.h>
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

	if ((dwarf_tag(die) != DW_TAG_member && dwarf_tag(die) != DW_TAG_inheritance) ||
		dwarf_hasattr(die, DW_AT_declaration) ||
		dwarf_hasattr(die, DW_AT_external)) /* static */
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

/* Does a type contain a scalar of exactly these bytes? */
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

static bool is_word_in(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; n && (at = strstr(at, word)); at += n)
		if ((at == words || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
			!isalnum((unsigned char)at[n]) && at[n] != '_')
			return true;
	return false;
}

/* Is a member, or one of an anonymous one, named in an expression? */
static bool is_named(struct member *m, const char *words, unsigned depth)
{
	const char *name = dwarf_diename(&m->die);
	struct leaf leaf;
	Dwarf_Die child;
	struct member inner;

	if (name || !words)
		return name && words && is_word_in(words, name);
	leaf = type_leaf(&m->type);
	if (!depth || leaf.kind != LEAF_STRUCT || dwarf_child(&leaf.type, &child) != 0)
		return false;
	do {
		if (member_read(&child, &inner) && is_named(&inner, words, depth - 1))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* How well a member of a union fits the access. */
static unsigned fit_of_member(struct member *m, u64 offset, u64 size, const struct hint *hint)
{
	unsigned named = hint && is_named(m, hint->words, 20) ? 4 : 0;

	if (size && !m->bits && m->offset <= offset &&
		has_leaf(&m->type, offset - m->offset, size, 20))
		return named + 2;
	return named + (m->size == size);
}

/* Memory beyond the end of a struct belongs to the array at its end. */
static bool member_last(Dwarf_Die *type, u64 offset, struct member *last)
{
	Dwarf_Die child;
	struct member m;
	struct leaf leaf;
	bool found = false;

	if (dwarf_tag(type) == DW_TAG_union_type || dwarf_child(type, &child) != 0)
		return false;
	do {
		if (member_read(&child, &m) && m.offset <= offset) {
			*last = m;
			found = !m.bits;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	if (!found)
		return false;
	leaf = type_leaf(&last->type);
	return leaf.kind == LEAF_STRUCT &&
	       (dwarf_tag(&leaf.type) == DW_TAG_array_type || type_is_open(&leaf.type));
}

/* The member to descend into: of a struct the one with the bytes; of a union the one named in the
 * source, or with exactly these bytes, or of their size, or the first. *many counts those that
 * share the bytes. */
static bool member_choose(Dwarf_Die *type, u64 offset, u64 size, const struct hint *hint,
	struct member *best, unsigned *many)
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
		if (!*many || (is_union && fit_of_member(&m, offset, size, hint) >
						   fit_of_member(best, offset, size, hint)))
			*best = m;
		++*many;
	} while (dwarf_siblingof(&child, &child) == 0);
	if ((is_union && *many) || (!*many && member_last(type, offset, best)))
		*many = 1;
	return *many > 0;
}

bool type_member(Dwarf_Die *type, const char *name, u64 *offset, Dwarf_Die *member)
{
	struct leaf leaf = type_leaf(type);
	Dwarf_Die child;
	struct member m;

	if (leaf.kind != LEAF_STRUCT || dwarf_tag(&leaf.type) == DW_TAG_array_type ||
		dwarf_child(&leaf.type, &child) != 0)
		return false;
	do {
		const char *own = dwarf_diename(&child);
		u64 inner = 0;

		if (!member_read(&child, &m) || m.bits)
			continue;
		if (own && dwarf_tag(&child) == DW_TAG_member
				? strcmp(own, name) != 0
				: !type_member(&m.type, name, &inner, &m.type))
			continue;
		*offset += m.offset + inner;
		*member = m.type;
		return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
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

/* Members of libc's own types are hidden: m.__data.__lock is m. */
static bool is_private_member(const struct member *m)
{
	Dwarf_Die die = m->die;
	const char *name = dwarf_diename(&die);

	return name && name[0] == '_' && name[1] == '_';
}

/* Is it the only member of a library's class, like std::atomic's _M_i? */
static bool is_wrapped(const struct member *m, u64 whole)
{
	Dwarf_Die die = m->die;
	const char *name = dwarf_diename(&die);

	return name && name[0] == '_' && isupper((unsigned char)name[1]) && m->size == whole;
}

/* One step into a struct or union; false when the walk ends here. */
static bool enter_struct(Dwarf_Die *type, u64 *offset, u64 size, const struct hint *hint, FILE *to,
	struct leaf *leaf)
{
	struct member m;
	unsigned many;

	if (!member_choose(type, *offset, size, hint, &m, &many) || is_private_member(&m))
		return false;
	if (many > 1) {
		if (m.bits)
			put_members(type, *offset, size, to);
		else if (*offset)
			fprintf(to, "+%llu", (unsigned long long)*offset);
		leaf->kind = LEAF_UNKNOWN;
		return false;
	}
	if (dwarf_diename(&m.die) && dwarf_tag(&m.die) == DW_TAG_member &&
		!is_wrapped(&m, leaf->size))
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

bool type_element(Dwarf_Die *type, Dwarf_Die *element, u64 *size)
{
	struct leaf leaf = type_leaf(type);

	return leaf.kind == LEAF_STRUCT && dwarf_tag(&leaf.type) == DW_TAG_array_type &&
	       type_of(&leaf.type, element) && (*size = size_of(element)) > 0;
}

static bool add_part(
	struct scalar_part *parts, unsigned *n, unsigned most, const struct scalar_part *part)
{
	bool ok = *n < most && part->leaf.size && part->leaf.size <= 8 &&
		  part->leaf.kind != LEAF_STRUCT &&
		  part->offset / 8 == (part->offset + part->leaf.size - 1) / 8;

	if (ok)
		parts[(*n)++] = *part;
	return ok;
}

unsigned type_parts(Dwarf_Die *type, struct scalar_part *parts, unsigned most)
{
	struct leaf leaf = type_leaf(type);
	Dwarf_Die child;
	struct member m;
	u64 size;
	unsigned n = 0;

	if (type_element(type, &child, &size)) {
		for (u64 at = 0; at + size <= leaf.size; at += size)
			if (!add_part(parts, &n, most,
				    &(struct scalar_part){NULL, type_leaf(&child), at}))
				return 0;
		return n;
	}
	if (leaf.kind != LEAF_STRUCT || dwarf_tag(&leaf.type) == DW_TAG_union_type ||
		dwarf_child(&leaf.type, &child) != 0)
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_member)
			continue;
		if (!member_read(&child, &m) || m.bits ||
			!add_part(parts, &n, most,
				&(struct scalar_part){
					dwarf_diename(&child), type_leaf(&m.type), m.offset}))
			return 0;
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

bool type_is_open(Dwarf_Die *type)
{
	struct leaf leaf = type_leaf(type);
	Dwarf_Die child, range;
	struct member m, last;
	bool found = false;

	if (leaf.kind != LEAF_STRUCT || dwarf_tag(&leaf.type) == DW_TAG_union_type ||
		dwarf_tag(&leaf.type) == DW_TAG_array_type || dwarf_child(&leaf.type, &child) != 0)
		return false;
	do {
		if (member_read(&child, &m))
			last = m, found = true;
	} while (dwarf_siblingof(&child, &child) == 0);
	if (!found)
		return false;
	leaf = type_leaf(&last.type);
	if (dwarf_tag(&leaf.type) != DW_TAG_array_type)
		return type_is_open(&last.type);
	return dwarf_child(&leaf.type, &range) == 0 && dimension(&range) == 0;
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
static bool is_one_member(Dwarf_Die *type, u64 size, const struct hint *hint)
{
	struct member m;
	unsigned many;

	return size && dwarf_tag(type) != DW_TAG_array_type &&
	       member_choose(type, 0, size, hint, &m, &many) && many == 1 && m.size == size;
}

static bool is_same_type(Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Die x = peel(a), y = peel(b);

	return dwarf_tag(&x) == dwarf_tag(&y) && size_of(&x) == size_of(&y) &&
	       (x.addr == y.addr || (*type_name(&x) && !strcmp(type_name(&x), type_name(&y))));
}

void type_path(
	Dwarf_Die *type, u64 offset, u64 size, const struct hint *hint, FILE *to, struct leaf *leaf)
{
	unsigned depth;

	*leaf = type_leaf(type);
	for (depth = 0; depth < 40 && leaf->kind == LEAF_STRUCT; depth++) {
		Dwarf_Die here = leaf->type;

		if (!offset && hint && hint->type && is_same_type(&here, hint->type))
			return;
		if (offset == 0 && (!size || (leaf->size && size >= leaf->size)) &&
			!is_one_member(&here, size, hint))
			return; /* all of it */
		if (dwarf_tag(&here) == DW_TAG_array_type) {
			if (!enter_array(&here, &offset, to, leaf))
				return;
		} else if (!enter_struct(&here, &offset, size, hint, to, leaf)) {
			return;
		}
	}
	if (offset)
		fprintf(to, "+%llu", (unsigned long long)offset);
	if (offset || (size && leaf->size && size != leaf->size && leaf->kind != LEAF_STRUCT))
		leaf->kind = LEAF_UNKNOWN;
}
