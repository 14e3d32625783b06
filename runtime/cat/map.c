/* SPDX-License-Identifier: ISC */
/* map.c - see map.h. Input is untrusted. */
#include "cat/map.h"

#include "base/text.h"
#include "event/order.h"

static const char *const bases[] = {
#define MAP_BASE_TEXT(name) #name,
	MAP_BASES(MAP_BASE_TEXT)
#undef MAP_BASE_TEXT
};

static const char *const orders[MAP_ORDERS + MAP_FENCES] = {"relaxed", "plain", "acquire",
	"release", "acq_rel", "seq_cst", "full", "loads", "stores", "light", "context", "reads",
	"around", "before-atomic", "after-atomic", "after-spinlock", "after-unlock-lock",
	"rcu-lock", "rcu-unlock", "rcu-sync", "after-srcu-read-unlock", "srcu-lock",
	"srcu-unlock", "srcu-sync"};

/* --- the library's tables --------------------------------------------------------------------- */

/* For the instructions of each C operation see model/hardware/hardware.h. */
static const struct map_table {
	const char *name, *text;
	const char *bell; /* map.h */
} tables[] = {
	{"instructions", ""},
	{"c11", "load relaxed: RLX A\nload acquire: ACQ A\nload seq_cst: SC A\n"
		"store relaxed: RLX A\nstore release: REL A\nstore seq_cst: SC A\n"
		"fence acquire: ACQ\nfence release: REL\nfence acq_rel: ACQ_REL\n"
		"fence seq_cst: SC\n"},
	{"x86", "store seq_cst: ; after MFENCE\nfence seq_cst: MFENCE\nrmw: A X\n"
		"sync: A ; before MFENCE ; after MFENCE\n"},
	{"arm8", "load acquire seq_cst: A\nif rcpc load acquire: Q\nstore release seq_cst: L\n"
		 "fence acquire loads: DMB.ISHLD DMB.LD\nfence stores: DMB.ISHST DMB.ST\n"
		 "fence release acq_rel seq_cst full: DMB.ISH DMB.SY\nfence context: ISB\n"
		 "rmw acquire: A\nrmw release: L\nrmw acq_rel seq_cst: A L\nrmw: X\n"
		 "if llsc rmw: EX\ncas: picks\n"
		 "sync: ; before DMB.ISH DMB.SY ; after DMB.ISH DMB.SY\n"
		 "map instructions\ncauses: arm8\n"},
	{"power", "load acquire: ; after lwsync\nload seq_cst: ; before sync ; after lwsync\n"
		  "store release: ; before lwsync\nstore seq_cst: ; before sync\n"
		  "fence acquire release acq_rel: lwsync\nfence seq_cst: sync\nempty: isync\n"
		  "sync: ; before sync ; after sync\n"},
	{"ppc", "load acquire: ; after LWSYNC\nload seq_cst: ; before SYNC ; after LWSYNC\n"
		"store release: ; before LWSYNC\nstore seq_cst: ; before SYNC\n"
		"fence acquire release acq_rel light loads stores reads: LWSYNC\n"
		"fence seq_cst full: SYNC\nfence context: ISYNC\nrmw: EX\nempty: EIEIO\n"
		"sync: ; before SYNC ; after SYNC\nmap instructions\ncauses: power\n"},
	{"riscv", "load acquire: ; after Fence.r.rw\n"
		  "load seq_cst: ; before Fence.rw.rw ; after Fence.r.rw\n"
		  "store release seq_cst: ; before Fence.rw.w\n"
		  "fence acquire loads: Fence.r.rw\nfence release: Fence.rw.w\n"
		  "fence acq_rel: Fence.tso\nfence seq_cst full: Fence.rw.rw\n"
		  "fence stores: Fence.w.w\nfence reads: Fence.r.r\n"
		  "rmw: X\nif llsc rmw: EX\nrmw acquire: Acq\nrmw release: Rel\n"
		  "rmw acq_rel seq_cst: AcqRel\n"
		  "empty: Sc Fence.r.w Fence.w.r Fence.w.rw Fence.rw.r\n"
		  "sync: ; before Fence.rw.rw ; after Fence.rw.rw\n"
		  "map instructions\ncauses: riscv\n"},
	{"lkmm", "load relaxed: ONCE Once\nstore relaxed: ONCE Once\n"
		 "load acquire: ACQUIRE Acquire\nstore release: RELEASE Release\n"
		 "load seq_cst: ONCE Once; before MB Mb; after MB Mb\n"
		 "store seq_cst: ONCE Once; before MB Mb; after MB Mb\n"
		 "fence acquire reads loads: Rmb\nfence release stores: Wmb\n"
		 "fence acq_rel seq_cst full light: MB Mb\nfence around: Around\n"
		 "fence before-atomic: Before-atomic\nfence after-atomic: After-atomic\n"
		 "fence after-spinlock: After-spinlock\n"
		 "fence after-unlock-lock: After-unlock-lock\n"
		 "fence rcu-lock: Rcu-lock\nfence rcu-unlock: Rcu-unlock\n"
		 "fence rcu-sync: Sync-rcu\n"
		 "fence after-srcu-read-unlock: After-srcu-read-unlock\n"
		 "fence srcu-lock: Srcu-lock\nfence srcu-unlock: Srcu-unlock\n"
		 "fence srcu-sync: Sync-srcu\n"
		 "empty: NORETURN LKR LKW UL LF RL RU Barrier\n"
		 "sync: ; before MB Mb ; after MB Mb\ncauses: lkmm\n",
		"lkmm.bell"},
	{"java", "load relaxed: O\nload acquire: RA ACQ\nload seq_cst: V\nstore relaxed: O\n"
		 "store release: RA REL\nstore seq_cst: V\nfence acquire: ACQ\nfence release: REL\n"
		 "fence acq_rel: ACQ REL\nfence seq_cst: V\nsync: V; before V; after V\n"},
};

