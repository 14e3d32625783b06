/* SPDX-License-Identifier: ISC */
/* point.c - see point.h. */
#include "repair/point.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "path.h"
#include "source/primitive.h"
#include "report/report.h"

/* --- orders ---------------------------------------------------------------------------------- */

u8 strength_of(u8 order)
{
	static const u8 bits[] = {0, STRENGTH_ACQUIRE, STRENGTH_ACQUIRE, STRENGTH_RELEASE,
		STRENGTH_ACQUIRE | STRENGTH_RELEASE, STRENGTH_SEQ_CST};

	return order < array_size(bits) ? bits[order] : 0;
}

u8 order_of_strength(u8 bits)
{
	static const u8 order[] = {
		__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL};

	return bits & STRENGTH_SC ? __ATOMIC_SEQ_CST
				  : order[bits & (STRENGTH_ACQUIRE | STRENGTH_RELEASE)];
}

/* --- where orders are written ---------------------------------------------------------------- */

const char *point_callee(const struct point *p, u32 frame)
{
	return frame ? p->chain[frame - 1].function : NULL;
}

struct edit point_edit(const struct point *p)
{
	const struct frame *f = &p->chain[p->order_at];

	return (struct edit){.file = f->file,
		.line = f->line,
		.column = f->column,
		.fail = FAIL_FITS,
		.write = p->kind == SITE_STORE,
		.part = p->kind == SITE_LOAD || p->kind == SITE_CAS,
		.cxx = p->cxx,
		.callee = point_callee(p, p->order_at),
		.system = f->file && primitive_is_system(f->file)};
}

static bool point_is_shared(const struct point *p)
{
	return p->order_at + 1 < p->depth;
}

static bool same_position(const struct frame *a, const struct frame *b)
{
	return a->file && b->file && a->line == b->line && a->column == b->column &&
	       !strcmp(a->file, b->file);
}

bool point_shares(const struct point *p, const struct point *b)
{
	return point_is_shared(p) && point_is_shared(b) && p->kind == b->kind &&
	       same_position(&p->chain[p->order_at], &b->chain[b->order_at]);
}

/* The innermost of the user's functions that does not get the order from its caller. */
static u32 find_order(struct points *p, const struct point *x)
{
	struct point at = *x;

	for (u32 i = 0; i + 1 < x->depth; i++) {
		struct edit e;

		at.order_at = i;
		e = point_edit(&at);
		if (e.file && !primitive_is_system(e.file) && !patch_passes_order(&p->sources, &e))
			return i;
	}
	return x->depth - 1;
}

/* --- from sites to points -------------------------------------------------------------------- */

static bool same_point_place(const struct point *a, const struct point *b)
{
	bool same = a->depth == b->depth;

	for (u32 i = 0; i < a->depth && same; i++)
		same = same_position(&a->chain[i], &b->chain[i]);
	return same;
}

static char *where_in_line(const struct point *x, bool chain)
{
	char *where = xprintf("%s:%d:%d", path_base(x->file), x->line, x->column);

	return chain ? xprintf("%s (%s:%d)", where, path_base(x->chain[0].file), x->chain[0].line)
		     : where;
}

/* Name a point: with its column if the line has several, with the function called if the column has
 * several. */
static void name_point(struct points *p, struct point *x)
{
	bool alone = true, chain = false;

	for (u32 i = 0; i < p->npoints; i++) {
		struct point *y = &p->point[i];
		bool same = x->file && y->file && x->line == y->line && !strcmp(x->file, y->file);

		if (!same)
			continue;
		alone = false;
		same = x->column == y->column && x->depth > 1 && y->depth > 1;
		y->where = where_in_line(y, same || strchr(y->where, '('));
		chain |= same;
	}
	if (x->file)
		x->where = alone ? xprintf("%s:%d", path_base(x->file), x->line)
				 : where_in_line(x, chain);
}

/* The part of an order that applies to a load, or to a store. */
static u8 applicable_part(const struct override *s, u8 bits)
{
	u8 sc = bits & STRENGTH_SC ? STRENGTH_SEQ_CST : 0;

	return s->kind == SITE_LOAD ? sc | (bits & STRENGTH_ACQUIRE)
	       : s->kind == SITE_STORE ? sc | (bits & STRENGTH_RELEASE) : bits;
}

static void limit_point(const struct points *p, struct point *x, const struct override *s)
{
	if (!p->relax)
		return;
	if (s->relaxed) {
		x->strength = 0;
		x->most |= applicable_part(s, strength_of(s->order));
		if (s->kind == SITE_CAS)
			x->most_fail |= strength_of(s->fail);
	}
}

