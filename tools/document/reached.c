/* SPDX-License-Identifier: ISC */
/* reached.c - see reached.h. */
#include "document/reached.h"

#include <string.h>

#include "die.h"
#include "path.h"
#include "document/result.h"

#define TEXT_LINES 40 /* of a list */

static const char *function_words(const struct reached_place *p)
{
	return p->function ? xprintf(" (%s)", p->function) : "";
}

static char *named_place(const struct reached_place *p)
{
	return xprintf("%s:%d%s", path_here(p->file), p->line, function_words(p));
}

static bool same_function(const struct reached_place *a, const struct reached_place *b)
{
	return !strcmp(a->file, b->file) && !a->function == !b->function &&
	       (!a->function || !strcmp(a->function, b->function));
}

char *reached_range(const struct reached *r, unsigned *i)
{
	const struct reached_place *first = &r->missing[*i], *last = first;

	while (++*i < r->nmissing && r->missing[*i].line == last->line + 1 &&
		same_function(first, &r->missing[*i]))
		last = &r->missing[*i];
	if (last == first)
		return named_place(first);
	return xprintf("%s:%d-%d%s", path_here(first->file), first->line, last->line,
		function_words(first));
}

char *reached_way_words(const struct reached_way *w)
{
	if (!w->to.file)
		return xprintf("%s: always the same way", named_place(&w->at));
	if (strcmp(w->at.file, w->to.file) != 0)
		return xprintf("%s: never on to %s", named_place(&w->at), named_place(&w->to));
	return xprintf("%s: never on to line %d", named_place(&w->at), w->to.line);
}

char *reached_pair_words(const struct reached_pair *p)
{
	return xprintf("%s reads %s", named_place(&p->read),
		p->by.file ? xprintf("what %s writes", named_place(&p->by)) : "the initial value");
}

const char *reached_meaning(const struct summary *s)
{
	if (s->reached->nmissing + s->reached->nways == 0)
		return "all of the code has been executed";
	if (s->complete)
		return xprintf("the search is complete: no execution of this test reaches the rest "
			       "under %s",
			s->model);
	return "the search is not complete: other executions may do the rest";
}

static void list_missing(const struct reached *r, FILE *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->nmissing && n < TEXT_LINES; n++)
		fprintf(out, "  %-16s%s\n", n ? "" : "not reached", reached_range(r, &i));
	if (n == TEXT_LINES)
		fprintf(out, "  %-16s... (--json and --html have all)\n", "");
}

void reached_text(const struct summary *s, FILE *out)
{
	const struct reached *r = s->reached;

	fprintf(out, "coverage: %u of %u lines, %u of %u branches both ways%s; %s\n", r->lines_seen,
		r->lines, r->both, r->branches,
		r->pairs_known ? xprintf(", %u reads-from pairs", r->npairs) : "",
		reached_meaning(s));
	list_missing(r, out);
	for (unsigned i = 0; i < r->nways && i < TEXT_LINES; i++)
		fprintf(out, "  %-16s%s\n", i ? "" : "one way", reached_way_words(&r->ways[i]));
	if (r->nways > TEXT_LINES)
		fprintf(out, "  %-16s... (--json and --html have all)\n", "");
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *place_json(const struct reached_place *p)
{
	json_t *o;

	if (!p->file)
		return json_null();
	o = json_object();
	js_put(o, "file", js_text(source_path(p->file)));
	js_put(o, "line", json_integer(p->line));
	js_put(o, "function", js_text(p->function));
	return o;
}

json_t *reached_json(const struct reached *r)
{
	json_t *o, *missing = json_array(), *ways = json_array(), *pairs = json_array();

	if (!r)
		return json_null();
	o = json_object();
	for (unsigned i = 0; i < r->nmissing; i++)
		js_add(missing, place_json(&r->missing[i]));
	for (unsigned i = 0; i < r->nways; i++) {
		json_t *way = json_object();

		js_put(way, "at", place_json(&r->ways[i].at));
		js_put(way, "never_to", place_json(&r->ways[i].to));
		js_add(ways, way);
	}
	for (unsigned i = 0; i < r->npairs; i++) {
		json_t *pair = json_object();

		js_put(pair, "read", place_json(&r->pairs[i].read));
		js_put(pair, "write", place_json(&r->pairs[i].by));
		js_add(pairs, pair);
	}
	js_put(o, "lines", json_integer(r->lines));
	js_put(o, "lines_reached", json_integer(r->lines_seen));
	js_put(o, "not_reached", missing);
	js_put(o, "branches", json_integer(r->branches));
	js_put(o, "both_ways", json_integer(r->both));
	js_put(o, "one_way", ways);
	js_put(o, "reads_from", r->pairs_known ? pairs : json_null());
	return o;
}
