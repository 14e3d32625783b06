/* SPDX-License-Identifier: ISC */
/* goal.c - see goal.h: is a finding the failure that was seen? */
#include "goal/goal.h"

#include <string.h>

#include "die.h"
#include "path.h"
#include "report/stacks.h"

#define FRAMES_MAX 256

/* The call stack of a thread of the report. */
struct goal_stack {
	u32 thread;
	bool failed;
	unsigned n;
	struct goal_frame at[FRAMES_MAX]; /* innermost first */
};

static void ignore_text(void *page, const char *text)
{
	(void)page;
	(void)text;
}

static void add_frame(void *page, unsigned number, const struct frames *f, unsigned i)
{
	struct goal_stack *s = page;
	const struct frame *at = &f->at[i];

	(void)number;
	if (s->n == FRAMES_MAX)
		return;
	s->at[s->n++] = (struct goal_frame){(char *)(at->function ? at->function : ""),
		(char *)(at->file ? path_base(at->file) : ""), at->line};
}

/* Same function, and the same line where both are known. */
static bool same_call(const struct goal_frame *wanted, const struct goal_frame *is)
{
	return !strcmp(wanted->function, is->function) &&
	       (!*wanted->file || !*is->file || !strcmp(wanted->file, is->file)) &&
	       (!wanted->line || !is->line || wanted->line == is->line);
}

/* All frames that are wanted, in their order; the test may have calls between them. */
static bool contains_calls(const struct goal_thread *wanted, const struct goal_stack *is)
{
	unsigned k = 0;

	for (unsigned i = 0; i < is->n && k < wanted->n; i++)
		k += same_call(&wanted->at[k], &is->at[i]);
	return k == wanted->n;
}

/* The other one of two accesses that nothing orders, the use and the free of a block: a process may
 * have failed in either. NULL: the finding is no such pair. */
static const struct event *other_access(const struct report *r)
{
	const struct finding *f = &r->t->finding.f;

	if ((f->kind != FINDING_HEAP && f->kind != FINDING_STACK) || !f->other ||
		f->other > r->t->nevents)
		return NULL;
	return &r->rows[f->other - 1].ev->e;
}

/* The call stack of the thread at the end; 0: none. */
static u32 stack_of_thread(const struct report *r, u32 thread)
{
	const struct event *other = other_access(r);

	if (other && other->thread == thread)
		return other->stack;
	for (u32 i = 0; i < r->t->nwaits; i++)
		if (r->t->waits[i].thread == thread)
			return r->t->waits[i].stack;
	for (u32 i = r->t->nevents; i-- > 0;)
		if (r->rows[i].ev->e.thread == thread && r->rows[i].ev->e.kind != EV_COMMIT)
			return r->rows[i].ev->e.stack;
	return 0;
}

static bool thread_failed(const struct report *r, u32 thread)
{
	const struct event *other = other_access(r);

	return !r->t->nwaits &&
	       (thread == r->t->finding.f.thread || (other && other->thread == thread));
}

static unsigned list_stacks(const struct report *r, struct goal_stack *s)
{
	unsigned n = 0;

	for (u32 t = 0; t < r->t->nthreads; t++) {
		u32 stack = stack_of_thread(r, t);
		const struct stack_writer to = {&s[n], ignore_text, ignore_text, add_frame};

		if (!stack)
			continue;
		s[n] = (struct goal_stack){.thread = t, .failed = thread_failed(r, t)};
		report_frames(r, stack, &to);
		n++;
	}
	return n;
}

static bool is_decisive(const struct goal *g, const struct goal_thread *t)
{
	if (g->failed)
		return t->failed;
	return !t->runs || g->running == g->n;
}

/* Is the stack that of the wanted thread, which holds the same locks? r NULL: any. */
static bool is_wanted(const struct goal *g, const struct goal_thread *wanted,
	const struct goal_stack *is, const struct report *r)
{
	return (!g->failed || wanted->failed == is->failed) && contains_calls(wanted, is) &&
	       (!r || core_holds_locks(g->memory, r, is->thread, wanted->tid));
}

/* Give each goal from i on a thread of its own, the decisive ones first. Threads are few. */
static bool assign(const struct goal *g, unsigned i, const struct goal_stack *s, unsigned n,
	const struct report *r, bool *used, u64 *reached)
{
	const struct goal_thread *wanted = &g->thread[i];

	if (i == g->n)
		return true;
	for (unsigned k = 0; k < n; k++) {
		if (used[k] || !is_wanted(g, wanted, &s[k], r))
			continue;
		used[k] = true;
		if (assign(g, i + 1, s, n, r, used, reached)) {
			*reached |= 1ull << (i & 63);
			return true;
		}
		used[k] = false;
	}
	return !is_decisive(g, wanted) && assign(g, i + 1, s, n, r, used, reached);
}

