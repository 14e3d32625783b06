/* SPDX-License-Identifier: ISC */
/* result.c - the common part of all documents about a finding. */
#include "document/result.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"

#define WIDTH 120 /* of reports that documents quote */

const struct finding *found_base(const struct found *f)
{
	return f->report ? &f->report->t->finding.f : &f->status->finding;
}

const char *found_message(const struct found *f)
{
	if (!f->report)
		return f->status->finding.message;
	return *report_depends(f->report)
		       ? xprintf("%s; %s", f->report->message, report_depends(f->report))
		       : f->report->message;
}

const char *found_file(const struct found *f)
{
	const char *file = f->report ? f->report->file : f->status->finding.file;

	return file && *file ? file : NULL;
}

int found_line(const struct found *f)
{
	return f->report ? f->report->line : f->status->finding.line;
}

const char *found_place(const struct found *f)
{
	int line = found_line(f);

	if (f->report)
		return f->report->place;
	return line ? xprintf("%s:%d", found_file(f), line) : found_file(f);
}

const char *found_function(const struct found *f)
{
	const char *function = f->report ? f->report->function : f->status->finding.function;

	return function && *function ? function : NULL;
}

const char *found_replay(const struct found *f)
{
	const char *path = f->report ? f->report->path : f->status->replay;

	return *path ? path : NULL;
}

int found_reorder(const struct found *f)
{
	if (f->report && f->report->t->finding.reorder != REORDER_UNKNOWN)
		return f->report->t->finding.reorder == REORDER_YES;
	return f->status ? f->status->reorder : -1;
}

char *found_text(const struct found *f)
{
	struct style style = {.width = WIDTH};
	char *text;
	size_t n;
	FILE *to;

	if (!f->report)
		return xstrdup(found_message(f));
	to = open_memstream(&text, &n);
	if (!to)
		die("not enough memory");
	text_report(f->report, &style, to);
	if (fclose(to) != 0)
		die("not enough memory");
	return text;
}

char *summary_text(const struct summary *s)
{
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		die("not enough memory");
	text_summary(s, to);
	if (fclose(to) != 0)
		die("not enough memory");
	return text;
}

unsigned result_failures(const struct result *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->nfindings; i++)
		n += !r->findings[i].suppressed;
	return n;
}

const struct found *result_first_failure(const struct result *r)
{
	for (unsigned i = 0; i < r->nfindings; i++)
		if (!r->findings[i].suppressed)
			return &r->findings[i];
	return NULL;
}

const struct report *result_names(const struct result *r)
{
	for (unsigned i = 0; i < r->nfindings; i++)
		if (r->findings[i].report)
			return r->findings[i].report;
	return NULL;
}

const char *result_name(const struct results *all, const struct result *r)
{
	return r->name ? r->name : path_base(all->program);
}

void results_write(const struct results *r, const struct outputs *to)
{
	if (to->json)
		json_results(r, to->json);
	if (to->junit)
		junit_results(r, to->junit);
	if (to->sarif)
		sarif_results(r, to->sarif);
	if (to->html)
		html_results(r, to->html);
	if (to->html_folder)
		html_folder(r, to->html_folder);
	if (to->annotate)
		annotate_results(r, to->annotate);
}
