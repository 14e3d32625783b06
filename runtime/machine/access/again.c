/* SPDX-License-Identifier: ISC */
/* again.c - see again.h. */
#include "machine/access/again.h"

u8 private_quick;
i32 private_left;
u64 private_execution;

/* For entry.S. */
_Static_assert(offsetof(struct machine, cur) == 0 && offsetof(struct thread, epoch) == 0 &&
		       GRANULE_DIRECTORY == 0x310000000000u && GRANULE_WORDS == 0x320000000000u &&
		       GRANULE_CHUNK == 24 && GRANULE_ADDRESSES == ARCH_ADDRESSES &&
		       GRANULE_SIZE == 8 && sizeof(struct granule) == 16 && WORD_BYTES == 0xff,
	"as in entry.S");

void private_next_execution(void)
{
	if (unlikely(private_execution >> WORD_EXECUTION == WORD_EXECUTIONS - 1)) {
		granules_clear();
		private_execution = 0;
	}
	private_execution += 1ull << WORD_EXECUTION;
}

void private_forget(u64 addr, u64 size)
{
	u64 end = addr + size;

	for (u64 at = private_next_accessed(addr & ~(u64)(GRANULE_SIZE - 1), end); at < end;
		at = private_next_accessed(at + GRANULE_SIZE, end)) {
		struct granule *g = granule_of(at);

		if (word_is_now(g->write))
			g->write = g->read = 0;
	}
}
