/* SPDX-License-Identifier: ISC */
/* scope.c - see scope.h. */
#include "source/scope.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "source/symbol_priv.h"

static bool is_function(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram || dwarf_tag(die) == DW_TAG_inlined_subroutine;
}

/* Frames count from the innermost function, but the first ones may have been dropped: count from
 * the outermost. */
static bool choose_function(struct scope *scope, int n, unsigned from_end)
{
	int last = 0;

	while (last < n && dwarf_tag(&scope->at[last]) != DW_TAG_subprogram)
		last++;
	if (last == n)
		return false;
	for (; from_end; from_end--) {
		do
			last--;
		while (last >= 0 && !is_function(&scope->at[last]));
		if (last < 0)
			return false;
	}
	scope->last = last;
	for (scope->first = last; scope->first > 0 && !is_function(&scope->at[scope->first - 1]);)
		scope->first--;
	return true;
}

bool scope_open(struct symbols *s, u64 address, unsigned i, struct scope *scope)
{
	const struct frames *frames = symbol_frames(s, address);
	Dwarf_Die *inner;
	u64 bias;
	int n;

	scope->at = NULL;
	if (i >= frames->n || !symbol_unit(s, address - 1, &scope->cu, &bias))
		return false;
	n = dwarf_getscopes(&scope->cu, address - 1 - bias, &inner);
	if (n <= 0)
		return false;
	n = dwarf_getscopes_die(&inner[0], &scope->at);
	free(inner);
	if (n > 0 && choose_function(scope, n, frames->n - 1 - i))
		return true;
	scope_close(scope);
	return false;
}

void scope_close(struct scope *scope)
{
	free(scope->at);
	scope->at = NULL;
}

static bool has_name(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_diename(die);

	return own && !strcmp(own, name);
}

static bool is_variable(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable || dwarf_tag(die) == DW_TAG_formal_parameter;
}

static bool find_variable(Dwarf_Die *parent, const char *name, Dwarf_Die *found)
{
	Dwarf_Die child;

	if (dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (is_variable(&child) && has_name(&child, name)) {
			*found = child;
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* An inlined call may have lost variables; the function that it is a copy of has all. */
static Dwarf_Die abstract_origin(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
		return origin;
	return *die;
}

bool scope_local(const struct scope *scope, const char *name, Dwarf_Die *variable)
{
	for (int i = scope->first; i <= scope->last; i++) {
		Dwarf_Die origin = abstract_origin(&scope->at[i]);

		if (find_variable(&scope->at[i], name, variable) ||
			find_variable(&origin, name, variable))
			return true;
	}
	return false;
}

bool scope_variable(const struct scope *scope, const char *name, Dwarf_Die *variable)
{
	Dwarf_Die cu = scope->cu;

	return scope_local(scope, name, variable) || find_variable(&cu, name, variable);
}

int scope_parameter(const struct scope *scope, const char *name)
{
	Dwarf_Die function = abstract_origin(&scope->at[scope->last]), child;
	int n = 0;

	if (dwarf_child(&function, &child) != 0)
		return -1;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (has_name(&child, name))
			return n;
		n++;
	} while (dwarf_siblingof(&child, &child) == 0);
	return -1;
}

bool scope_type(const struct scope *scope, const char *name, bool tag, Dwarf_Die *type)
{
	Dwarf_Die cu = scope->cu, child;

	if (dwarf_child(&cu, &child) != 0)
		return false;
	do {
		int t = dwarf_tag(&child);
		bool aggregate = t == DW_TAG_structure_type || t == DW_TAG_union_type ||
				 t == DW_TAG_class_type || t == DW_TAG_enumeration_type;

		if ((aggregate || (!tag && (t == DW_TAG_typedef || t == DW_TAG_base_type))) &&
			has_name(&child, name) && !dwarf_hasattr(&child, DW_AT_declaration)) {
			*type = child;
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}
