/* SPDX-License-Identifier: ISC */
/*
 * override.h - accesses and fences by code address, and their replacements.
 *
 * Virtual orders and fences: an orders file (event/order_file.h) gives accesses and fences of a
 * code address other orders, or puts fences beside them, without compiling again. All code above
 * the machine treats them as the program's own. Without such orders and without collecting sites,
 * accesses do not come here (engine.h).
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
	u8 kind, order, fail, flags; /* as in struct site_line: the program's own */
	u32 size;
};

/* Are there overrides, or sites to collect? */
extern bool override_on;
extern struct decorator override_decorator;

/*
 * A search begins: read o->orders, note whether o->sites is wanted. False: the status page's note
 * has the file's mistake.
 */
bool override_begin(const struct options *o);

/* Install the orders of a recorded execution; false as above. */
bool override_adopt(const struct trace *t);

/* Write the orders in force to a replay file; its modules were written. */
void override_put(struct trace_writer *w);

/* A number of the orders in force, different for other orders; 0: none. */
u64 override_mark(void);

/* A search has ended: write o->sites, if wanted. */
void override_end(const struct options *o);

/* The entry of a code address, NULL: none. Made if sites are collected. */
struct override *override_at(u64 code);

/* The call site of a runtime function that performs an access: the site of the next access. */
extern u64 override_caller;

/* Virtual fences around an operation on n bytes, at a call that returns to `code`. */
void override_before_range(u64 code, enum site_kind kind, size_t n);
void override_after_range(u64 code);

#endif
