/* SPDX-License-Identifier: ISC */
/* dependency.c - see dependency.h. */
#include "model/dependency.h"

static const u16 *elements(const u16 *record, enum dependency kind)
{
	const u16 *at = record + DEPENDENCY_KINDS;

	for (u32 k = 0; k < kind; k++)
		at += record[k];
	return at;
}

static bool is_record(const u16 *record, const u16 *const set[], const u16 size[])
{
	for (u32 k = 0; k < DEPENDENCY_KINDS; k++)
		if (record[k] != size[k] || __builtin_memcmp(elements(record, k), set[k],
							    size[k] * sizeof *set[k]))
			return false;
	return true;
}

u32 dependency_intern(struct dependency_table *table, const u16 *const set[DEPENDENCY_KINDS],
	const u16 size[DEPENDENCY_KINDS])
{
	u32 words = DEPENDENCY_KINDS + size[BY_ADDRESS] + size[BY_DATA] + size[BY_CONTROL];
	u16 *at;

	if (words == DEPENDENCY_KINDS)
		return 0;
	for (u32 i = 1; i < table->n; i++)
		if (is_record(table->word + table->first[i], set, size))
			return i;
	if (table->n == DEPENDENCY_RECORDS || table->used + words > DEPENDENCY_WORDS) {
		table->n = DEPENDENCY_RECORDS;
		return 0;
	}
	table->n += !table->n;
	table->first[table->n] = table->used;
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
	const u16 *r = table->word + table->first[record], *at = elements(r, kind);

	for (u32 i = 0; i < r[kind]; i++)
		if (at[i] == element)
			return true;
	return false;
}
