/* SPDX-License-Identifier: ISC */
/* module.c - the debug information of a module, indexed by address. */
#include "source/module.h"

#include <stdlib.h>

#include <dwarf.h>

#include "die.h"
#include "source/variable.h"

/* --- lists ------------------------------------------------------------------------------------ */

static void items_add(struct items *l, u64 start, u64 size, u64 skip, Dwarf_Die *die)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->at = xgrow(l->at, l->room * sizeof(*l->at));
	}
	l->at[l->n++] = (struct item){start, size, skip, *die};
}

static int by_start(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

const struct item *module_find(struct items *l, u64 address)
{
	size_t low = 0, high = l->n;

	if (!l->sorted && l->n)
		qsort(l->at, l->n, sizeof(*l->at), by_start);
	l->sorted = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low && address - l->at[low - 1].start < l->at[low - 1].size)
		return &l->at[low - 1];
	return NULL;
}

/* --- variables -------------------------------------------------------------------------------- */

/* The number that an operation of a location pushes: an address or an offset. */
static bool pushed(Dwarf_Attribute *attr, const Dwarf_Op *op, u64 *value)
{
	Dwarf_Attribute indirect;
	Dwarf_Addr address;
	Dwarf_Word word;

	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u: *value = op->number; return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(attr, op, &indirect) != 0)
			return false;
		if (dwarf_formaddr(&indirect, &address) == 0)
			*value = address;
		else if (dwarf_formudata(&indirect, &word) == 0)
			*value = word;
		else
			return false;
		return true;
	}
	return false;
}

/* ops[0..n) say where `size` bytes of a variable are. An optimiser may keep one bit, and an
 * expression for the value. */
static void take_piece(struct module *m, Dwarf_Die *die, Dwarf_Attribute *attr, const Dwarf_Op *ops,
	size_t n, struct item piece)
{
	if (n < 1 || ops[0].atom == DW_OP_const4u || ops[0].atom == DW_OP_const8u ||
		!pushed(attr, &ops[0], &piece.start))
		return;
	if (n > 1 && ops[1].atom != DW_OP_deref_size)
		return;
	if (n > 1)
		piece.size = ops[1].number;
	items_add(&m->globals, piece.start + m->bias, piece.size, piece.skip, die);
}

/* Each remaining member of a static struct that the optimiser has split is a piece. */
static void take_variable(struct module *m, Dwarf_Die *die)
{
	struct item piece = {.skip = 0};
	Dwarf_Attribute attr;
	Dwarf_Die type;
	Dwarf_Op *ops;
	Dwarf_Word size;
	size_t n, from = 0;
	u64 at;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &n) != 0 ||
		!type_of(die, &type) || dwarf_aggregate_size(&type, &size) != 0)
		return;
	if (n == 2 && (ops[1].atom == DW_OP_GNU_push_tls_address ||
			      ops[1].atom == DW_OP_form_tls_address)) {
		if (pushed(&attr, &ops[0], &at))
			items_add(&m->tls, at, size, 0, die);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (ops[i].atom != DW_OP_piece)
			continue;
		piece.size = ops[i].number;
		take_piece(m, die, &attr, ops + from, i - from, piece);
		piece.skip += ops[i].number;
		from = i + 1;
	}
	piece.size = size;
	if (!from)
		take_piece(m, die, &attr, ops, n, piece);
}

/* --- calls ------------------------------------------------------------------------------------ */

static u64 attribute_number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	return dwarf_attr(die, name, &attr) && dwarf_formudata(&attr, &number) == 0 ? number : 0;
}

/* The function that is inlined there, as the offset of its DIE. */
static u64 inlined_origin(Dwarf_Die *inlined)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(inlined, DW_AT_abstract_origin, &attr) &&
			       dwarf_formref_die(&attr, &origin)
		       ? dwarf_dieoffset(&origin)
		       : 0;
}

static void take_call(struct module *m, Dwarf_Die *inlined)
{
	items_add(&m->calls, inlined_origin(inlined), attribute_number(inlined, DW_AT_call_line),
		attribute_number(inlined, DW_AT_call_column), inlined);
}

bool module_inlines_twice(const struct module *m, Dwarf_Die *inlined)
{
	u64 function = inlined_origin(inlined), line = attribute_number(inlined, DW_AT_call_line),
	    column = attribute_number(inlined, DW_AT_call_column);

	for (size_t i = 0; i < m->calls.n; i++) {
		const struct item *c = &m->calls.at[i];

		if (c->start == function && (c->size != line || c->skip != column))
			return true;
	}
	return false;
}

/* --- modules ---------------------------------------------------------------------------------- */

/* Variables are in compile units, and static ones in functions and their blocks. */
static void take_children(struct module *m, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die child;

	if (depth > 30 || dwarf_child(parent, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable: take_variable(m, &child); break;
		case DW_TAG_inlined_subroutine: take_call(m, &child); /* fall through */
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace: take_children(m, &child, depth + 1); break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

static void take_code(struct module *m, Dwarf_Die *cu)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(cu, at, &base, &start, &end)) > 0)
		if (end > start)
			items_add(&m->code, start, end - start, 0, cu);
}

void module_read(struct module *m)
{
	Dwarf_Die *cu = NULL;
	Dwarf_Addr bias;

	if (m->read)
		return;
	m->read = true;
	while ((cu = dwfl_module_nextcu(m->dwfl, cu, &bias))) {
		m->bias = bias;
		take_code(m, cu);
		take_children(m, cu, 0);
	}
}

/* --- the symbol table ------------------------------------------------------------------------- */

static int binding_rank(const GElf_Sym *s)
{
	int bind = GELF_ST_BIND(s->st_info);

	return bind == STB_GLOBAL ? 2 : bind == STB_WEAK ? 1 : 0;
}

/* libdwfl searches the whole table for each address. */
static void read_symbol_table(struct module *m)
{
	int n = dwfl_module_getsymtab(m->dwfl), k = 0;

	m->functions = xmalloc((size_t)(n > 0 ? n + 1 : 1) * sizeof(*m->functions));
	for (int i = 0; i < n; i++) {
		GElf_Sym symbol;
		GElf_Addr at;
		const char *name =
			dwfl_module_getsym_info(m->dwfl, i, &symbol, &at, NULL, NULL, NULL);

		if (name && *name && at && symbol.st_shndx != SHN_UNDEF &&
			GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
			m->functions[k++] =
				(struct function_symbol){at, name, binding_rank(&symbol)};
	}
	m->functions[k].address = 0;
}

const char *module_function(struct module *m, u64 address)
{
	const struct function_symbol *found = NULL;

	if (!m->functions)
		read_symbol_table(m);
	for (const struct function_symbol *f = m->functions; f->address; f++)
		if (f->address == address && (!found || f->rank > found->rank))
			found = f;
	return found ? found->name : NULL;
}

const struct item *module_unit(struct module *m, u64 pc)
{
	if (!m || !m->dwfl)
		return NULL;
	module_read(m);
	return module_find(&m->code, pc - m->bias);
}
