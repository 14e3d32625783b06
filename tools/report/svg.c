/* SPDX-License-Identifier: ISC */
/*
 * svg.c - a drawing as SVG. The columns determine the places of all nodes, so no layout engine is
 * needed: edges are curves between facing sides of nodes.
 */
#include "report/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/xml.h"

#define LETTER	   6.7 /* width of a letter of 11 px monospace */
#define LEAST	   120 /* width of a column */
#define NODE_H	   36
#define ROW_H	   62
#define GAP	   96 /* between columns: room for the names of edges */
#define MARGIN	   24
#define TOP	   84
#define BACK	   26 /* width of the curve of an edge within a column */

struct canvas {
	const struct drawing *d;
	struct xml *to;
	double *x, *width; /* of columns */
	double right, bottom;
};

static double node_width(const struct drawn_node *n)
{
	size_t what = strlen(n->what), below = strlen(n->where) + 2 + strlen(n->source);

	return LETTER * (double)(what > below ? what : below) + 20;
}

static void lay_out(struct canvas *c)
{
	const struct drawing *d = c->d;
	double x = MARGIN + BACK;

	c->x = xmalloc((d->ncolumns + 1) * sizeof(*c->x));
	c->width = xmalloc((d->ncolumns + 1) * sizeof(*c->width));
	for (unsigned i = 0; i < d->ncolumns; i++) {
		c->width[i] = LETTER * (double)strlen(d->columns[i].title) + 20;
		c->width[i] = c->width[i] < LEAST ? LEAST : c->width[i];
	}
	for (unsigned i = 0; i < d->nnodes; i++) {
		double w = node_width(&d->nodes[i]), *most = &c->width[d->nodes[i].column];

		*most = w > *most ? w : *most;
	}
	for (unsigned i = 0; i < d->ncolumns; i++) {
		c->x[i] = x;
		x += c->width[i] + GAP;
	}
	c->right = x - GAP + BACK + MARGIN;
	if (c->right < LETTER * 1.2 * (double)strlen(d->title) + 2 * MARGIN)
		c->right = LETTER * 1.2 * (double)strlen(d->title) + 2 * MARGIN;
	c->bottom = TOP + d->nlevels * ROW_H + 40;
}

