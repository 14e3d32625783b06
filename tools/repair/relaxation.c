/* SPDX-License-Identifier: ISC */
/*
 * relaxation.c - the result of the search for orders that can be weaker: as text with a diff, and
 * as JSON:
 *
 *     {"format": 1, "program", "model", "strategy",
 *      "result": "relaxed" | "nothing" | "fails" | "interrupted",
 *      "proved": all explorations that count were complete,
 *      "relaxations": [{"patch": a unified diff, "executions", "states", "weakened": how many,
 *                       "orders": [{"at": "load" | "store" | "rmw" | "cas" | "fence", "is",
 *                       "enough",
 *                                   "fail_is", "fail_enough", "file", "line", "column", "function",
 *                                   "why", "problem", "note"}]}],
 *      "more_relaxations", "candidates", "explorations", "executions", "failing_executions",
 *      "seconds", "message"}
 */
#include "repair/words.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "document/js.h"

/* --- a place --------------------------------------------------------------------------------- */

/* The orders that a choice leaves at a point. */
struct left {
	u8 order, fail; /* C11 */
	bool weaker;
	struct edit edit; /* if it is weaker */
	char *why;	  /* the reason that it is not weaker; NULL: nothing is left */
};

static bool is_candidate(const struct point *p)
{
	return p->most | p->most_fail;
}

static u8 asked(const struct point *p)
{
	return order_of_strength(p->most);
}

static struct edit edit_of(const struct point *p, const struct left *l)
{
	bool removed = p->kind == SITE_FENCE && !l->order;
	struct edit e = point_edit(p);

	e.kind = removed ? EDIT_FENCE_REMOVE : EDIT_ORDER;
	e.order = l->order;
	if (p->kind == SITE_CAS)
		e.fail = l->fail;
	return e;
}

static char *why_of(const struct repair *r, const struct repair_choice *c, u32 point)
{
	char *why = NULL;

	/* The strongest option is the last. */
	for (u32 i = c->noptions; i-- && !why;)
		if (c->chosen[i] && r->points.option[i].point == point)
			why = repair_reason(r, c, i);
	return why;
}

static struct left *take_left(const struct repair *r, const struct repair_choice *c)
{
	const struct points *p = &r->points;
	struct left *left = xmalloc((p->npoints + 1) * sizeof(*left));
	struct stronger *at = xmalloc((p->npoints + 1) * sizeof(*at));

	points_apply(p, c->chosen, at);
	for (u32 i = 0; i < p->npoints; i++) {
		const struct point *x = &p->point[i];
		struct left *l = &left[i];

		l->order = order_of_strength((at[i].order | at[i].fail) & x->most);
		l->fail = order_of_strength(at[i].fail & x->most_fail);
		l->weaker = l->order != asked(x) || l->fail != order_of_strength(x->most_fail);
		l->edit = edit_of(x, l);
		l->why = l->order ? why_of(r, c, i) : NULL;
	}
	free(at);
	return left;
}

static u32 candidates(const struct repair *r)
{
	u32 n = 0;

	for (u32 i = 0; i < r->points.npoints; i++)
		n += is_candidate(&r->points.point[i]);
	return n;
}

static u32 weakened(const struct repair *r, const struct left *left)
{
	u32 n = 0;

	for (u32 i = 0; i < r->points.npoints; i++)
		n += is_candidate(&r->points.point[i]) && left[i].weaker;
	return n;
}

/* The order needed by all calls of the primitive in which the order of point i is written; *other:
 * one that needs more than i. */
