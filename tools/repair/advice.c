/* SPDX-License-Identifier: ISC */
/*
 * advice.c - what came of the search for a repair: as text with a diff, and as JSON:
 *
 *     {"format": 1, "program", "model", "strategy",
 *      "result": "clean" | "repaired" | "fails-under-sc" | "impossible" | "interrupted",
 *      "proved": the last exploration of each repair, and that under sc, were complete,
 *      "minimum": no cheaper set of changes does, among those that were looked at,
 *      "repairs": [{"cost", "patch": a unified diff, "executions",
 *                   "changes": [{"what": "order" | "fence-before" | "fence-after", "order": "seq_cst", ...,
 *                                "file", "line", "column", "function", "cost", "words", "why", "problem", "note"}]}],
 *      "more_repairs": there are others that cost the same,
 *      "explorations", "executions", "failing_executions", "clauses", "seconds", "message": of what fails,
 *      "coarse_executions": failing ones of which no more is known than where they go}
 */
#include "repair/repair.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "die.h"
#include "path.h"
#include "report/js.h"

/* --- a repair -------------------------------------------------------------------------------- */

/* The diff of a choice; problem[option]: why one is not in it. */
static char *make_patch(const struct repair *r, const struct repair_choice *c, const char **problem,
	const char **note, struct patch **p)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		die("not enough memory");
	*p = patch_new();
	for (u32 i = 0; i < c->noptions; i++) {
		struct edit e;

		if (!c->chosen[i])
			continue;
		e = option_edit(&r->points, &r->points.option[i]);
		patch_add(*p, &e);
		problem[i] = e.problem;
		note[i] = e.note;
	}
	patch_write(*p, f);
	fclose(f);
	return text;
}

