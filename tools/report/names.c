/* SPDX-License-Identifier: ISC */
/*
 * names.c - names for memory, and values as their types show them.
 *
 * A heap block has no name in the program. It is called after the type it holds, with a number:
 * node#2->next. The type is found by looking who points there: a pointer of type `struct node *`
 * that once held the block's address says that the block holds a struct node. Failing that, the
 * variable declared on the line that called malloc() says it.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"
#include "report/variable.h"

/* --- blocks ---------------------------------------------------------------------------------- */

static u32 block_index(const struct report *r, u32 id)
{
	return (u32)(trace_block(r->t, id) - r->t->blocks);
}

/* The block that begins at this address, or NULL. */
static const struct trace_block *block_at(const struct report *r, u64 address)
{
	for (u32 i = 0; i < r->t->nblocks; i++)
		if (address && r->t->blocks[i].address == address)
			return &r->t->blocks[i];
	return NULL;
}

/* A block holds one or more whole things of this type. */
static bool fits(const struct trace_block *b, const struct leaf *type)
{
	return type->size && b->size >= type->size;
}

static bool learn(struct report *r, const struct trace_block *b, Dwarf_Die *type)
{
	struct block_name *name = &r->blocks[b - r->t->blocks];
	struct leaf leaf = type_leaf(type);

	if (name->typed || !fits(b, &leaf) || leaf.kind == LEAF_CHAR)
		return false;
	name->typed = true;
	name->type = leaf;
	name->type.type = *type; /* keep the typedef: it may be the only name */
	return true;
}

/* One look at every pointer that was read or written. */
static bool learn_from_events(struct report *r)
{
	bool learned = false;

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct trace_event *ev = &r->t->events[i];
		const struct trace_block *b = block_at(r, ev->e.value[0]);
		struct leaf leaf;
		Dwarf_Die to;

		if (!b || !ev->place || !kind_is_access((enum event_kind)ev->e.kind) ||
			r->blocks[b - r->t->blocks].typed)
			continue;
		free(name_of_place(r, ev->place, ev->e.size, &leaf));
		if (type_pointee(&leaf, &to) && learn(r, b, &to))
			learned = true;
	}
	return learned;
}

static void learn_from_locals(struct report *r)
{
	for (u32 i = 0; i < r->t->nblocks; i++) {
		const struct trace_block *b = &r->t->blocks[i];
		const struct trace_stack *stack = trace_stack(r->t, b->stack);
		Dwarf_Die type;

		if (stack && stack->nframes &&
			symbol_local_pointee(r->symbols, stack->frames[0], &type))
			learn(r, b, &type);
	}
}

/* node#1, node#2, ...: numbered by name, in the order of the trace. */
static void number_blocks(struct report *r)
{
	for (u32 i = 0; i < r->t->nblocks; i++) {
		struct block_name *b = &r->blocks[i];
		const char *type = b->typed ? type_name(&b->type.type) : "";
		const char *base = *type ? type : "block";
		unsigned n = 1;

		for (u32 k = 0; k < i; k++) {
			size_t length = strlen(base);

			n += !strncmp(r->blocks[k].name, base, length) &&
			     r->blocks[k].name[length] == '#';
		}
		b->name = xprintf("%s#%u", base, n);
	}
}

/* A block that the program has named as a whole: queue->head. */
static void take_given_names(struct report *r)
{
	for (u32 i = 0; i < r->t->nplaces; i++) {
		const struct trace_place *p = &r->t->places[i];

		if (p->name[0] && p->kind == PLACE_HEAP && p->block && p->into == p->offset)
			r->blocks[block_index(r, p->block)].name = xstrdup(clean_text(p->name));
	}
}

void names_prepare(struct report *r)
{
	r->blocks = xmalloc(r->t->nblocks * sizeof(*r->blocks));
	for (u32 i = 0; i < r->t->nblocks; i++)
		r->blocks[i].name = (char *)"block"; /* until they are numbered */
	while (learn_from_events(r))
		;
	learn_from_locals(r);
	while (learn_from_events(r))
		;
	number_blocks(r);
	take_given_names(r);
}

/* --- places ---------------------------------------------------------------------------------- */

/* node#1->next, node#1[2].next, block#1+8 */
static char *name_in_block(const struct report *r, u32 id, u64 offset, u64 size, struct leaf *leaf)
{
	const struct block_name *b = &r->blocks[block_index(r, id)];
	Dwarf_Die type = b->type.type;
	u64 index, many;
	char *name, *path;
	size_t n;
	FILE *to;

	if (!b->typed)
		return xprintf(offset ? "%s+%llu" : "%s", b->name, (unsigned long long)offset);
	to = open_memstream(&path, &n);
	if (!to)
		die("not enough memory");
	index = offset / b->type.size;
	many = trace_block(r->t, id)->size / b->type.size;
	type_path(&type, offset % b->type.size, size, to, leaf);
	fclose(to);
	if (many > 1)
		name = xprintf("%s[%llu]%s", b->name, (unsigned long long)index, path);
	else if (path[0] == '.')
		name = xprintf("%s->%s", b->name, path + 1);
	else
		name = xprintf("%s%s", b->name, path);
	free(path);
	return name;
}