static struct left need_of_all(
	const struct repair *r, const struct left *left, u32 i, const struct point **other)
{
	u8 order = strength_of(left[i].order), fail = strength_of(left[i].fail);
	struct left all = left[i];

	*other = NULL;
	for (u32 k = 0; k < r->points.npoints; k++) {
		const struct point *q = &r->points.point[k];

		if (k == i || !is_candidate(q) || !point_shares(&r->points.point[i], q))
			continue;
		if ((strength_of(left[k].order) & ~strength_of(left[i].order)) |
			(strength_of(left[k].fail) & ~strength_of(left[i].fail)))
			*other = q;
		order |= strength_of(left[k].order);
		fail |= strength_of(left[k].fail);
	}
	all.order = order_of_strength(order);
	all.fail = order_of_strength(fail);
	return all;
}

/* Does the call of point i make another access, too? */
static bool has_company(const struct repair *r, u32 i)
{
	const struct point *p = &r->points.point[i];

	for (u32 k = 0; k < r->points.npoints; k++) {
		const struct point *q = &r->points.point[k];

		if (k != i && q->depth > 1 && p->file && q->file && p->line == q->line &&
			p->column == q->column && !strcmp(p->file, q->file))
			return true;
	}
	return false;
}

/* Give the call a copy of the primitive, with its own order. */
static bool add_variant(const struct repair *r, struct patch *patch, u32 i, struct edit *e)
{
	const struct point *p = &r->points.point[i];
	const char *function = p->chain[p->order_at].function;
	struct edit call = *e;

	if (e->kind != EDIT_ORDER || p->order_at + 2 != p->depth || !function || has_company(r, i))
		return false;
	call.file = p->file;
	call.line = p->line;
	call.column = p->column;
	call.callee = function;
	if (!patch_add_variant(patch, &call, e, function))
		return false;
	e->note = call.note;
	return true;
}

/*
 * An order that is written in a primitive applies to all its calls. A call that needs less than
 * others gets a copy; if that is impossible, it keeps the order that the others need.
 */
static void add_relaxation(const struct repair *r, struct patch *patch, struct left *left, u32 i)
{
	const struct point *p = &r->points.point[i], *other;
	struct left all = need_of_all(r, left, i, &other);
	struct edit *e = &left[i].edit;

	if (!other) {
		patch_add(patch, e);
		return;
	}
	if (add_variant(r, patch, i, e))
		return;
	e->problem =
		xprintf("%s() is called at %s, too, which needs %s: a variant of it would do here",
			p->chain[p->order_at].function, other->where, order_name(all.order));
}

/* The diff; edits that are not in it have their problem. */
static struct patch *relax_patch(const struct repair *r, struct left *left)
{
	struct patch *p = patch_new(NULL);

	for (u32 i = 0; i < r->points.npoints; i++) {
		struct left *l = &left[i];

		if (!l->weaker || !is_candidate(&r->points.point[i]))
			continue;
		if (!l->edit.file) {
			l->edit.problem =
				"its line is unknown (no -g, or the compiler has merged places)";
			continue;
		}
		add_relaxation(r, p, left, i);
	}
	return p;
}

/* --- text ------------------------------------------------------------------------------------ */

static const char *kind_words_of(const struct point *p)
{
	static const char *const words[] = {"load", "store", "rmw", "cas", "fence"};

	return words[p->kind];
}

static char *orders_words(const struct point *p, u8 order, u8 fail)
{
	if (p->kind == SITE_FENCE && !order)
		return xstrdup("none");
	return p->kind == SITE_CAS ? xprintf("%s, %s", order_name(order), order_name(fail))
				   : xstrdup(order_name(order));
}

static char *enough_words(const struct point *p, const struct left *l)
{
	return l->weaker ? orders_words(p, l->order, l->fail) : xstrdup("=");
}

static int wider(int width, const char *words)
{
	return (int)strlen(words) > width ? (int)strlen(words) : width;
}

static bool is_tried_before(const struct point *a, const struct point *b)
{
	int order = strcmp(a->file ? a->file : "", b->file ? b->file : "");

	if (!order)
		order = a->line != b->line ? a->line - b->line : a->column - b->column;
	return order ? order < 0 : a->chain[0].line <= b->chain[0].line;
}

