/* SPDX-License-Identifier: ISC */
/*
 * svg.c - a drawing as SVG. The columns determine the places of all nodes, so no layout engine is
 * needed. Edges avoid boxes: between neighbouring columns they are curves from side to side; to
 * other columns they lead around the boxes in between, in the space between two rows.
 */
#include "document/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/paragraph.h"
#include "document/xml.h"

#define LETTER	   6.7 /* width of a letter of 11 px monospace */
#define LEAST	   120 /* width of a column */
#define NODE_H	   36
#define ROW_H	   62
#define GAP	   96 /* between columns: room for the names of edges */
#define MARGIN	   24
#define TOP	   104
#define LINE	   15 /* height of a line of text */
#define LANES	   7  /* of edges beside each other */
#define WORDS	   76 /* width of the first words of paragraphs */
#define BACK	   26 /* width of the curve of an edge within a column */

struct canvas {
	const struct drawing *d;
	struct xml *to;
	double *x, *width; /* of columns */
	double right, bottom; /* of the graph, without the texts below */
	unsigned lanes;	      /* edges that were led around boxes */
	struct paragraph *paragraph;
	unsigned nparagraphs;
	struct spot {
		double x, y;
	} *name; /* of edges, where they are */
	unsigned nnames;
};

static double node_width(const struct drawn_node *n)
{
	size_t what = strlen(n->what), below = strlen(n->where) + 2 + strlen(n->source);

	return LETTER * (double)(what > below ? what : below) + 20;
}

static void lay_out_drawing(struct canvas *c)
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
	c->bottom = TOP + d->nlevels * ROW_H;
	c->name = xmalloc((d->nedges + 1) * sizeof(*c->name));
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
	xml_text(c->to, n->waits ? "waits for ever" : xprintf("step %u", n->step));
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
	svg_text(c->to, "text", MARGIN, 52, c->d->subject);
	for (unsigned i = 0; i < c->d->ncolumns; i++)
		svg_text(c->to, "thread", c->x[i], TOP - 16, c->d->columns[i].title);
}

/* --- edges ----------------------------------------------------------------------------------- */

#define POINTS 6

/* A cubic curve (n = 4), or lines (n = 2, POINTS). */
struct curve {
	double x[POINTS], y[POINTS];
	unsigned n;
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
		return (struct curve){{middle, middle}, {ya + NODE_H, yb}, 2};
	return (struct curve){{x, x - BACK, x - BACK, x},
		{ya + NODE_H / 2, ya + NODE_H / 2, yb + NODE_H / 2, yb + NODE_H / 2}, 4};
}

/* Between neighbouring columns, from side to side. */
static struct curve curve_between(double x1, double y1, double x2, double y2)
{
	double bend = (x2 > x1 ? 1 : -1) * GAP * 0.55;

	return (struct curve){{x1, x1 + bend, x2 - bend, x2}, {y1, y1, y2, y2}, 4};
}

/* Into the space above or below the row, along it, and to the other side. */
static struct curve route_around(
	struct canvas *c, double x1, double y1, double x2, double y2, double row)
{
	double lane = c->lanes++ % LANES, side = x2 > x1 ? 1 : -1;
	double g1 = x1 + side * (GAP * 0.2 + 7 * lane), g2 = x2 - side * (GAP * 0.2 + 7 * lane);

	row += (lane - LANES / 2) * 3;
	return (struct curve){{x1, g1, g1, g2, g2, x2}, {y1, y1, row, row, y2, y2}, POINTS};
}

static struct curve curve_of(struct canvas *c, const struct drawn_edge *e)
{
	const struct drawn_node *a = &c->d->nodes[e->from], *b = &c->d->nodes[e->to];
	double shift = e->relation == DRAWN_FR ? 7 : e->relation == DRAWN_CO ? -7 : 0;
	bool right = b->column > a->column;
	unsigned far = right ? b->column - a->column : a->column - b->column;
	double x1 = c->x[a->column] + (right ? c->width[a->column] : 0);
	double x2 = c->x[b->column] + (right ? 0 : c->width[b->column]);
	double y1 = top_of(a) + NODE_H / 2 + shift, y2 = top_of(b) + NODE_H / 2 + shift;

