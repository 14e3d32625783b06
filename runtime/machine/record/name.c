/* SPDX-License-Identifier: ISC */
/* name.c - see name.h. */
#include "machine/record/name.h"
#include "base/text.h"
#include "machine/machine.h"

#define NAMES 256

struct named {
	u64 start, size;
	char name[32]; /* "" = the range has none */
};

/* Rings. Native threads may add names at the same time: each takes an entry of its own. */
static struct named before[NAMES], inside[NAMES];
static u32 nbefore;
static PER_EXECUTION u32 ninside = 0;

void name_give(u64 start, u64 size, const char *name)
{
	struct named *to;
	struct text t;

	if (machine_exploring && !machine_recording)
		return;
	if (machine_exploring)
		to = &inside[ninside++ % NAMES];
	else
		to = &before[__atomic_fetch_add(&nbefore, 1, __ATOMIC_RELAXED) % NAMES];
	*to = (struct named){.start = start, .size = size};
	/* Not strncpy(): as a tail call, it would appear as the program's own (tsan/names.c). */
	t = text_begin(to->name, sizeof to->name);
	text_put(&t, name ? name : "");
}

static const struct named *find_named(const struct named *ring, u32 n, u64 addr)
{
	for (u32 i = n, left = n < NAMES ? n : NAMES; left; left--) {
		const struct named *x = &ring[--i % NAMES];

		if (addr - x->start < x->size)
			return x;
	}
	return NULL;
}

const char *name_find(u64 addr, u64 *offset)
{
	const struct named *x = find_named(inside, ninside, addr);

	if (!x)
		x = find_named(before, nbefore, addr);
	if (!x || !x->name[0])
		return NULL;
	*offset = addr - x->start;
	return x->name;
}
