/* SPDX-License-Identifier: ISC */
/* map.c - see map.h. Input is untrusted. */
#include "cat/map.h"

#include "base/text.h"

static const char *const bases[] = {
#define MAP_BASE_TEXT(name) #name,
	MAP_BASES(MAP_BASE_TEXT)
#undef MAP_BASE_TEXT
};

static const char *const orders[MAP_ORDERS + MAP_FENCES] = {"relaxed", "plain", "acquire",
	"release", "acq_rel", "seq_cst", "full", "loads", "stores", "light", "context", "reads",
	"around", "before-atomic", "after-atomic", "after-spinlock", "after-unlock-lock",
	"rcu-lock", "rcu-unlock", "rcu-sync"};

/* --- the library's tables --------------------------------------------------------------------- */

/* For the instructions of each C operation see model/hardware/hardware.h. */
static const struct map_table {
	const char *name, *text;
} tables[] = {
	{"instructions", ""},
	{"c11", "load relaxed: RLX A\nload acquire: ACQ A\nload seq_cst: SC A\n"
		"store relaxed: RLX A\nstore release: REL A\nstore seq_cst: SC A\n"
		"fence acquire: ACQ\nfence release: REL\nfence acq_rel: ACQ_REL\n"
		"fence seq_cst: SC\n"},
	{"x86", "store seq_cst: ; after MFENCE\nfence seq_cst: MFENCE\nrmw: A X\n"
		"sync: A ; before MFENCE ; after MFENCE\n"},
	{"arm8", "load acquire seq_cst: A\nstore release seq_cst: L\n"
		 "fence acquire: DMB.ISHLD DMB.LD\n"
		 "fence release acq_rel seq_cst: DMB.ISH DMB.SY\ncas: picks\n"
		 "sync: ; before DMB.ISH DMB.SY ; after DMB.ISH DMB.SY\n"},
	{"power", "load acquire: ; after isync\nload seq_cst: ; before sync ; after isync\n"
		  "store release: ; before lwsync\nstore seq_cst: ; before sync\n"
		  "fence acquire release acq_rel: lwsync\nfence seq_cst: sync\n"
		  "sync: ; before sync ; after sync\n"},
	{"riscv", "load acquire: ; after Fence.r.rw\n"
		  "load seq_cst: ; before Fence.rw.rw ; after Fence.r.rw\n"
		  "store release seq_cst: ; before Fence.rw.w\nfence acquire: Fence.r.rw\n"
		  "fence release: Fence.rw.w\nfence acq_rel: Fence.tso\n"
		  "fence seq_cst: Fence.rw.rw\nrmw: X\n"
		  "sync: ; before Fence.rw.rw ; after Fence.rw.rw\n"},
	{"lkmm", "load relaxed: ONCE Once\nstore relaxed: ONCE Once\n"
		 "load acquire: ACQUIRE Acquire\nstore release: RELEASE Release\n"
		 "load seq_cst: ONCE Once; before MB Mb; after MB Mb\n"
		 "store seq_cst: ONCE Once; before MB Mb; after MB Mb\nfence acquire: Rmb\n"
		 "fence release: Wmb\nfence acq_rel: MB Mb\nfence seq_cst: MB Mb\n"
		 "sync: ; before MB Mb ; after MB Mb\n"},
	{"java", "load relaxed: O\nload acquire: RA ACQ\nload seq_cst: V\nstore relaxed: O\n"
		 "store release: RA REL\nstore seq_cst: V\nfence acquire: ACQ\nfence release: REL\n"
		 "fence acq_rel: ACQ REL\nfence seq_cst: V\nsync: V; before V; after V\n"},
};

const char *map_library(const char *name, u32 n)
{
	for (u32 i = 0; i < array_size(tables); i++)
		if (text_equal_n(tables[i].name, name, n))
			return tables[i].text;
	return NULL;
}

const char *map_of_tag(const char *name, u32 n)
{
	struct cat_map m;
	const char *why;
	u32 at;

	for (u32 i = 0; i < array_size(tables); i++) {
		map_clear(&m);
		if (map_read(&m, tables[i].text, (u32)text_length(tables[i].text), &at, &why) &&
			map_tag(&m, name, n) < MAP_TAGS)
			return tables[i].name;
	}
	return NULL;
}

