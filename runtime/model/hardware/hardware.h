/* SPDX-License-Identifier: ISC */
/*
 * hardware.h - how hardware sees the events of a C program: its instructions and dependencies.
 *
 * arm8, riscv, power and imm keep only the part of program order that instructions, barriers and
 * dependencies keep. A graph of theirs is one of C; its instructions follow from the flags of its
 * events:
 *
 *   C              ARMv8                   POWER                       RISC-V
 *   load relaxed   LDR                     ld                          l
 *   load acquire   LDAR (LDAPR with rcpc)  ld; cmp; bc; isync          l; fence r,rw
 *   load seq_cst   LDAR                    sync; ld; cmp; bc; isync    fence rw,rw; l; fence r,rw
 *   store relaxed  STR                     st                          s
 *   store release  STLR                    lwsync; st                  fence rw,w; s
 *   store seq_cst  STLR                    sync; st                    fence rw,w; s
 *   fence acquire  DMB LD                  lwsync                      fence r,rw
 *   fence release  DMB                     lwsync                      fence rw,w
 *   fence acq_rel  DMB                     lwsync                      fence.tso
 *   fence seq_cst  DMB                     sync                        fence rw,rw
 *
 * RMWs carry acquire on their reads and release on their writes; a CAS that fails has the stronger
 * of its two orders. Plain and volatile accesses are relaxed. Operations on threads and
 * synchronisation objects order all events before them before all events after them.
 */
#ifndef MODEL_HARDWARE_HARDWARE_H
#define MODEL_HARDWARE_HARDWARE_H

#include "model/acyclic.h"
#include "model/cycle.h"
#include "model/hardware/dependency.h"

#include "heddle/abi.h"

/* label.op of a LABEL_FENCE: an instruction that no C fence compiles to; other machines ignore
 * it. */
enum fence_kind {
	FENCE_C,       /* by its memory order */
	FENCE_FULL,    /* dmb; sync; fence rw,rw */
	FENCE_LOADS,   /* dmb ld; fence r,rw */
	FENCE_STORES,  /* dmb st; fence w,w */
	FENCE_LIGHT,   /* lwsync */
	FENCE_CONTEXT, /* isb, isync */
	FENCE_READS,   /* fence r,r */
	/* Of the Linux kernel, for models in files; machines have its memory order. */
	FENCE_AROUND = HEDDLE_FENCE_AROUND,
	FENCE_BEFORE_ATOMIC,
	FENCE_AFTER_ATOMIC,
	FENCE_AFTER_SPINLOCK,
	FENCE_AFTER_UNLOCK_LOCK,
	FENCE_RCU_LOCK,
	FENCE_RCU_UNLOCK,
	FENCE_RCU_SYNC,
	FENCE_AFTER_SRCU_UNLOCK,
	FENCE_SRCU_LOCK, /* of a domain, the location; value: the reader */
	FENCE_SRCU_UNLOCK,
	FENCE_SRCU_SYNC,
	FENCE_KINDS
};

/* An event whose place in its thread no model needs: blocks of the heap, marks. */
static inline bool event_is_aside(const struct gevent *x)
{
	return x->flags & E_HEAP || gevent_is_mark(x);
}

/* An operation on a thread or an object: it orders all before it before all after it. */
static inline bool event_is_barrier(const struct gevent *x)
{
	return x->flags & E_FULL &&
	       (x->flags & E_SYNC || !(x->flags & (E_READ | E_WRITE | E_FENCE)));
}

static inline bool event_is_access(const struct gevent *x)
{
	return x->flags & (E_READ | E_WRITE) && !event_is_aside(x);
}

/* Half of an RMW, or a CAS that fails. */
static inline bool event_is_rmw(const struct gevent *x)
{
	return x->type == LABEL_RMW || x->type == LABEL_CAS;
}

/* Of a lock of the Linux kernel. */
static inline bool event_is_lock(const struct gevent *x)
{
	return (x->type == LABEL_READ || x->type == LABEL_WRITE || x->type == LABEL_CAS) &&
	       x->op == LABEL_OF_LOCK;
}

static inline bool event_is_fence(const struct gevent *x, enum fence_kind kind)
{
	return x->flags & E_FENCE && x->op == kind;
}

/*
 * The events after `x` in its thread, one by one, with their dependencies. `y` is the current one;
 * the rest is about the events between x and y, or about y where it says so.
 */
struct po_scan {
	const struct graph *g;
	const struct gevent *x;
	const struct gevent *y;
	bool address;	/* the address of one depends on x */
	bool control;	/* a branch in front of y depends on x */
	bool stores;	/* the address or the value of a write does */
	bool context;	/* FENCE_CONTEXT comes after such a branch */
};

static inline struct po_scan scan_begin(const struct graph *g, u32 x)
{
	return (struct po_scan){.g = g, .x = &g->event[x], .y = &g->event[x]};
}

/* Does y itself depend on x? */
bool scan_depends(const struct po_scan *s, enum dependency how);
/* Is there a branch on x in front of y, or does x pick the address or value that y writes? */
bool scan_controls(const struct po_scan *s);
/* The next one; false: there is none. */
bool scan_next(struct po_scan *s);
/* Does the read y read its own thread's latest write of the location, whose address or value
 * depends on x? */
bool scan_forwards(const struct po_scan *s);
/* The latest write to y's location between x and y, or x itself; 0: none. */
u32 scan_written(const struct po_scan *s);

/* Does the model keep b after a, an earlier event of the same thread; if b itself depends on a,
 * how? A model that is not of hardware: KEPT_NOT. */
enum kept hardware_kept(struct graph *g, u32 a, u32 b);

/* Is there no cycle of po, rf, co and fr through e or r? Then no hardware model's order, a part of
 * these, has one. Arguments as of model->consistent. */
bool hardware_is_sc(struct graph *g, u32 e, u32 r);

/* The events on such cycles, and e and r, into node[], lowest first; returns their number. */
u32 hardware_cycle_events(struct graph *g, u32 e, u32 r, u16 *node);

#endif