static const struct map_table *find_table(const char *name, u32 n)
{
	for (u32 i = 0; i < array_size(tables); i++)
		if (text_equal_n(tables[i].name, name, n))
			return &tables[i];
	return NULL;
}

bool map_library(struct cat_map *m, const char *name)
{
	const struct map_table *table = find_table(name, (u32)text_length(name));
	const char *why;
	u32 at;

	map_clear(m);
	m->bell = table->bell;
	return map_read(m, table->text, (u32)text_length(table->text), &at, &why);
}

const char *map_of_tag(const char *name, u32 n)
{
	struct cat_map m = {0};

	for (u32 i = 0; i < array_size(tables); i++)
		if (map_library(&m, tables[i].name) && map_tag(&m, name, n) < MAP_TAGS)
			return tables[i].name;
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
	bool llsc = m->llsc, rcpc = m->rcpc;

	__builtin_memset(m, 0, sizeof *m);
	m->llsc = llsc;
	m->rcpc = rcpc;
	for (u32 i = 0; i < array_size(bases); i++)
		add_tag(m, bases[i], (u32)text_length(bases[i]));
}

/* --- read-modify-writes ----------------------------------------------------------------------- */

static struct decoration join_tags(struct decoration a, struct decoration b)
{
	return (struct decoration){a.tags | b.tags, a.before | b.before, a.after | b.after};
}

struct decoration map_rmw(const struct cat_map *m, int order, int fail, enum map_kind half)
{
	bool acquires = order_acquires(order) || order_acquires(fail),
	     releases = order_releases(order),
	     sc = order == __ATOMIC_SEQ_CST || fail == __ATOMIC_SEQ_CST;

