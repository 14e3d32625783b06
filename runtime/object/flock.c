/* SPDX-License-Identifier: ISC */
/* flock.c - see flock.h. A state is the number of the open files that have a lock, or several
 * descriptors (state_table.h); 0: none. */
#include "object/flock.h"
#include "object/state_table.h"

struct holder {
	u32 description;
	u16 copies; /* descriptors, but for the first */
	u16 kind;   /* enum flock_kind */
};

/* Those of a state, and of the next one. */
static struct holder now[FLOCK_MAX];
static u32 n;

/* False: not a state of this object. */
static bool load_holders(u64 state)
{
	u32 size = 0;
	const void *bytes = state ? state_of(state, &size) : NULL;

	if ((state && !bytes) || size > sizeof now || size % sizeof *now)
		return false;
	n = size / (u32)sizeof *now;
	__builtin_memcpy(now, bytes ? bytes : now, size);
	return true;
}

static u64 intern_holders(void)
{
	return n ? state_intern(now, n * (u32)sizeof *now) : 0;
}

/* Of this open file; NULL: there is none, and no room for one. */
static struct holder *flock_holder(u32 description)
{
	for (u32 i = 0; i < n; i++)
		if (now[i].description == description)
			return &now[i];
	if (n == FLOCK_MAX)
		return NULL;
	now[n] = (struct holder){.description = description};
	return &now[n++];
}

/* Without those that are as a new one. */
static void drop_unused(void)
{
	u32 kept = 0;

	for (u32 i = 0; i < n; i++)
		if (now[i].copies || now[i].kind)
			now[kept++] = now[i];
	n = kept;
}

static bool is_excluded(u32 description, enum flock_kind kind)
{
	for (u32 i = 0; i < n; i++)
		if (now[i].description != description && now[i].kind &&
			(kind == FLOCK_EXCLUSIVE || now[i].kind == FLOCK_EXCLUSIVE))
			return true;
	return false;
}

static struct object_step take_lock(struct holder *h, enum flock_kind kind, bool waits)
{
	if (is_excluded(h->description, kind))
		return waits ? step_waits() : step_reads(0);
	h->kind = (u16)kind;
	return step_acquires(intern_holders(), 1);
}

/* DROP, CLOSE: it loses its lock. */
static struct object_step lose_lock(struct holder *h)
{
	struct object_step s;

	h->kind = FLOCK_NONE;
	drop_unused();
	s = step_releases(intern_holders());
	s.acquire = true;
	return s;
}

OBJECT_STEP(flock)
{
	enum flock_kind kind = (enum flock_kind)(argument >> 32 & 3);
	struct holder *h = load_holders(state) ? flock_holder((u32)argument) : NULL;

	if (!h)
		return step_reads(FLOCK_FULL);
	switch (op) {
	case OBJECT_FLOCK_TAKE:
	case OBJECT_FLOCK_TRY: return take_lock(h, kind, op == OBJECT_FLOCK_TAKE);
	case OBJECT_FLOCK_COPY:
		h->copies++;
		return step_writes(intern_holders(), 0);
	case OBJECT_FLOCK_CLOSE:
		if (!h->copies)
			return lose_lock(h);
		h->copies--;
		drop_unused();
		return step_writes(intern_holders(), 0);
	default: return h->kind == kind ? step_reads(kind != FLOCK_NONE) : lose_lock(h);
	}
}
