/* SPDX-License-Identifier: ISC */
/* diff.h - the unified diff of changes of a text. */
#ifndef REPAIR_DIFF_H
#define REPAIR_DIFF_H

#include <stdio.h>

#include "base/base.h"

/* Replace `remove` bytes at `at` by `insert`. */
struct change {
	u32 at, remove;
	i32 rank; /* order of changes at one place, lowest first */
	char *insert;
	u32 number; /* in order of creation, the last criterion */
};

/*
 * A unified diff with three lines of context. Changes do not overlap, but several may insert at one
 * place; they are sorted here. Returns false, having written nothing, if nothing changes.
 */
bool diff_write(
	const char *path, const char *text, u32 n, struct change *change, u32 nchanges, FILE *out);

#endif
