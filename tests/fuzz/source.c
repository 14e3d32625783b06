/* SPDX-License-Identifier: ISC */
/*
 * source.c - a C source, and edits of it. The input begins with up to 8 edits of three bytes (what,
 * line, column) after their number. The output is a diff that `patch' accepts, or empty.
 */
#include "fuzz.h"

#include <string.h>

#include "die.h"
#include "source/csource.h"
#include "repair/patch.h"

#define EDITS 8

static void check_tokens(const struct csource *s)
{
	u32 end = 0;

	for (u32 i = 1; i < s->ntokens; i++) {
		const struct token *t = &s->token[i];

		FUZZ_CHECK(t->n && t->at >= end && t->at + t->n <= s->n);
		FUZZ_CHECK(t->match < s->ntokens && t->line > 0 && t->column > 0);
		FUZZ_CHECK(t->match == i || s->token[t->match].match == i);
		end = t->at + t->n;
	}
	for (u32 i = 0; i < s->nstatements; i++) {
		const struct statement *x = &s->statement[i];

		FUZZ_CHECK(x->first && x->first <= x->last && x->last < s->ntokens);
		FUZZ_CHECK(x->parent >= -1 && x->parent < (i32)s->nstatements);
		FUZZ_CHECK(strlen(csource_copy(s, x->first, x->last)) <= s->n);
	}
}

static struct edit edit_of(const u8 *bytes)
{
	return (struct edit){.file = "fuzz.c",
		.kind = (enum edit_kind)(bytes[0] & 3),
		.order = (u8)((bytes[0] >> 2) % 6),
		.fail = 255,
		.write = bytes[0] >> 7,
		.line = bytes[1],
		.column = bytes[2]};
}

static void check_diff(const char *diff)
{
	for (; *diff; diff++) {
		FUZZ_CHECK(strchr(" +-@\\", *diff));
		diff = strchr(diff, '\n');
		FUZZ_CHECK(diff); /* every line ends */
	}
}

void fuzz_source(const u8 *data, size_t size)
{
	unsigned n = size ? data[0] % (EDITS + 1) : 0, done = 0;
	struct edit e[EDITS];
	struct patch *p;
	char *diff;
	FILE *to;
	size_t length;

	data += size > 0;
	size -= size > 0;
	for (unsigned i = 0; i < n && size >= 3; i++, data += 3, size -= 3)
		e[done++] = edit_of(data);
	if (memchr(data, 0, size))
		return; /* no text */
	check_tokens(csource_parse("fuzz.c", fuzz_text(data, size), (u32)size));
	fuzz_file(data, size);
	p = patch_new(NULL);
	for (unsigned i = 0; i < done; i++)
		FUZZ_CHECK(patch_add(p, &e[i]) == !e[i].problem);
	to = open_memstream(&diff, &length);
	patch_write(p, to);
	fclose(to);
	check_diff(diff);
}
