/* SPDX-License-Identifier: ISC */
/*
 * graph_plain.c - plain loads and stores of a program that follows an execution graph.
 *
 * They are split into their locations (sharing.h), one label each. A part of an atomic location is
 * written by reading all of it and writing it back: not observable, unless another thread accesses
 * another part at the same time, which is not a race, and is not explored (graph_search.c).
 */
#include "graph/graph_access_priv.h"
#include "graph/own_memory.h"
#include "graph/region.h"
#include "process/bytes.h"

/* Part of a plain access: in one location, or in none that is shared. */
struct access_part {
	u32 loc;  /* 0: not shared */
	u32 size; /* bytes of the access */
	u32 whole; /* bytes of the location */
	u32 skip; /* bytes of the location before the part */
	bool region; /* in a region: no location of its own */
	bool atomic; /* promoted: an atomic access in place of a race */
	u32 site; /* of the access: others may run between its parts */
};

static struct access_part part_at(u64 at, u64 end, u32 site, bool writes)
{
	u64 stop = (at | 7) + 1 < end ? (at | 7) + 1 : end, last;
	struct place place;
	struct access_part p = {.size = (u32)(stop - at), .site = site};

	p.loc = execute_plain_location(at, p.size, writes, &place, &p.atomic, &p.region);
	if (!p.loc)
		return p;
	if (!p.atomic)
		region_count(at);
	last = place.addr + place.size;
	p.size = (u32)((last < stop ? last : stop) - at);
	p.whole = place.size;
	p.skip = (u32)(at - place.addr);
	return p;
}

static struct label part_label(const struct access_part *p, bool writes)
{
	static const u8 type[2][2] = {
		{LABEL_PLAIN_READ, LABEL_PLAIN_WRITE}, {LABEL_READ, LABEL_WRITE}};
	struct label l = access_label(type[p->atomic][writes], p->loc, p->whole, 0);
	u32 bytes = p->size < p->whole && !p->atomic ? ((1u << p->size) - 1) << p->skip : 0;

	l.site = p->site;
	l.fail = (u8)(p->atomic ? LABEL_PROMOTED : bytes);
	l.op = (u8)(bytes >> 8);
	return l;
}

/* Returns the dependencies of the value. */
static u32 read_part(const struct access_part *p, u32 block, u16 flags, u32 address, u64 v[2])
{
	struct label l = part_label(p, false);

	l.other = (u16)block;
	l.flags |= flags;
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, 0);
	execute_unpack(p->whole, execute_step(&l).value, v);
	return unlikely(deps_on) ? deps_of_event(&l) : 0;
}

static void write_part(
	const struct access_part *p, u32 block, u32 address, u32 data, const u8 *from)
{
	struct label l = part_label(p, true);
	u64 v[2] = {0, 0};

	if (p->size < p->whole)
		read_part(p, block, 0, address, v);
	if (unlikely(deps_on))
		l.deps = deps_record(&l, address, data);
	l.other = (u16)block;
	bytes_copy((u8 *)v + p->skip, from, p->size);
	l.value = execute_pack(p->whole, v);
	execute_step(&l);
}

/* Of private memory at `at', part of an access there; returns that of the value read. */
static u32 read_private_deps(u64 at, u32 size, u32 address)
{
	deps_branch(address);
	return deps_union(deps_load(at, size), address);
}

/* from: where the value has been copied from; NULL: it depends on `data'. */
static void write_private_deps(u64 at, u32 size, u32 address, u32 data, const u8 *from)
{
	deps_branch(address);
	if (from && !address)
		deps_copy(at, (u64)(uintptr_t)from, size);
	else
		deps_store(at, size, deps_union(data, address));
}

/* Part of an access was read to `to', and depends on `of'; bytewise: as its bytes do. */
static void note_dependent_read(bool copies, const u8 *to, u64 at, u32 size, bool bytewise, u32 of)
{
	deps_collect_read(of);
	if (!copies)
		return;
	if (bytewise)
		deps_copy((u64)(uintptr_t)to, at, size);
	else
		deps_store((u64)(uintptr_t)to, size, of);
}

/* A plain read of n bytes. */
struct plain_read {
	u64 addr, n;
	const u64 *value; /* all of it, as far as it was read */
	u32 bytes; /* that are used, a bit each */
	u32 block, site, address; /* address: the dependencies of the address */
	bool copies, counts;
	struct execute_use use;
};

/* A part that is an event; returns the dependencies of its value. */
static u32 read_shared(const struct plain_read *r, const struct access_part *p, u64 at, u8 *to)
{
	u64 v[2];
	bool whole = p->size == r->n;
	u32 deps = read_part(
		p, r->block, whole ? uninit_flag(r->addr, r->bytes) : 0, r->address, v);

	bytes_copy(to, (u8 *)v + p->skip, p->size);
	if (unlikely(whole && stack_has(at)))
		use_local(at, p->size, p->loc, r->bytes, r->value);
	return deps;
}

