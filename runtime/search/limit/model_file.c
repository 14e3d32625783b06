/* SPDX-License-Identifier: ISC */
/* model_file.c - see model_file.h. */
#include "search/limit/model_file.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "machine/core.h"
#include "model/file/cat_model.h"
#include "process/coverage.h"
#include "process/file_text.h"
#include "process/pages.h"
#include "trust/trust.h"

#define FILE_MOST (1 << 20)

static struct cat_model *loaded;
static bool present;

static bool read_path(const char *path, struct source *to)
{
	size_t n;

	to->text = file_text(path, FILE_MOST, &n);
	to->n = (u32)n;
	return to->text;
}

/* Beside the file that includes it. */
static bool read_included(void *ctx, const char *from, const char *name, struct source *to)
{
	const char *slash = from && name[0] != '/' ? strrchr(M.options->cat, '/') : NULL;
	char path[2 * OPTION_TEXT_MAX];

	(void)ctx;
	snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - M.options->cat) : 0,
		M.options->cat, name);
	return read_path(path, to);
}

static bool refuse_model(const struct cat_error *err, const char *path)
{
	struct cat_where w;

	M.status->state = STATUS_REFUSED;
	if (!err->source) {
		snprintf(M.status->note, sizeof M.status->note,
			"%.200s: cannot be read as a memory model", path);
		return false;
	}
	w = cat_where(err->source, err->at);
	snprintf(M.status->note, sizeof M.status->note, "%.200s:%u:%u: %s", w.file, w.number,
		w.column, err->message);
	return false;
}

/* "llsc", "rcpc": the options of that name. */
static bool has_variant(void *ctx, const char *name, u32 n)
{
	(void)ctx;
	return (text_equal_n("llsc", name, n) && M.options->arch_rmw == ARCH_RMW_LLSC) ||
	       (text_equal_n("rcpc", name, n) && M.options->rcpc);
}

bool model_file_begin(const struct options *o)
{
	static void *memory;
	const struct cat_files files = {.read = read_included, .variant = has_variant};
	struct cat_error err;

	present = false;
	if (!o->cat[0])
		return true;
	if (!memory)
		memory = pages_take(CAT_MEMORY);
	if (!loaded)
		loaded = pages_take(sizeof *loaded);
	if (!memory || !loaded)
		return false;
	memset(memory, 0, CAT_MEMORY);
	if (!cat_read(&loaded->cat, memory, &files, o->cat, &err))
		return refuse_model(&err, o->cat);
	cat_model_prepare(loaded);
	present = true;
	return true;
}

struct cat_model *model_file(void)
{
	return present ? loaded : NULL;
}

bool model_file_has_dependencies(void)
{
	return present && loaded->cat.has_dependencies;
}

bool model_file_has_fence(u32 kind)
{
	return cat_model_has_fence(model_file(), kind);
}

bool model_file_has_causes(void)
{
	return present && loaded->cat.map.causes;
}

u32 model_file_left_out(void)
{
	return present && loaded->too_large ? TRUST_LONG : 0;
}

void model_file_end(bool buffered)
{
	const struct cat *c = &loaded->cat;

	if (!c->acyclic_porf && !buffered)
		M.bounds |= BOUND_BUFFERING;
	if (c->map.causes == CAUSES_LKMM)
		coverage_note("executions in which a store behind the end of an `if' comes before "
			      "its condition are left out (heddle help linux)");
	if (c->catdep)
		coverage_note("orders by instructions that pick one of two values (CSEL, CAS) are "
			      "missing: such a program may have executions that the model forbids "
			      "(heddle help cat)");
	if (!c->coherent)
		coverage_note("the model does not require coherence of each location, and "
			      "executions without it were not explored (heddle help cat)");
}
