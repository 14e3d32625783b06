/* SPDX-License-Identifier: ISC */
/*
 * symbol.c - from addresses to functions, lines and variables with libdw.
 *
 * The modules of the trace are reported to libdwfl at the bases they had. Separate debug files
 * are found by its standard callbacks (.gnu_debuglink, /usr/lib/debug); nothing is downloaded.
 */
#include "source/symbol.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>

#include "die.h"
#include "path.h"
#include "source/module.h"
#include "source/primitive.h"
#include "source/symbol_priv.h"
#include "source/variable.h"

#define CACHE 4096 /* a power of two */

struct cached {
	u64 address;
	struct frames frames, user; /* user: without the primitives; none if all are */
	struct cached *next;
};

struct symbols {
	Dwfl *dwfl;
	const struct trace *trace;
	struct module *modules;
	const char *changed; /* a module that was changed, or the program if it was removed, or
				NULL */
	struct cached *cache[CACHE];
};

/* --- modules --------------------------------------------------------------------------------- */

static char *debug_path; /* NULL: the default search path */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &debug_path,
};

static bool same_file(Dwfl_Module *m, const struct trace_build_id *b)
{
	const unsigned char *bits;
	GElf_Addr at;
	int n = dwfl_module_build_id(m, &bits, &at);

	return n <= 0 || !b->n || (n == b->n && !memcmp(bits, b->bytes, b->n));
}

static void open_module(struct symbols *s, struct module *m, const char **changed)
{
	const char *path = m->from->path;
	int fd = path_open(path);

	if (fd < 0) {
		if (!strcmp(path, s->trace->program.path))
			*changed = path;
		return;
	}
	m->dwfl = dwfl_report_elf(s->dwfl, path, path, fd, m->from->base, true);
	if (!m->dwfl) {
		close(fd);
		return;
	}
	if (same_file(m->dwfl, &m->from->build_id))
		return;
	m->dwfl = NULL;
	*changed = path;
}

static struct symbols *open_trace_symbols(const struct trace *t)
{
	struct symbols *s = xmalloc(sizeof(*s));

	s->trace = t;
	s->modules = xmalloc(t->nmodules * sizeof(*s->modules));
	setenv("DEBUGINFOD_URLS", "", 1);
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl)
		die("libdw: %s", dwfl_errmsg(-1));
	dwfl_report_begin(s->dwfl);
	for (u32 i = 0; i < t->nmodules; i++) {
		s->modules[i].from = &t->modules[i];
		open_module(s, &s->modules[i], &s->changed);
	}
	dwfl_report_end(s->dwfl, NULL, NULL);
	return s;
}

static bool same_modules(const struct trace *a, const struct trace *b)
{
	bool same = a->nmodules == b->nmodules;

	for (u32 i = 0; i < a->nmodules && same; i++) {
		const struct trace_module *x = &a->modules[i], *y = &b->modules[i];

		same = x->base == y->base && x->size == y->size && !strcmp(x->path, y->path) &&
		       x->build_id.n == y->build_id.n &&
		       !memcmp(x->build_id.bytes, y->build_id.bytes, x->build_id.n);
	}
	return same;
}

/* The findings of a program have the same modules, and debug information takes long to read. */
struct symbols *symbols_open(const struct trace *t, const char **changed)
{
	static struct symbols *last;

	if (!last || !same_modules(last->trace, t))
		last = open_trace_symbols(t);
	*changed = last->changed;
	return last;
}

static struct module *find_symbol_module(struct symbols *s, u64 address)
{
	const struct trace_module *m = trace_module_at(s->trace, address);

	return m ? &s->modules[m - s->trace->modules] : NULL;
}

/* --- frames ---------------------------------------------------------------------------------- */

static const char *shorten(const char *file)
{
	while (file && !strncmp(file, "./", 2))
		file += 2;
	return file;
}

