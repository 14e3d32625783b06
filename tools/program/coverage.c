/* SPDX-License-Identifier: ISC */
/*
 * coverage.c - see coverage.h.
 *
 * Lines are those of the line table (libdw); branches are listed by objdump. The code of system
 * headers and of the runtime does not count.
 */
#include "program/coverage.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/ports.h"
#include "die.h"
#include "event/reach.h"
#include "path.h"

/* A row of the line table: code from this address on. */
struct code {
	u64 address;
	const char *file; /* NULL: the end of a range, or not the user's */
	int line, column;
	bool begins; /* a statement */
};

struct branch {
	u64 address, target, next;
	unsigned first; /* the first of its copies; itself: it is that */
};

struct coverage {
	const char *program;
	Dwarf *dwarf;
	struct code *code; /* by address */
	unsigned ncode;
	struct branch *branch; /* by address */
	unsigned nbranches;
	struct reach *table;
	const struct code **row; /* those that begin a statement, by line */
	unsigned nrows;
};

/* --- lines ----------------------------------------------------------------------------------- */

static bool is_users(const char *file)
{
	return file && strncmp(file, "/usr/", 5) != 0 && !strstr(file, "runtime/cxx/");
}

static void add_unit(struct coverage *c, Dwarf_Die *cu)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(cu, &lines, &n) != 0)
		return;
	c->code = xgrow(c->code, (c->ncode + n) * sizeof(*c->code));
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		struct code *to = &c->code[c->ncode];
		Dwarf_Addr address;
		bool end = false;

		if (dwarf_lineaddr(l, &address) != 0 || !address)
			continue;
		*to = (struct code){.address = address};
		dwarf_lineendsequence(l, &end);
		dwarf_lineno(l, &to->line);
		dwarf_linecol(l, &to->column);
		dwarf_linebeginstatement(l, &to->begins);
		to->file = end ? NULL : dwarf_linesrc(l, NULL, NULL);
		if (!is_users(to->file) || !to->line)
			to->file = NULL;
		c->ncode++;
	}
}

/* Where one sequence ends another may begin: that one counts. */
static int by_code(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	if (x->address != y->address)
		return (x->address > y->address) - (x->address < y->address);
	return !!x->file - !!y->file;
}

static void read_line_table(struct coverage *c)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	u8 type;
	bool any = false;

	while (dwarf_get_units(c->dwarf, unit, &unit, NULL, &type, &root, NULL) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(c, &root);
	qsort(c->code, c->ncode, sizeof(*c->code), by_code);
	for (unsigned i = 0; i < c->ncode && !any; i++)
		any = c->code[i].file;
	if (!any)
		die("run: --coverage needs the lines of %s: compile it with -g",
			path_here(c->program));
}

