/* SPDX-License-Identifier: ISC */
/*
 * snapshot_invariants.c - restored memory equals the saved one (make TINY=1): a second copy of
 * all of it is compared after each restore; of large memory, a part each time in turn.
 */
#include "process/snapshot.h"
#include "process/bytes.h"
#include "process/pages.h"

#include <sys/mman.h>

#define KEPT	(16u << 20) /* of larger programs the rest is not checked */
#define AT_ONCE (256u << 10)

static u8 *copy; /* [KEPT] */
static u64 used, at, from, last;
static enum { KEEPING, COMPARING } what;

static void check_hole(u64 start, u64 end)
{
	u64 n = end - start;

	BUG_ON(start >= end || start < last); /* sorted, disjoint */
	last = end;
	if (n > KEPT - at)
		n = KEPT - at;
	if (what == KEEPING)
		bytes_copy(copy + at, (const void *)(uintptr_t)start, n);
	else if (at + n > from && at < from + AT_ONCE)
		BUG_ON(!bytes_equal(copy + at, (const void *)(uintptr_t)start, n));
	at += n;
}

static void visit_snapshot(void)
{
	at = last = 0;
	snapshot_each(check_hole);
}

void snapshot_check_taken(void)
{
	if (!copy)
		copy = pages_need(KEPT);
	madvise(copy, KEPT, MADV_DONTNEED);
	what = KEEPING;
	visit_snapshot();
	used = at;
	from = 0;
}

void snapshot_check_restored(void)
{
	what = COMPARING;
	visit_snapshot();
	BUG_ON(at != used);
	from = from + AT_ONCE < used ? from + AT_ONCE : 0;
}
