/* SPDX-License-Identifier: ISC */
/* patch_priv.h - shared by patch.c, patch_order.c, patch_variant.c and patch_write.c. */
#ifndef REPAIR_PATCH_PRIV_H
#define REPAIR_PATCH_PRIV_H

#include "repair/diff.h"
#include "repair/patch.h"
#include "source/csource.h"

/* Insertions around a statement. */
struct around {
	const struct statement *of;
	char *before, *after; /* "fence(); " each; NULL: nothing */
	bool remove;
};

struct file {
	struct csource *source;
	struct change *change;
	u32 nchanges;
	struct around *around;
	u32 naround;
	bool fence; /* a fence was inserted by its C11 name */
	bool cxx;
	const char **variant; /* names of functions that have been copied: patch_variant.c */
	u32 nvariants;
};

struct patch {
	struct file *file;
	u32 nfiles;
	struct edit *done;
	u32 ndone;
	struct csource **sources, *own;
};

/* The order of changes at one place of the text (struct change): a header; text after statements
 * that end there (minus their depth: the innermost first); the end of a call; the beginning of one,
 * and text before a statement (plus its depth: the outermost first); replacements. */
enum { RANK_HEADER = -2000, RANK_AFTER = -1000, RANK_REPLACED = 1000 };

/* An access in the text. */
struct access {
	struct file *f;
	const struct csource *s;
	u32 token;
	u32 first; /* of `s->x.load()' its s; else `token` */
	u32 last; /* of a call: its ) ; else `token` */
	bool call, operator; /* set(&x, 1); x = 1; else an expression that begins here */
	const struct statement *in;
	bool condition; /* in the parentheses of `in` */
};

bool text_starts(const char *s, const char *with);
bool text_ends(const char *s, const char *with);

bool is_operator(const struct csource *s, u32 token);
bool is_call(const struct csource *s, u32 token);
bool is_asm(const struct csource *s, u32 token);

/* Replace tokens by a text; insert it before a byte, and remove so many. */
void patch_replace(struct file *f, u32 first, u32 last, char *with);

/* Has an earlier edit replaced one of these tokens? */
bool patch_is_replaced(const struct file *f, u32 first, u32 last);
void patch_change(struct file *f, u32 at, u32 remove, i32 rank, char *insert);

/* A fence in the style of the file. */
char *fence_words(struct file *f, u8 order);

/* --- patch_order.c --------------------------------------------------------------------------- */

/* Change the order of the access: NULL, or the reason why that is impossible. */
const char *patch_order(const struct access *a, const struct edit *e);

/* Is the order of the call a parameter of its function? */
bool patch_order_is_passed(const struct access *a);

/* --- patch_variant.c ------------------------------------------------------------------------- */

/* A copy of the function that is called at `call' and makes the access `a', with this order there,
 * for this call. NULL, and its *name; else the reason why that is impossible. */
const char *patch_variant(const struct access *call, const struct access *a,
	const struct edit *order, const char *function, char **name);

#endif