/* --- tags ------------------------------------------------------------------------------------- */

const char *map_tag_name(const struct cat_map *m, u32 tag)
{
	return m->names + m->name[tag];
}

u32 map_tag(const struct cat_map *m, const char *name, u32 n)
{
	for (u32 i = 0; i < m->ntags; i++)
		if (text_equal_n(map_tag_name(m, i), name, n))
			return i;
	return MAP_TAGS;
}

static u32 add_tag(struct cat_map *m, const char *name, u32 n)
{
	u32 tag = map_tag(m, name, n);

	if (tag < MAP_TAGS)
		return tag;
	if (m->ntags == MAP_TAGS || n + 1 > MAP_NAMES - m->used)
		return MAP_TAGS;
	m->name[m->ntags] = (u16)m->used;
	__builtin_memcpy(m->names + m->used, name, n);
	m->used += n;
	m->names[m->used++] = 0;
	return m->ntags++;
}

void map_clear(struct cat_map *m)
{
	__builtin_memset(m, 0, sizeof *m);
	for (u32 i = 0; i < array_size(bases); i++)
		add_tag(m, bases[i], (u32)text_length(bases[i]));
}

/* --- reading ---------------------------------------------------------------------------------- */

struct map_reader {
	struct cat_map *m;
	const char *text;
	u32 n, at;
	u32 word, length; /* the last one */
	const char *why;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '-';
}

static void skip_spaces(struct map_reader *r)
{
	while (r->at < r->n && (r->text[r->at] == ' ' || r->text[r->at] == '\t' ||
				       r->text[r->at] == '\r'))
		r->at++;
}

static bool is_map_end(const struct map_reader *r)
{
	return r->at >= r->n || (r->text[r->at] == '*' && r->at + 2 >= r->n);
}

static bool at_line_end(struct map_reader *r)
{
	skip_spaces(r);
	return is_map_end(r) || r->text[r->at] == '\n';
}

/* The next word of the line; false: there is none there. */
static bool next_map_word(struct map_reader *r)
{
	skip_spaces(r);
	r->word = r->at;
	while (r->at < r->n && is_word(r->text[r->at]))
		r->at++;
	r->length = r->at - r->word;
	return r->length;
}

static bool word_is(const struct map_reader *r, const char *text)
{
	return text_equal_n(text, r->text + r->word, r->length);
}

static bool map_wrong(struct map_reader *r, const char *why)
{
	r->why = why;
	return false;
}

static bool read_tags(struct map_reader *r, u64 *tags)
{
	u32 tag;

	while (next_map_word(r)) {
		tag = add_tag(r->m, r->text + r->word, r->length);
		if (tag == MAP_TAGS)
			return map_wrong(r, "too many tags: at most 64");
		*tags |= 1ull << tag;
	}
	return true;
}

/* "TAG... ; before TAG... ; after TAG..." */
static bool read_decoration(struct map_reader *r, struct decoration *d)
{
	*d = (struct decoration){0};
	if (!read_tags(r, &d->tags))
		return false;
	while (!at_line_end(r)) {
		if (r->text[r->at] != ';')
			return map_wrong(r, "wanted a tag, `; before' or `; after'");
		r->at++;
		if (!next_map_word(r) || !(word_is(r, "before") || word_is(r, "after")))
			return map_wrong(r, "wanted `before' or `after'");
		if (!read_tags(r, word_is(r, "before") ? &d->before : &d->after))
			return false;
	}
	return true;
}

/* The orders before the colon, as a set; all if there are none. names: how many there are. */
static bool read_orders(struct map_reader *r, u32 names, u32 *set)
{
	*set = 0;
	while (next_map_word(r)) {
		u32 i = 0;

		while (i < names && !word_is(r, orders[i]))
			i++;
		if (i == names) {
			r->at = r->word;
			return map_wrong(r, "no memory order: wanted plain, relaxed, acquire, "
					    "release, acq_rel or seq_cst");
		}
		*set |= 1u << i;
	}
	if (!*set)
		*set = (1u << MAP_ORDERS) - 1;
	if (r->at >= r->n || r->text[r->at] != ':')
		return map_wrong(r, "wanted an order, or `:'");
	r->at++;
	return true;
}

