/* SPDX-License-Identifier: ISC */
/* override.c - see override.h: the table, an orders file into it, a sites file out of
 * it. */
#include "override/override.h"
#include "base/table.h"
#include "machine/core.h"
#include "process/module.h"
#include "machine/record/record.h"
#include "process/shared.h"
#include "process/file_text.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SITES	  (1u << 15) /* entries; half of them may be used */
#define FILE_MOST (4u << 20)

bool override_on;
u64 override_caller;

static struct override *table; /* [SITES] open addressing by code */
static u32 *used;	   /* behind the table, in shared memory */
static bool wanted;	   /* sites are collected */

/* --- the table ------------------------------------------------------------------------------- */

static bool have_table(void)
{
	if (!table)
		table = shared_pages(SITES * sizeof *table + sizeof *used);
	used = (u32 *)(table + SITES);
	return table;
}

static struct override *override_slot(u64 code)
{
	u32 i;

	TABLE_FIND(i, prng_mix(code), SITES, !table[i].code || table[i].code == code);
	return &table[i];
}

/* Workers may add the same entry. NULL: the table is full. */
static struct override *add_override(u64 code)
{
	u64 none = 0;
	struct override *s;

	if (*used >= SITES / 2)
		return NULL;
	for (;;) {
		s = override_slot(code);
		if (s->code)
			return s;
		if (__atomic_compare_exchange_n(
			    &s->code, &none, code, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			__atomic_add_fetch(used, 1, __ATOMIC_RELAXED);
			return s;
		}
		none = 0;
	}
}

/* The program's code address: the caller's for code of the runtime itself. */
static u64 program_place(u64 code)
{
	u64 caller = override_caller;

	override_caller = 0;
	return module_in_runtime(code) ? caller : code;
}

struct override *override_at(u64 code)
{
	struct override *s;

	code = program_place(code);
	s = override_slot(code);
	if (!code)
		return NULL;
	if (s->code)
		return s;
	return wanted ? add_override(code) : NULL;
}

static void refuse_orders_file(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void refuse_orders_file(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(M.status->note, sizeof M.status->note, format, ap);
	va_end(ap);
	M.status->state = STATUS_REFUSED;
}

/* --- an orders file -------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct module *find_module(const char *name)
{
	for (unsigned i = 0; i < modules_count(); i++)
		if (!strcmp(module_at(i)->path, name))
			return module_at(i);
	for (unsigned i = 0; i < modules_count() && !strchr(name, '/'); i++)
		if (!strcmp(base_name(module_at(i)->path), name))
			return module_at(i);
	return NULL;
}

/* May a call return there? */
static bool is_behind_call(const struct module *m, u64 code)
{
	return code >= m->text + 8 && code < m->text_end &&
	       arch_is_behind_call((const u8 *)(uintptr_t)code);
}

/* Enter one line into the table; false: it is wrong. */
static bool take_line(const struct order_file_line *l, struct err *err)
{
	const struct module *m = find_module(l->module);
	struct override *s;

	err->at = 0;
	if (!m)
		snprintf(err->message, sizeof err->message, "no module `%.100s' is loaded",
			l->module);
	else if (!is_behind_call(m, m->base + l->offset))
		snprintf(err->message, sizeof err->message,
			"no such site: no call of `%.60s' ends at 0x%llx", base_name(m->path),
			(unsigned long long)l->offset);
	else if (!(s = add_override(m->base + l->offset)))
		snprintf(err->message, sizeof err->message, "too many sites: there is room for %u",
			SITES / 2);
	else if (memcmp(&s->orders, &(struct order_file){0}, sizeof s->orders))
		snprintf(err->message, sizeof err->message, "the second line for this site");
	else {
		s->orders = l->orders;
		return true;
	}
	return false;
}

static bool read_lines(const char *path, const char *text, size_t n)
{
	struct order_file_line line;
	struct err err;
	unsigned number = 0;

	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && text[end] != '\n'; end++)
			;
		number++;
		if (!order_file_read(text + i, end - i, &line, &err) ||
			(line.module[0] && !take_line(&line, &err))) {
			refuse_orders_file("%.200s:%u:%zu: %s", path, number, err.at + 1,
				err.message);
			return false;
		}
	}
	return true;
}

static bool read_file(const char *path)
{
	size_t n;
	char *text = file_text(path, FILE_MOST, &n);

	if (text)
		return read_lines(path, text, n);
	refuse_orders_file("%.200s: cannot be read as an orders file", path);
	return false;
}

bool override_begin(const struct options *o)
{
	bool any = o->orders[0] || o->sites[0];

	wanted = o->sites[0];
	for (u32 i = 0; table && i < SITES; i++)
		table[i].orders = (struct order_file){0};
	override_on = any;
	if (any && !have_table()) {
		refuse_orders_file("not enough memory for a table of sites");
		return false;
	}
	engine_decorate(&override_decorator, override_on);
	return !o->orders[0] || read_file(o->orders);
}

/* --- replay files ---------------------------------------------------------------------------- */

bool override_adopt(const struct trace *t)
{
	struct override *s;

	if (!t->nsites)
		return true;
	if (!have_table()) {
		refuse_orders_file("not enough memory for a table of sites");
		return false;
	}
	for (u32 i = 0; i < t->nsites; i++) {
		const struct trace_site *r = &t->sites[i];

		s = add_override(module_address(t, r->at));
		if (!s)
			continue;
		s->orders = r->orders;
	}
	override_on = true;
	engine_decorate(&override_decorator, override_on);
	return true;
}

void override_put(struct trace_writer *w)
{
	for (u32 i = 0; override_on && i < SITES; i++) {
		const struct order_file *o = &table[i].orders;

		if (table[i].code && (o->order || o->fail || o->before || o->after))
			trace_put_site(w, &(struct trace_site){table[i].code, *o});
	}
}

u64 override_mark(void)
{
	u64 mark = 0;

	for (u32 i = 0; override_on && i < SITES; i++) {
		const struct order_file *o = &table[i].orders;
		const struct module *m = module_find(table[i].code);

		/* The order of the table does not matter. */
		if (m && (o->order || o->fail || o->before || o->after))
			mark += prng_mix((table[i].code - m->base) * 64 +
					 prng_mix(o->order | o->fail << 8 | o->before << 16 |
						  (u32)o->after << 24));
	}
	return mark;
}

/* --- a sites file ---------------------------------------------------------------------------- */

/* Returns its length in bytes. */
static size_t print_line(char *to, const struct override *s)
{
	const struct module *m = module_find(s->code);
	struct site_line l = {.kind = s->kind,
		.order = s->order,
		.fail = s->fail,
		.flags = s->flags,
		.size = s->size};
	struct text text = text_begin(to, ORDERS_LINE);

	if (!s->code || !s->seen || !m)
		return 0;
	snprintf(l.module, sizeof l.module, "%s", m->path);
	l.offset = s->code - m->base;
	site_write(&text, &l);
	text_char(&text, '\n');
	return text.n;
}

void override_end(const struct options *o)
{
	char line[ORDERS_LINE];
	bool good;
	int fd;

	if (!o->sites[0] || !table)
		return;
	fd = open(o->sites, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	good = fd >= 0;
	for (u32 i = 0; good && i < SITES; i++) {
		size_t n = print_line(line, &table[i]);

		good = !n || write(fd, line, n) == (ssize_t)n;
	}
	if (fd >= 0 && close(fd))
		good = false;
	if (good)
		return;
	unlink(o->sites); /* no file is better than a partial one */
	coverage_note("cannot write %.200s", o->sites);
}
