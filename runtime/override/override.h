/* SPDX-License-Identifier: ISC */
/*
 * override.h - what the program does at which place of its code, and what is done there
 * instead.
 *
 * Virtual orders and fences: an orders file (event/order_file.h) gives accesses and fences of a
 * code address other orders, or puts fences beside them, without compiling again. To everything
 * above the machine they are what the program has asked for. When there are no such orders and
 * sites are not collected, nothing of this is looked at: accesses then do not come here
 * (engine.h).
 *
 * The table is shared with workers (share.h), and only grows: a look-up needs no lock.
 */
#ifndef OVERRIDE_OVERRIDE_H
#define OVERRIDE_OVERRIDE_H

#include "base/option.h"
#include "event/order_file.h"
#include "event/trace.h"

struct decorator;

struct override {
	u64 code; /* return address; 0 = free */
	struct order_file orders;
	bool seen;
	u8 kind, order, fail, flags; /* as in struct site_line: what the program asks for */
	u32 size;
};

/* Is there anything to do at sites? */
extern bool override_on;
extern struct decorator override_decorator;

/*
 * A search begins: read o->orders, remember that o->sites is wanted. False: the status page's note
 * says what is wrong with the file.
 */
bool override_begin(const struct options *o);

/* The orders that were in force in a recorded execution; false as above. */
bool override_adopt(const struct trace *t);

/* What is in force, for a replay file; its modules have been written. */
void override_put(struct trace_writer *w);

/* A number for what is in force: another one for other orders; 0 for none. */
u64 override_mark(void);

/* A search has ended: write o->sites, if wanted. */
void override_end(const struct options *o);

/* The entry of a code address, NULL: there is nothing to do. Made if sites are wanted. */
struct override *override_at(u64 code);

/* Where a function of the runtime that stands for an access was called from: the next access is
 * made there. */
extern u64 override_caller;

/* Around what is done to n bytes as a whole, at a call that returns to `code`: virtual fences. */
void override_before_range(u64 code, enum site_kind kind, size_t n);
void override_after_range(u64 code);

#endif
