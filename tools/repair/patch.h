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
 * operator, of a use of an _Atomic variable where the expression begins. patch_add() says whether
 * and how it can be done; so a caller with a choice asks for each first (with a patch of its own).
 * Edits of one statement and of one file go together; the same edit twice is one.
 *
 * What a macro hides is not changed: the order in `#define set(p, v) atomic_store_explicit(p, v,
 * ...)` is that of all its uses. There a fence can be put, as it is put around any call.
 *
 * Not thread-safe; nothing is freed but with the process.
 */
#ifndef REPAIR_PATCH_H
#define REPAIR_PATCH_H

#include <stdio.h>

#include "base/base.h"

enum edit_kind {
	EDIT_ORDER,	    /* of the access or fence: `order` in its place */
	EDIT_FENCE_BEFORE,  /* atomic_thread_fence(order) before the access */
	EDIT_FENCE_AFTER,
	EDIT_FENCE_REMOVE,  /* the fence that stands there */
};

#define FAIL_FITS 255

struct edit {
	const char *file; /* as in debug information */
	int line, column;
	enum edit_kind kind;
	u8 order;      /* C11 memory order: __ATOMIC_RELAXED, ... */
	u8 fail;       /* EDIT_ORDER of a compare-and-exchange: when it fails; FAIL_FITS: what fits
			  `order` */
	bool write;    /* the access stores, and is no read-modify-write: `a = 1` on an _Atomic
			  variable */
	bool cxx;      /* the file is C++, whatever its name */
	bool system;   /* the file is one of the system's: it is not to be changed */
	const char
		*callee; /* the function that is inlined there and makes the access; NULL: none */
	/* Filled in by patch_add(): */
	const char *problem; /* why it cannot be done; NULL: it can */
	bool lost;	     /* the problem is that the place is not found in the text at all */
	const char *note;    /* NULL, or: how it differs from what was asked for */
};

struct csource;
struct patch;

/* sources: the files read by other patches, and by this one (csource_read); NULL: it has its
 * own. */
struct patch *patch_new(struct csource **sources);

/* Take up one more edit. Returns !e->problem. */
bool patch_add(struct patch *p, struct edit *e);

/*
 * The same of the order in a function that is called at another place, for this call only: a copy
 * of the function, whose name says the order, is called there. Returns !call->problem; call->note
 * says what is called.
 */
bool patch_add_variant(
	struct patch *p, struct edit *call, const struct edit *order, const char *function);

/* Is the order of the call there an argument of the function around it, so that the caller says
 * it? */
bool patch_passes_order(struct csource **sources, struct edit *e);

/* The unified diff of all files that change, in the order in which they were first named. Returns
 * how many files. Paths are relative to the current directory; of a file that is not below it, to
 * /. */
unsigned patch_write(const struct patch *p, FILE *out);

/* The same as a text; who asks frees it. */
char *patch_text(const struct patch *p);

/* Whether some path in the diff is relative to / : `patch -d / -p1'. */
bool patch_is_from_root(const struct patch *p);

/* "memory_order_release" */
const char *order_words(u8 order);

#endif
