/* SPDX-License-Identifier: ISC */
/* spinning.h - does a thread of the program spin, by spin.h? */
#ifndef MACHINE_ACCESS_SPINNING_H
#define MACHINE_ACCESS_SPINNING_H

#include "machine/core.h"

/* A single thread is checked only after so many loads without a write. */
#define SPIN_ALONE 64

/* A load of a single thread, below that number: it delays no other thread. */
static inline void spin_count_alone(struct spin *s)
{
	s->loads++;
	s->next = SPIN_ALONE + 1;
}

static inline bool spin_has_returned(struct thread *t, const struct buffer *b)
{
	if (likely(spin_passes(&t->spin, machine_frame, M.sampling)))
		return false;
	if (!M.parks)
		return false;
	if (!spin_returns(&t->spin, machine_frame, fiber_end(t->slot), !M.sampling))
		return false;
	if (!spin_changed(&t->spin, b, 0, 0))
		return true;
	spin_reset(&t->spin);
	return false;
}

/* t is about to load or update something, called through an entry stub. */
static inline bool thread_spins(struct thread *t, const struct buffer *b)
{
	if (M.alone && t->spin.loads < SPIN_ALONE) {
		spin_count_alone(&t->spin);
		return false;
	}
	return spin_has_returned(t, b);
}

#endif
