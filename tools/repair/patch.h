/* SPDX-License-Identifier: ISC */
/*
 * patch.h - changes of memory orders, and fences put in or taken out, as changes of source text.
 *
 *     struct patch *p = patch_new(NULL);
 *     patch_add(p, &(struct edit){.file = ..., .line = ..., .column = ..., .kind =
 *         EDIT_FENCE_AFTER, .order = __ATOMIC_SEQ_CST});
 *     patch_write(p, out);                       a unified diff for `patch -p1', from here
 *
 * Places are those of debug information: of a call its name (also a macro's), of an assignment its
 * operator, of a use of an _Atomic variable where the expression begins. patch_add() reports
 * whether and how an edit is possible; so a caller with a choice tries each first (with a
 * separate patch). Edits of one statement and of one file are combined; duplicates are one edit.
 *
 * The body of a macro is not changed: the order in `#define set(p, v) atomic_store_explicit(p, v,
 * ...)` is that of all its uses. A fence can be added there, as around any call.
 *
 * Not thread-safe; nothing is freed but with the process.
 */
#ifndef REPAIR_PATCH_H
#define REPAIR_PATCH_H

#include <stdio.h>

#include "base/base.h"

enum edit_kind {
	EDIT_ORDER,	    /* replace the order of the access or fence by `order` */
	EDIT_FENCE_BEFORE,  /* atomic_thread_fence(order) before the access */
	EDIT_FENCE_AFTER,
	EDIT_FENCE_REMOVE,  /* the fence there */
};

#define FAIL_FITS 255

struct edit {
	const char *file; /* as in debug information */
	int line, column;
	enum edit_kind kind;
	u8 order;      /* C11 memory order: __ATOMIC_RELAXED, ... */
	u8 fail;       /* EDIT_ORDER of a compare-and-exchange: when it fails; FAIL_FITS: as fits
			  `order` */
	bool write;    /* the access stores, and is no read-modify-write: `a = 1` on an _Atomic
			  variable */
	bool part;     /* the access loads or compares: of `d *= 2', which is a loop of these */
	bool cxx;      /* the file is C++, whatever its name */
	bool system;   /* a file of the system: never changed */
	const char
		*callee; /* the function that is inlined there and makes the access; NULL: none */
	/* Filled in by patch_add(): */
	const char *problem; /* the reason why it is impossible; NULL: possible */
	bool lost;	     /* the problem: the place was not found in the text */
	const char *note;    /* NULL, or the difference from the request */
};

struct csource;
struct patch;

/* sources: the files read by other patches, and by this one (csource_read); NULL: it has its
 * own. */
struct patch *patch_new(struct csource **sources);

/* Add an edit. Returns !e->problem. */
bool patch_add(struct patch *p, struct edit *e);

/*
 * The same for the order in a function that is called at another place, for this call only: a copy
 * of the function, whose name contains the order, is called there. Returns !call->problem;
 * call->note has the name.
 */
bool patch_add_variant(
	struct patch *p, struct edit *call, const struct edit *order, const char *function);

/* Is the order of the call there a parameter of the enclosing function? */
bool patch_passes_order(struct csource **sources, struct edit *e);

/* The unified diff of all files that change, in the order in which they were first named. Returns
 * how many files. Paths are relative to the current directory; of a file that is not below it, to
 * /. */
unsigned patch_write(const struct patch *p, FILE *out);

/* The same as a text; the caller frees it. */
char *patch_text(const struct patch *p);

/* Whether some path in the diff is relative to / : `patch -d / -p1'. */
bool patch_is_from_root(const struct patch *p);

/* "memory_order_release" */
const char *order_words(u8 order);

#endif
