/* SPDX-License-Identifier: ISC */
/*
 * block.c - types and names of heap blocks.
 *
 * A heap block has no name in the program. It is named after its type, with a number: node#2->next.
 * The type is that of the source expressions that access the block, or of a pointer to it that was
 * read or written, or of the destination of malloc()'s result; of several, the one that fills it
 * best. A block of unknown type is named after the variable that it was assigned to.
 */
#include "report/block.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/clean.h"
#include "source/expression.h"
#include "source/variable.h"

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

const struct trace_block *block_around(const struct report *r, u64 address)
{
	for (u32 i = 0; i < r->t->nblocks; i++)
		if (r->t->blocks[i].address &&
			address - r->t->blocks[i].address < r->t->blocks[i].size)
			return &r->t->blocks[i];
	return NULL;
}

/* --- types ----------------------------------------------------------------------------------- */

enum { FIT_INNER = 2, FIT_HEADER, FIT_ARRAY, FIT_OPEN, FIT_EXACT };

/* A name that the language reserves for libraries: __atomic_base, _Head_base. */
static bool is_reserved(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* How well a type describes a block; 0: not at all. */
static unsigned fits(const struct block_name *name, const struct trace_block *b, Dwarf_Die *type)
{
	struct leaf leaf = type_leaf(type);

	if (!leaf.size || b->size < leaf.size || leaf.kind == LEAF_CHAR)
		return 0;
	if (b->size == leaf.size && leaf.kind == LEAF_STRUCT)
		return FIT_EXACT;
	if (!strncmp(type_name(type), "pthread_", 8) || is_reserved(type_name(type)))
		return 0; /* inside of another object, likely */
	if (leaf.kind != LEAF_STRUCT)
		return 1;
	if (type_is_open(type))
		return FIT_OPEN;
	if (b->size % leaf.size == 0)
		return FIT_ARRAY;
	return name->is_raw ? 0 : FIT_HEADER;
}

/* The block has an object somewhere behind its beginning: it is no array of a scalar type. */
static void learn_inner(struct report *r, const struct trace_block *b, Dwarf_Die *type)
{
	struct block_name *name = &r->blocks[b - r->t->blocks];

	if (name->fit < FIT_INNER && type_leaf(type).kind == LEAF_STRUCT && *type_name(type)) {
		name->fit = FIT_INNER;
		name->typed = false;
	}
}

static bool learn_type(struct report *r, const struct trace_block *b, Dwarf_Die *type)
{
	struct block_name *name = &r->blocks[b - r->t->blocks];
	unsigned fit = fits(name, b, type);

	if (fit <= name->fit)
		return false;
	name->fit = fit;
	name->typed = true;
	name->type = type_leaf(type);
	name->type.type = *type; /* keep the typedef: it may be the only name */
	return true;
}

/* Visit each pointer that was read or written. */
static bool learn_from_events(struct report *r)
{
	bool learned = false;

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct trace_event *ev = &r->t->events[i];
		const struct trace_block *b = block_at(r, ev->e.value[0]);
		struct leaf leaf;
		Dwarf_Die to;

		if (!b || !ev->place || !kind_is_access((enum event_kind)ev->e.kind))
			continue;
		free(name_of_access(r, ev, &leaf));
		if (type_pointee(&leaf, &to) && learn_type(r, b, &to))
			learned = true;
	}
	return learned;
}

static void learn_from_origins(struct report *r)
{
	for (u32 i = 0; i < r->t->nblocks; i++) {
		const struct trace_block *b = &r->t->blocks[i];
		const struct trace_stack *stack = trace_stack(r->t, b->stack);
		struct origin o;
		Dwarf_Die type;

		if (!stack || !stack->nframes)
			continue;
		expression_origin(r->symbols, stack, &o);
		if (!o.name || !is_reserved(o.name)) { /* else the library's own */
			r->blocks[i].variable = o.name;
			r->blocks[i].address = o.address;
			r->blocks[i].frame = o.frame;
		}
		r->blocks[i].is_raw = o.typed && type_leaf(&o.type).kind == LEAF_CHAR;
		if (o.typed)
			learn_type(r, b, &o.type);
		else if (symbol_local_pointee(r->symbols, stack->frames[0], &type))
			learn_type(r, b, &type);
	}
}

/* --- uses: the expressions of events --------------------------------------------------------- */

struct uses {
	bool read;
	struct expression *at;
	unsigned n;
};

static bool add_use(void *data, const struct expression *e)
{
	struct uses *u = data;

	u->at = xgrow(u->at, (u->n + 1) * sizeof(*u->at));
	u->at[u->n++] = *e;
	return false;
}

/* Is the code at the place a library's? Its types are of what it needs, not of the block. */
static bool is_of_library(const struct report *r, const struct trace_stack *stack)
{
	const struct frames *f = symbol_place(r->symbols, stack->frames, stack->nframes);

	return f && f->n && f->at[0].primitive;
}

