/* SPDX-License-Identifier: ISC */
/* stacks.c - see stacks.h. */
#include "report/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

struct stacks_page {
	const struct report *r;
	const struct stack_writer *to;
	bool all;
};

static void put_title(const struct stacks_page *p, const char *title)
{
	p->to->title(p->to->page, title);
}

void report_frames(const struct report *r, u32 id, const struct stack_writer *to)
{
	const struct trace_stack *stack = trace_stack(r->t, id);
	unsigned number = 0;

	for (u32 i = 0; stack && i < stack->nframes; i++) {
		const struct frames *f = symbol_frames(r->symbols, stack->frames[i]);

		for (unsigned k = 0; k < f->n; k++)
			to->frame(to->page, number++, f, k);
	}
}

static void put_frames(const struct stacks_page *p, u32 id)
{
	report_frames(p->r, id, p->to);
}

/* Threads and steps whose stacks have been written. */
struct reported {
	bool *thread, *step;
};

static bool same_frames(const struct report *r, u32 a, u32 b)
{
	const struct trace_stack *x = trace_stack(r->t, a), *y = trace_stack(r->t, b);

	return a == b || (x && y && x->nframes == y->nframes && x->nframes &&
				 !memcmp(x->frames, y->frames, x->nframes * sizeof(*x->frames)));
}

/* The creations of these threads, once for each; threads created at one place together. */
static void put_creations(
	struct stacks_page *p, const u32 *ids, unsigned n, struct reported *reported)
{
	const struct report *r = p->r;

	for (unsigned i = 0; i < n; i++) {
		const struct trace_thread *t = trace_thread(r->t, ids[i]), *u;
		u32 *same = xmalloc(n * sizeof(*same));
		unsigned many = 0;

		for (unsigned k = i; k < n && t && t->stack; k++) {
			u = trace_thread(r->t, ids[k]);
			if (reported->thread[ids[k]] || !u || !u->stack || u->parent != t->parent ||
				!same_frames(r, t->stack, u->stack))
				continue;
			reported->thread[ids[k]] = true;
			same[many++] = ids[k];
		}
		if (many) {
			p->to->note(p->to->page,
				xprintf("%s %s created by %s at", thread_list(r, same, many),
					many == 1 ? "was" : "were", thread_label(r, t->parent)));
			put_frames(p, t->stack);
		}
		free(same);
	}
}

static void put_step_stack(struct stacks_page *p, u32 step, struct reported *reported)
{
	const struct row *row = &p->r->rows[step - 1];
	const struct event *e = &row->ev->e;
	u32 thread = e->thread;

	if (!e->stack || e->kind == EV_COMMIT || reported->step[step])
		return;
	reported->step[step] = true;
	put_title(p,
		xprintf("%s at step %u: %s", thread_long_label(p->r, e->thread), step, row->what));
	put_frames(p, e->stack);
	put_creations(p, &thread, 1, reported);
}

/* The free of the block. */
static const struct event *free_of(const struct report *r, const struct trace_block *b)
{
	for (u32 i = 0; i < r->t->nevents; i++)
		if (r->t->events[i].e.kind == EV_FREE && r->t->events[i].e.addr == b->address)
			return &r->t->events[i].e;
	return NULL;
}

/* The allocation of the finding's block, and its free. */
static void put_block_stacks(struct stacks_page *p)
{
	const struct report *r = p->r;
	const struct finding *f = &r->t->finding.f;
	const struct trace_event *e = f->step ? trace_event(r->t, f->step) : NULL;
	const struct trace_place *at = e ? trace_place(r->t, e->place) : NULL;
	const struct trace_block *b = at ? trace_block(r->t, at->block) : NULL;
	const struct event *freed = b ? free_of(r, b) : NULL;
	const char *name;

	if (!b || (f->kind != FINDING_HEAP && f->kind != FINDING_UNINIT))
		return;
	name = r->blocks[b - r->t->blocks].name;
	if (b->stack) {
		put_title(p, xprintf("%s was allocated by %s at", name,
			thread_long_label(r, b->thread)));
		put_frames(p, b->stack);
	}
	/* The free of a pair has been printed. */
	if (b->freed && freed &&
		!(r->has_race && (freed->step == f->step || freed->step == f->other))) {
		put_title(p, xprintf("%s was freed by %s at", name,
			thread_long_label(r, freed->thread)));
		put_frames(p, b->freed);
	}
}

/* The stacks of waiting threads, those at one place together; then the causes. */
static void put_wait_stacks(struct stacks_page *p, struct reported *reported)
{
	const struct report *r = p->r;
	bool order = r->t->finding.f.kind == FINDING_LOCK_ORDER,
	     *said = xmalloc(r->t->nwaits * sizeof(*said));
	u32 *ids = xmalloc(r->t->nwaits * sizeof(*ids));

	for (u32 i = 0; i < r->t->nwaits; i++) {
		const struct trace_wait *w = &r->t->waits[i];
		bool round = w->kind == EV_WRITE;
		unsigned n = 0;

		for (u32 k = i; k < r->t->nwaits && w->stack && !said[i]; k++) {
			const struct trace_wait *x = &r->t->waits[k];

			if (said[k] || (x->kind == EV_WRITE) != round ||
				!same_frames(r, w->stack, x->stack))
				continue;
			said[k] = k > i;
			ids[n++] = x->thread;
		}
		if (!n)
			continue;
		said[i] = true;
		put_title(p, n == 1 ? xprintf("%s %s here", thread_long_label(r, ids[0]),
						    order   ? "locks"
						    : round ? "loops"
							    : "waits")
					  : xprintf("%s %s here", thread_list(r, ids, n),
						    order   ? "lock"
						    : round ? "loop"
							    : "wait"));
		put_frames(p, w->stack);
		put_creations(p, ids, n, reported);
		if (wait_cause(r, w) && !p->all)
			put_step_stack(p, wait_cause(r, w), reported);
	}
	free(said);
	free(ids);
}

void report_stacks(const struct report *r, bool all, const struct stack_writer *to)
{
	struct stacks_page page = {r, to, all}, *p = &page;
	struct reported reported = {xmalloc(65536), xmalloc(r->t->nevents + 1)};

	put_wait_stacks(p, &reported);
	if (r->t->finding.f.step)
		put_step_stack(p, r->t->finding.f.step, &reported);
	for (u32 i = 0; i < r->t->nwaits && !p->all; i++)
		if (wait_cause(r, &r->t->waits[i]))
			put_step_stack(p, wait_cause(r, &r->t->waits[i]), &reported);
	for (u32 i = 0; i < r->t->nevents; i++)
		if (p->all || r->rows[i].key)
			put_step_stack(p, i + 1, &reported);
	put_block_stacks(p);
	free(reported.thread);
	free(reported.step);
}