static char *name_of_tls(
	const struct report *r, const struct trace_place *p, u64 size, struct leaf *leaf)
{
	const struct trace_module *m = trace_module(r->t, p->module);
	struct variable v;

	if (!m || !symbol_tls(r->symbols, m->base, p->offset, size, &v))
		return xprintf("thread-local data of %s", thread_label(r, p->thread));
	*leaf = v.leaf;
	return xprintf("%s of %s", v.name, thread_label(r, p->thread));
}

/* A variable of one of the calls that were active; else how far from the stack's top it is. */
static char *name_on_stack(
	const struct report *r, const struct trace_place *p, u64 size, struct leaf *leaf)
{
	const struct trace_stack *stack = trace_stack(r->t, p->stack);
	struct call call = {0, p->address - p->above, p->address + p->below};
	struct variable v;

	if (stack && p->frame < stack->nframes) {
		call.pc = stack->frames[p->frame];
		if (symbol_local(r->symbols, &call, p->address, size, &v)) {
			*leaf = v.leaf;
			return p->thread ? xprintf("%s of %s", v.name, thread_label(r, p->thread))
					 : v.name;
		}
	}
	return xprintf(
		"stack of %s-%llu", thread_label(r, p->thread), (unsigned long long)p->offset);
}

char *name_of_place(const struct report *r, u32 id, u64 size, struct leaf *leaf)
{
	const struct trace_place *p = trace_place(r->t, id);
	const struct trace_module *m;
	struct leaf none;
	struct variable v = {NULL, {LEAF_UNKNOWN, 0, {0}}};

	if (!leaf)
		leaf = &none;
	memset(leaf, 0, sizeof(*leaf));
	if (!p)
		return xstrdup("");
	if (p->name[0] && (p->kind != PLACE_HEAP || !p->block || p->into != p->offset))
		return xprintf(p->into ? "%s+%llu" : "%s", clean_text(p->name), (unsigned long long)p->into);
	switch (p->kind) {
	case PLACE_HEAP:
		if (p->block)
			return name_in_block(r, p->block, p->offset, size, leaf);
		break;
	case PLACE_TLS: return name_of_tls(r, p, size, leaf);
	case PLACE_STACK: return name_on_stack(r, p, size, leaf);
	case PLACE_GLOBAL:
		if (!symbol_variable(r->symbols, p->address, size, &v))
			break;
		*leaf = v.leaf;
		return v.name;
	}
	m = trace_module_at(r->t, p->address);
	if (m)
		return xprintf("%s+0x%llx", clean_text(path_base(m->path)),
			(unsigned long long)(p->address - m->base));
	return xprintf("0x%llx", (unsigned long long)p->address);
}

/* --- values ---------------------------------------------------------------------------------- */

static i64 sign_extend(u64 value, u64 size)
{
	unsigned shift = size < 8 ? (unsigned)(64 - 8 * size) : 0;

	return (i64)(value << shift) >> shift;
}

/* Whole bytes in hex, the way one reads a number. */
static char *value_hex(const u64 *value, u64 size)
{
	if (size > 8 && value[1])
		return xprintf("0x%llx%016llx", (unsigned long long)value[1],
			(unsigned long long)value[0]);
	return xprintf("0x%llx", (unsigned long long)value[0]);
}

/* The place that begins at this address, the largest if there are several, or NULL. */
static const struct trace_place *place_at(const struct report *r, u64 address)
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

/* A pointer by what it points to: &x, node#1, a function; else as a number. */
static char *value_pointer(const struct report *r, const struct leaf *leaf, u64 value)
{
	const struct trace_place *place = place_at(r, value);
	const struct trace_block *b = block_at(r, value);
	const struct trace_module *m = trace_module_at(r->t, value);
	Dwarf_Die to;
	u64 size = type_pointee(leaf, &to) ? type_leaf(&to).size : 0;
	struct variable v;

	if (!value)
		return xstrdup("NULL");
	if (b)
		return xstrdup(r->blocks[b - r->t->blocks].name);
	if (m && symbol_variable(r->symbols, value, size, &v))
		return xprintf(symbol_function(r->symbols, value) ? "%s" : "&%s", v.name);
	if (place)
		return xprintf("&%s", name_of_place(r, place->id, size, NULL));
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

/* Without a type: small numbers in decimal, what looks like an address or a pattern in hex. */
static char *value_plain(const struct report *r, const u64 *value, u64 size)
{
	const struct leaf none = {LEAF_UNKNOWN, 0, {0}};

	if (size <= 8 && block_at(r, value[0]))
		return value_pointer(r, &none, value[0]);
	if (size > 8 || value[0] > 0xffffff)
		return value_hex(value, size);
	return xprintf("%llu", (unsigned long long)value[0]);
}

static char *value_signed(i64 value)
{
	return xprintf("%lld", (long long)value);
}

char *name_of_value(const struct report *r, const struct leaf *leaf, const u64 *value, u64 size)
{
	u64 bits = size < 8 ? value[0] & ((1ull << 8 * size) - 1) : value[0];
	const char *name;

	if (size > sizeof(u64[2]))
		return xstrdup("{...}"); /* not all of it is in the trace */
	if (size > 8 || !size)
		return value_plain(r, value, size);
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