/* Several options of one slot are one change. */
static bool is_part(const struct repair *r, const struct repair_choice *c, u32 i)
{
	const struct option *o = &r->points.option[i];

	for (u32 k = 0; k < c->noptions; k++) {
		const struct option *x = &r->points.option[k];

		if (k != i && c->chosen[k] && x->point == o->point && x->slot == o->slot &&
			(x->strength & o->strength) == o->strength)
			return true;
	}
	return false;
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

static const struct points *sorting;

/* By place in the source, what comes before an access first. */
static int by_place(const void *a, const void *b)
{
	static const int slots[] = {[SLOT_BEFORE] = 0, [SLOT_ORDER] = 1, [SLOT_AFTER] = 2};
	const struct option *x = &sorting->option[*(const u32 *)a], *y = &sorting->option[*(const u32 *)b];
	const struct point *p = &sorting->point[x->point], *q = &sorting->point[y->point];
	int order = p->file && q->file ? strcmp(p->file, q->file) : (p->file != NULL) - (q->file != NULL);

	if (!order)
		order = p->line != q->line ? p->line - q->line : p->column - q->column;
	if (!order)
		order = x->point != y->point ? (x->point > y->point) - (x->point < y->point)
					     : slots[x->slot] - slots[y->slot];
	return order;
}

/* The options of a choice, in order; those that are part of another one left out. Returns how many. */
static u32 changes_of(const struct repair *r, const struct repair_choice *c, u32 **option)
{
	u32 n = 0;

	*option = xmalloc((c->noptions + 1) * sizeof(**option));
	for (u32 i = 0; i < c->noptions; i++)
		if (c->chosen[i] && !is_part(r, c, i))
			(*option)[n++] = i;
	sorting = &r->points;
	qsort(*option, n, sizeof(**option), by_place);
	return n;
}

/* --- text ------------------------------------------------------------------------------------ */

static char *where_words(const struct point *p)
{
	return p->function ? xprintf("%s  %s", p->where, p->function) : xstrdup(p->where);
}

static char *change_words(const struct repair *r, const struct option *o)
{
	struct edit e = option_edit(&r->points, o);

	switch (o->slot) {
	case SLOT_ORDER:
	case SLOT_FAIL: return xstrdup(order_words(e.order));
	case SLOT_BEFORE: return xprintf("atomic_thread_fence(%s) before", order_words(e.order));
	case SLOT_AFTER: break;
	}
	return xprintf("atomic_thread_fence(%s) after", order_words(e.order));
}

struct table {
	const u32 *option;
	u32 n;
	const char **problem, **note; /* [option] */
};

static void text_table(const struct repair *r, const struct repair_choice *c, const struct table *t, FILE *out)
{
	const struct points *p = &r->points;
	int width = 5, wide = 6;

	for (u32 i = 0; i < t->n; i++) {
		const struct option *o = &p->option[t->option[i]];
		int n = (int)strlen(where_words(&p->point[o->point])), m = (int)strlen(change_words(r, o));

		width = n > width ? n : width;
		wide = m > wide ? m : wide;
	}
	fprintf(out, "  %-*s  %-*s  %4s  why\n", width, "where", wide, "change", "cost");
	for (u32 i = 0; i < t->n; i++) {
		const struct option *o = &p->option[t->option[i]];
		char *why = repair_reason(r, c, t->option[i]);
		const char *problem = t->problem[t->option[i]], *note = t->note[t->option[i]];

		fprintf(out, "  %-*s  %-*s  %4u  %s\n", width, where_words(&p->point[o->point]), wide,
			change_words(r, o), o->cost, why ? why : "");
		if (problem || note)
			fprintf(out, "  %-*s  %s: %s\n", width, "", problem ? "not in the diff" : "in the diff",
				problem ? problem : note);
	}
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Lines may be others than those that were compiled. */
static void text_stale(const struct repair *r, const u32 *option, u32 n, FILE *out)
{
	struct stat program, source;
	const char *told = NULL;

	if (stat(r->job->setup.argv[0], &program) != 0)
		return;
	for (u32 i = 0; i < n; i++) {
		const char *file = r->points.point[r->points.option[option[i]].point].file;

		if (!file || stat(file, &source) != 0 || !is_newer(&source, &program) ||
			(told && !strcmp(told, file)))
			continue;
		told = file;
		fprintf(out, "note: %s is newer than the program: its lines may be others\n", path_here(file));
	}
}

static void text_patch(const struct repair *r, const char *text, const struct patch *p, const char *file, FILE *out)
{
	if (!*text) {
		fprintf(out, "no diff: %s\n\n", r->points.unreadable ? "none of these places is found in the source"
								       : "nothing can be written into the source");
	} else if (file) {
		FILE *f = fopen(file, "w");

		if (!f || fputs(text, f) < 0 || fclose(f) != 0)
			die("%s: cannot be written", file);
		fprintf(out, "patch     patch%s -p1 < %s\n\n", patch_is_from_root(p) ? " -d /" : "",
			shell_word(file));
	} else {
		fprintf(out, "%s\n", text);
	}
}

static void text_choice(const struct repair *r, const struct repair_choice *c, FILE *out, const char *file)
{
	struct table t = {
		.problem = xmalloc((c->noptions + 1) * sizeof(*t.problem)),
		.note = xmalloc((c->noptions + 1) * sizeof(*t.note)),
	};
	struct patch *p;
	char *patch = make_patch(r, c, t.problem, t.note, &p);
	u32 *option;

	t.n = changes_of(r, c, &option);
	t.option = option;
	fprintf(out, "repair    %u change%s, cost %llu\n\n", t.n, t.n == 1 ? "" : "s",
		(unsigned long long)c->cost);
	text_table(r, c, &t, out);
	text_stale(r, option, t.n, out);
	fputc('\n', out);
	text_patch(r, patch, p, file, out);
}

static void put_bounds(const struct summary *s, FILE *out)
{
	const char *name;
	char *words;

	for (unsigned i = 0; bound_words(s, i, &name, &words); i++)
		fprintf(out, "%s %s", i ? "," : ":", words);
}

static void text_proof(const struct repair *r, FILE *out)
{
	const struct repair_choice *c = r->nchoices ? &r->choice[r->nchoices - 1] : NULL;

	fprintf(out, "heddle: %s, ", model_name(r->points.model));
	switch (r->result) {
	case REPAIR_CLEAN:
		fprintf(out, "nothing to repair, %llu executions",
			(unsigned long long)c->summary.executions);
		break;
	case REPAIR_FOUND:
		fprintf(out, "%s: %llu executions with it", !c->summary.complete ? "repaired"
			: r->fast ? "repair proved" : "cheapest repair proved",
			(unsigned long long)c->summary.executions);
		break;
	case REPAIR_SC: fprintf(out, "no repair: it fails under sc, too"); break;
	case REPAIR_IMPOSSIBLE: fprintf(out, "no repair by fences or orders"); break;
	case REPAIR_CUT: fprintf(out, "interrupted"); break;
	case REPAIR_FAILS: break; /* relax */
	}
	if (c && c->summary.complete)
		fprintf(out, ", complete, 0 failing");
	if (c && !c->summary.complete) {
		fprintf(out, ", not complete");
		put_bounds(&c->summary, out);
	}
	if (c && !r->sc_complete)
		fprintf(out, "; sc not explored completely");
	fprintf(out, "; %u exploration%s, %.3f s\n", r->explorations, r->explorations == 1 ? "" : "s",
		r->seconds);
}

void advice_text(const struct repair *r, FILE *out, const char *patch)
{
	if (r->result == REPAIR_SC || r->result == REPAIR_IMPOSSIBLE) {
		if (r->shown)
			text_report(r->shown, &r->job->s.style, out);
		fprintf(out, r->result == REPAIR_SC ? "It fails under sc: fences and orders do not repair that.\n"
				       : "This execution remains with every fence and order that could be put in.\n");
	}
	for (u32 i = 0; r->result == REPAIR_FOUND && i < r->nchoices; i++)
		text_choice(r, &r->choice[i], out, i ? NULL : patch);
	if (r->more)
		fprintf(out, "There are more repairs that cost as much.\n");
	text_proof(r, out);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *json_change(const struct repair *r, const struct repair_choice *c, u32 i, const char *problem,
	const char *note)
{
	static const char *const whats[] = {"order", "fence-before", "fence-after", "order"};
	const struct option *x = &r->points.option[i];
	const struct point *p = &r->points.point[x->point];
	struct edit e = option_edit(&r->points, x);
	json_t *o = json_object();

	js_put_text(o, "what", whats[x->slot]);
	js_put_text(o, "order", order_name(e.order));
	js_put_text(o, "at", site_kind_name(p->kind));
	if (p->file)
		js_put_text(o, "file", source_path(p->file));
	js_put_number(o, "line", (u64)p->line);
	js_put_number(o, "column", (u64)p->column);
	js_put_text(o, "function", p->function);
	js_put_number(o, "cost", x->cost);
	js_put_text(o, "words", option_words(&r->points, x));
	js_put_text(o, "why", repair_reason(r, c, i));
	js_put_text(o, "problem", problem);
	js_put_text(o, "note", note);
	return o;
}

static json_t *json_choice(const struct repair *r, const struct repair_choice *c)
{
	const char **problem = xmalloc((c->noptions + 1) * sizeof(*problem));
	const char **note = xmalloc((c->noptions + 1) * sizeof(*note));
	json_t *o = json_object(), *changes = json_array();
	struct patch *p;
	u32 *option, n = changes_of(r, c, &option);

	js_put_number(o, "cost", c->cost);
	js_put_text(o, "patch", make_patch(r, c, problem, note, &p));
	js_put_number(o, "executions", c->summary.executions);
	for (u32 i = 0; i < n; i++)
		json_array_append_new(changes,
			json_change(r, c, option[i], problem[option[i]], note[option[i]]));
	json_object_set_new(o, "changes", changes);
	return o;
}

void advice_json(const struct repair *r, FILE *out)
{
	static const char *const results[] = {"clean", "repaired", "fails-under-sc", "impossible", "interrupted"};
	json_t *o = json_object(), *repairs = json_array();
	bool proved = r->nchoices && r->sc_complete;

	for (u32 i = 0; i < r->nchoices; i++) {
		proved &= r->choice[i].summary.complete;
		if (r->result == REPAIR_FOUND)
			json_array_append_new(repairs, json_choice(r, &r->choice[i]));
	}
	js_put_number(o, "format", 1);
	js_put_text(o, "program", r->job->setup.argv[0]);
	js_put_text(o, "model", model_name(r->points.model));
	js_put_text(o, "strategy", strategy_name(r->job->s.explore.strategy));
	js_put_text(o, "result", results[r->result]);
	json_object_set_new(o, "proved", json_boolean(proved));
	json_object_set_new(o, "minimum", json_boolean(r->result == REPAIR_FOUND && !r->fast));
	json_object_set_new(o, "repairs", repairs);
	json_object_set_new(o, "more_repairs", json_boolean(r->more));
	js_put_number(o, "explorations", r->explorations);
	js_put_number(o, "executions", r->executions);
	js_put_number(o, "failing_executions", r->nseen);
	js_put_number(o, "coarse_executions", r->ninexact);
	js_put_number(o, "clauses", r->nclauses);
	json_object_set_new(o, "seconds", json_real(r->seconds));
	js_put_text(o, "message", r->message);
	json_dumpf(o, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(o);
}