/* A part that is none, in a region or not shared. */
static u32 read_unshared(struct plain_read *r, const struct access_part *p, u64 at, u8 *to)
{
	bool whole = p->size == r->n, own = false;
	u32 deps;

	if (p->region)
		region_enter(at, false, r->block);
	else
		own = execute_use(&r->use, r->block);
	deps = unlikely(deps_on) ? read_private_deps(at, p->size, r->address) : 0;
	bytes_copy(to, (const void *)(uintptr_t)at, p->size);
	if (whole && r->bytes)
		uninit_used(r->addr, (u32)r->n, (int)(r->bytes << HEDDLE_USED), EVENT_PLAIN,
			r->value);
	if (whole && own && !(r->counts && tally_has(r->addr, (u32)r->n)))
		own_memory_note(at, p->size, false);
	return deps;
}

/* The thread has entered the region that has all of it. */
static void read_region(const struct plain_read *r, u8 *to)
{
	bytes_copy(to, (const void *)(uintptr_t)r->addr, r->n);
	if (r->bytes)
		uninit_used(r->addr, (u32)r->n, (int)(r->bytes << HEDDLE_USED), EVENT_PLAIN,
			r->value);
	if (unlikely(deps_on))
		deps_result(0);
}

static void read_parts(struct plain_read *r, u8 *to, bool stub)
{
	u64 end = r->addr + r->n;
	u32 all_deps = 0, deps;
	struct access_part p;

	for (u64 at = r->addr; at < end; at += p.size, to += p.size) {
		p = part_at(at, end, r->site, false);
		if ((p.loc || p.region) && stub) {
			execute_loop_access();
			stub = false;
		}
		deps = p.loc ? read_shared(r, &p, at, to) : read_unshared(r, &p, at, to);
		if (unlikely(deps_on)) {
			note_dependent_read(
				r->copies, to, at, p.size, !p.loc && !r->address, deps);
			all_deps = deps_union(all_deps, deps);
		}
	}
	if (unlikely(deps_on))
		deps_result(all_deps);
}

void graph_read_plain(u64 addr, size_t n, u8 *to, bool stub, u32 bytes)
{
	struct plain_read r = {.addr = addr,
		.n = n,
		.value = (const u64 *)(const void *)to,
		.bytes = bytes & ~(u32)HEDDLE_USED_COUNTS,
		.site = (u32)machine_site,
		.address = deps_take_address(),
		.copies = deps_take_copy()};

	r.counts = execute_load_counts(addr, n, bytes, TALLY_PLAIN);
	if (region_has(addr, n, false)) {
		read_region(&r, to);
	} else {
		if (unlikely(deps_on))
			r.address = deps_union(r.address, deps_collecting());
		r.block = execute_block(addr, n, NULL, &r.use);
		read_parts(&r, to, stub);
	}
	if (r.counts)
		execute_counted(addr, 0);
}

/* The thread has entered the region. */
static void write_region(u64 addr, u64 n, const u8 *from)
{
	for (u64 i = 0; i < n; i += 8)
		execute_stores(addr + i, n - i < 8 ? (u32)(n - i) : 8, from + i);
	uninit_wrote(addr, n);
	bytes_copy((void *)(uintptr_t)addr, from, n);
}

void graph_write_plain(u64 addr, size_t n, const u8 *from)
{
	u64 at = addr, end = addr + n;
	u32 site = (u32)machine_site, block, address = deps_take_address(), data = deps_take_data();
	bool copies = deps_take_copy(), own, counts;
	struct execute_use use;

	if (region_has(addr, n, true)) {
		write_region(addr, n, from);
		return;
	}
	counts = execute_store_counts(addr, (u32)n, TALLY_PLAIN);
	block = execute_block(addr, n, from, &use);

	while (at < end) {
		struct access_part p = part_at(at, end, site, true);

		if (copies)
			data = deps_load((u64)(uintptr_t)from, p.size);
		if (p.loc) {
			write_part(&p, block, address, data, from);
			if (p.atomic)
				execute_progress();
			else if (!counts)
				execute_stores(at, p.size, from);
		} else if (p.region) {
			region_enter(at, true, block);
			write_region(at, p.size, from);
		} else {
			own = execute_use(&use, block);
			if (unlikely(deps_on))
				write_private_deps(at, p.size, address, data, copies ? from : NULL);
			if (!counts)
				execute_own_write(at, p.size, from);
			uninit_wrote(at, p.size);
			bytes_copy((void *)(uintptr_t)at, from, p.size);
			if (p.size == n && own)
				own_memory_note(at, p.size, true);
		}
		at += p.size;
		from += p.size;
	}
	if (counts)
		execute_counted(addr, (u32)n);
}