	if (!m->orders_of_rmw)
		return join_tags(m->of[MAP_LOAD][sc	 ? __ATOMIC_SEQ_CST
					      : acquires ? __ATOMIC_ACQUIRE
							 : __ATOMIC_RELAXED],
			m->of[MAP_STORE][sc	    ? __ATOMIC_SEQ_CST
					 : releases ? __ATOMIC_RELEASE
						    : __ATOMIC_RELAXED]);
	if (m->llsc) {
		acquires &= half == MAP_LOAD;
		releases &= half == MAP_STORE;
		sc = false;
	}
	return m->rmw_of[sc			? __ATOMIC_SEQ_CST
			 : acquires && releases ? __ATOMIC_ACQ_REL
			 : acquires		? __ATOMIC_ACQUIRE
			 : releases		? __ATOMIC_RELEASE
						: __ATOMIC_RELAXED];
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
	const struct map_table *table;
	struct map_reader other;

	if (!next_map_word(r))
		return map_wrong(r, "wanted the name of a table after `map'");
	table = find_table(r->text + r->word, r->length);
	if (!table) {
		r->at = r->word;
		return map_wrong(r, "no such table: wanted c11, x86, arm8, power, ppc, riscv, "
				    "lkmm, java or instructions");
	}
	r->m->instructions |= word_is(r, "instructions");
	r->m->bell = table->bell;
	other = (struct map_reader){
		.m = r->m, .text = table->text, .n = (u32)text_length(table->text)};
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

#define LINES "wanted load, store, fence, rmw, cas, sync, empty, if, causes or map"

static bool read_map_line(struct map_reader *r);

/* Without orders: of all of them. */
static bool read_rmw(struct map_reader *r)
{
	struct decoration d;
	u32 set;

	if (!read_orders(r, MAP_ORDERS, &set) || !read_decoration(r, &d))
		return false;
	if (set == (1u << MAP_ORDERS) - 1) {
		r->m->rmw = d;
		return true;
	}
	for (u32 i = 0; i < MAP_ORDERS; i++)
		if (set >> i & 1)
			r->m->rmw_of[i] = d;
	r->m->orders_of_rmw = true;
	return true;
}

/* "if llsc LINE": without the variant, its tags are known. */
static bool read_variant(struct map_reader *r)
{
	struct cat_map other = *r->m;
	bool llsc = next_map_word(r) && word_is(r, "llsc"), good;
	struct map_reader of_other = *r;

	if (!llsc && !word_is(r, "rcpc")) {
		r->at = r->word;
		return map_wrong(r, "wanted llsc or rcpc");
	}
	of_other.m = (llsc ? r->m->llsc : r->m->rcpc) ? r->m : &other;
	good = next_map_word(&of_other) && read_map_line(&of_other);
	r->at = of_other.at;
	r->why = of_other.why ? of_other.why : LINES;
	if (of_other.m == r->m)
		return good;
	r->m->ntags = other.ntags;
	r->m->used = other.used;
	__builtin_memcpy(r->m->name, other.name, sizeof other.name);
	__builtin_memcpy(r->m->names, other.names, sizeof other.names);
	return good;
}

static bool read_map_line(struct map_reader *r)
{
	static const char *const kinds[MAP_KINDS] = {"load", "store", "fence"};
	struct decoration d;
	u32 kind = 0, set, names = MAP_ORDERS;

	if (word_is(r, "if"))
		return read_variant(r);
	if (word_is(r, "map"))
		return include_table(r);
	if (word_is(r, "cas"))
		return read_cas(r);
	if (word_is(r, "causes"))
		return read_causes(r);
	if (word_is(r, "rmw"))
		return read_rmw(r);
	if (word_is(r, "empty"))
		return read_orders(r, 0, &set) && read_decoration(r, &d);
	if (word_is(r, "sync"))
		return read_orders(r, 0, &set) && read_decoration(r, &r->m->sync);
	while (kind < MAP_KINDS && !word_is(r, kinds[kind]))
		kind++;
	if (kind == MAP_KINDS) {
		r->at = r->word;
		return map_wrong(r, LINES);
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
