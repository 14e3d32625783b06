/* SPDX-License-Identifier: ISC */
/* files.c - see files.h. */
#include "files.h"

#include "model/file/cat_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 32

static const char *folder;
static struct {
	const char *name;
	bool llsc, rcpc;
	struct cat_model *model;
} file[FILES_MAX];

void files_use(const char *path)
{
	folder = path;
}

static bool read_file(void *ctx, const char *from, const char *name, struct source *to)
{
	static char text[1 << 16];
	FILE *f = from ? NULL : fopen(ctx, "r");

	(void)name;
	if (!f)
		return false;
	to->n = (u32)fread(text, 1, sizeof text, f);
	to->text = text;
	fclose(f);
	return true;
}

static bool llsc, rcpc; /* of the model that is read */

static bool has_variant(void *ctx, const char *name, u32 n)
{
	(void)ctx;
	return n == 4 && ((llsc && !memcmp(name, "llsc", n)) || (rcpc && !memcmp(name, "rcpc", n)));
}

static struct cat_model *read_model(const char *name)
{
	char path[1000];
	const struct cat_files files = {read_file, path, has_variant};
	struct cat_model *m = calloc(1, sizeof *m);
	struct cat_error err = {0};

	snprintf(path, sizeof path, "%s/%s.cat", folder, name);
	if (!cat_read(&m->cat, calloc(1, CAT_MEMORY), &files, path, &err)) {
		fprintf(stderr, "graphs: %s: %s\n", path, err.message);
		exit(2);
	}
	cat_model_prepare(m);
	return m;
}

struct cat_model *files_model(const char *name, bool with_llsc, bool with_rcpc)
{
	u32 i = 0;

	if (!folder)
		return NULL;
	llsc = with_llsc;
	rcpc = with_rcpc;
	while (i < FILES_MAX && file[i].name &&
		(strcmp(file[i].name, name) || file[i].llsc != llsc || file[i].rcpc != rcpc))
		i++;
	if (i == FILES_MAX)
		exit(2);
	if (!file[i].name) {
		file[i].name = name;
		file[i].llsc = llsc;
		file[i].rcpc = rcpc;
		file[i].model = read_model(name);
	}
	return file[i].model;
}