static bool read_table(struct map_reader *r);

static bool include_table(struct map_reader *r)
{
	const char *text;
	struct map_reader other;

	if (!next_map_word(r))
		return map_wrong(r, "wanted the name of a table after `map'");
	text = map_library(r->text + r->word, r->length);
	if (!text) {
		r->at = r->word;
		return map_wrong(r, "no such table: wanted c11, x86, arm8, power, riscv, lkmm, "
				    "java or instructions");
	}
	r->m->instructions |= word_is(r, "instructions");
	other = (struct map_reader){.m = r->m, .text = text, .n = (u32)text_length(text)};
	return read_table(&other) || map_wrong(r, other.why);
}

/* "cas : picks" */
static bool read_cas(struct map_reader *r)
{
	skip_spaces(r);
	if (r->at >= r->n || r->text[r->at] != ':')
		return map_wrong(r, "wanted `:'");
	r->at++;
	r->m->cas_picks = next_map_word(r) && word_is(r, "picks");
	return r->m->cas_picks || map_wrong(r, "wanted `picks'");
}

/* "causes : arm8" */
static bool read_causes(struct map_reader *r)
{
	static const char *const names[CAUSES_KINDS] = {
		"none", "arm8", "power", "riscv", "imm", "lkmm"};

	skip_spaces(r);
	if (r->at >= r->n || r->text[r->at] != ':')
		return map_wrong(r, "wanted `:'");
	r->at++;
	next_map_word(r);
	for (u32 i = 0; i < CAUSES_KINDS; i++)
		if (word_is(r, names[i])) {
			r->m->causes = (u8)i;
			return true;
		}
	r->at = r->word;
	return map_wrong(r, "wanted arm8, power, riscv, imm, lkmm or none");
}

#define LINES "wanted load, store, fence, rmw, cas, sync, causes or map"

static bool read_map_line(struct map_reader *r)
{
	static const char *const kinds[MAP_KINDS] = {"load", "store", "fence"};
	struct decoration d;
	u32 kind = 0, set, names = MAP_ORDERS;

	if (word_is(r, "map"))
		return include_table(r);
	if (word_is(r, "cas"))
		return read_cas(r);
	if (word_is(r, "causes"))
		return read_causes(r);
	while (kind < MAP_KINDS && !word_is(r, kinds[kind]))
		kind++;
	if (kind == MAP_KINDS && !word_is(r, "rmw") && !word_is(r, "sync")) {
		r->at = r->word;
		return map_wrong(r, LINES);
	}
	if (kind == MAP_KINDS) {
		struct decoration *to = word_is(r, "rmw") ? &r->m->rmw : &r->m->sync;

		return read_orders(r, MAP_ORDERS, &set) && read_decoration(r, to);
	}
	if (kind == MAP_FENCE)
		names += MAP_FENCES;
	if (!read_orders(r, names, &set) || !read_decoration(r, &d))
		return false;
	for (u32 i = 0; i < names; i++)
		if (set >> i & 1)
			r->m->of[kind][i] = d;
	r->m->kinds |= set >> MAP_ORDERS;
	return true;
}

static bool read_table(struct map_reader *r)
{
	while (!is_map_end(r)) {
		if (at_line_end(r)) {
			if (!is_map_end(r))
				r->at++;
			continue;
		}
		if (!next_map_word(r))
			return map_wrong(r, LINES);
		if (!read_map_line(r))
			return false;
		if (!at_line_end(r))
			return map_wrong(r, "this is too much for one line");
	}
	return true;
}

bool map_read(struct cat_map *m, const char *text, u32 n, u32 *at, const char **why)
{
	struct map_reader r = {.m = m, .text = text, .n = n};
	bool good;

	if (n && *text == '(') { /* a comment: "(* heddle" */
		r.at = 2;
		while (r.at < n && r.text[r.at] != 'h')
			r.at++;
		r.at += 6;
	}
	good = read_table(&r);
	*at = r.at < n ? r.at : n;
	*why = r.why;
	return good;
}