static double top_of(const struct drawn_node *n)
{
	return TOP + n->level * ROW_H;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* A <text> of a class at a place; the caller ends it. */
static void start_text(struct xml *to, const char *class, double x, double y)
{
	xml_start(to, "text");
	xml_format(to, "x", "%.1f", x);
	xml_format(to, "y", "%.1f", y);
	xml_attribute(to, "class", class);
}

static void svg_text(struct xml *to, const char *class, double x, double y, const char *text)
{
	start_text(to, class, x, y);
	xml_text(to, text);
	xml_end(to);
}

static void put_box(struct canvas *c, const struct drawn_node *n)
{
	xml_start(c->to, "rect");
	xml_format(c->to, "x", "%.0f", c->x[n->column]);
	xml_format(c->to, "y", "%.0f", top_of(n));
	xml_format(c->to, "width", "%.0f", c->width[n->column]);
	xml_format(c->to, "height", "%d", NODE_H);
	xml_attribute(c->to, "rx", "4");
	xml_attribute(c->to, "fill", n->failed ? "#fce8e6" : "#ffffff");
	xml_attribute(c->to, "stroke", n->key ? "#d93025" : "#9aa0a6");
	xml_attribute(c->to, "stroke-width", n->key ? "2" : "1");
	xml_end(c->to);
}

static void svg_node(struct canvas *c, const struct drawn_node *n)
{
	double x = c->x[n->column] + 10, y = top_of(n);

	xml_start(c->to, "g");
	xml_start(c->to, "title");
	xml_text(c->to, xprintf("step %u", n->step));
	xml_end(c->to);
	put_box(c, n);
	svg_text(c->to, "what", x, y + 15, n->what);
	start_text(c->to, "where", x, y + 29);
	xml_text(c->to, n->where);
	if (*n->source) {
		xml_text(c->to, "  ");
		xml_text(c->to, n->source);
	}
	xml_end(c->to);
	xml_end(c->to);
}

static void svg_titles(struct canvas *c)
{
	svg_text(c->to, "title", MARGIN, 30, c->d->title);
	for (unsigned i = 0; i < c->d->ncolumns; i++)
		svg_text(c->to, "thread", c->x[i], TOP - 16, c->d->columns[i].title);
}

/* --- edges ----------------------------------------------------------------------------------- */

struct curve {
	double x[4], y[4];
};

/* Between two nodes of a column: straight down to the next one, else around on the left. */
static struct curve in_column(const struct canvas *c, const struct drawn_node *a,
	const struct drawn_node *b)
{
	double x = c->x[a->column], middle = x + c->width[a->column] / 2;
	double ya = top_of(a), yb = top_of(b);
	bool clear = b->level > a->level;

	for (unsigned i = 0; i < c->d->nnodes; i++) {
		const struct drawn_node *n = &c->d->nodes[i];

		clear &= n->column != a->column || n->level <= a->level || n->level >= b->level;
	}
	if (clear)
		return (struct curve){{middle, middle, middle, middle},
			{ya + NODE_H, ya + NODE_H, yb, yb}};
	return (struct curve){{x, x - BACK, x - BACK, x},
		{ya + NODE_H / 2, ya + NODE_H / 2, yb + NODE_H / 2, yb + NODE_H / 2}};
}

/* Between columns, from side to side. */
static struct curve between(const struct canvas *c, const struct drawn_node *a,
	const struct drawn_node *b, double shift)
{
	bool right = b->column > a->column;
	double x1 = c->x[a->column] + (right ? c->width[a->column] : 0);
	double x2 = c->x[b->column] + (right ? 0 : c->width[b->column]);
	double y1 = top_of(a) + NODE_H / 2 + shift, y2 = top_of(b) + NODE_H / 2 + shift;
	double bend = (right ? 1 : -1) * GAP * 0.55;

	return (struct curve){{x1, x1 + bend, x2 - bend, x2}, {y1, y1, y2, y2}};
}

static double at(const double p[4], double t)
{
	double u = 1 - t;

	return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3];
}

/* The name of an edge is placed in the first gap that it crosses, nearer to its beginning. */
static double label_at(const struct curve *k)
{
	double low = 0, high = 1;

	for (int i = 0; i < 20; i++) {
		double t = (low + high) / 2, way = at(k->x, t) - k->x[0];

		if ((way < 0 ? -way : way) < GAP * 0.38)
			low = t;
		else
			high = t;
	}
	return low;
}

static struct curve curve_of(const struct canvas *c, const struct drawn_edge *e)
{
	const struct drawn_node *a = &c->d->nodes[e->from], *b = &c->d->nodes[e->to];

	if (a->column == b->column)
		return in_column(c, a, b);
	return between(c, a, b, e->relation == DRAWN_FR ? 7 : e->relation == DRAWN_CO ? -7 : 0);
}

static void svg_edge(struct canvas *c, const struct drawn_edge *e)
{
	struct curve k = curve_of(c, e);
	const char *colour = drawn_colour(e);

	xml_start(c->to, "path");
	xml_format(c->to, "d", "M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", k.x[0], k.y[0], k.x[1],
		k.y[1], k.x[2], k.y[2], k.x[3], k.y[3]);
	xml_attribute(c->to, "fill", "none");
	xml_attribute(c->to, "stroke", colour);
	xml_attribute(c->to, "stroke-width", e->cycle ? "2.4" : "1.3");
	if (e->relation == DRAWN_HB)
		xml_attribute(c->to, "stroke-dasharray", "4 3");
	xml_format(c->to, "marker-end", "url(#a%s)", colour + 1);
	xml_end(c->to);
}

static void put_edge_name(struct canvas *c, const struct drawn_edge *e)
{
	bool same = c->d->nodes[e->from].column == c->d->nodes[e->to].column;
	struct curve k = curve_of(c, e);
	double t = same ? 0.5 : label_at(&k);

	if (e->relation == DRAWN_PO && !e->cycle)
		return;
	start_text(c->to, "edge", at(k.x, t) + (same && k.x[1] == k.x[0] ? 12 : 0), at(k.y, t) + 4);
	xml_attribute(c->to, "fill", drawn_colour(e));
	xml_text(c->to, drawn_relation_name(e->relation));
	xml_end(c->to);
}