	if (!far)
		return in_column(c, a, b);
	if (far == 1)
		return curve_between(x1, y1, x2, y2);
	return route_around(c, x1, y1, x2, y2,
		b->level < a->level ? top_of(a) - (ROW_H - NODE_H) / 2.0
				    : top_of(a) + NODE_H + (ROW_H - NODE_H) / 2.0);
}

static double point_of_curve(const double p[4], double t)
{
	double u = 1 - t;

	return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3];
}

/* The name of an edge: at t of it, and beside a straight one. */
static struct spot name_spot(const struct curve *k, double t)
{
	if (k->n == 2)
		return (struct spot){k->x[0] + 12, k->y[0] + t * (k->y[1] - k->y[0]) + 4};
	if (k->n == 4)
		return (struct spot){point_of_curve(k->x, t), point_of_curve(k->y, t) + 4};
	return (struct spot){k->x[2] + t * 0.6 * (k->x[2] > k->x[0] ? GAP : -GAP), k->y[2] + 4};
}

static bool is_taken(const struct canvas *c, struct spot s)
{
	for (unsigned i = 0; i < c->nnames; i++) {
		double x = c->name[i].x - s.x, y = c->name[i].y - s.y;

		if (x < 30 && x > -30 && y < 11 && y > -11)
			return true;
	}
	return false;
}

/* If possible, a place without another name, so that names do not cover each other. */
static struct spot free_spot(struct canvas *c, const struct curve *k)
{
	static const double tries[] = {0.5, 0.35, 0.65, 0.25, 0.75, 0.15, 0.85};
	struct spot s = name_spot(k, tries[0]);

	for (size_t i = 0; i < array_size(tries) && is_taken(c, s); i++)
		s = name_spot(k, tries[i]);
	c->name[c->nnames++] = s;
	return s;
}

static char *path_text(const struct curve *k)
{
	char *text = xprintf("M%.1f %.1f %s", k->x[0], k->y[0], k->n == 4 ? "C" : "L");

	for (unsigned i = 1; i < k->n; i++)
		text = xprintf("%s%s%.1f %.1f", text, i > 1 ? " " : "", k->x[i], k->y[i]);
	return text;
}

static void put_edge(struct canvas *c, const struct drawn_edge *e, const struct curve *k)
{
	const char *colour = drawn_colour(e);
	bool wide = e->cycle || e->relation == DRAWN_WAIT;

	xml_start(c->to, "path");
	xml_attribute(c->to, "d", path_text(k));
	xml_attribute(c->to, "fill", "none");
	xml_attribute(c->to, "stroke", colour);
	xml_attribute(c->to, "stroke-width", wide ? "2.4" : "1.3");
	xml_attribute(c->to, "stroke-linejoin", "round");
	if (e->relation == DRAWN_HB)
		xml_attribute(c->to, "stroke-dasharray", "4 3");
	xml_format(c->to, "marker-end", "url(#a%s)", colour + 1);
	xml_end(c->to);
}