/* The line of the instruction at pc, in this compile unit. */
static void set_line(Dwarf_Die cu, u64 pc, struct frame *f)
{
	Dwarf_Line *line = dwarf_getsrc_die(&cu, pc);

	if (!line)
		return;
	f->file = shorten(dwarf_linesrc(line, NULL, NULL));
	dwarf_lineno(line, &f->line);
	dwarf_linecol(line, &f->column);
}

/* The line of the file whose code is nearest to pc, within a scope; 0: it has none. The optimiser
 * gives code that stands for several lines line 0. */
static int nearest_line(Dwarf_Die *cu, Dwarf_Die *scope, u64 pc, const char *file)
{
	u64 least = ~0ull;
	Dwarf_Lines *lines;
	int found = 0;
	size_t n;

	if (dwarf_getsrclines(cu, &lines, &n) != 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr at;
		int number;

		if (dwarf_lineaddr(line, &at) != 0 || dwarf_lineno(line, &number) != 0 || !number ||
			(at < pc ? pc - at : at - pc) >= least || dwarf_haspc(scope, at) <= 0 ||
			strcmp(shorten(dwarf_linesrc(line, NULL, NULL)), file) != 0)
			continue;
		least = at < pc ? pc - at : at - pc;
		found = number;
	}
	return found;
}

/* The line of the call that `inlined` stands for. */
static void set_call_line(Dwarf_Die *inlined, struct frame *f)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;
	Dwarf_Files *files;
	Dwarf_Die cu;
	size_t n;

	if (dwarf_attr(inlined, DW_AT_call_line, &attr) && !dwarf_formudata(&attr, &number))
		f->line = (int)number;
	if (dwarf_attr(inlined, DW_AT_call_column, &attr) && !dwarf_formudata(&attr, &number))
		f->column = (int)number;
	if (dwarf_attr(inlined, DW_AT_call_file, &attr) && !dwarf_formudata(&attr, &number) &&
		dwarf_diecu(inlined, &cu, NULL, NULL) && !dwarf_getsrcfiles(&cu, &files, &n))
		f->file = shorten(dwarf_filesrc(files, number, NULL, NULL));
}

static bool is_function_or_entry(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_entry_point;
}

static void append_frame(struct frames *f, struct frame frame)
{
	f->at = xgrow(f->at, (f->n + 1) * sizeof(*f->at));
	f->at[f->n++] = frame;
}

static bool is_primitive(const struct module *m, const struct frame *f, Dwarf_Die *function)
{
	return primitive_is(f, m->from->path, function) ||
	       (f->inlined && primitive_is_accessor(f, function) &&
		       module_inlines_twice(m, function) && !primitive_is_denied(f));
}

/* The functions around pc, from the inlined ones out to the real one. */
static void frames_from_scopes(
	struct frames *f, const struct module *m, Dwarf_Die *scopes, int n, struct frame line)
{
	for (int i = 0; i < n; i++) {
		if (!is_function_or_entry(&scopes[i]))
			continue;
		line.function = dwarf_diename(&scopes[i]);
		line.inlined = dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine;
		line.primitive = is_primitive(m, &line, &scopes[i]);
		f->stands_for_calls = line.primitive || primitive_is_accessor(&line, &scopes[i]);
		append_frame(f, line);
		if (!line.inlined)
			break;
		line = (struct frame){.file = line.file};
		set_call_line(&scopes[i], &line);
	}
}

/* The innermost function or block with the code at pc, even if its parent does not contain pc, like
 * a class in a function. */
