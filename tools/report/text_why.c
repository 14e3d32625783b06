/* SPDX-License-Identifier: ISC */
/*
 * text_why.c - for people: the cycle that sequential consistency forbids, the reorderings on it,
 * missing synchronisation, and the changes that would forbid the execution.
 */
#include "report/report.h"

#include <string.h>

#include "die.h"

/* The destination of paragraphs. */
struct paper {
	const struct report *r;
	void (*heading)(void *page, const char *word);
	void *page;
	FILE *out;
};

/* --- the cycle ------------------------------------------------------------------------------- */

static bool is_access(const struct report *r, u32 step)
{
	return kind_is_access((enum event_kind)r->rows[step - 1].ev->e.kind);
}

static const char *keeping_words(const struct trace_edge *edge)
{
	switch (edge->kept) {
	case KEPT_BY_ORDER: return "kept in this order";
	case KEPT_BY_ADDRESS: return "kept in this order by an address dependency";
	case KEPT_BY_DATA: return "kept in this order by a data dependency";
	case KEPT_BY_CONTROL: return "kept in this order by a branch";
	}
	return "";
}

/* The words of an edge for its second event. */
static char *edge_words(const struct report *r, const struct trace_edge *edge)
{
	u32 from = store_of(r, edge->from), to = store_of(r, edge->to);
	const char *noun = access_noun(&r->rows[from - 1].ev->e);

	if (!is_access(r, from) || !is_access(r, to))
		return xstrdup(edge->relation == RELATION_PO ? "" : "after that");
	switch (edge->relation) {
	case RELATION_PO:
		return xstrdup(reordering_of(r, from, to) ? "not kept in this order"
							  : keeping_words(edge));
	case RELATION_RF: return xprintf("reads from that %s", noun);
	case RELATION_CO: return xprintf("overwrites what that %s wrote", noun);
	case RELATION_FR: return xprintf("not seen by that %s", noun);
	}
	return xstrdup("");
}

/* The first edge to show: one of po, the earliest; else the first. */
static u32 first_edge(const struct report *r)
{
	u32 first = 0;
	bool found = false;

	for (u32 i = 0; i < r->t->ncycle; i++) {
		const struct trace_edge *e = &r->t->cycle[i];

		if (e->relation == RELATION_PO && (!found || e->from < r->t->cycle[first].from)) {
			first = i;
			found = true;
		}
	}
	return first;
}

struct widths {
	int relation, thread, what, place;
};

static void widen_for(int *width, const char *s)
{
	if (*width < (int)strlen(s))
		*width = (int)strlen(s);
}

static void widen_for_step(const struct paper *p, struct widths *w, u32 step)
{
	const struct report *r = p->r;

	if (!step)
		return;
	widen_for(&w->thread, thread_label(r, r->rows[step - 1].ev->e.thread));
	widen_for(&w->what, r->rows[step - 1].what);
	widen_for(&w->place, step_place(r, step));
}

static void put_event(const struct paper *p, const struct widths *w, u32 step, const char *relation,
	const char *words)
{
	const struct row *row = &p->r->rows[step - 1];
	char *line = xprintf("%-*s  %-*s  %-*s  %-*s  %s", w->relation, relation, w->thread,
		thread_label(p->r, row->ev->e.thread), w->what, row->what, w->place,
		step_place(p->r, step), words);
	size_t n = strlen(line);

	while (n && line[n - 1] == ' ')
		line[--n] = 0;
	fprintf(p->out, "%s\n", line);
}

static void put_cycle(const struct paper *p)
{
	const struct report *r = p->r;
	const struct trace_edge *cycle = r->t->cycle;
	u32 n = r->t->ncycle, first = n ? first_edge(r) : 0;
	struct widths w = {2, 0, 0, 0};

	for (u32 i = 0; i < n; i++)
		widen_for_step(p, &w, store_of(r, cycle[i].from));
	for (u32 i = 0; i <= n && n; i++) {
		const struct trace_edge *before = &cycle[(first + i + n - 1) % n];
		const struct trace_edge *e = &cycle[(first + i) % n];

		p->heading(p->page, i ? "" : "cycle");
		put_event(p, &w, store_of(r, e->from), i ? relation_name(before->relation) : "",
			i == n ? xprintf("%s: the first again", edge_words(r, before))
			: i ? edge_words(r, before) : "");
	}
}

/* --- the axiom of a model in a file ---------------------------------------------------------- */

/* Have changes been tried that would forbid the execution? */
static bool has_tried(const struct report *r)
{
	return r->t->naxioms && r->t->axioms[0].repair != REPAIR_NONE;
}

static void put_link(const struct paper *p, const struct widths *w, const char *name, u32 step)
{
	p->heading(p->page, "");
	if (step)
		put_event(p, w, step, name, "");
	else
		fprintf(p->out, "%-*s  the initial value\n", w->relation, name);
}

/* The cycle of the axiom that forbids the execution, or would with the repair. */
static void put_axiom(const struct paper *p)
{
	const struct report *r = p->r;
	struct widths w = {0, 0, 0, 0};
	u32 n = r->t->nlinks;

	for (u32 i = 0; i < n; i++) {
		widen_for(&w.relation, r->t->links[i].name);
		widen_for_step(p, &w, r->t->links[i].from);
		widen_for_step(p, &w, r->t->links[i].to);
	}
	for (u32 i = 0; i < n; i++) {
		const struct trace_link *l = &r->t->links[i];

		if (!i || r->t->links[i - 1].to != l->from)
			put_link(p, &w, "", l->from);
		put_link(p, &w, *l->name ? l->name : "-", l->to);
	}
}

