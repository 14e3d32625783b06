/* SPDX-License-Identifier: ISC */
/*
 * local.c - local variables.
 *
 * The variable at an address is found from the call's frame: DWARF gives each variable's place
 * relative to a register or to the frame base. Of the registers the stack pointer is in the trace;
 * the frame pointer, where it is used, lies at a fixed distance below the canonical frame address.
 */
#include "source/symbol_priv.h"

#include <stdlib.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "arch/ports.h"
#include "source/variable.h"

struct local_search {
	const struct call *call;
	Dwarf *file;
	const struct arch_port *port;
	u64 pc; /* as the compile unit counts */
	u64 address;
	Dwarf_Die function, found;
	bool is_found;
	u64 start; /* of the variable found */
};

/* Where the frame pointer points, below the canonical frame address. */
static u64 frame_depth(const struct local_search *s)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(dwarf_getelf(s->file));
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t n;
	u64 depth = 16;

	if (!cfi)
		return depth;
	if (dwarf_cfi_addrframe(cfi, s->pc, &frame) == 0 &&
		dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_bregx &&
		ops[0].number == s->port->dwarf_frame)
		depth = ops[0].number2;
	free(frame);
	dwarf_cfi_end(cfi);
	return depth;
}

/* The value of a register in the call, where it can be known. */
static bool register_value(const struct local_search *s, unsigned number, u64 *value)
{
	if (s->port && number == s->port->dwarf_sp)
		*value = s->call->sp;
	else if (s->port && number == s->port->dwarf_frame)
		*value = s->call->cfa - frame_depth(s);
	else
		return false;
	return true;
}

static bool location_at(Dwarf_Attribute *attr, u64 pc, Dwarf_Op *op)
{
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_getlocation_addr(attr, pc, &ops, &n, 1) != 1 || n != 1)
		return false;
	*op = ops[0];
	return true;
}

static bool frame_base(struct local_search *s, u64 *value)
{
	Dwarf_Attribute attr;
	Dwarf_Op op;

	if (!dwarf_attr_integrate(&s->function, DW_AT_frame_base, &attr) ||
		!location_at(&attr, s->pc, &op))
		return false;
	if (op.atom == DW_OP_call_frame_cfa) {
		*value = s->call->cfa;
		return true;
	}
	if (op.atom >= DW_OP_reg0 && op.atom <= DW_OP_reg31)
		return register_value(s, op.atom - DW_OP_reg0, value);
	if (op.atom < DW_OP_breg0 || op.atom > DW_OP_breg31 ||
		!register_value(s, op.atom - DW_OP_breg0, value))
		return false;
	*value += op.number;
	return true;
}

/* The address of a local variable by a location's operation; false if it is not in memory. */
static bool start_of(struct local_search *s, const Dwarf_Op *op, u64 *start)
{
	if (op->atom == DW_OP_fbreg) {
		if (!frame_base(s, start))
			return false;
	} else if (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31 ||
		   !register_value(s, op->atom - DW_OP_breg0, start)) {
		return false;
	}
	*start += op->number;
	return true;
}

/* Does the variable contain the address in any part of the function? An optimiser moves a variable
 * between registers and its place in the frame. */
static bool lies_there(struct local_search *s, Dwarf_Die *variable, u64 size)
{
	Dwarf_Attribute attr;
	Dwarf_Addr base, from, to;
	Dwarf_Op *ops;
	ptrdiff_t at = 0;
	size_t n;

	if (!dwarf_attr(variable, DW_AT_location, &attr))
		return false;
	while ((at = dwarf_getlocations(&attr, at, &base, &from, &to, &ops, &n)) > 0)
		if (n == 1 && start_of(s, &ops[0], &s->start) && s->address - s->start < size)
			return true;
	return false;
}

/* The variables of a scope, and with `deep` those of its blocks too. */
static void look_in(struct local_search *s, Dwarf_Die *scope, unsigned deep)
{
	Dwarf_Die child, type;
	Dwarf_Word size;

	if (dwarf_child(scope, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (deep && (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine))
			look_in(s, &child, deep - 1);
		if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || s->is_found ||
			!type_of(&child, &type) || dwarf_aggregate_size(&type, &size) != 0 ||
			!lies_there(s, &child, size))
			continue;
		s->found = child;
		s->is_found = true;
	} while (!s->is_found && dwarf_siblingof(&child, &child) == 0);
}

/* The scopes around an instruction, the innermost first; the caller frees them. */
static int scopes_at(Dwarf_Die *cu, u64 pc, Dwarf_Die **scopes)
{
	Dwarf_Die *inner;
	int n = dwarf_getscopes(cu, pc, &inner);

	if (n <= 0)
		return 0;
	n = dwarf_getscopes_die(&inner[0], scopes);
	free(inner);
	return n > 0 ? n : 0;
}

/* First the scopes that the call is in, then all blocks of the function. */
static void look_everywhere(struct local_search *s, Dwarf_Die *scopes, int n)
{
	int function = 0;

	while (function < n && dwarf_tag(&scopes[function]) != DW_TAG_subprogram)
		function++;
	if (function == n)
		return;
	s->function = scopes[function];
	for (int i = 0; i <= function && !s->is_found; i++)
		look_in(s, &scopes[i], 0);
	if (!s->is_found)
		look_in(s, &s->function, 20);
}

static const struct arch_port *port_of(Dwarf *file)
{
	GElf_Ehdr header;

	return gelf_getehdr(dwarf_getelf(file), &header) ? arch_port_of_file(header.e_machine)
							   : NULL;
}

bool symbol_local(struct symbols *s, const struct call *call, u64 address, u64 size,
	const struct hint *hint, struct variable *v)
{
	struct local_search search = {.call = call, .address = address};
	Dwarf_Die cu, *scopes;
	u64 bias;
	int n;

	if (!symbol_unit(s, call->pc - 1, &cu, &bias))
		return false;
	search.pc = call->pc - 1 - bias;
	search.file = dwarf_cu_getdwarf(cu.cu);
	search.port = port_of(search.file);
	n = scopes_at(&cu, search.pc, &scopes);
	if (!n)
		return false;
	look_everywhere(&search, scopes, n);
	free(scopes);
	if (search.is_found)
		symbol_describe(search.found, address - search.start, size, hint, v);
	return search.is_found;
}

static bool pointer_on_line(Dwarf_Die *variable, int line, Dwarf_Die *to)
{
	Dwarf_Die type;
	struct leaf leaf;
	int declared;

	if (dwarf_tag(variable) != DW_TAG_variable || dwarf_decl_line(variable, &declared) != 0 ||
		declared != line || !type_of(variable, &type))
		return false;
	leaf = type_leaf(&type);
	return type_pointee(&leaf, to);
}

bool symbol_local_pointee(struct symbols *s, u64 address, Dwarf_Die *type)
{
	int line = symbol_frames(s, address)->at[0].line, n;
	Dwarf_Die *scopes, child, cu;
	bool found = false;
	u64 bias;

	if (!symbol_unit(s, address - 1, &cu, &bias))
		return false;
	n = dwarf_getscopes(&cu, address - 1 - bias, &scopes);
	for (int i = 0; i < n && !found; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_compile_unit ||
			dwarf_child(&scopes[i], &child) != 0)
			continue;
		do
			found = pointer_on_line(&child, line, type);
		while (!found && dwarf_siblingof(&child, &child) == 0);
	}
	if (n > 0)
		free(scopes);
	return found;
}
