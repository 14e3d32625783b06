/* SPDX-License-Identifier: ISC */
/* merge.h - the results of all shards of a search (JSON documents, document/json.c), as one. */
#ifndef SHARD_MERGE_H
#define SHARD_MERGE_H

#include <stdio.h>

#include "document/js.h"

/*
 * Read the results of n shards; dies unless they are all those of a search, each once, and could
 * be explored. Returns a document like that of the whole search; findings are in the order of
 * their kinds and messages, and those with the same kind, message and place are one.
 */
json_t *merge_files(char **files, unsigned n);

/* Findings, notes, and the last line. */
void merge_show(const json_t *whole, FILE *out);

#endif