static void put_forbidding(const struct paper *p)
{
	const struct report *r = p->r;
	const struct trace_axiom *a = &r->t->axioms[0];

	if (!r->t->naxioms)
		return;
	p->heading(p->page, "axiom");
	if (a->repair == REPAIR_UNKNOWN)
		fprintf(p->out,
			"%s: not forbidden by acquire, release and seq_cst fences either\n",
			report_model(r));
	else
		fprintf(p->out, "%s of %s %s this execution\n", a->name, report_model(r),
			a->repair == REPAIR_NONE ? "forbids" : "would then forbid");
	put_axiom(p);
}

/* --- why ------------------------------------------------------------------------------------- */

/* An old value, where the model has no buffers: "T2's load of x (a.c:2)" and the store that it
 * misses. */
static char *stale_words(const struct report *r, u32 step, const char *verb)
{
	const struct event *e = &r->rows[step - 1].ev->e, *w = &r->rows[e->missed - 1].ev->e;

	return xprintf("%s's %s %s %s's %s", thread_label(r, e->thread), step_access(r, step), verb,
		thread_label(r, w->thread), step_access(r, e->missed));
}

static void put_stale(const struct paper *p, unsigned said)
{
	const struct report *r = p->r;
	const char *lacking = has_tried(r) ? "the model does not order them"
					   : "no happens-before orders them";
	char *before = NULL;

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct event *e = &r->rows[i].ev->e;
		char *words;

		if (!e->missed || !kind_is_read((enum event_kind)e->kind))
			continue;
		words = stale_words(r, i + 1, "does not see");
		if (before && !strcmp(before, words))
			continue;
		p->heading(p->page, said++ ? "" : "why");
		if (r->nsyncs && !before)
			fprintf(p->out, "so %s\n", stale_words(r, i + 1, "need not see"));
		else
			fprintf(p->out, "%s: %s\n", words, lacking);
		before = words;
	}
}

static void put_why(const struct paper *p)
{
	const struct report *r = p->r;
	unsigned said = 0;
	bool either = r->nsyncs && r->nreorderings > 1; /* either of these, which is unknown */

	for (unsigned i = 0; i < r->nreorderings; i++) {
		p->heading(p->page, said++ ? "" : "why");
		fprintf(p->out, "%s%s\n", either && i ? "or " : "", r->reorderings[i].text);
	}
	for (unsigned i = 0; i < r->nsyncs; i++) {
		p->heading(p->page, said++ ? "" : "why");
		fprintf(p->out, "%s\n", r->syncs[i].text);
	}
	if (!said || (report_has_orders(r) && !has_tried(r)))
		put_stale(p, said);
}

/* --- repair ---------------------------------------------------------------------------------- */

const char *repair_order_name(const struct report *r, unsigned i)
{
	const struct missing_order *o = &r->orders[i];
	unsigned has = r->rows[o->step - 1].ev->e.order;

	if (o->acquire)
		return has == __ATOMIC_RELEASE ? "acq_rel" : "acquire";
	return has == __ATOMIC_CONSUME || has == __ATOMIC_ACQUIRE ? "acq_rel" : "release";
}

char *repair_order_words(const struct report *r, unsigned i)
{
	const struct missing_order *o = &r->orders[i];

	if (i >= r->norders)
		return NULL;
	for (unsigned k = 0; k < i; k++)
		if (r->orders[k].acquire == o->acquire &&
			!strcmp(step_place(r, r->orders[k].step), step_place(r, o->step)))
			return NULL;
	return xprintf("the %s %s", step_access(r, o->step), repair_order_name(r, i));
}

char *repair_fence_words(const struct report *r, unsigned i)
{
	const struct missing_fence *f = &r->fences[i];
	u32 at;

	if (i >= r->nfences)
		return NULL;
	at = f->release ? f->later : f->store;
	for (unsigned k = 0; k < i; k++)
		if (r->fences[k].release == f->release &&
			!strcmp(step_place(r, f->release ? r->fences[k].later : r->fences[k].store),
				step_place(r, at)))
			return NULL;
	return xprintf("%s %s", f->release ? "before" : "after", step_place(r, at));
}

static unsigned put_orders(const struct paper *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->r->norders; i++) {
		char *words = repair_order_words(p->r, i);

		if (!words)
			continue;
		if (!n++)
			p->heading(p->page, "repair");
		fprintf(p->out, "%s%s", n > 1 ? ", " : "make ", words);
	}
	if (n)
		fputc('\n', p->out);
	return n;
}

static unsigned put_fences(const struct paper *p, bool release, const char *word)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->r->nfences; i++) {
		char *words =
			p->r->fences[i].release == release ? repair_fence_words(p->r, i) : NULL;

		if (!words)
			continue;
		if (!n) {
			p->heading(p->page, word);
			fprintf(p->out, "atomic_thread_fence(memory_order_%s)",
				release ? "release" : "seq_cst");
		}
		fprintf(p->out, "%s %s", n++ ? " and" : "", words);
	}
	if (n)
		fputc('\n', p->out);
	return n;
}

static void put_repair_text(const struct paper *p)
{
	unsigned n = put_orders(p);

	n += put_fences(p, false, "repair");
	n += put_fences(p, true, n ? "" : "repair");
	if (!n)
		return;
	p->heading(p->page, "");
	fprintf(p->out, "%s would forbid this execution\n", n == 1 ? "this" : "together, these");
}

void text_why(const struct report *r, void (*heading)(void *, const char *), void *page, FILE *out)
{
	struct paper p = {r, heading, page, out};

	put_cycle(&p);
	put_why(&p);
	put_repair_text(&p);
	put_forbidding(&p);
}
