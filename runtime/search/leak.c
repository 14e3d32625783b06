/* SPDX-License-Identifier: ISC */
/* leak.c - see leak.h. */
#include "search/leak.h"
#include "machine/core.h"
#include "graph/execute.h"
#include "search/failure.h"
#include "machine/heap.h"
#include "sync/key.h"
#include "machine/record.h"
#include "process/snapshot.h"
#include "process/sys.h"
#include "machine/unjoined.h"

#include <stdio.h>
#include <string.h>

#define BLOCKS	   (1u << 16) /* that are looked at; more are not, and count as reachable */
#define ALWAYS	   256	      /* graphs that are run for this whatever it costs; after them: */
#define SHARE	   4	      /* at most one part in so many of the time */
#define ADDRESS(w) ((w) & 0xffffffffffff)

static struct heap_block *block; /* [BLOCKS], by address */
static u8 *reached;
static u32 *todo;
static u32 nblocks, ntodo;

/* --- reachability ---------------------------------------------------------------------------- */

/* The last block that begins at or before a. */
static u32 find_block(u64 a)
{
	u32 low = 0, high = nblocks;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (block[middle].start <= a)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

static void reach(u64 a)
{
	u32 i;

	if (a < block[0].start || a > block[nblocks - 1].start + block[nblocks - 1].size)
		return;
	i = find_block(a);
	if (a > block[i].start + block[i].size || reached[i])
		return;
	reached[i] = 1;
	todo[ntodo++] = i;
}

static void scan(u64 start, u64 end)
{
	for (u64 at = (start + 7) & ~7ull; at + 8 <= end; at += 8) {
		u64 word = *(const u64 *)at;

		reach(word);
		if (unlikely(word >> 48))
			reach(ADDRESS(word));
	}
}

static void scan_stack(const struct thread *t, u64 sp)
{
	u64 top = FIBER_STACKS + t->slot * (u64)FIBER_STACK_STRIDE + FIBER_STACK_SIZE + FIBER_GUARD;

	if (sp < top && top - sp <= FIBER_STACK_SIZE)
		scan(sp, top);
}

static void scan_stacks(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];
		bool running = M.in_execution && t == M.cur;

		if (!i || !t->finished)
			scan_stack(t, (u64)(uintptr_t)(running ? __builtin_frame_address(0) : t->fiber.sp));
	}
}

static bool need_memory(void)
{
	if (!block) {
		block = record_pages(BLOCKS * sizeof *block);
		reached = record_pages(BLOCKS);
		todo = record_pages(BLOCKS * sizeof *todo);
	}
	return block && reached && todo;
}

/* Mark what is reachable. False: there are no blocks, or too many. */
static bool mark(void)
{
	if (!need_memory())
		return false;
	nblocks = heap_list(block, BLOCKS);
	if (!nblocks || nblocks == BLOCKS)
		return false;
	memset(reached, 0, nblocks);
	ntodo = 0;
	snapshot_each(scan);
	scan_stacks();
	key_each(reach);
	while (ntodo) {
		const struct heap_block *b = &block[todo[--ntodo]];

		scan(b->start, b->start + b->size);
	}
	return true;
}

static void describe(struct finding *f, const struct heap_block *b, u32 others, u64 bytes)
{
	char more[80] = "";

	if (others)
		snprintf(more, sizeof more, ", nor to %u other%s: %llu bytes in all", others,
			others > 1 ? "s" : "", (unsigned long long)bytes);
	*f = (struct finding){.kind = FINDING_LEAK, .thread = M.thread[b->thread].number};
	snprintf(f->message, sizeof f->message,
		"leak: nothing points to a block of %llu bytes any more%s",
		(unsigned long long)b->size, more);
}

/* The first block that leaks, of the others at least as much is lost. NULL: none does. */
static const struct heap_block *find_leak(struct finding *f)
{
	const struct heap_block *b = NULL;
	u64 bytes = 0;
	u32 n = 0;

	if (!mark())
		return NULL;
	for (u32 i = 0; i < nblocks; i++) {
		if (reached[i])
			continue;
		b = b ? b : &block[i];
		bytes += block[i].size;
		n++;
	}
	if (b)
		describe(f, b, n - 1, bytes);
	return b;
}