static u32 find_point(struct points *p, const struct frames *f, const struct override *s)
{
	struct point x = {.kind = s->kind,
		.flags = s->flags,
		.strength = strength_of(s->order),
		.chain = f->at,
		.depth = f->place < f->n ? f->place + 1 : f->n};
	const struct frame *place = &f->at[x.depth - 1];

	if (place->file && place->line) {
		x.file = place->file;
		x.line = place->line;
		x.column = place->column;
	}
	x.function = place->function;
	x.calls = x.depth == f->n && f->stands_for_calls;
	for (u32 i = 0; i < x.depth; i++)
		x.cxx |= f->at[i].file && strstr(f->at[i].file, "/include/c++/");
	x.order_at = find_order(p, &x);
	for (u32 i = 0; i < p->npoints; i++) {
		if (!same_point_place(&p->point[i], &x) || p->point[i].kind != x.kind)
			continue;
		p->point[i].strength &= x.strength;
		p->point[i].flags |= x.flags;
		limit_point(p, &p->point[i], s);
		return i;
	}
	x.where = frame_place(f, x.depth - 1);
	name_point(p, &x);
	p->point = xgrow(p->point, (p->npoints + 1) * sizeof(*p->point));
	limit_point(p, &x, s);
	p->point[p->npoints] = x;
	return p->npoints++;
}

/* Fixed addresses are offsets from 0. */
static bool is_fixed(const char *path)
{
	Elf64_Ehdr header;
	int fd = path_open(path);
	bool fixed = fd >= 0 && read(fd, &header, sizeof(header)) == sizeof(header) &&
		     header.e_type == ET_EXEC;

	if (fd >= 0)
		close(fd);
	return fixed;
}

/* A trace with the modules of these sites, for their symbols. */
static struct trace *imagine_trace(const struct override *s, u32 n)
{
	struct trace *t = xmalloc(sizeof(*t));
	struct trace_module *m = xmalloc(n * sizeof(*m));

	for (u32 i = 0; i < n; i++) {
		u32 k = 0;

		while (k < t->nmodules && strcmp(m[k].path, s[i].module))
			k++;
		if (k < t->nmodules)
			continue;
		m[k] = (struct trace_module){.id = k, .path = s[i].module, .size = 1ull << 36,
			.base = is_fixed(s[i].module) ? 0 : (u64)(k + 1) << 40};
		t->nmodules++;
	}
	t->modules = m;
	return t;
}

static u64 address_in(const struct trace *t, const struct override *s)
{
	u32 i = 0;

	while (strcmp(t->modules[i].path, s->module))
		i++;
	return t->modules[i].base + s->offset;
}

static void take_new(struct points *p, u32 first)
{
	struct override *s = p->site + first;
	u32 n = p->nsites - first, known = p->npoints;
	struct trace *t = imagine_trace(s, n);
	const char *changed;
	struct symbols *symbols = symbols_open(t, &changed);

	for (u32 i = 0; i < n; i++) {
		/* alone: the order of accesses is not observable there */
		bool candidate =
			s[i].flags & SITE_SHARED && (p->plain || !(s[i].flags & SITE_PLAIN));

		s[i].relaxed = p->relax && candidate &&
			       !(s[i].flags & (SITE_PLAIN | SITE_VOLATILE | SITE_ASM));
		s[i].point = candidate ? find_point(p, symbol_frames(symbols, address_in(t, &s[i])),
						 &s[i])
				       : POINT_NONE;
	}
	offer_changes(p, known);
}

static struct override *find_site(const struct points *p, const char *module, u64 offset)
{
	for (u32 i = 0; i < p->nsites; i++)
		if (p->site[i].offset == offset && !strcmp(p->site[i].module, module))
			return &p->site[i];
	return NULL;
}

void points_read(struct points *p, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[ORDERS_LINE + 2];
	u32 first = p->nsites;
	struct site_line l;
	struct err err;

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		struct override *known;

		if (!site_read(line, strcspn(line, "\n"), &l, &err))
			die("%s: %s", path, err.message);
		if (!l.module[0])
			continue;
		known = find_site(p, l.module, l.offset);
		if (known && (known->point != POINT_NONE || !(l.flags & SITE_SHARED)))
			continue;
		if (known) { /* is no longer alone */
			known->flags |= SITE_SHARED;
			known->offset = UINT64_MAX; /* will be added again */
		}
		p->site = xgrow(p->site, (p->nsites + 1) * sizeof(*p->site));
		p->site[p->nsites++] = (struct override){
			xstrdup(l.module), l.offset, l.kind, l.order, l.fail, l.flags, POINT_NONE};
	}
	fclose(f);
	if (p->nsites > first)
		take_new(p, first);
}

