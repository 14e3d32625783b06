/* SPDX-License-Identifier: ISC */
/* words.c - see words.h. */
#include "repair/words.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "document/js.h"

char *point_words(const struct point *p, int place)
{
	return p->function ? xprintf("%-*s  %s", place, p->where, p->function) : xstrdup(p->where);
}

char *repair_reason(const struct repair *r, const struct repair_choice *c, u32 i)
{
	struct stronger *at = xmalloc((r->points.npoints + 1) * sizeof(*at));
	bool *chosen = xmalloc(r->points.noptions + 1);
	char *words = NULL;

	memcpy(chosen, c->chosen, c->noptions);
	chosen[i] = false;
	points_apply(&r->points, chosen, at);
	for (int pass = 0; pass < 2 && !words; pass++)
		for (u32 k = 0; k < r->nseen && !words; k++) {
			const struct failure *f = r->seen[k].failure;

			if (pass || (f->exact && failure_remains(f, &r->points, at)))
				words = failure_reason(f, r->seen[k].report, &r->points.option[i]);
		}
	free(chosen);
	free(at);
	return words;
}

char *explored_words(const struct summary *s)
{
	return s->states ? xprintf("%llu states", (unsigned long long)s->states)
			 : xprintf("%llu executions", (unsigned long long)s->executions);
}

void text_bounds(const struct summary *s, FILE *out)
{
	const char *name;
	char *words;

	for (unsigned i = 0; bound_words(s, i, &name, &words); i++)
		fprintf(out, "%s %s", i ? "," : ":", words);
}

void text_diff(const struct patch *p, const char *file, FILE *out)
{
	char *text = patch_text(p);
	FILE *f;

	if (!file) {
		fprintf(out, "%s\n", text);
		free(text);
		return;
	}
	f = fopen(file, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		die("%s: cannot be written", file);
	fprintf(out, "patch     patch%s -p1 < %s\n\n", patch_is_from_root(p) ? " -d /" : "",
		shell_word(file));
	free(text);
}

void text_effort(const struct repair *r, const char *of, FILE *out)
{
	fprintf(out, "; %u exploration%s%s, %.3f s\n", r->explorations,
		r->explorations == 1 ? "" : "s", of, r->seconds);
}

void json_place(json_t *o, const struct points *points, u32 point)
{
	const struct point *p = &points->point[point];
	json_t *sites = json_array();

	if (p->file)
		js_put_text(o, "file", source_path(p->file));
	js_put_number(o, "line", (u64)p->line);
	js_put_number(o, "column", (u64)p->column);
	js_put_text(o, "function", p->function);
	for (u32 i = 0; i < points->nsites; i++) {
		const struct override *s = &points->site[i];
		char *name;

		if (s->point != point || s->offset == UINT64_MAX)
			continue;
		name = xprintf("%s+0x%llx", s->module, (unsigned long long)s->offset);
		js_add(sites, js_text(name));
		free(name);
	}
	js_put(o, "sites", sites);
}

json_t *json_begin(const struct repair *r, const char *result, bool proved)
{
	json_t *o = json_object();

	js_put_number(o, "format", 1);
	js_put_text(o, "program", r->job->setup.argv[0]);
	js_put_text(o, "model", job_model(r->job, r->points.model));
	js_put_text(o, "strategy", strategy_name(r->job->s.explore.strategy));
	js_put_text(o, "result", result);
	js_put(o, "proved", json_boolean(proved));
	return o;
}

void json_end(const struct repair *r, json_t *o, FILE *out)
{
	js_put_number(o, "explorations", r->explorations);
	js_put_number(o, "executions", r->executions);
	js_put_number(o, "failing_executions", r->nseen);
	js_put(o, "seconds", json_real(r->seconds));
	js_put_text(o, "message", r->message);
	js_write(o, out);
}
