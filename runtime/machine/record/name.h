/* SPDX-License-Identifier: ISC */
/*
 * name.h - names that the program gives to memory, for reports: heddle_name().
 *
 * Names given natively stay; names given in an execution are used only if it is recorded.
 */
#ifndef MACHINE_RECORD_NAME_H
#define MACHINE_RECORD_NAME_H

#include "base/base.h"

/* Name a range; NULL: remove its name. The last NAMES ones are kept. */
void name_give(u64 start, u64 size, const char *name);

/* The last name of a range that contains this byte; NULL: none. *offset: its offset in the
 * range. */
const char *name_find(u64 addr, u64 *offset);

#endif
