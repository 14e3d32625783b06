/* SPDX-License-Identifier: ISC */
/*
 * spin.h - threads that spin are parked until a location that they have read changes.
 *
 * Idea.   A thread that returns to the same load with the same callee-saved registers and the same
 *         stack, without a write in between, repeats itself as long as the locations that it read
 *         keep their values: nothing else is live across the call of a load. So it need not run; it
 *         waits for one of these locations to change. This needs no annotation and no unrolling
 *         bound, and works for optimised code.
 * How.    The first load after a write is the *anchor*; its state is kept and compared with each
 *         later visit of the same call site. As the loop may not contain the first load, the anchor
 *         moves on at the 2nd, 4th, 8th... load (Brent's cycle detection). A store, an effective
 *         RMW or a synchronisation operation drops the anchor. An RMW that leaves memory as it was
 *         (a failed CAS, an exchange of 1 for 1) counts as a load. Keeping a state costs more than
 *         a load. Exhaustive search pays it at the first load after a write, since each iteration
 *         multiplies executions; sampling (not `eager`) waits until the thread comes to the same
 *         call site again, and parks it one iteration later.
 * Not.    Loops that read more than SPIN_READS locations an iteration, or whose stack is deeper
 *         than SPIN_STACK bytes, or that change private memory: these end at --max-steps.
 */
#ifndef MACHINE_SPIN_H
#define MACHINE_SPIN_H

#include "arch/arch.h"
#include "model/buffer.h"

#define SPIN_READS 16
#define SPIN_STACK 2048

/* The frame that the entry stub of a load, rmw or cas has pushed (a port's entry.S). */
struct entry_frame {
	u64 saved[ARCH_SAVED]; /* callee-saved registers of the program */
	u64 return_address;
};

struct spin_read {
	u64 addr;
	u64 value[2];
	u32 size;
};

struct spin {
	u32 loads;  /* since the last write */
	u32 next;   /* the anchor moves at this number */
	u32 nreads; /* since the anchor; SPIN_READS + 1 = too many */
	u32 nstack; /* 0 = no anchor */
	u64 return_address, sp;
	u64 saved[ARCH_SAVED];
	struct spin_read read[SPIN_READS];
	_Alignas(8) u8 stack[SPIN_STACK];
};

/* The thread has written or synchronised. */
static inline void spin_reset(struct spin *s)
{
	s->loads = 0;
	s->next = 1;
	s->nstack = 0;
	s->return_address = 0;
}

/*
 * The thread is about to load, called with the given frame. True: it is not spinning; false: call
 * spin_returns(). Sampling keeps only the place of the first load after a write, here.
 */
static inline bool spin_passes(struct spin *s, const struct entry_frame *f, bool sampling)
{
	u32 n = s->loads + 1;

	if (s->return_address == f->return_address)
		return false;
	if (n >= s->next) {
		if (!sampling)
			return false;
		s->next = 2 * n;
		s->nreads = s->nstack = 0;
		s->sp = (u64)(uintptr_t)(f + 1);
		s->return_address = f->return_address;
	}
	s->loads = n;
	return true;
}

/* The thread may be back at its anchor, or the anchor is due to move (see spin_passes()): is it
 * spinning? */
bool spin_returns(struct spin *s, const struct entry_frame *f, u64 stack_end, bool eager);

/* The thread has read this value. */
static inline void spin_note(struct spin *s, u64 addr, u32 size, const u64 value[2])
{
	struct spin_read *r;

	if (s->nreads >= SPIN_READS) {
		s->nreads = SPIN_READS + 1;
		return;
	}
	r = &s->read[s->nreads++];
	r->addr = addr;
	r->size = size;
	r->value[0] = value[0];
	r->value[1] = value[1];
}

/* Would the thread, with its buffer b, now read a different value at any of its locations? size 0:
 * check all of them, else only those that overlap [addr, addr+size). */
bool spin_changed(const struct spin *s, const struct buffer *b, u64 addr, u64 size);

#endif
