/* SPDX-License-Identifier: ISC */
/*
 * advice.c - the result of the search for a repair: as text with a diff, and as JSON:
 *
 *     {"format": 1, "program", "model", "strategy",
 *      "result": "clean" | "repaired" | "fails-under-sc" | "impossible" | "interrupted",
 *      "proved": the last exploration of each repair, and that under sc, were complete,
 *      "minimum": no cheaper set of the permitted changes suffices,
 *      "repairs": [{"cost", "patch": a unified diff, "executions", "states",
 *                   "changes": [{"what": "order" | "fence-before" | "fence-after", "order":
 *                   "seq_cst", ...,
 *                                "file", "line", "column", "function", "sites": ["sb+0x1234"],
 *                                "cost", "words", "why", "problem", "note"}]}],
 *      "more_repairs": there are others that cost the same,
 *      "explorations", "executions", "failing_executions", "clauses", "seconds", "message": of what
 *      fails, "coarse_executions": failing ones of which only the sites are known}
 */
#include "repair/words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "die.h"
#include "path.h"
#include "document/js.h"

/* --- a repair -------------------------------------------------------------------------------- */

static bool is_order_slot(const struct option *o)
{
	return o->slot == SLOT_ORDER || o->slot == SLOT_FAIL;
}

/* Join orders that are written in one place. */
static void join_orders(const struct repair *r, const struct repair_choice *c,
	const struct option *o, struct edit *e)
{
	const struct points *p = &r->points;
	u8 order = strength_of(e->order);

	for (u32 k = 0; k < c->noptions; k++) {
		const struct option *x = &p->option[k];

		if (c->chosen[k] && is_order_slot(x) &&
			(x->point == o->point ||
				point_shares(&p->point[o->point], &p->point[x->point])))
			order |= strength_of(option_edit(p, x).order);
	}
	if (order == strength_of(e->order))
		return;
	e->order = order_of_strength(order);
	if (e->fail != FAIL_FITS)
		e->fail = order_of_strength(order & STRENGTH_SC ? order : order & STRENGTH_ACQUIRE);
}

/* A note on an order that is written in a primitive, and so applies to all its calls. */
static char *note_shared(const struct repair *r, const struct option *o, const char *note)
{
	const struct point *p = &r->points.point[o->point];
	char *others = NULL;

	for (u32 k = 0; k < r->points.npoints; k++)
		if (k != o->point && point_shares(p, &r->points.point[k]))
			others = others ? xprintf("%s, %s", others, r->points.point[k].where)
					: xstrdup(r->points.point[k].where);
	if (!others)
		return (char *)note;
	others = xprintf(
		"in %s(), so at its other calls, too (%s)", p->chain[p->order_at].function, others);
	return note ? xprintf("%s; %s", others, note) : others;
}

/* The diff of a choice; problem[option]: the reason if one is not in it. */
static struct patch *make_patch(const struct repair *r, const struct repair_choice *c,
	const char **problem, const char **note)
{
	struct patch *p = patch_new(NULL);

	for (u32 i = 0; i < c->noptions; i++) {
		struct edit e;

		if (!c->chosen[i])
			continue;
		e = option_edit(&r->points, &r->points.option[i]);
		if (is_order_slot(&r->points.option[i]))
			join_orders(r, c, &r->points.option[i], &e);
		patch_add(p, &e);
		problem[i] = e.problem;
		note[i] = is_order_slot(&r->points.option[i]) && !e.problem
				  ? note_shared(r, &r->points.option[i], e.note)
				  : e.note;
	}
	return p;
}

/* Several options of one slot are one change. */
static bool is_part_of_other(const struct repair *r, const struct repair_choice *c, u32 i)
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

static const struct points *sorting;