/* Compare by file and line. */
static u32 *sorted_points(const struct repair *r, u32 *n)
{
	const struct point *p = r->points.point;
	u32 *index = xmalloc((r->points.npoints + 1) * sizeof(*index));

	*n = 0;
	for (u32 i = 0; i < r->points.npoints; i++) {
		u32 k = *n;

		if (!is_candidate(&p[i]))
			continue;
		for (; k && !is_tried_before(&p[index[k - 1]], &p[i]); k--)
			index[k] = index[k - 1];
		index[k] = i;
		++*n;
	}
	return index;
}

static void relax_table(const struct repair *r, const struct left *left, FILE *out)
{
	int place = 0, width = 5, is = 2, enough = 6;
	u32 n, *index = sorted_points(r, &n);

	for (u32 k = 0; k < n; k++)
		place = wider(place, r->points.point[index[k]].where);
	for (u32 k = 0; k < n; k++) {
		const struct point *p = &r->points.point[index[k]];

		width = wider(width, point_words(p, place));
		is = wider(is, orders_words(p, asked(p), order_of_strength(p->most_fail)));
		enough = wider(enough, enough_words(p, &left[index[k]]));
	}
	fprintf(out, "  %-*s  what   %-*s  %-*s  why not weaker\n", width, "where", is, "is",
		enough, "enough");
	for (u32 k = 0; k < n; k++) {
		const struct point *p = &r->points.point[index[k]];
		const struct left *l = &left[index[k]];

		fprintf(out, "  %-*s  %-5s  %-*s  %-*s%s%s\n", width, point_words(p, place),
			kind_words_of(p), is,
			orders_words(p, asked(p), order_of_strength(p->most_fail)),
			l->why ? enough : 0, enough_words(p, l), l->why ? "  " : "",
			l->why ? l->why : "");
		if (l->edit.problem)
			fprintf(out, "  %-*s  not in the diff: %s\n", width, "", l->edit.problem);
		else if (l->edit.note)
			fprintf(out, "  %-*s  in the diff: %s\n", width, "", l->edit.note);
	}
	fputc('\n', out);
	free(index);
}

static void relax_choice(
	const struct repair *r, const struct repair_choice *c, FILE *out, const char *file)
{
	struct left *left = take_left(r, c);
	u32 weaker = weakened(r, left), all = candidates(r);
	struct patch *p = relax_patch(r, left);
	char *text = patch_text(p);

	if (weaker)
		fprintf(out, "relax     %u of %u orders and fences can be weaker\n\n", weaker, all);
	else
		fprintf(out, "relax     none of %u orders and fences can be weaker\n\n", all);
	relax_table(r, left, out);
	if (*text)
		text_diff(p, file, out);
	else if (weaker)
		fprintf(out, "no diff: %s\n\n",
			r->points.unreadable ? "the source cannot be read"
					     : "the source cannot be changed");
	free(text);
	free(left);
}

/* Functions that stand for several calls, which can only be judged together: "put(), get()"; NULL:
 * none. */
static char *merged(const struct repair *r)
{
	u32 n, *index = sorted_points(r, &n);
	char *names = NULL;

	for (u32 i = 0; i < n; i++) {
		const struct point *p = &r->points.point[index[i]];
		char *name;

		if (!p->calls || !p->function)
			continue;
		name = xprintf("%s()", p->function);
		if (!names)
			names = name;
		else if (!strstr(names, name))
			names = xprintf("%s, %s", names, name);
	}
	free(index);
	return names;
}

static void text_complete(const struct repair *r, const struct summary *s, FILE *out)
{
	char *calls = merged(r);

	fprintf(out, "proved: %s with it, complete, 0 failing; ", explored_words(s));
	if (calls)
		fprintf(out,
			"nothing more can be weaker, but perhaps single calls of %s: not inlined, "
			"these are one place",
			calls);
	else
		fprintf(out, "nothing more can be weaker");
}

