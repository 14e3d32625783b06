/* SPDX-License-Identifier: ISC */
/*
 * core_memory.c - see goal.h: locks and variables of a core file, beside those of an execution.
 *
 * A variable is found by its name in the symbol table: production and test compile the same source
 * in different programs. Owners of locks are where glibc keeps them.
 */
#include "goal/goal.h"

#include <gelf.h>
#include <string.h>

#include "die.h"

#define MUTEX_SIZE   40 /* pthread_mutex_t, mtx_t */
#define MUTEX_OWNER  8
#define RWLOCK_SIZE  56 /* pthread_rwlock_t */
#define RWLOCK_OWNER 24 /* of the thread that writes */

struct core_memory {
	Elf *elf;
	struct symbols *symbols; /* of the program and its libraries, where they were loaded */
};

struct core_memory *core_memory_open(Elf *elf, struct symbols *symbols)
{
	struct core_memory *m = xmalloc(sizeof(*m));

	*m = (struct core_memory){elf, symbols};
	return m;
}

static bool read_memory_of_core(const struct core_memory *m, u64 address, void *to, size_t n)
{
	size_t segments;
	GElf_Phdr p;

	for (size_t i = 0; elf_getphdrnum(m->elf, &segments) == 0 && i < segments; i++) {
		Elf_Data *data;

		if (!gelf_getphdr(m->elf, (int)i, &p) || p.p_type != PT_LOAD ||
			address < p.p_vaddr || address - p.p_vaddr + n > p.p_filesz)
			continue;
		data = elf_getdata_rawchunk(m->elf, (int64_t)(p.p_offset + address - p.p_vaddr), n,
			ELF_T_BYTE);
		if (!data || !data->d_buf)
			return false;
		memcpy(to, data->d_buf, n);
		return true;
	}
	return false;
}

/* n bytes behind the variable, or part of one, that the report has at `address`. */
static bool read_variable(const struct core_memory *m, const struct report *r, u64 address,
	u64 skip, void *to, size_t n)
{
	u64 offset, there;
	const char *name = symbol_of_address(r->symbols, address, &offset);

	there = name ? symbol_address(m->symbols, name) : 0;
	return there && read_memory_of_core(m, there + offset + skip, to, n);
}

/* --- locks ----------------------------------------------------------------------------------- */

/* Where a lock's owner is; 0: unknown. */
static u64 owner_in_lock(const struct row *row)
{
	if (row->ev->e.kind == EV_WRLOCK)
		return row->leaf.size == RWLOCK_SIZE ? RWLOCK_OWNER : 0;
	return row->ev->e.kind != EV_RDLOCK && row->leaf.size == MUTEX_SIZE ? MUTEX_OWNER : 0;
}

bool core_holds_locks(const struct core_memory *m, const struct report *r, u32 thread, int tid)
{
	u32 *steps;
	unsigned n = locks_held(r, thread, r->t->nevents + 1, &steps);

	for (unsigned i = 0; m && tid && i < n; i++) {
		const struct row *row = &r->rows[steps[i] - 1];
		u64 skip = owner_in_lock(row);
		int owner;

		if (skip && !strchr(row->place, '[') &&
			read_variable(m, r, row->ev->e.addr, skip, &owner, sizeof(owner)) &&
			owner != tid)
			return false;
	}
	return true;
}

/* --- values ---------------------------------------------------------------------------------- */

/* The last event that shows the variable's value in memory; NULL: none. */
static const struct row *last_value(const struct report *r, const char *name)
{
	const struct row *seen = NULL;

	for (u32 i = r->t->nevents; i-- > 0;) {
		const struct row *row = &r->rows[i];
		const struct event *e = &row->ev->e;

		if (!kind_is_access(e->kind) || e->size > sizeof(u64) || !e->size ||
			strcmp(row->place, name) != 0)
			continue;
		if (e->kind == EV_COMMIT ||
			(kind_is_write(e->kind) && !(e->flags & EVENT_BUFFERED)))
			return row;
		if (!seen && kind_is_read(e->kind) && !(e->flags & EVENT_FORWARDED))
			seen = row;
	}
	return seen;
}

/* What the value of one variable is here and there, if that is different or unknown. */
static const char *value_differs(
	const struct core_memory *m, const struct report *r, const char *name)
{
	const struct row *row = last_value(r, name);
	u64 there = 0, size = row ? row->ev->e.size : 0;
	u64 here = row ? row->ev->e.value[0] : 0;

	if (!row)
		return xprintf("no access to %s", name);
	if (!read_variable(m, r, row->ev->e.addr, 0, &there, size))
		return xprintf("%s is not in the core file", name);
	here &= size < 8 ? (1ull << 8 * size) - 1 : ~0ull;
	if (row->leaf.kind == LEAF_POINTER ? !here == !there : here == there)
		return NULL;
	return xprintf("%s = %s, in the core file %s", name,
		name_of_value(r, &row->leaf, &here, size),
		row->leaf.kind == LEAF_POINTER ? there ? "not null" : "NULL"
					       : name_of_value(r, &row->leaf, &there, size));
}

const char *core_differs(const struct core_memory *m, const struct report *r, const char *names)
{
	char *list = xstrdup(names), *rest, *name;
	const char *differs = NULL;

	for (name = strtok_r(list, ", ", &rest); name && !differs;
		name = strtok_r(NULL, ", ", &rest))
		differs = value_differs(m, r, name);
	return differs;
}