const struct override *points_site(
	const struct points *p, const struct trace *t, const struct trace_event *e)
{
	const struct trace_stack *stack = trace_stack(t, e->e.stack);
	const struct trace_module *m =
		stack && stack->nframes ? trace_module_at(t, stack->frames[0] - 1) : NULL;

	return m ? find_site(p, m->path, stack->frames[0] - m->base) : NULL;
}

/* --- choices --------------------------------------------------------------------------------- */

static u8 *slot_of(const struct option *o, struct stronger *at)
{
	struct stronger *x = &at[o->point];

	return o->slot == SLOT_ORDER ? &x->order
	       : o->slot == SLOT_BEFORE ? &x->before
	       : o->slot == SLOT_AFTER ? &x->after : &x->fail;
}

bool option_is_in(const struct points *p, const struct option *o, const struct stronger *at)
{
	u8 has = *slot_of(o, (struct stronger *)at);

	if (o->slot == SLOT_ORDER)
		has |= p->point[o->point].strength;
	return (has & o->strength) == o->strength;
}

bool option_has(const struct points *p, u32 a, u32 b)
{
	const struct option *x = &p->option[a], *y = &p->option[b];

	return x->point == y->point &&
	       (x->slot == y->slot || (x->slot == SLOT_FAIL && y->slot == SLOT_ORDER)) &&
	       !(y->strength & ~x->strength);
}

void option_add(const struct option *o, struct stronger *at)
{
	*slot_of(o, at) |= o->strength;
}

void points_apply(const struct points *p, const bool *chosen, struct stronger *at)
{
	memset(at, 0, p->npoints * sizeof(*at));
	for (u32 i = 0; i < p->noptions; i++)
		if (chosen[i])
			option_add(&p->option[i], at);
}

/* The remaining orders of a site. In C11 the order for failure of a compare-and-exchange is never
 * stronger than that for success. */
static struct order_file relaxed_orders(const struct override *s, const struct stronger *x)
{
	u8 order = order_of_strength((x->order | x->fail) & strength_of(s->order));

	return (struct order_file){
		.order = (u8)(ORDER_C11 +
			      order), /* a relaxed fence has no effect, but appears in the trace */
		.fail = s->kind == SITE_CAS
				? (u8)(ORDER_C11 +
					  order_of_strength(x->fail & strength_of(s->fail)))
				: ORDER_SAME,
	};
}

static u8 order_or_same(u8 bits)
{
	return bits ? (u8)(ORDER_C11 + order_of_strength(bits)) : ORDER_SAME;
}

void points_write(const struct points *p, const struct stronger *at, const char *path)
{
	FILE *f = fopen(path, "w");
	char line[ORDERS_LINE];

	if (!f)
		die("%s: %s", path, strerror(errno));
	for (u32 i = 0; i < p->nsites; i++) {
		const struct override *s = &p->site[i];
		const struct stronger *x = s->point != POINT_NONE ? &at[s->point] : NULL;
		struct text t = text_begin(line, sizeof(line));
		struct order_file_line l = {.offset = s->offset};
		u8 bits;

		if (!x || s->offset == UINT64_MAX ||
			(!s->relaxed && !(x->order | x->before | x->after)))
			continue;
		bits = x->order | strength_of(s->order);
		snprintf(l.module, sizeof(l.module), "%s", s->module);
		if (s->relaxed) {
			l.orders = relaxed_orders(s, x);
			order_file_write(&t, &l);
			fprintf(f, "%s\n", line);
			continue;
		}
		l.orders.order = x->order ? order_or_same(bits) : ORDER_SAME;
		if (x->order && s->kind == SITE_CAS)
			l.orders.fail = (u8)(ORDER_C11 + order_of_strength(strength_of(s->fail) |
				(bits & STRENGTH_SC ? bits : bits & STRENGTH_ACQUIRE)));
		l.orders.before = order_or_same(x->before);
		l.orders.after = order_or_same(x->after);
		order_file_write(&t, &l);
		fprintf(f, "%s\n", line);
	}
	if (fclose(f) != 0)
		die("%s: %s", path, strerror(errno));
}