static void relax_proof(const struct repair *r, FILE *out)
{
	const struct summary *s = r->nchoices ? &r->choice[r->nchoices - 1].summary : NULL;

	fprintf(out, "heddle: %s, ", job_model(r->job, r->points.model));
	if (r->result == REPAIR_FAILS)
		fprintf(out, "it fails unchanged: see `heddle fences'");
	else if (!s)
		fprintf(out, "interrupted");
	else if (s->complete)
		text_complete(r, s, out);
	else {
		fprintf(out, "%s with it, 0 failing, not complete", explored_words(s));
		text_bounds(s, out);
	}
	if (r->result != REPAIR_FAILS && !r->sc_complete)
		fprintf(out, "; the search of the unchanged program was not complete");
	text_effort(r, xprintf(" for %u orders", candidates(r)), out);
}

void relaxation_text(const struct repair *r, FILE *out, const char *patch)
{
	bool some = r->result == REPAIR_FOUND || r->result == REPAIR_CLEAN;

	if (r->result == REPAIR_FAILS && r->shown)
		text_report(r->shown, &r->job->s.style, out);
	for (u32 i = 0; some && i < r->nchoices && candidates(r); i++)
		relax_choice(r, &r->choice[i], out, i ? NULL : patch);
	if (some && !candidates(r))
		fprintf(out, "relax     no access or fence of several threads has an order that "
			     "could be weaker\n\n");
	if (r->more)
		fprintf(out, "There are more.\n");
	if (some && candidates(r))
		fprintf(out, "The result holds for this test only: untested operations may need "
			     "stronger orders.\n");
	relax_proof(r, out);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *json_point(const struct points *points, u32 point, const struct left *l)
{
	const struct point *p = &points->point[point];
	json_t *o = json_object();

	js_put_text(o, "at", site_kind_name(p->kind));
	js_put_text(o, "is", order_name(asked(p)));
	js_put_text(
		o, "enough", p->kind == SITE_FENCE && !l->order ? "none" : order_name(l->order));
	if (p->kind == SITE_CAS) {
		js_put_text(o, "fail_is", order_name(order_of_strength(p->most_fail)));
		js_put_text(o, "fail_enough", order_name(l->fail));
	}
	json_place(o, points, point);
	js_put_text(o, "why", l->why);
	js_put_text(o, "problem", l->edit.problem);
	js_put_text(o, "note", l->edit.note);
	return o;
}

static json_t *relax_json(const struct repair *r, const struct repair_choice *c)
{
	struct left *left = take_left(r, c);
	json_t *o = json_object(), *orders = json_array();
	u32 n, *index = sorted_points(r, &n);
	char *patch = patch_text(relax_patch(r, left));

	js_put_text(o, "patch", patch);
	free(patch);
	js_put_number(o, "executions", c->summary.executions);
	if (c->summary.states)
		js_put_number(o, "states", c->summary.states);
	js_put_number(o, "weakened", weakened(r, left));
	for (u32 k = 0; k < n; k++)
		js_add(orders, json_point(&r->points, index[k], &left[index[k]]));
	js_put(o, "orders", orders);
	free(left);
	free(index);
	return o;
}

void relaxation_json(const struct repair *r, FILE *out)
{
	bool some = r->result == REPAIR_FOUND || r->result == REPAIR_CLEAN,
	     proved = some && r->sc_complete;
	json_t *o, *all = json_array();

	for (u32 i = 0; some && i < r->nchoices; i++) {
		proved &= r->choice[i].summary.complete;
		js_add(all, relax_json(r, &r->choice[i]));
	}
	o = json_begin(r, r->result == REPAIR_FAILS ? "fails" : !some ? "interrupted"
			      : candidates(r) ? "relaxed" : "nothing", proved);
	js_put(o, "relaxations", all);
	js_put(o, "more_relaxations", json_boolean(r->more));
	js_put_number(o, "candidates", candidates(r));
	json_end(r, o, out);
}
