/* SPDX-License-Identifier: ISC */
/* cat.c - a model: the reader, and its analysis. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "model/file/cat_model.h"

struct input {
	const u8 *data;
	size_t size;
};

static bool read_input(void *ctx, const char *from, const char *name, struct source *to)
{
	const struct input *in = ctx;

	(void)name;
	if (from)
		return false;
	to->text = (const char *)in->data;
	to->n = (u32)in->size;
	return true;
}

static void check_names(const struct cat *c)
{
	char name[80];

	for (u32 i = 0; i < c->naxioms; i++) {
		cat_axiom_name(c, i, name);
		FUZZ_CHECK(strlen(name) < sizeof name && c->axiom[i].node < c->nnodes);
	}
	for (u32 i = 0; i < c->nwarnings; i++)
		FUZZ_CHECK(cat_where_token(c, c->warning[i].token).column);
}

void fuzz_cat(const u8 *data, size_t size)
{
	static struct cat_model m;
	void *memory = calloc(1, CAT_MEMORY);
	struct input in = {data, size < 1 << 16 ? size : 1 << 16};
	const struct cat_files files = {.read = read_input, .ctx = &in};
	struct cat_error err;

	if (cat_read(&m.cat, memory, &files, "model", &err)) {
		cat_model_prepare(&m);
		check_names(&m.cat);
		FUZZ_CHECK(m.prefixes.n <= m.whole.n && cat_fits(&m.whole, 16));
	} else {
		FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
		FUZZ_CHECK(err.source && err.at <= err.source->n);
		FUZZ_CHECK(cat_where(err.source, err.at).column);
	}
	free(memory);
}