static void put_marker(struct xml *to, const char *colour)
{
	xml_start(to, "marker");
	xml_format(to, "id", "a%s", colour + 1);
	xml_attribute(to, "viewBox", "0 0 8 8");
	xml_attribute(to, "refX", "7.5");
	xml_attribute(to, "refY", "4");
	xml_attribute(to, "markerWidth", "8");
	xml_attribute(to, "markerHeight", "8");
	xml_attribute(to, "markerUnits", "userSpaceOnUse");
	xml_attribute(to, "orient", "auto");
	xml_start(to, "path");
	xml_attribute(to, "d", "M0 0 L8 4 L0 8 z");
	xml_attribute(to, "fill", colour);
	xml_end(to);
	xml_end(to);
}

static void put_markers(struct xml *to)
{
	static const struct drawn_edge each[] = {{.cycle = true}, {.relation = DRAWN_PO},
		{.relation = DRAWN_RF}, {.relation = DRAWN_CO}, {.relation = DRAWN_FR},
		{.relation = DRAWN_SW}, {.relation = DRAWN_HB}};

	xml_start(to, "defs");
	for (size_t i = 0; i < array_size(each); i++)
		put_marker(to, drawn_colour(&each[i]));
	xml_end(to);
}

/* --- all of it ------------------------------------------------------------------------------- */

static void put_legend(struct canvas *c)
{
	start_text(c->to, "where", MARGIN, c->bottom - 14);
	xml_text(c->to,
		"po: program order  rf: reads from  co: overwrites  fr: overwrites the value read  "
		"sw: synchronises  red: the cycle that sc forbids");
	if (c->d->omitted)
		xml_text(c->to,
			xprintf("  (%u events are not drawn, --all draws them)", c->d->omitted));
	xml_end(c->to);
}

static void start_svg(struct canvas *c)
{
	xml_start(c->to, "svg");
	xml_attribute(c->to, "xmlns", "http://www.w3.org/2000/svg");
	xml_format(c->to, "width", "%.0f", c->right);
	xml_format(c->to, "height", "%.0f", c->bottom);
	xml_format(c->to, "viewBox", "0 0 %.0f %.0f", c->right, c->bottom);
	xml_start(c->to, "style");
	xml_text(c->to, "\n"
			"text { font-family: monospace; font-size: 11px; white-space: pre }\n"
			".title { font-family: sans-serif; font-size: 15px; font-weight: bold }\n"
			".thread { font-family: sans-serif; font-size: 13px; font-weight: bold }\n"
			".where { fill: #5f6368; font-size: 10px }\n"
			".edge { font-family: sans-serif; text-anchor: middle; paint-order: "
			"stroke; stroke: #ffffff; "
			"stroke-width: 4px }\n");
	xml_end(c->to);
	put_markers(c->to);
	xml_start(c->to, "rect");
	xml_attribute(c->to, "width", "100%");
	xml_attribute(c->to, "height", "100%");
	xml_attribute(c->to, "fill", "#ffffff");
	xml_end(c->to);
}

void drawing_svg(const struct drawing *d, FILE *out)
{
	struct canvas c = {.d = d, .to = xml_open(out)};
	double least = LETTER * 150;

	lay_out(&c);
	if (c.right < least)
		c.right = least;
	start_svg(&c);
	svg_titles(&c);
	for (unsigned i = 0; i < d->nedges; i++)
		if (!d->edges[i].cycle)
			svg_edge(&c, &d->edges[i]);
	for (unsigned i = 0; i < d->nedges; i++)
		if (d->edges[i].cycle)
			svg_edge(&c, &d->edges[i]);
	for (unsigned i = 0; i < d->nnodes; i++)
		svg_node(&c, &d->nodes[i]);
	for (unsigned i = 0; i < d->nedges; i++)
		put_edge_name(&c, &d->edges[i]);
	put_legend(&c);
	xml_close(c.to, "the drawing");
}