/* Which goals have a thread at all? */
static u64 reached_alone(const struct goal *g, const struct goal_stack *s, unsigned n)
{
	u64 reached = 0;

	for (unsigned i = 0; i < g->n; i++)
		for (unsigned k = 0; k < n; k++)
			if (contains_calls(&g->thread[i], &s[k]))
				reached |= 1ull << (i & 63);
	return reached;
}

/* Where all threads are in the program's own code, and no signal is named, it may be either. */
bool goal_is_like(const struct goal *g, enum finding_kind kind)
{
	bool waits = !g->failed, fails = g->failed || g->running == g->n;

	switch (kind) {
	case FINDING_DEADLOCK:
	case FINDING_LIVELOCK:
	case FINDING_STARVATION:
	case FINDING_LOOP: return waits;
	case FINDING_ASSERTION:
	case FINDING_CRASH:
	case FINDING_MISUSE:
	case FINDING_MEMORY:
	case FINDING_EXIT:
	case FINDING_HEAP:
	case FINDING_STACK: return fails;
	default: return false;
	}
}

/* Does one of the threads that have failed, in the same moment if there are several, have its goal?
 * An execution ends with the first of them. */
static bool assign_failed(const struct goal *g, const struct goal_stack *s, unsigned n,
	const struct report *r, bool *used, u64 *reached)
{
	struct goal one = *g;

	one.thread = xmalloc(g->n * sizeof(*one.thread));
	memcpy(one.thread, g->thread, g->n * sizeof(*one.thread));
	for (unsigned i = 0; i < g->n; i++) {
		for (unsigned k = 0; k < g->n; k++)
			one.thread[k].failed = k == i;
		if (g->thread[i].failed && assign(&one, 0, s, n, r, used, reached))
			return true;
	}
	return false;
}

static bool assign_all(const struct goal *g, const struct goal_stack *s, unsigned n,
	const struct report *r, u64 *reached)
{
	bool *used = xmalloc(n + 1);

	*reached = 0;
	return g->failed ? assign_failed(g, s, n, r, used, reached)
			 : assign(g, 0, s, n, r, used, reached);
}

enum goal_match goal_matches(const struct goal *g, const struct report *r, u64 *reached)
{
	struct goal_stack *s = xmalloc((r->t->nthreads + 1) * sizeof(*s));
	unsigned n = list_stacks(r, s);

	*reached = 0;
	if (goal_is_like(g, r->t->finding.f.kind)) {
		if (assign_all(g, s, n, r, reached))
			return GOAL_MATCHES;
		if (assign_all(g, s, n, NULL, reached))
			return GOAL_OTHER_LOCKS;
	}
	*reached = reached_alone(g, s, n);
	return GOAL_OTHER_CALLS;
}

/* The same at another line of the innermost function. */
static bool nearly_contains_calls(const struct goal_thread *wanted, const struct goal_stack *is)
{
	struct goal_frame *at = xmalloc(wanted->n * sizeof(*at));
	struct goal_thread near = *wanted;

	memcpy(at, wanted->at, wanted->n * sizeof(*at));
	at[0].line = 0;
	near.at = at;
	return contains_calls(&near, is);
}

/* The program's symbols, where it is loaded now. */
static struct symbols *open_program_symbols(const char *program, u64 base)
{
	static struct trace_module module;
	static struct trace loaded;
	const char *changed;

	module = (struct trace_module){.base = base, .size = 1ull << 32, .path = (char *)program};
	loaded.program.path = "";
	loaded.modules = &module;
	loaded.nmodules = 1;
	return symbols_open(&loaded, &changed);
}

void goal_match(const struct goal *g, const char *program, struct status_calls *c)
{
	static struct symbols *symbols;
	static u64 base;
	struct goal_stack s = {.n = 0};

	if (!symbols || base != c->base)
		symbols = open_program_symbols(program, base = c->base);
	for (u32 i = 0; i < c->n && i < STATUS_FRAMES; i++) {
		const struct frames *f = symbol_frames(symbols, c->frame[i]);

		for (unsigned k = 0; k < f->n; k++)
			add_frame(&s, 0, f, k);
	}
	c->goals = c->near = 0;
	for (unsigned i = 0; i < g->n && i < 64; i++) {
		if (contains_calls(&g->thread[i], &s))
			c->goals |= 1ull << i;
		else if (nearly_contains_calls(&g->thread[i], &s))
			c->near |= 1ull << i;
	}
}