/* The row of an address; NULL: the code has none, or is not the user's. */
static const struct code *code_at(const struct coverage *c, u64 address)
{
	unsigned low = 0, high = c->ncode;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (c->code[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && c->code[low - 1].file ? &c->code[low - 1] : NULL;
}

/* --- branches -------------------------------------------------------------------------------- */

/* "  17826:\tje     17830 <f+0x10>": a conditional branch by an instruction that the runtime can
 * execute? */
static bool is_conditional(const char *instruction)
{
	return *instruction == 'j' && strncmp(instruction, "jmp", 3) != 0 &&
	       strncmp(instruction, "jrcxz", 5) != 0 && strncmp(instruction, "jecxz", 5) != 0;
}

/* Those of the pass do not count: if (__heddle_turns) ... */
static void read_branches(struct coverage *c)
{
	FILE *from =
		popen(xprintf("LC_ALL=C objdump -d --no-show-raw-insn -j .text -- %s 2>/dev/null",
			      shell_word(c->program)),
			"r");
	struct branch last = {.address = 0};
	char *line = NULL, *rest;
	bool ours = false;
	size_t room = 0;

	while (from && getline(&line, &room, from) > 0) {
		u64 address = strtoull(line, &rest, 16);

		if (*line != ' ' || strncmp(rest, ":\t", 2) != 0)
			continue;
		if (last.address) {
			last.next = address;
			c->branch = xgrow(c->branch, (c->nbranches + 1) * sizeof(*c->branch));
			c->branch[c->nbranches++] = last;
		}
		rest += 2;
		last = (struct branch){.address = 0};
		if (is_conditional(rest) && !ours && code_at(c, address))
			last = (struct branch){
				address, strtoull(rest + strcspn(rest, " "), NULL, 16), 0};
		ours = strstr(rest, "<__heddle_");
	}
	free(line);
	if (!from || pclose(from) != 0)
		die("run: --coverage needs objdump (apt-get install binutils)");
}

static int by_line(const void *a, const void *b)
{
	const struct code *x = *(const struct code *const *)a, *y = *(const struct code *const *)b;
	int files = strcmp(x->file, y->file);

	return files ? files : x->line != y->line ? x->line - y->line : x->column - y->column;
}

static void list_rows(struct coverage *c)
{
	c->row = xmalloc(c->ncode * sizeof(*c->row));
	for (unsigned i = 0; i < c->ncode; i++)
		if (c->code[i].file && c->code[i].begins)
			c->row[c->nrows++] = &c->code[i];
	qsort(c->row, c->nrows, sizeof(*c->row), by_line);
}

/* Copies of a branch in the source: from the same place to the same places. */
static bool same_branch(const struct coverage *c, const struct branch *a, const struct branch *b)
{
	const u64 x[] = {a->address, a->target, a->next}, y[] = {b->address, b->target, b->next};

	for (unsigned i = 0; i < array_size(x); i++) {
		const struct code *p = code_at(c, x[i]), *q = code_at(c, y[i]);

		if (!p != !q || (p && (strcmp(p->file, q->file) != 0 || p->line != q->line ||
					      (!i && p->column != q->column))))
			return false;
	}
	return true;
}

static void find_copies(struct coverage *c)
{
	for (unsigned i = 0; i < c->nbranches; i++)
		for (c->branch[i].first = 0; c->branch[i].first < i; c->branch[i].first++)
			if (same_branch(c, &c->branch[c->branch[i].first], &c->branch[i]))
				break;
}

/* --- the table ------------------------------------------------------------------------------- */

static int by_point(const void *a, const void *b)
{
	const struct reach_point *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static unsigned list_points(const struct coverage *c, struct reach_point *to)
{
	unsigned n = 0, kept = 0;

	for (unsigned i = 0; i < c->ncode; i++)
		if (c->code[i].file && c->code[i].begins)
			to[n++] = (struct reach_point){c->code[i].address, REACH_LINE, 0};
	for (unsigned i = 0; i < c->nbranches; i++)
		to[n++] = (struct reach_point){c->branch[i].address, REACH_BRANCH, 0};
	qsort(to, n, sizeof(*to), by_point);
	for (unsigned i = 0; i < n; i++) {
		if (kept && to[kept - 1].address == to[i].address)
			to[kept - 1].flags |= to[i].flags;
		else
			to[kept++] = to[i];
	}
	return kept;
}

static void make_table(struct coverage *c, struct options *o)
{
	size_t size = sizeof(struct reach) + (c->ncode + c->nbranches) * sizeof(struct reach_point);
	int fd = memfd_create("heddle-coverage", 0); /* inherited: no close-on-exec */

	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		die("cannot make a memory file: %s", strerror(errno));
	c->table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (c->table == MAP_FAILED)
		die("cannot map a memory file: %s", strerror(errno));
	c->table->npoints = list_points(c, c->table->point);
	o->coverage_fd = (u64)fd;
}

static bool is_of_this_machine(Dwarf *dwarf)
{
	GElf_Ehdr header;

	return gelf_getehdr(dwarf_getelf(dwarf), &header) &&
	       arch_port_of_file(header.e_machine) == arch_port_of(ARCH_NAME);
}

struct coverage *coverage_open(const char *program, struct options *o)
{
	struct coverage *c = xmalloc(sizeof(*c));
	int fd = path_open(program);

	c->program = program;
	c->dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (!c->dwarf)
		die("run: --coverage needs the lines of %s: compile it with -g",
			path_here(program));
	if (!is_of_this_machine(c->dwarf))
		die("run: --coverage is for programs of this machine, and %s is of another",
			path_here(program));
	read_line_table(c);
	read_branches(c);
	list_rows(c);
	find_copies(c);
	make_table(c, o);
	return c;
}

/* --- the result ------------------------------------------------------------------------------ */

/* The function whose code is at an address, also if it is inlined there. */
static const char *function_at(const struct coverage *c, u64 address)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die root, *scopes;
	u8 type;

	while (dwarf_get_units(c->dwarf, unit, &unit, NULL, &type, &root, NULL) == 0) {
		int n = dwarf_haspc(&root, address) > 0 ? dwarf_getscopes(&root, address, &scopes)
							: 0;

		for (int i = 0; i < n; i++)
			if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram ||
				dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
				return dwarf_diename(&scopes[i]);
	}
	return NULL;
}

static struct reached_place coverage_place_at(const struct coverage *c, u64 address)
{
	const struct code *row = code_at(c, address);

	if (!row)
		return (struct reached_place){NULL, NULL, 0};
	return (struct reached_place){row->file, function_at(c, address), row->line};
}

static u8 flags_at(const struct coverage *c, u64 address)
{
	struct reach_point key = {.address = address}, *p;

	p = bsearch(&key, c->table->point, c->table->npoints, sizeof(key), by_point);
	return p ? p->flags : 0;
}

/* The rows of a line end before the one returned. A line may have code in several places: it is
 * reached if one is. */
static unsigned see_line(const struct coverage *c, unsigned first, bool *seen)
{
	const struct code *line = c->row[first];
	unsigned i = first;

	*seen = false;
	for (; i < c->nrows && c->row[i]->line == line->line; i++) {
		if (strcmp(c->row[i]->file, line->file) != 0)
			break;
		*seen |= flags_at(c, c->row[i]->address) & REACH_SEEN;
	}
	return i;
}

static void take_lines(const struct coverage *c, struct reached *r)
{
	r->missing = xmalloc(c->nrows * sizeof(*r->missing));
	for (unsigned i = 0, end; i < c->nrows; i = end) {
		bool seen;

		end = see_line(c, i, &seen);
		r->lines++;
		r->lines_seen += seen;
		if (!seen)
			r->missing[r->nmissing++] = coverage_place_at(c, c->row[i]->address);
	}
}

static bool same_reached_place(const struct reached_place *a, const struct reached_place *b)
{
	return !a->file == !b->file &&
	       (!a->file || (a->line == b->line && !strcmp(a->file, b->file)));
}

/* An unrolled loop has several branches of which a report says the same. */
static void take_way(const struct coverage *c, struct reached *r, const struct branch *b, u64 never)
{
	struct reached_way w = {coverage_place_at(c, b->address), coverage_place_at(c, never)};

	if (same_reached_place(&w.at, &w.to))
		w.to.file = NULL;
	for (unsigned i = 0; i < r->nways; i++)
		if (same_reached_place(&w.at, &r->ways[i].at) &&
			same_reached_place(&w.to, &r->ways[i].to))
			return;
	r->ways[r->nways++] = w;
}

/* The ways that a branch, and its copies, have gone; 0: none, or it is a copy. */
static u8 ways_of(const struct coverage *c, unsigned i)
{
	u8 flags = 0;

	for (unsigned k = i; k < c->nbranches && c->branch[i].first == i; k++)
		if (c->branch[k].first == i)
			flags |= flags_at(c, c->branch[k].address);
	return flags & (REACH_TAKEN | REACH_PASSED);
}

static void take_branches(const struct coverage *c, struct reached *r)
{
	r->ways = xmalloc(c->nbranches * sizeof(*r->ways));
	for (unsigned i = 0; i < c->nbranches; i++) {
		u8 ways = ways_of(c, i);

		r->branches += ways != 0;
		if (ways == (REACH_TAKEN | REACH_PASSED))
			r->both++;
		else if (ways)
			take_way(c, r, &c->branch[i],
				ways == REACH_TAKEN ? c->branch[i].next : c->branch[i].target);
	}
}

/* The place of an access in the program: the call before a code address of which the lower half is
 * known. */
static struct reached_place access_place(const struct coverage *c, u32 site)
{
	return coverage_place_at(c, (u32)(site - (u32)c->table->base) - 1u);
}

static int by_places(const void *a, const void *b)
{
	const struct reached_pair *x = a, *y = b;
	int files = strcmp(x->read.file, y->read.file);

	if (files || x->read.line != y->read.line)
		return files ? files : x->read.line - y->read.line;
	if (!x->by.file || !y->by.file)
		return !!x->by.file - !!y->by.file;
	files = strcmp(x->by.file, y->by.file);
	return files ? files : x->by.line - y->by.line;
}

/* Pairs of lines: places of one line are the same. */
static void take_pairs(const struct coverage *c, struct reached *r)
{
	unsigned n = 0;

	r->pairs = xmalloc(REACH_PAIRS * sizeof(*r->pairs));
	for (unsigned i = 0; i < REACH_PAIRS; i++) {
		u64 pair = c->table->pair[i];
		struct reached_pair *p = &r->pairs[n];

		if (!pair)
			continue;
		p->read = access_place(c, (u32)(pair >> 32));
		p->by = (u32)pair ? access_place(c, (u32)pair)
				  : (struct reached_place){NULL, NULL, 0};
		n += p->read.file && (p->by.file || !(u32)pair);
	}
	qsort(r->pairs, n, sizeof(*r->pairs), by_places);
	for (unsigned i = 0; i < n; i++)
		if (!i || by_places(&r->pairs[i], &r->pairs[i - 1]) != 0)
			r->pairs[r->npairs++] = r->pairs[i];
}

struct coverage_counts coverage_count(const struct coverage *c)
{
	struct coverage_counts n = {0};

	for (unsigned i = 0, end; i < c->nrows; i = end) {
		bool seen;

		end = see_line(c, i, &seen);
		n.lines_missing += !seen;
	}
	for (unsigned i = 0; i < c->nbranches; i++) {
		u8 ways = ways_of(c, i);

		n.one_way += ways && ways != (REACH_TAKEN | REACH_PASSED);
	}
	for (unsigned i = 0; i < REACH_PAIRS; i++)
		n.pairs += c->table->pair[i] != 0;
	return n;
}

struct reached *coverage_result(struct coverage *c, bool graphs)
{
	struct reached *r = xmalloc(sizeof(*r));

	take_lines(c, r);
	take_branches(c, r);
	if (graphs)
		take_pairs(c, r);
	r->pairs_known = graphs && !c->table->more;
	return r;
}