/* By place in the source, changes before an access first. */
static int compare_options(const void *a, const void *b)
{
	static const int slots[] = {[SLOT_BEFORE] = 0, [SLOT_ORDER] = 1, [SLOT_AFTER] = 2};
	const struct option *x = &sorting->option[*(const u32 *)a],
			    *y = &sorting->option[*(const u32 *)b];
	const struct point *p = &sorting->point[x->point], *q = &sorting->point[y->point];
	int order = p->file && q->file ? strcmp(p->file, q->file)
				       : (p->file != NULL) - (q->file != NULL);

	if (!order)
		order = p->line != q->line ? p->line - q->line : p->column - q->column;
	if (!order)
		order = x->point != y->point ? (x->point > y->point) - (x->point < y->point)
					     : slots[x->slot] - slots[y->slot];
	return order;
}

/* The options of a choice, in order, without those implied by another one. Returns their number. */
static u32 changes_of(const struct repair *r, const struct repair_choice *c, u32 **option)
{
	u32 n = 0;

	*option = xmalloc((c->noptions + 1) * sizeof(**option));
	for (u32 i = 0; i < c->noptions; i++)
		if (c->chosen[i] && !is_part_of_other(r, c, i))
			(*option)[n++] = i;
	sorting = &r->points;
	qsort(*option, n, sizeof(**option), compare_options);
	return n;
}

/* --- text ------------------------------------------------------------------------------------ */

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

struct advice_table {
	const u32 *option;
	u32 n;
	const char **problem, **note; /* [option] */
};

