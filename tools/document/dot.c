/* SPDX-License-Identifier: ISC */
/* dot.c - a drawing in the language of Graphviz: dot -Tsvg, dot -Tpng, and for other tools. */
#include "document/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "report/clean.h"

/* Inside double quotes. */
static void dot_text(const char *text, FILE *out)
{
	char *whole = clean_utf8(text, strlen(text));

	for (const char *s = whole; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', out);
		fputc((unsigned char)*s < ' ' || *s == 0x7f ? ' ' : *s, out);
	}
	free(whole);
}

static void dot_node(const struct drawing *d, unsigned i, FILE *out)
{
	const struct drawn_node *n = &d->nodes[i];

	fprintf(out, "\t\te%u [label=\"", n->step);
	dot_text(n->what, out);
	if (*n->where || *n->source) {
		fputs("\\n", out);
		dot_text(n->where, out);
		if (*n->source) {
			fputs("  ", out);
			dot_text(n->source, out);
		}
	}
	fprintf(out, "\"%s%s];\n", n->key ? ", color=\"#d93025\", penwidth=2" : "",
		n->failed ? ", style=filled, fillcolor=\"#fce8e6\"" : "");
}

static void put_column(const struct drawing *d, unsigned column, FILE *out)
{
	fprintf(out, "\tsubgraph cluster_T%u {\n\t\tlabel=\"", d->columns[column].thread);
	dot_text(d->columns[column].title, out);
	fputs("\";\n", out);
	for (unsigned i = 0; i < d->nnodes; i++)
		if (d->nodes[i].column == column)
			dot_node(d, i, out);
	fputs("\t}\n", out);
}

static void dot_edge(const struct drawing *d, const struct drawn_edge *e, FILE *out)
{
	bool down = e->relation == DRAWN_PO && d->nodes[e->from].column == d->nodes[e->to].column;

	fprintf(out, "\te%u -> e%u [label=\"%s\", color=\"%s\", fontcolor=\"%s\"%s%s];\n",
		d->nodes[e->from].step, d->nodes[e->to].step,
		down && !e->cycle ? "" : drawn_relation_name(e->relation), drawn_colour(e),
		drawn_colour(e), e->cycle ? ", penwidth=2" : "",
		down ? ", weight=10" : ", constraint=false");
}

void drawing_dot(const struct drawing *d, FILE *out)
{
	fputs("digraph execution {\n\tlabel=\"", out);
	dot_text(d->title, out);
	fputs("\\n", out);
	dot_text(d->subject, out);
	fputs("\";\n\tlabelloc=t;\n\tnewrank=true;\n\tnodesep=0.6;\n\tfontname=\"sans-serif\";\n"
	      "\tnode [shape=box, fontname=\"monospace\", fontsize=10, color=\"#5f6368\"];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=10];\n", out);
	for (unsigned i = 0; i < d->ncolumns; i++)
		put_column(d, i, out);
	for (unsigned level = 0; level < d->nlevels; level++) {
		fputs("\t{ rank=same;", out);
		for (unsigned i = 0; i < d->nnodes; i++)
			if (d->nodes[i].level == level)
				fprintf(out, " e%u;", d->nodes[i].step);
		fputs(" }\n", out);
	}
	for (unsigned i = 0; i < d->nedges; i++)
		dot_edge(d, &d->edges[i], out);
	fputs("}\n", out);
}