static const struct uses *uses_of(struct report *r, u32 stack_id, struct uses *cache)
{
	const struct trace_stack *stack = trace_stack(r->t, stack_id);
	struct uses *u = stack ? &cache[stack - r->t->stacks] : NULL;

	if (u && !u->read && !is_of_library(r, stack))
		expression_each(r->symbols, stack, add_use, u);
	if (u)
		u->read = true;
	return u;
}

static bool waits_for_condition(enum event_kind k)
{
	return k == EV_COND_WAIT || k == EV_COND_WAKE || k == EV_COND_SIGNAL ||
	       k == EV_COND_BROADCAST;
}

/* Can the expression be the memory that the event accesses, by its type? */
static bool is_like(const struct trace_event *ev, const struct expression *e)
{
	Dwarf_Die object = e->object;
	struct leaf leaf = type_leaf(&object);
	const char *name = type_name(&object);
	enum event_kind kind = (enum event_kind)ev->e.kind;

	if (kind_is_access(kind))
		return leaf.size == ev->e.size;
	if (!strncmp(name, "pthread_", 8) &&
		(kind == EV_LOCK || kind == EV_UNLOCK || waits_for_condition(kind)))
		return waits_for_condition(kind) == !strncmp(name, "pthread_cond", 12);
	return true;
}

/* The beginning in the block of the object that the event accesses; false: none. */
static bool start_in(const struct trace_place *p, const struct expression *e, u64 *start)
{
	Dwarf_Die root = e->root;
	u64 size = type_leaf(&root).size;

	if (!e->rooted || p->offset < e->offset || !size)
		return false;
	*start = e->stride && (p->offset - e->offset) % e->stride == 0 ? 0 : p->offset - e->offset;
	return *start % size == 0;
}

/* May the block be an array of such a type? Not of a scalar that only a library accesses. */
static bool may_be_of(const struct report *r, const struct trace_event *ev, Dwarf_Die *root)
{
	const struct trace_stack *stack = trace_stack(r->t, ev->e.stack);

	return type_leaf(root).kind == LEAF_STRUCT || !stack || !stack->nframes ||
	       !symbol_frames(r->symbols, stack->frames[0])->at[0].primitive;
}

/* Learn from the expressions for an event about its block. */
static void learn_from_uses(struct report *r, const struct uses *uses, const struct trace_event *ev)
{
	const struct trace_place *p = trace_place(r->t, ev->place);
	const struct trace_block *b = p->kind == PLACE_HEAP ? trace_block(r->t, p->block) : NULL;
	u64 start;

	for (unsigned i = 0; b && i < uses->n; i++) {
		Dwarf_Die root = uses->at[i].root;

		if (!is_like(ev, &uses->at[i]) || !uses->at[i].rooted || !may_be_of(r, ev, &root))
			continue;
		if (start_in(p, &uses->at[i], &start) &&
			(!start || b->size % type_leaf(&root).size == 0))
			learn_type(r, b, &root);
		else if (!uses->at[i].stride && p->offset > uses->at[i].offset)
			learn_inner(r, b, &root);
	}
}

/* The expression of an event; that of the outermost caller that knows it. */
static const struct expression *use_of(const struct uses *uses, const struct trace_event *ev)
{
	const struct expression *use = NULL;

	for (unsigned i = 0; i < uses->n; i++) {
		if (!is_like(ev, &uses->at[i]))
			continue;
		use = &uses->at[i];
		if (use->settled)
			break;
	}
	return use;
}

static void learn_from_sources(struct report *r)
{
	struct uses *cache = xmalloc((r->t->nstacks + 1) * sizeof(*cache));

	r->uses = xmalloc((r->t->nevents + 1) * sizeof(*r->uses));
	r->place_uses = xmalloc((r->t->nplaces + 1) * sizeof(*r->place_uses));
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct trace_event *ev = &r->t->events[i];
		const struct trace_place *p = trace_place(r->t, ev->place);
		const struct uses *uses = p ? uses_of(r, ev->e.stack, cache) : NULL;

		if (!uses)
			continue;
		learn_from_uses(r, uses, ev);
		r->uses[i] = use_of(uses, ev);
		if (!r->place_uses[p - r->t->places])
			r->place_uses[p - r->t->places] = r->uses[i];
	}
}

/* --- names ----------------------------------------------------------------------------------- */

static const char *base_name(const struct block_name *b)
{
	Dwarf_Die of = b->type.type;
	const char *name = b->typed ? type_name(&of) : "";
	const char *type =
		xprintf("%.*s", (int)strcspn(name, "<"), name); /* without a template's arguments */

	if (b->variable && (b->type.kind != LEAF_STRUCT || !*type))
		return b->variable;
	return *type ? type : "block";
}