static bool find_scope(Dwarf_Die *parent, u64 pc, unsigned depth, Dwarf_Die *scope)
{
	Dwarf_Die child;

	if (depth > 30 || dwarf_child(parent, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (dwarf_haspc(&child, pc) > 0 &&
			(is_function_or_entry(&child) || tag == DW_TAG_lexical_block)) {
			*scope = child;
			find_scope(&child, pc, depth + 1, scope);
			return true;
		}
		if ((is_function_or_entry(&child) || tag == DW_TAG_lexical_block ||
			    tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
			    tag == DW_TAG_structure_type) &&
			find_scope(&child, pc, depth + 1, scope))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static void frames_from_scope(
	struct frames *f, const struct module *m, Dwarf_Die *scope, struct frame line)
{
	Dwarf_Die *outer;
	int n = dwarf_getscopes_die(scope, &outer);

	if (n <= 0)
		return;
	frames_from_scopes(f, m, outer, n, line);
	free(outer);
}

static void frames_from_dwarf(struct frames *f, const struct module *m, Dwarf_Die cu, u64 pc)
{
	struct frame line = {NULL};
	Dwarf_Die *scopes, scope;
	int n = dwarf_getscopes(&cu, pc, &scopes);

	set_line(cu, pc, &line);
	for (int i = 0; i < n && line.file && !line.line && !line.near; i++)
		if (is_function_or_entry(&scopes[i]) || !i)
			line.near = nearest_line(&cu, &scopes[i], pc, line.file);
	if (n > 0) {
		frames_from_scope(f, m, &scopes[0], line);
		free(scopes);
	}
	if (!f->n && find_scope(&cu, pc, 0, &scope))
		frames_from_scope(f, m, &scope, line);
	if (!f->n && line.file)
		append_frame(f, line);
}

/* The inline functions of our headers stand for their callees. */
static void drop_ours(struct frames *f)
{
	unsigned n = 0;

	while (n + 1 < f->n && f->at[n].inlined && f->at[n].function &&
		!strncmp(f->at[n].function, "heddle_", 7))
		n++;
	if (!n)
		return;
	f->n -= n;
	memmove(f->at, f->at + n, f->n * sizeof(*f->at));
}

static void find_frames(struct symbols *s, u64 address, struct frames *f)
{
	struct module *m = find_symbol_module(s, address - 1);
	const struct item *unit = module_unit(m, address - 1);

	f->module = m ? m->from->path : NULL;
	f->offset = m ? address - m->from->base : address;
	if (unit)
		frames_from_dwarf(f, m, unit->die, address - 1 - m->bias);
	drop_ours(f);
	if (!f->n)
		append_frame(f, (struct frame){NULL});
	if (m && m->dwfl && !f->at[f->n - 1].function) {
		f->at[f->n - 1].function = dwfl_module_addrname(m->dwfl, address - 1);
		f->at[f->n - 1].primitive = primitive_is(&f->at[f->n - 1], f->module, NULL);
	}
	while (f->place < f->n && f->at[f->place].primitive)
		f->place++;
}

static struct cached *cached_at(struct symbols *s, u64 address)
{
	struct cached **slot = &s->cache[(address ^ address >> 12) & (CACHE - 1)], *c;

	for (c = *slot; c; c = c->next)
		if (c->address == address)
			return c;
	c = xmalloc(sizeof(*c));
	c->address = address;
	c->next = *slot;
	*slot = c;
	find_frames(s, address, &c->frames);
	c->user = c->frames;
	c->user.at += c->frames.place;
	c->user.n -= c->frames.place;
	c->user.place = 0;
	return c;
}

const struct frames *symbol_frames(struct symbols *s, u64 address)
{
	return &cached_at(s, address)->frames;
}

const struct frames *symbol_place(struct symbols *s, const u64 *stack, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		const struct frames *f = &cached_at(s, stack[i])->user;

		if (f->n)
			return f;
	}
	return n ? symbol_frames(s, stack[0]) : NULL;
}

const char *symbol_function(struct symbols *s, u64 address)
{
	struct module *m = find_symbol_module(s, address);
	const char *name = m && m->dwfl ? module_function(m, address) : NULL;
	const struct frames *f;

	if (!name)
		return NULL;
	f = symbol_frames(s, address + 1); /* as in the source, not mangled */
	return f->at[f->n - 1].function ? f->at[f->n - 1].function : name;
}

char *symbol_literal(struct symbols *s, u64 address, u64 *offset)
{
	struct module *m = find_symbol_module(s, address);

	return m ? module_literal(m, address, offset) : NULL;
}

/* --- variables ------------------------------------------------------------------------------- */

void symbol_describe(
	Dwarf_Die variable, u64 offset, u64 size, const struct hint *hint, struct variable *v)
{
	const char *name = dwarf_diename(&variable); /* follows DW_AT_specification */
	Dwarf_Die type;
	size_t n;
	FILE *to = open_memstream(&v->name, &n);

	if (!to)
		die("not enough memory");
	fputs(name ? name : "?", to);
	if (type_of(&variable, &type))
		type_path(&type, offset, size, hint, to, &v->leaf);
	fclose(to);
}

/* Without debug information: the symbol table. */
static bool describe_symbol(Dwfl_Module *m, u64 address, struct variable *v)
{
	GElf_Sym symbol;
	GElf_Off offset;
	const char *name = dwfl_module_addrinfo(m, address, &offset, &symbol, NULL, NULL, NULL);

	if (!name || (symbol.st_size && offset >= symbol.st_size))
		return false;
	v->name = offset ? xprintf("%s+%llu", name, (unsigned long long)offset) : xstrdup(name);
	v->leaf.kind = LEAF_UNKNOWN;
	return true;
}

const char *symbol_of_address(struct symbols *s, u64 address, u64 *offset)
{
	struct module *m = find_symbol_module(s, address);
	GElf_Sym symbol;
	GElf_Off in;
	const char *name = m && m->dwfl ? dwfl_module_addrinfo(m->dwfl, address, &in, &symbol, NULL,
						  NULL, NULL)
					: NULL;

	if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || in >= symbol.st_size)
		return NULL;
	*offset = in;
	return name;
}

static Dwfl_Module *program_module(const struct symbols *s)
{
	for (u32 i = 0; i < s->trace->nmodules; i++)
		if (!strcmp(s->modules[i].from->path, s->trace->program.path))
			return s->modules[i].dwfl;
	return NULL;
}

u64 symbol_address(struct symbols *s, const char *name)
{
	Dwfl_Module *m = program_module(s);
	int n = m ? dwfl_module_getsymtab(m) : 0;
	u64 found = 0;

	for (int i = 0; i < n; i++) {
		GElf_Sym symbol;
		GElf_Addr at;
		const char *is =
			dwfl_module_getsym_info(m, i, &symbol, &at, NULL, NULL, NULL);

		if (!is || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || strcmp(is, name) != 0)
			continue;
		if (found && found != at)
			return 0;
		found = at;
	}
	return found;
}

bool symbol_variable(
	struct symbols *s, u64 address, u64 size, const struct hint *hint, struct variable *v)
{
	struct module *m = find_symbol_module(s, address);
	const struct item *item;

	if (!m || !m->dwfl)
		return false;
	module_read(m);
	item = module_find(&m->globals, address);
	if (!item)
		return describe_symbol(m->dwfl, address, v);
	symbol_describe(item->die, address - item->start + item->skip, size, hint, v);
	return true;
}

bool symbol_tls(struct symbols *s, u64 module_base, u64 offset, u64 size, const struct hint *hint,
	struct variable *v)
{
	const struct item *item = NULL;

	for (u32 i = 0; i < s->trace->nmodules; i++) {
		struct module *m = &s->modules[i];

		if (m->from->base != module_base || !m->dwfl)
			continue;
		module_read(m);
		item = module_find(&m->tls, offset);
		if (item)
			break;
	}
	if (!item)
		return false;
	symbol_describe(item->die, offset - item->start, size, hint, v);
	return true;
}

bool symbol_unit(struct symbols *s, u64 pc, Dwarf_Die *cu, u64 *bias)
{
	struct module *m = find_symbol_module(s, pc);
	const struct item *unit = module_unit(m, pc);

	if (!unit)
		return false;
	*cu = unit->die;
	*bias = m->bias;
	return true;
}
