/* SPDX-License-Identifier: ISC */
/* reach.c - see reach.h. */
#include "machine/observer/reach.h"
#include "arch/arch.h"
#include "base/table.h"
#include "process/module.h"
#include "process/stop.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct reach *reach_table;

static bool planted;

static arch_code *point_code(const struct reach_point *p)
{
	return (arch_code *)(uintptr_t)(reach_table->base + p->address);
}

static const struct module *find_program(void)
{
	for (unsigned i = 0; i < modules_count(); i++)
		if (module_at(i)->is_program)
			return module_at(i);
	return NULL;
}

static bool protect_code(int protection)
{
	const struct module *m = find_program();
	u64 page = (u64)sysconf(_SC_PAGESIZE), start = m->text & ~(page - 1);

	return !mprotect((void *)(uintptr_t)start, m->text_end - start, protection);
}

/* Is there nothing left to see? */
static bool is_all_reached(u8 flags)
{
	return (!(flags & REACH_LINE) || flags & REACH_SEEN) &&
	       (!(flags & REACH_BRANCH) || (flags & REACH_TAKEN && flags & REACH_PASSED));
}

static bool open_table(const struct options *o)
{
	const struct module *m = find_program();
	struct stat st;
	void *p;

	if (!m || fstat((int)o->coverage_fd, &st) != 0)
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, (int)o->coverage_fd,
		0);
	if (p == MAP_FAILED)
		return false;
	close((int)o->coverage_fd);
	reach_table = p;
	reach_table->base = m->base;
	return true;
}

void reach_begin(const struct options *o)
{
	if (!o->coverage_fd || (!reach_table && !open_table(o)))
		return;
	if (!protect_code(PROT_READ | PROT_WRITE | PROT_EXEC))
		fatal("the program's code cannot be written to: run it without --coverage");
	for (u32 i = 0; i < reach_table->npoints; i++) {
		struct reach_point *p = &reach_table->point[i];

		p->first = *point_code(p);
		if (p->flags & REACH_BRANCH && !arch_is_branch(point_code(p)))
			p->flags &= (u8)~REACH_BRANCH;
		if (!is_all_reached(p->flags))
			arch_code_write(point_code(p), ARCH_BREAK);
	}
	planted = true;
}

void reach_end(void)
{
	if (!planted)
		return;
	for (u32 i = 0; i < reach_table->npoints; i++)
		arch_code_write(point_code(&reach_table->point[i]),
			(arch_code)reach_table->point[i].first);
	protect_code(PROT_READ | PROT_EXEC);
	planted = false;
}

static struct reach_point *find_point(u64 address)
{
	u32 low = 0, high = reach_table->npoints;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (reach_table->point[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < reach_table->npoints && reach_table->point[low].address == address
		       ? &reach_table->point[low]
		       : NULL;
}

/* Unless all is known of it, the point stays. Another process may have seen the rest: then this one
 * comes here once more. */
bool reach_trapped(void *ucontext)
{
	struct reach_point *p;
	u8 seen = 0;

	if (!planted)
		return false;
	p = find_point(arch_context_pc(ucontext) - ARCH_BREAK_SIZE - reach_table->base);
	if (!p || *point_code(p) != ARCH_BREAK)
		return false;
	seen |= p->flags & REACH_LINE ? REACH_SEEN : 0;
	if (p->flags & REACH_BRANCH)
		seen |= arch_break_branch(ucontext, (arch_code)p->first) ? REACH_TAKEN
									: REACH_PASSED;
	else
		arch_break_retry(ucontext);
	if (is_all_reached(__atomic_or_fetch(&p->flags, seen, __ATOMIC_RELAXED)))
		arch_code_write(point_code(p), (arch_code)p->first);
	return true;
}

/* The pair is in this slot, or has been put there, as it was free. */
static bool keep_pair(volatile u64 *slot, u64 pair)
{
	u64 there = __atomic_load_n(slot, __ATOMIC_RELAXED);

	return there == pair ||
	       (!there && __atomic_compare_exchange_n(
				  slot, &there, pair, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) ||
	       there == pair;
}

void reach_pair(u32 read, u32 by)
{
	u64 pair = (u64)read << 32 | by;
	u32 at, missed = 0;

	TABLE_FIND(at, pair * 0x9e3779b97f4a7c15ull >> 40, REACH_PAIRS,
		keep_pair(&reach_table->pair[at], pair) || ++missed == REACH_PAIRS / 2);
	if (missed == REACH_PAIRS / 2)
		reach_table->more = 1;
}
