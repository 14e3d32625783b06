/* SPDX-License-Identifier: ISC */
/* flag_graph.c - see flag_graph.h. */
#include "failure/flag_graph.h"

#include "machine/core.h"

#include <stdio.h>
#include <string.h>

u32 flag_graph_list(const struct trust *x, struct raised *to)
{
	const struct graph *g = &x->graph;

	if (likely(!g->model->is_file) || !(M.options->detect & DETECT_FLAG) || !g->places->cat)
		return 0;
	return cat_raised(g->places->cat, g, to, FLAGS_MOST);
}

/* The code of an event; 0: there is none. */
static u32 site_of(const struct trust *x, u32 e)
{
	return e ? trust_label(x, e)->site : 0;
}

void flag_graph_describe(const struct trust *x, const struct raised *r, struct finding *f)
{
	u32 a = site_of(x, r->event[0]), b = site_of(x, r->event[1]);
	char name[80];

	cat_axiom_name(&x->graph.places->cat->cat, r->axiom, name);
	*f = (struct finding){.kind = FINDING_FLAG};
	if (r->event[1])
		f->thread = x->graph.event[r->event[1]].thread;
	f->site = a < b ? (u64)a << 32 | b : (u64)b << 32 | a;
	snprintf(f->message, sizeof f->message, "the model flags the execution: %s", name);
}

bool flag_graph_has(const struct trust *x, const struct finding *f, struct raised *r)
{
	static struct raised raised[FLAGS_MOST];
	u32 n = flag_graph_list(x, raised);
	struct finding is;

	for (u32 i = 0; i < n; i++) {
		flag_graph_describe(x, &raised[i], &is);
		if (strcmp(is.message, f->message) || (f->site && f->site != is.site))
			continue;
		*r = raised[i];
		return true;
	}
	return false;
}
