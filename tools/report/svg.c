/* SPDX-License-Identifier: ISC */
/*
 * svg.c - a drawing as SVG. The columns are given, so the places of all nodes are, and nothing is left that would
 * need a layout engine: edges are curves between the sides of nodes that face each other.
 */
#include "report/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/clean.h"

#define LETTER	   6.7 /* width of a letter of 11 px monospace */
#define LEAST	   120 /* width of a column */
#define NODE_H	   36
#define ROW_H	   62
#define GAP	   96 /* between columns: room for the names of edges */
#define MARGIN	   24
#define TOP	   84
#define BACK	   26 /* how far an edge within a column swings out */

struct canvas {
	const struct drawing *d;
	FILE *out;
	double *x, *width; /* of columns */
	double right, bottom;
};

static void put_text(const char *text, FILE *out)
{
	char *whole = clean_xml(text);

	for (const char *s = whole; *s; s++) {
		switch (*s) {
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '&': fputs("&amp;", out); break;
		case '"': fputs("&quot;", out); break;
		default: fputc((unsigned char)*s < ' ' ? ' ' : *s, out);
		}
	}
	free(whole);
}

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

static void put_node(struct canvas *c, const struct drawn_node *n)
{
	double x = c->x[n->column], y = top_of(n), w = c->width[n->column];

	fprintf(c->out, "<g><title>step %u</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" "
		"rx=\"4\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"/>\n", n->step, x, y, w, NODE_H,
		n->failed ? "#fce8e6" : "#ffffff", n->key ? "#d93025" : "#9aa0a6", n->key ? "2" : "1");
	fprintf(c->out, "<text x=\"%.0f\" y=\"%.0f\" class=\"what\">", x + 10, y + 15);
	put_text(n->what, c->out);
	fprintf(c->out, "</text>\n<text x=\"%.0f\" y=\"%.0f\" class=\"where\">", x + 10, y + 29);
	put_text(n->where, c->out);
	if (*n->source) {
		fputs("  ", c->out);
		put_text(n->source, c->out);
	}
	fputs("</text></g>\n", c->out);
}

static void put_titles(struct canvas *c)
{
	fprintf(c->out, "<text x=\"%d\" y=\"30\" class=\"title\">", MARGIN);
	put_text(c->d->title, c->out);
	fputs("</text>\n", c->out);
	for (unsigned i = 0; i < c->d->ncolumns; i++) {
		fprintf(c->out, "<text x=\"%.0f\" y=\"%d\" class=\"thread\">", c->x[i], TOP - 16);
		put_text(c->d->columns[i].title, c->out);
		fputs("</text>\n", c->out);
	}
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

/* An edge's name stands in the gap that it crosses first, nearer to its beginning. */
static double name_at(const struct curve *k)
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

static void put_edge(struct canvas *c, unsigned index, bool names)
{
	const struct drawn_edge *e = &c->d->edges[index];
	const struct drawn_node *a = &c->d->nodes[e->from], *b = &c->d->nodes[e->to];
	bool same = a->column == b->column;
	struct curve k = same ? in_column(c, a, b)
			      : between(c, a, b, e->relation == DRAWN_FR ? 7 : e->relation == DRAWN_CO ? -7 : 0);
	const char *name = drawn_relation_name(e->relation), *colour = drawn_colour(e);
	double x, y, t = same ? 0.5 : name_at(&k);

	if (!names) {
		fprintf(c->out, "<path d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" "
			"stroke=\"%s\" stroke-width=\"%s\"%s marker-end=\"url(#a%s)\"/>\n",
			k.x[0], k.y[0], k.x[1], k.y[1], k.x[2], k.y[2], k.x[3], k.y[3], colour,
			e->cycle ? "2.4" : "1.3", e->relation == DRAWN_HB ? " stroke-dasharray=\"4 3\"" : "",
			colour + 1);
		return;
	}
	if (e->relation == DRAWN_PO && !e->cycle)
		return;
	x = at(k.x, t) + (same && k.x[1] == k.x[0] ? 12 : 0);
	y = at(k.y, t);
	fprintf(c->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"edge\" fill=\"%s\">%s</text>\n", x, y + 4,
		colour, name);
}

static void put_markers(FILE *out)
{
	static const struct drawn_edge each[] = {{.cycle = true}, {.relation = DRAWN_PO},
		{.relation = DRAWN_RF}, {.relation = DRAWN_CO}, {.relation = DRAWN_FR},
		{.relation = DRAWN_SW}, {.relation = DRAWN_HB}};

	fputs("<defs>\n", out);
	for (size_t i = 0; i < array_size(each); i++)
		fprintf(out, "<marker id=\"a%s\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" "
			"markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path "
			"d=\"M0 0 L8 4 L0 8 z\" fill=\"%s\"/></marker>\n",
			drawn_colour(&each[i]) + 1, drawn_colour(&each[i]));
	fputs("</defs>\n", out);
}

/* --- all of it ------------------------------------------------------------------------------- */

static void put_legend(struct canvas *c)
{
	fprintf(c->out, "<text x=\"%d\" y=\"%.0f\" class=\"where\">po: order of the program  rf: reads from  "
		"co: overwrites  fr: overwrites what was read%s", MARGIN, c->bottom - 14,
		"  sw: synchronises  red: the cycle that sc forbids");
	if (c->d->omitted)
		fprintf(c->out, "  (%u events are not drawn, --all draws them)", c->d->omitted);
	fputs("</text>\n", c->out);
}

void drawing_svg(const struct drawing *d, FILE *out)
{
	struct canvas c = {.d = d, .out = out};
	double least = LETTER * 150;

	lay_out(&c);
	if (c.right < least)
		c.right = least;
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\">\n<style>\n"
		"text { font-family: monospace; font-size: 11px; white-space: pre }\n"
		".title { font-family: sans-serif; font-size: 15px; font-weight: bold }\n"
		".thread { font-family: sans-serif; font-size: 13px; font-weight: bold }\n"
		".where { fill: #5f6368; font-size: 10px }\n"
		".edge { font-family: sans-serif; text-anchor: middle; paint-order: stroke; stroke: #ffffff; "
		"stroke-width: 4px }\n"
		"</style>\n", c.right, c.bottom, c.right, c.bottom);
	put_markers(out);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
	put_titles(&c);
	for (unsigned i = 0; i < d->nedges; i++)
		if (!d->edges[i].cycle)
			put_edge(&c, i, false);
	for (unsigned i = 0; i < d->nedges; i++)
		if (d->edges[i].cycle)
			put_edge(&c, i, false);
	for (unsigned i = 0; i < d->nnodes; i++)
		put_node(&c, &d->nodes[i]);
	for (unsigned i = 0; i < d->nedges; i++)
		put_edge(&c, i, true);
	put_legend(&c);
	fputs("</svg>\n", out);
}