static void text_table(const struct repair *r, const struct repair_choice *c,
	const struct advice_table *t, FILE *out)
{
	const struct points *p = &r->points;
	int place = 0, width = 5, wide = 6;

	for (u32 i = 0; i < t->n; i++) {
		int n = (int)strlen(p->point[p->option[t->option[i]].point].where);

		place = n > place ? n : place;
	}
	for (u32 i = 0; i < t->n; i++) {
		const struct option *o = &p->option[t->option[i]];
		int n = (int)strlen(point_words(&p->point[o->point], place)),
		    m = (int)strlen(change_words(r, o));

		width = n > width ? n : width;
		wide = m > wide ? m : wide;
	}
	fprintf(out, "  %-*s  %-*s  %4s  why\n", width, "where", wide, "change", "cost");
	for (u32 i = 0; i < t->n; i++) {
		const struct option *o = &p->option[t->option[i]];
		char *why = repair_reason(r, c, t->option[i]);
		const char *problem = t->problem[t->option[i]], *note = t->note[t->option[i]];

		fprintf(out, "  %-*s  %-*s  %4u  %s\n", width,
			point_words(&p->point[o->point], place), wide, change_words(r, o), o->cost,
			why ? why : "");
		if (problem || note)
			fprintf(out, "  %-*s  %s: %s\n", width, "",
				problem ? "not in the diff" : "in the diff",
				problem ? problem : note);
	}
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Warn if source files have changed since they were compiled. */
static void text_stale(const struct repair *r, const u32 *option, u32 n, FILE *out)
{
	struct stat program, source;
	const char *reported = NULL;

	if (stat(r->job->setup.argv[0], &program) != 0)
		return;
	for (u32 i = 0; i < n; i++) {
		const char *file = r->points.point[r->points.option[option[i]].point].file;

		if (!file || stat(file, &source) != 0 || !is_newer(&source, &program) ||
			(reported && !strcmp(reported, file)))
			continue;
		reported = file;
		fprintf(out, "note: %s is newer than the program: its lines may differ\n",
			path_here(file));
	}
}

static void text_patch(const struct repair *r, const struct patch *p, const char *file, FILE *out)
{
	char *text = patch_text(p);

	if (*text)
		text_diff(p, file, out);
	else
		fprintf(out, "no diff: %s\n\n",
			r->points.unreadable ? "none of these places was found in the source"
					     : "the source cannot be changed");
	free(text);
}

static void text_choice(
	const struct repair *r, const struct repair_choice *c, FILE *out, const char *file)
{
	struct advice_table t = {
		.problem = xmalloc((c->noptions + 1) * sizeof(*t.problem)),
		.note = xmalloc((c->noptions + 1) * sizeof(*t.note)),
	};
	struct patch *p = make_patch(r, c, t.problem, t.note);
	u32 *option;

	t.n = changes_of(r, c, &option);
	t.option = option;
	fprintf(out, "repair    %u change%s, cost %llu\n\n", t.n, t.n == 1 ? "" : "s",
		(unsigned long long)c->cost);
	text_table(r, c, &t, out);
	text_stale(r, option, t.n, out);
	fputc('\n', out);
	text_patch(r, p, file, out);
}

static void text_repair_proof(const struct repair *r, FILE *out)
{
	const struct repair_choice *c = r->nchoices ? &r->choice[r->nchoices - 1] : NULL;

	fprintf(out, "heddle: %s, ", job_model(r->job, r->points.model));
	switch (r->result) {
	case REPAIR_CLEAN:
		fprintf(out, "nothing to repair, %s", explored_words(&c->summary));
		break;
	case REPAIR_FOUND:
		fprintf(out, "%s: %s with it", !c->summary.complete ? "repaired"
			: r->fast ? "repair proved" : "cheapest repair proved",
			explored_words(&c->summary));
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
		text_bounds(&c->summary, out);
	}
	if (c && !r->sc_complete)
		fprintf(out, "; sc not explored completely");
	text_effort(r, "", out);
}

void advice_text(const struct repair *r, FILE *out, const char *patch)
{
	if (r->result == REPAIR_SC || r->result == REPAIR_IMPOSSIBLE) {
		if (r->shown)
			text_report(r->shown, &r->job->s.style, out);
		fprintf(out, r->result == REPAIR_SC
				     ? "It fails under sc: fences and orders cannot repair that.\n"
				     : "This execution remains possible with all permitted fences "
				       "and orders.\n");
	}
	for (u32 i = 0; r->result == REPAIR_FOUND && i < r->nchoices; i++)
		text_choice(r, &r->choice[i], out, i ? NULL : patch);
	if (r->more)
		fprintf(out, "There are more repairs of the same cost.\n");
	text_repair_proof(r, out);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *json_change(const struct repair *r, const struct repair_choice *c, u32 i,
	const char *problem, const char *note)
{
	static const char *const whats[] = {"order", "fence-before", "fence-after", "order"};
	const struct option *x = &r->points.option[i];
	const struct point *p = &r->points.point[x->point];
	struct edit e = option_edit(&r->points, x);
	json_t *o = json_object();

	js_put_text(o, "what", whats[x->slot]);
	js_put_text(o, "order", order_name(e.order));
	js_put_text(o, "at", site_kind_name(p->kind));
	json_place(o, &r->points, x->point);
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
	char *patch = patch_text(make_patch(r, c, problem, note));
	u32 *option, n = changes_of(r, c, &option);

	js_put_number(o, "cost", c->cost);
	js_put_text(o, "patch", patch);
	free(patch);
	js_put_number(o, "executions", c->summary.executions);
	if (c->summary.states)
		js_put_number(o, "states", c->summary.states);
	for (u32 i = 0; i < n; i++)
		js_add(changes, json_change(r, c, option[i], problem[option[i]], note[option[i]]));
	js_put(o, "changes", changes);
	return o;
}

void advice_json(const struct repair *r, FILE *out)
{
	static const char *const results[] = {
		"clean", "repaired", "fails-under-sc", "impossible", "interrupted"};
	json_t *o, *repairs = json_array();
	bool proved = r->nchoices && r->sc_complete;

	for (u32 i = 0; i < r->nchoices; i++) {
		proved &= r->choice[i].summary.complete;
		if (r->result == REPAIR_FOUND)
			js_add(repairs, json_choice(r, &r->choice[i]));
	}
	o = json_begin(r, results[r->result], proved);
	js_put(o, "minimum", json_boolean(r->result == REPAIR_FOUND && !r->fast));
	js_put(o, "repairs", repairs);
	js_put(o, "more_repairs", json_boolean(r->more));
	js_put_number(o, "coarse_executions", r->ninexact);
	js_put_number(o, "clauses", r->nclauses);
	json_end(r, o, out);
}
