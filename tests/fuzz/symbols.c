/* SPDX-License-Identifier: ISC */
/*
 * symbols.c - source/symbol.h without debug information: names and lines follow from the address,
 * some of them unusual. libdw is not tested here on damaged files; it would be
 * slow.
 */
#include "source/symbol_priv.h"

#include "die.h"

struct symbols {
	const struct trace *trace;
};

static const char *const names[] = {NULL, "main", "writer_x", "heddle_assert", "a\033[31mb\n",
	"\xc2\x9bm", "<&\"'>\\", "operator()(int, char**)"};
static const char *const files[] = {NULL, "sb.c", "/usr/src/queue.c", "./a b/\033]0;x\007.c",
	"x\ny.c", "<!--.c", "\xff\xfe.c", "../../x.c"};

static const char *name_of(u64 address)
{
	return names[(address >> 4) % array_size(names)];
}

struct symbols *symbols_open(const struct trace *t, const char **changed)
{
	struct symbols *s = xmalloc(sizeof(*s));

	s->trace = t;
	*changed = t->nmodules && t->modules[0].base & 1 ? t->modules[0].path : NULL;
	return s;
}

const struct frames *symbol_frames(struct symbols *s, u64 address)
{
	const struct trace_module *m = trace_module_at(s->trace, address - 1);
	struct frames *f = xmalloc(sizeof(*f));

	f->n = 1 + (address >> 12 & 1);
	f->at = xmalloc(f->n * sizeof(*f->at));
	f->module = m ? m->path : NULL;
	f->offset = m ? address - m->base : address;
	for (unsigned i = 0; i < f->n; i++)
		f->at[i] = (struct frame){name_of(address + 16 * i),
			files[address % array_size(files)], (int)(address >> 3 & 63),
			(int)(address >> 2 & 7), i + 1 < f->n};
	return f;
}

const struct frames *symbol_place(struct symbols *s, const u64 *stack, u32 n)
{
	return n ? symbol_frames(s, stack[stack[0] & 2 ? n - 1 : 0]) : NULL;
}

bool symbol_unit(struct symbols *s, u64 pc, Dwarf_Die *cu, u64 *bias)
{
	return false;
}

const char *symbol_function(struct symbols *s, u64 address)
{
	return address & 1 ? NULL : name_of(address);
}

char *symbol_literal(struct symbols *s, u64 address, u64 *offset)
{
	*offset = address & 1;
	return address & 2 ? NULL : xprintf("\"%llx\"", (unsigned long long)address);
}

static bool variable_of(u64 address, u64 size, struct variable *v)
{
	static const enum leaf_kind kinds[] = {
		LEAF_UNKNOWN, LEAF_SIGNED, LEAF_UNSIGNED, LEAF_CHAR, LEAF_BOOL, LEAF_FLOAT};
	const char *name = name_of(address);

	if (!name)
		return false;
	v->name = address & 8 ? xprintf("%s.field", name) : xstrdup(name);
	v->leaf.kind = kinds[(address >> 2) % array_size(kinds)];
	v->leaf.size = size;
	return true;
}

const char *symbol_of_address(struct symbols *s, u64 address, u64 *offset)
{
	return NULL;
}

u64 symbol_address(struct symbols *s, const char *name)
{
	return 0;
}

bool symbol_variable(
	struct symbols *s, u64 address, u64 size, const struct hint *hint, struct variable *v)
{
	return variable_of(address, size, v);
}

bool symbol_tls(struct symbols *s, u64 module_base, u64 offset, u64 size, const struct hint *hint,
	struct variable *v)
{
	return variable_of(module_base + offset, size, v);
}

bool symbol_local(struct symbols *s, const struct call *call, u64 address, u64 size,
	const struct hint *hint, struct variable *v)
{
	return variable_of(call->pc ^ address, size, v);
}

bool symbol_local_pointee(struct symbols *s, u64 address, Dwarf_Die *type)
{
	return false;
}
