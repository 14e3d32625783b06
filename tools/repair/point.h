/* SPDX-License-Identifier: ISC */
/*
 * point.h - points in the source where a program can be repaired, and the possible changes there.
 *
 * The runtime knows *sites* (event/order_file.h), addresses in code. Sites of one line and column,
 * which inlining, unrolling and templates make, are one *point*; for accesses in a primitive
 * (source/primitive.h) the lines and columns are those of its call and those within it. An *option*
 * is one change at a point: another order, or a fence before or after. Points and options are added
 * as explorations list more sites; they keep their numbers and are never removed.
 */
#ifndef REPAIR_POINT_H
#define REPAIR_POINT_H

#include "base/option.h"
#include "event/order_file.h"
#include "event/trace.h"
#include "repair/patch.h"

/* The components of an order; the order of a combination is the union. */
enum strength {
	STRENGTH_ACQUIRE = 1 << 0,
	STRENGTH_RELEASE = 1 << 1,
	STRENGTH_SC = 1 << 2,
	STRENGTH_SEQ_CST = 7,
};

u8 strength_of(u8 order);      /* of a C11 memory order */
u8 order_of_strength(u8 bits); /* the inverse */

#define POINT_NONE UINT32_MAX

struct point {
	const char *file, *function; /* NULL = unknown */
	int line, column;
	const struct frame
		*chain; /* from the access out to this place, with the primitives in between */
	u32 depth;		   /* at least 1 */
	u32 order_at; /* in which of these its order is written: if not in the last, other points
			 may share it */
	bool cxx;     /* as an operation of C++'s library */
	bool calls; /* in a function, not inlined, that stands for its calls: several places, as far
		       as is known */
	char *where; /* "sb.c:30" */
	u8 kind;     /* enum site_kind */
	u8 flags;    /* enum site_flag, of any of its sites */
	u8 strength; /* that all of its sites have; to relax: none */
	u8 most, most_fail; /* to relax: the program's own, of a compare-and-exchange that
			       fails, too */
};

/* The changes at a point: enum strength of each, in addition to the program's own. */
struct stronger {
	u8 order, before, after, fail;
};

enum slot { SLOT_ORDER, SLOT_BEFORE, SLOT_AFTER, SLOT_FAIL };

struct option {
	u32 point;
	enum slot slot;
	u8 strength;
	u32 cost; /* to relax: in addition to that of its options (option_has()) */
	u32 rank; /* at equal cost the smaller one is preferred */
};

/* Kinds of options. */
enum change_kind {
	CHANGE_ORDER = 1 << 0, /* of an access or fence */
	CHANGE_AFTER_STORE = 1 << 1, /* a fence there */
	CHANGE_BEFORE_STORE = 1 << 2,
	CHANGE_AFTER_LOAD = 1 << 3,
	CHANGE_BEFORE_LOAD = 1 << 4,
	CHANGE_ALL = (1 << 5) - 1,
};

/* The costs of changes. */
struct costs {
	u32 order[6], fence[6]; /* by C11 memory order */
};

struct override {
	char *module;
	u64 offset;
	u8 kind, order, fail, flags; /* the program's own */
	bool relaxed; /* the program's own is only a limit */
	u32 point;
};

struct points {
	enum model_id model;
	/*
	 * Relax: the program without its orders and fences, which become options, up to the
	 * program's own. The cheapest choice is then the part that has to stay.
	 */
	bool relax;
	bool plain; /* plain accesses are like others: not graphs with races that are reported */
	u32 changes; /* enum change_kind, or-ed: permitted changes */
	struct costs costs;
	struct override *site;
	struct point *point;
	struct option *option;
	u32 nsites, npoints, noptions;
	unsigned unreadable; /* options without a place in the source */
	struct csource *sources; /* sources read, to check which changes are possible */
};

/* --- offer.c --------------------------------------------------------------------------------- */

/* "fence-seq_cst=8": false if that is none. */
bool costs_set(struct costs *c, const char *text);
void costs_default(struct costs *c, enum model_id m);

/* "order,after-store": a set of enum change_kind; 0 if it is none. */
u32 changes_read(const char *text);

/* Add the options of the points from `first' on. */
void offer_changes(struct points *p, u32 first);

/* The option as a change of source. */
struct edit option_edit(const struct points *p, const struct option *o);

/* "atomic_thread_fence(memory_order_seq_cst) after sb.c:30" */
char *option_words(const struct points *p, const struct option *o);

/* --- point.c --------------------------------------------------------------------------------- */

/* Add the sites listed by an exploration. */
void points_read(struct points *p, const char *path);

/* The site of an event; NULL: none. */
const struct override *points_site(
	const struct points *p, const struct trace *t, const struct trace_event *e);

/* The orders file for a choice. Dies if it cannot be written. */
void points_write(const struct points *p, const struct stronger *at, const char *path);

/* The changes at each point, of a choice of options. at: [npoints] */
void points_apply(const struct points *p, const bool *chosen, struct stronger *at);

/* Does `at` include the option? */
bool option_is_in(const struct points *p, const struct option *o, const struct stronger *at);
void option_add(const struct option *o, struct stronger *at);

/* To relax: does option a, with the higher number, include b? */
bool option_has(const struct points *p, u32 a, u32 b);

/* The place where the order of a point is written, as a change of it. */
struct edit point_edit(const struct point *p);

/* Are the orders of both points written in a primitive of the program, in the same place? */
bool point_shares(const struct point *p, const struct point *b);

/* The function that is called at a frame of the point's; NULL: it is the access itself. */
const char *point_callee(const struct point *p, u32 frame);

#endif