/* node#1, node#2, ...: numbered by name, in the order of the trace. */
static void number_blocks(struct report *r)
{
	for (u32 i = 0; i < r->t->nblocks; i++) {
		const char *base = base_name(&r->blocks[i]);
		size_t length = strlen(base);
		unsigned n = 1;

		for (u32 k = 0; k < i; k++)
			n += !strncmp(r->blocks[k].name, base, length) &&
			     r->blocks[k].name[length] == '#';
		r->blocks[i].name = xprintf("%s#%u", base, n);
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

void blocks_prepare(struct report *r)
{
	r->blocks = xmalloc(r->t->nblocks * sizeof(*r->blocks));
	for (u32 i = 0; i < r->t->nblocks; i++)
		r->blocks[i].name = (char *)"block"; /* until they are numbered */
	learn_from_origins(r);
	learn_from_sources(r);
	while (learn_from_events(r))
		;
	number_blocks(r);
	take_given_names(r);
}

/* node->next of a part of the block, as type and place within it. */
static char *name_in_type(const char *start, Dwarf_Die *type, u64 offset, u64 size,
	const struct hint *hint, struct leaf *leaf)
{
	char *path, *name;
	size_t n;
	FILE *to = open_memstream(&path, &n);

	if (!to)
		die("not enough memory");
	type_path(type, offset, size, hint, to, leaf);
	fclose(to);
	name = path[0] == '.' ? xprintf("%s->%s", start, path + 1) : xprintf("%s%s", start, path);
	free(path);
	return name;
}

/* (node at block#1+64)->next, or block#1+72: memory from a program's own allocator. */
static char *name_in_raw_block(const struct report *r, const struct block_name *b, u64 offset,
	u64 size, const struct expression *use, struct leaf *leaf)
{
	char *plain = xprintf(offset ? "%s+%llu" : "%s", b->name, (unsigned long long)offset);
	const struct hint hint = {use ? use->text : NULL, NULL};
	Dwarf_Die root;
	u64 start;

	if (!use || !use->rooted || use->stride || offset < use->offset)
		return plain;
	root = use->root;
	start = offset - use->offset;
	if (type_leaf(&root).kind != LEAF_STRUCT || !*type_name(&root))
		return plain;
	return name_in_type(xprintf(start ? "(%s at %s+%llu)" : "(%s at %s)", type_name(&root),
				    b->name, (unsigned long long)start),
		&root, use->offset, size, &hint, leaf);
}

/* node#1->next, node#1[2].next, block#1+8 */
char *name_in_block(const struct report *r, u32 id, u64 offset, u64 size,
	const struct expression *use, Dwarf_Die *pointee, struct leaf *leaf)
{
	const struct block_name *b = &r->blocks[block_index(r, id)];
	u64 whole = trace_block(r->t, id)->size, index = offset / (b->typed ? b->type.size : 1);
	const struct hint hint = {use ? use->text : NULL, pointee};
	Dwarf_Die type = b->type.type;
	char *name, *dotted;

	if (!b->typed)
		return name_in_raw_block(r, b, offset, size, use, leaf);
	if (whole <= b->type.size || whole % b->type.size || b->fit == FIT_OPEN)
		return name_in_type(b->name, &type, offset, size, &hint, leaf);
	/* of an array */
	name = name_in_type("", &type, offset % b->type.size, size, &hint, leaf);
	dotted = name + (!strncmp(name, "->", 2) ? 1 : 0);
	if (*dotted == '>')
		*dotted = '.';
	return xprintf("%s[%llu]%s", b->name, (unsigned long long)index, dotted);
}

/* "leak: nothing points to a block of 16 bytes any more" gets the name of the block. */
char *block_message(const struct report *r, const char *message)
{
	const struct finding *f = &r->t->finding.f;
	const struct trace_event *e = f->step ? trace_event(r->t, f->step) : NULL;
	const struct trace_place *p = e ? trace_place(r->t, e->place) : NULL;
	const char *at = strstr(message, "a block of "), *end = at ? strstr(at, " bytes") : NULL;

	if (f->kind != FINDING_LEAK || !p || p->kind != PLACE_HEAP || !p->block || !end)
		return xstrdup(message);
	at += strlen("a block of ");
	return xprintf("%.*s%s (%.*s bytes)%s", (int)(at - strlen("a block of ") - message),
		message, r->blocks[block_index(r, p->block)].name, (int)(end - at), at,
		end + strlen(" bytes"));
}

static const struct trace_stack *origin_stack(const struct report *r, u32 index)
{
	const struct trace_stack *stack = trace_stack(r->t, r->t->blocks[index].stack);

	return stack && stack->nframes ? stack : NULL;
}

char *block_site(const struct report *r, u32 index)
{
	const struct trace_stack *stack = origin_stack(r, index);
	const struct block_name *b = &r->blocks[index];

	if (!stack)
		return NULL;
	return b->address ? frame_place(symbol_frames(r->symbols, b->address), b->frame)
			  : frame_place(symbol_place(r->symbols, stack->frames, stack->nframes), 0);
}

char *block_wrapper(const struct report *r, u32 index)
{
	const struct trace_stack *stack = origin_stack(r, index);
	const struct block_name *b = &r->blocks[index];
	const struct frames *f = stack ? symbol_frames(r->symbols, stack->frames[0]) : NULL;

	if (!f || !b->address || (b->address == stack->frames[0] && !b->frame) ||
		!f->at[0].function || !strncmp(f->at[0].function, "_Zn", 3)) /* operator new */
		return NULL;
	return xprintf("%s (%s)", f->at[0].function, frame_place(f, 0));
}