/* The failure's place is where the block comes from. */
static u32 record_leak(const struct heap_block *b, u16 thread)
{
	struct event e = {.kind = EV_FAIL, .addr = b->start, .thread = thread};

	for (u32 i = 0; i < record.nevents; i++)
		if (record.event[i].kind == EV_MALLOC && record.event[i].addr == b->start)
			e.stack = record.event[i].stack;
	return record_event(&e);
}

/* --- on store buffers ------------------------------------------------------------------------ */

void leak_check(void)
{
	const struct heap_block *b;

	if (!heap_balance_all() || M.nlive != 1)
		return;
	b = find_leak(&M.finding);
	if (!b)
		return;
	if (M.recording)
		M.finding.step = record_leak(b, M.finding.thread);
	execution_end(OUTCOME_FAIL);
}

/* --- in graphs ------------------------------------------------------------------------------- */

static bool exists(const struct graph *g, u32 t)
{
	return (!t || g->thread[t].create) && !g->thread[t].ended;
}

/* Let threads that do nothing else any more join others. */
static bool join_all(struct trust *x)
{
	struct graph *g = &x->graph;
	bool again = true;

	while (again) {
		again = false;
		for (u32 t = 0; t < g->nthreads; t++) {
			const struct label *l = exists(g, t) ? trust_next(x, t) : NULL;
			u32 other = l ? l->other : 0;

			if (!l || l->type != LABEL_JOIN)
				continue;
			if (exists(g, other) && !trust_add(x, other, 0, false))
				return false;
			if (!trust_add(x, t, 0, false))
				return false;
			again = true;
		}
	}
	return x->answer == ANSWER_LABEL;
}

/* What all threads together have allocated and not freed; *ended: all of them have. */
static i64 balance(struct trust *x, bool *ended)
{
	const struct graph *g = &x->graph;
	i64 sum = 0;

	*ended = true;
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l;

		if (t && !g->thread[t].create)
			continue;
		l = g->thread[t].ended ? trust_label(x, g->thread[t].last) : trust_next(x, t);
		*ended &= l && l->type == LABEL_END;
		sum += l ? (i64)l->expected : 0;
	}
	return sum;
}

static bool bring_all(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++)
		if (exists(g, t) && !execute_bring(t))
			return false;
	return true;
}

/* Is there time to run this one? */
static bool affordable(u64 spent, u32 n)
{
	if (n < ALWAYS || spent * SHARE < clock_ns() - M.began)
		return true;
	machine_coverage("leaks and unjoined threads were not looked for in every execution: that would have "
			 "taken too long");
	return false;
}

/* What the graph itself does not say: does it have to be run? */
static bool may_leak(struct trust *x)
{
	bool ended;

	return M.options->detect & DETECT_LEAK && execute_unbalanced() && balance(x, &ended) && ended;
}

static bool may_fail(struct trust *x, bool *threads, bool *leaks)
{
	if (!(M.options->detect & DETECT_THREADS) && !execute_unbalanced())
		return false;
	if (!join_all(x))
		return false;
	*threads = M.options->detect & DETECT_THREADS && unjoined_may_be(&x->graph, &x->cache);
	*leaks = may_leak(x);
	return *threads || *leaks;
}

bool leak_in_graph(struct trust *x, struct finding *f)
{
	static u64 spent, exploration;
	static u32 n;
	u64 start = clock_ns();
	struct plan *p;
	void *memory;
	bool threads, leaks, found;

	if (!may_fail(x, &threads, &leaks))
		return false;
	if (exploration != M.began) {
		exploration = M.began;
		spent = n = 0;
	}
	if (!affordable(spent, n++))
		return false;
	p = failure_plan(&x->graph, &memory);
	linear_causal(&x->graph, 0, memory, p);
	found = execute_replay(&x->graph, p, 0) && bring_all(&x->graph) &&
		((threads && unjoined_find(f)) || (leaks && find_leak(f)));
	execute_finish();
	spent += clock_ns() - start;
	return found;
}

bool leak_record(const struct graph *g, struct finding *f)
{
	const struct heap_block *b;

	if (!bring_all(g))
		return false;
	if (f->kind == FINDING_THREADS) {
		f->step = unjoined_find(f) ? unjoined_record(f) : 0;
		return f->step;
	}
	b = find_leak(f);
	if (b)
		f->step = record_leak(b, f->thread);
	return b;
}