static void put_edge_name(struct canvas *c, const struct drawn_edge *e, const struct curve *k)
{
	struct spot s;

	if (e->relation == DRAWN_PO && !e->cycle)
		return;
	s = free_spot(c, k);
	start_text(c->to, "edge", s.x, s.y);
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

/* The next line of the texts below the graph: its y. */
static double next_line(struct canvas *c)
{
	c->bottom += LINE;
	return c->bottom;
}

static bool has_relation(const struct drawing *d, unsigned relation)
{
	for (unsigned i = 0; i < d->nedges; i++)
		if (d->edges[i].relation == relation)
			return true;
	return false;
}

static bool has_near(const struct drawing *d)
{
	for (unsigned i = 0; i < d->nnodes; i++)
		if (strstr(d->nodes[i].where, ":~"))
			return true;
	return false;
}

static bool has_drawn_cycle(const struct drawing *d)
{
	for (unsigned i = 0; i < d->nedges; i++)
		if (d->edges[i].cycle)
			return true;
	return false;
}

/* A line of the legend: an edge, its name, its meaning. */
static void put_meaning(
	struct canvas *c, const struct drawn_edge *e, const char *name, const char *words)
{
	double y = next_line(c);
	const struct curve k = {{MARGIN, MARGIN + 34}, {y - 4, y - 4}, 2};

	put_edge(c, e, &k);
	start_text(c->to, "text", MARGIN + 44, y);
	xml_attribute(c->to, "fill", drawn_colour(e));
	xml_text(c->to, name);
	xml_end(c->to);
	svg_text(c->to, "where", MARGIN + 44 + WORDS, y, words);
}

static void put_legend(struct canvas *c)
{
	c->bottom += LINE;
	for (unsigned k = 0; k < DRAWN_RELATIONS; k++)
		if (has_relation(c->d, k))
			put_meaning(c, &(struct drawn_edge){.relation = k}, drawn_relation_name(k),
				drawn_relation_words(k));
	if (has_drawn_cycle(c->d))
		put_meaning(c, &(struct drawn_edge){.cycle = true}, "cycle",
			"no order of all steps agrees with these edges: impossible under sc");
	if (c->d->omitted)
		svg_text(c->to, "where", MARGIN, next_line(c),
			xprintf("%u events are not drawn: --all draws them", c->d->omitted));
	if (has_near(c->d))
		svg_text(c->to, "where", MARGIN, next_line(c),
			"~ before a line: the compiler gives this code no line; it is the nearest "
			"one of its function");
}

/* Is the paragraph one that the picture has as edges and boxes, or about files? */
static bool is_drawn(const char *word)
{
	static const char *const drawn[] = {"cycle", "replay", "debug", "waits"};

	for (size_t i = 0; i < array_size(drawn); i++)
		if (!strcmp(word, drawn[i]))
			return true;
	return false;
}

/* Why, repair and the like; continued lines go with their first. */
static void draw_paragraphs(struct canvas *c)
{
	bool skip = false;

	c->bottom += LINE;
	for (unsigned i = 0; i < c->nparagraphs; i++) {
		const struct paragraph *p = &c->paragraph[i];
		const char *word = p->word;

		skip = *word ? is_drawn(word) : skip;
		if (skip)
			continue;
		for (char *line = strtok(xstrdup(p->text), "\n"); line; line = strtok(NULL, "\n")) {
			double y = next_line(c);

			svg_text(c->to, "where", MARGIN, y, word);
			svg_text(c->to, "text", MARGIN + WORDS, y, line);
			word = "";
		}
	}
}

/* The texts below the graph. */
static void put_texts(struct canvas *c)
{
	put_legend(c);
	draw_paragraphs(c);
	c->bottom += LINE;
}

/* The total height: the texts are laid out without being written. */
static double whole_height(const struct canvas *c)
{
	struct canvas m = *c;
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		die("not enough memory");
	m.to = xml_open(out);
	xml_start(m.to, "svg");
	put_texts(&m);
	xml_close(m.to, "the drawing");
	fclose(out);
	free(text);
	return m.bottom;
}

static void start_svg(struct canvas *c)
{
	double height = whole_height(c);

	xml_start(c->to, "svg");
	xml_attribute(c->to, "xmlns", "http://www.w3.org/2000/svg");
	xml_format(c->to, "width", "%.0f", c->right);
	xml_format(c->to, "height", "%.0f", height);
	xml_format(c->to, "viewBox", "0 0 %.0f %.0f", c->right, height);
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

/* First the edges, those of the cycle above the others, then boxes, then names of edges. */
static void put_graph(struct canvas *c)
{
	const struct drawing *d = c->d;
	struct curve *k = xmalloc((d->nedges + 1) * sizeof(*k));

	for (unsigned i = 0; i < d->nedges; i++)
		k[i] = curve_of(c, &d->edges[i]);
	for (int cycle = 0; cycle < 2; cycle++)
		for (unsigned i = 0; i < d->nedges; i++)
			if (d->edges[i].cycle == cycle)
				put_edge(c, &d->edges[i], &k[i]);
	for (unsigned i = 0; i < d->nnodes; i++)
		svg_node(c, &d->nodes[i]);
	for (unsigned i = 0; i < d->nedges; i++)
		put_edge_name(c, &d->edges[i], &k[i]);
	free(k);
}

void drawing_svg(const struct drawing *d, FILE *out)
{
	struct canvas c = {.d = d, .to = xml_open(out)};
	double least = LETTER * 150;

	lay_out_drawing(&c);
	if (c.right < least)
		c.right = least;
	c.nparagraphs = report_paragraph_list(d->report,
		(unsigned)((c.right - 2 * MARGIN - WORDS) / LETTER), &c.paragraph);
	start_svg(&c);
	svg_titles(&c);
	put_graph(&c);
	put_texts(&c);
	xml_close(c.to, "the drawing");
}
