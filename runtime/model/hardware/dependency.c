/* SPDX-License-Identifier: ISC */
/* dependency.c - see dependency.h. */
#include "model/hardware/dependency.h"

#include <string.h>

static const u16 *record_elements(const u16 *record, enum dependency kind)
{
	const u16 *at = record + DEPENDENCY_KINDS;

	for (u32 k = 0; k < kind; k++)
		at += record[k];
	return at;
}

static bool is_dependency_record(const u16 *record, const u16 *const set[], const u16 size[])
{
	for (u32 k = 0; k < DEPENDENCY_KINDS; k++)
		if (record[k] != size[k] || __builtin_memcmp(record_elements(record, k), set[k],
							    size[k] * sizeof *set[k]))
			return false;
	return true;
}

static u32 hash_sets(const u16 *const set[], const u16 size[])
{
	u32 h = 0x811c9dc5u;

	for (u32 k = 0; k < DEPENDENCY_KINDS; k++) {
		h = (h ^ size[k]) * 0x01000193u;
		for (u32 i = 0; i < size[k]; i++)
			h = (h ^ set[k][i]) * 0x01000193u;
	}
	return (h ^ h >> 16) % DEPENDENCY_BUCKETS;
}

void dependency_clear(struct dependency_table *table)
{
	table->n = table->used = 0;
	memset(table->bucket, 0, sizeof table->bucket);
}

u32 dependency_intern(struct dependency_table *table, const u16 *const set[DEPENDENCY_KINDS],
	const u16 size[DEPENDENCY_KINDS])
{
	u32 words = DEPENDENCY_KINDS, *bucket;
	u16 *at;

	for (u32 k = 0; k < DEPENDENCY_KINDS; k++)
		words += size[k];
	if (words == DEPENDENCY_KINDS)
		return 0;
	bucket = &table->bucket[hash_sets(set, size)];
	for (u32 i = *bucket; i; i = table->next[i])
		if (is_dependency_record(table->word + table->first[i], set, size))
			return i;
	if (table->n == DEPENDENCY_RECORDS || table->used + words > DEPENDENCY_WORDS) {
		table->n = DEPENDENCY_RECORDS;
		return 0;
	}
	table->n += !table->n;
	table->first[table->n] = table->used;
	table->next[table->n] = *bucket;
	*bucket = table->n;
	at = table->word + table->used;
	for (u32 k = 0; k < DEPENDENCY_KINDS; k++)
		*at++ = size[k];
	for (u32 k = 0; k < DEPENDENCY_KINDS; at += size[k++])
		__builtin_memcpy(at, set[k], size[k] * sizeof *at);
	table->used += words;
	return table->n++;
}

bool dependency_has(
	const struct dependency_table *table, u32 record, enum dependency kind, u32 element)
{
	const u16 *r = table->word + table->first[record], *at = record_elements(r, kind);

	for (u32 i = 0; i < r[kind]; i++)
		if (at[i] == element)
			return true;
	return false;
}
