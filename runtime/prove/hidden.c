/* SPDX-License-Identifier: ISC */
/* hidden.c - see hidden.h. */
#include "prove/hidden.h"
#include "process/bytes.h"
#include "process/module.h"
#include "process/pages.h"

#include <stdio.h>

#define ROOM  (1u << 20) /* bytes of all ranges */
#define BLOCK 4096u

static u8 *copy; /* [ROOM], and a byte of `changed' for each word */
static u8 *changed;

/* libc and libm: not the loader, which writes its tables as functions are first called. */
static bool keeps_state(const struct module *m)
{
	const char *name = m->path;

	for (const char *p = m->path; *p; p++)
		name = *p == '/' ? p + 1 : name;
	return m->is_libc && name[0] == 'l' && name[1] == 'i' && name[2] == 'b' &&
	       (name[3] == 'c' || name[3] == 'm') && (name[4] == '.' || name[4] == '-');
}

static bool is_of(u64 address, const FILE *stream)
{
	return address - (u64)(uintptr_t)stream < sizeof *stream;
}

/* See the ranges, and the place of each in the copy. False: see() has returned false. */
static bool each_range(bool (*see)(u64 start, u64 size, u32 at))
{
	u32 at = 0;

	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		for (unsigned k = 0; keeps_state(m) && k < m->nwritable; k++) {
			u64 start = m->writable[k].start & ~7ull;
			u64 size = (m->writable[k].end - start) & ~7ull;

			if (size > ROOM - at)
				continue;
			if (!see(start, size, at))
				return false;
			at += (u32)size;
		}
	}
	return true;
}

static bool keep(u64 start, u64 size, u32 at)
{
	bytes_copy(copy + at, (const void *)(uintptr_t)start, size);
	return true;
}

void hidden_begin(void)
{
	if (!copy) {
		copy = pages_need(ROOM);
		changed = pages_need(ROOM / 8);
	}
	bytes_fill(changed, 0, ROOM / 8);
	each_range(keep);
}

/* Words that have changed: each for the first time? */
static bool change_once(u64 start, u64 size, u32 at)
{
	for (u64 i = 0; i < size; i += 8) {
		const void *now = (const void *)(uintptr_t)(start + i);

		if (bytes_equal(copy + at + i, now, 8) || is_of(start + i, stdin) ||
			is_of(start + i, stdout) || is_of(start + i, stderr))
			continue;
		if (changed[(at + i) / 8])
			return false;
		changed[(at + i) / 8] = true;
		bytes_copy(copy + at + i, now, 8);
	}
	return true;
}

static bool is_quiet_range(u64 start, u64 size, u32 at)
{
	for (u64 i = 0; i < size; i += BLOCK) {
		u64 n = size - i < BLOCK ? size - i : BLOCK;

		if (!bytes_equal(copy + at + i, (const void *)(uintptr_t)(start + i), n) &&
			!change_once(start + i, n, at + (u32)i))
			return false;
	}
	return true;
}

bool hidden_has_changed(void)
{
	return !each_range(is_quiet_range);
}
