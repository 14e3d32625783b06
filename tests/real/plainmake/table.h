/* SPDX-License-Identifier: ISC */
/* table.h - how often each word was seen; any number of threads may add. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

void table_add(const char *word, size_t length);
void table_totals(unsigned *words, unsigned *different);
void table_clear(void);

#endif
