/* SPDX-License-Identifier: ISC */
/* names.c - names for memory: variables, parts of heap blocks (block.c), and other names in the
 * source. */
#include "report/block.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"
#include "source/variable.h"

static char *name_of_tls(const struct report *r, const struct trace_place *p, u64 size,
	const struct hint *hint, struct leaf *leaf)
{
	const struct trace_module *m = trace_module(r->t, p->module);
	struct variable v;

	if (!m || !symbol_tls(r->symbols, m->base, p->offset, size, hint, &v))
		return xprintf("thread-local data of %s", thread_label(r, p->thread));
	*leaf = v.leaf;
	return xprintf("%s of %s", v.name, thread_label(r, p->thread));
}

/* A variable of one of the calls that were active; else the distance from the top of the stack. */
static char *name_on_stack(const struct report *r, const struct trace_place *p, u64 size,
	const struct hint *hint, struct leaf *leaf)
{
	const struct trace_stack *stack = trace_stack(r->t, p->stack);
	struct call call = {0, p->address - p->above, p->address + p->below};
	struct variable v;

	if (stack && p->frame < stack->nframes) {
		call.pc = stack->frames[p->frame];
		if (symbol_local(r->symbols, &call, p->address, size, hint, &v)) {
			*leaf = v.leaf;
			return p->thread ? xprintf("%s of %s", v.name, thread_label(r, p->thread))
					 : v.name;
		}
	}
	if (hint->words)
		return p->thread ? xprintf("%s of %s", hint->words, thread_label(r, p->thread))
				 : xstrdup(hint->words);
	return xprintf(
		"stack of %s-%llu", thread_label(r, p->thread), (unsigned long long)p->offset);
}

static char *make_name(const struct report *r, const struct trace_place *p, u64 size,
	const struct expression *use, Dwarf_Die *pointee, struct leaf *leaf)
{
	const struct hint hint = {use ? use->text : NULL, pointee};
	const struct trace_module *m;
	struct variable v = {NULL, {LEAF_UNKNOWN, 0, {0}}};
	u64 offset;

	if (p->name[0] && (p->kind != PLACE_HEAP || !p->block || p->into != p->offset))
		return xprintf(p->into ? "%s+%llu" : "%s", clean_text(p->name),
			(unsigned long long)p->into);
	switch (p->kind) {
	case PLACE_HEAP:
		if (p->block)
			return name_in_block(r, p->block, p->offset, size, use, pointee, leaf);
		break;
	case PLACE_TLS: return name_of_tls(r, p, size, &hint, leaf);
	case PLACE_STACK: return name_on_stack(r, p, size, &hint, leaf);
	case PLACE_GLOBAL:
		if (symbol_variable(r->symbols, p->address, size, &hint, &v)) {
			*leaf = v.leaf;
			return v.name;
		}
		v.name = symbol_literal(r->symbols, p->address, &offset);
		if (v.name)
			return xprintf("%s[%llu]", v.name, (unsigned long long)offset);
	}
	m = trace_module_at(r->t, p->address);
	if (m)
		return xprintf("%s+0x%llx", clean_text(path_base(m->path)),
			(unsigned long long)(p->address - m->base));
	return hint.words ? xstrdup(hint.words) : xprintf("0x%llx", (unsigned long long)p->address);
}

char *name_of_place(const struct report *r, u32 id, u64 size, struct leaf *leaf)
{
	const struct trace_place *p = trace_place(r->t, id);
	struct leaf none;

	if (!leaf)
		leaf = &none;
	memset(leaf, 0, sizeof(*leaf));
	return p ? make_name(r, p, size, r->place_uses[p - r->t->places], NULL, leaf) : xstrdup("");
}

char *name_of_pointee(const struct report *r, u32 id, Dwarf_Die *type)
{
	const struct trace_place *p = trace_place(r->t, id);
	struct leaf none;

	return make_name(r, p, type ? type_leaf(type).size : 0, NULL, type, &none);
}

char *name_of_access(const struct report *r, const struct trace_event *ev, struct leaf *leaf)
{
	const struct trace_place *p = trace_place(r->t, ev->place);
	const struct expression *use = r->uses[ev - r->t->events];

	memset(leaf, 0, sizeof(*leaf));
	if (!p)
		return xstrdup("");
	return make_name(r, p, ev->e.size ? ev->e.size : 1,
		use ? use : r->place_uses[p - r->t->places], NULL, leaf);
}
