/* SPDX-License-Identifier: ISC */
/*
 * replay_write.c - the recorded execution as a replay file (include/heddle/trace.h).
 *
 * Addresses become places: a global's module and offset, a heap block, a thread's stack or TLS.
 */
#include "machine/core.h"
#include "base/table.h"
#include "buffers/visible.h"
#include "graph/execute.h"
#include "heap/heap.h"
#include "history/history.h"
#include "cycle/state_cycle.h"
#include "machine/learnt.h"
#include "machine/observer/lock_order.h"
#include "machine/execution/signal.h"
#include "failure/axiom_graph.h"
#include "failure/minimise.h"
#include "process/module.h"
#include "machine/record/name.h"
#include "process/output.h"
#include "machine/record/record.h"
#include "override/override.h"
#include "process/stack.h"
#include "process/tls.h"
#include "process/pages.h"
#include "failure/replay.h"

#include "detect/stuck.h"
#include "model/cycle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACES (1u << 16)
#define BLOCKS (1u << 16)

static struct replay_location {
	u64 addr;
	u32 size, id;
} *place; /* open addressing by (addr, size) */

static struct {
	u64 start;
	u32 id;
} *block;

static u32 nplaces, nblocks;
static struct trace_writer writer;

/* --- the file -------------------------------------------------------------------------------- */

static int write_error; /* errno of the failed write; 0: none, or unknown */

static void write_bytes(void *ctx, const char *bytes, size_t n)
{
	int *fd = ctx;

	while (n && *fd >= 0) {
		ssize_t done = write(*fd, bytes, n);

		if (done <= 0) {
			write_error = done < 0 ? errno : 0;
			close(*fd);
			*fd = -1;
			return;
		}
		bytes += done;
		n -= (size_t)done;
	}
}

static void name_file(char *path, size_t room, u32 i, const char *suffix)
{
	const struct options *o = M.options;
	const char *dir = o->replay_dir[0] ? o->replay_dir : ".";
	char name[256] = "program", number[16] = "";
	ssize_t n;

	if (o->replay_name[0]) {
		snprintf(name, sizeof name, "%s", o->replay_name);
	} else {
		char exe[512];

		n = readlink("/proc/self/exe", exe, sizeof exe - 1);
		exe[n > 0 ? n : 0] = 0;
		if (n > 0)
			snprintf(name, sizeof name, "%s",
				strrchr(exe, '/') ? strrchr(exe, '/') + 1 : exe);
	}
	if (i)
		snprintf(number, sizeof number, "-%u", i + 1);
	snprintf(path, room, "%s/%s%s%s", dir, name, number, suffix);
}

static int open_replay_file(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

int replay_open(char *path, size_t room, u32 i, const char *suffix)
{
	name_file(path, room, i, suffix);
	return open_replay_file(path);
}

/* A replay file gets its name when it is complete: until then the one of an earlier run remains. */
static char unfinished[sizeof ((struct status_finding *)0)->replay + 8];

static int begin_file(struct status_finding *f)
{
	name_file(f->replay, sizeof f->replay, (u32)(f - M.status->findings), ".heddle");
	snprintf(unfinished, sizeof unfinished, "%s.new", f->replay);
	return open_replay_file(unfinished);
}

static bool end_replay(int fd, const struct status_finding *f)
{
	write_error = fd < 0 ? write_error : 0;
	if (fd >= 0 && close(fd) == 0 && rename(unfinished, f->replay) == 0)
		return true;
	if (fd >= 0)
		write_error = errno;
	unlink(unfinished);
	return false;
}

/* --- the head of the file -------------------------------------------------------------------- */

static struct trace_build_id build_id(const struct module *m)
{
	struct trace_build_id id = {.n = m->build_id_len};

	memcpy(id.bytes, m->build_id, m->build_id_len);
	return id;
}

static void put_args(void)
{
	static char args[65536];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, args, sizeof args - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return;
	args[n] = 0;
	for (char *p = args + strlen(args) + 1; p < args + n; p += strlen(p) + 1)
		trace_put_arg(&writer, p);
}

static void put_options(void)
{
	const char *name, *shape, *help;
	struct options o = *M.options;
	char value[OPTION_TEXT_MAX];

	o.model = M.model;
	o.strategy = (enum strategy)M.status->strategy;
	if (M.engine->own_history && strategy_is_walk(o.strategy))
		o.strategy = STRATEGY_GRAPH; /* random schedules see other spin loops */
	if (execute_promotes_races())
		o.races = RACES_PROMOTE;
	o.private = M.private ? WHEN_ALWAYS : WHEN_NEVER;
	o.fine = M.fine;
	o.stepwise = M.stepwise;
	o.buffer_size = M.buffer_size;
	learnt_put(&o);
	o.state_cycle = state_cycle_from;
	for (unsigned i = 0; option_describe(i, &name, &shape, &help); i++)
		if (option_is_recorded(i) && /* orders: override_put() */
			(!option_is_default(&o, i) || !strcmp(name, "model") ||
				!strcmp(name, "strategy")) &&
			option_show(&o, i, &name, value, sizeof value))
			trace_put_option(&writer, name, value);
}

static void put_modules(void)
{
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);
		struct trace_module t = {i, m->base, m->end - m->base, build_id(m), m->path};

		trace_put_module(&writer, &t);
	}
}

static void put_program(void)
{
	struct trace_program p = {.check = (u32)M.options->check};
	char path[512];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	path[n > 0 ? n : 0] = 0;
	p.path = path;
	for (unsigned i = 0; i < modules_count(); i++)
		if (module_at(i)->is_program)
			p.build_id = build_id(module_at(i));
	trace_put_program(&writer, &p);
}

/* Is t's next step certainly possible? */
static bool is_surely_enabled(const struct thread *t)
{
	return !t->finished && thread_is_enabled(t) && (!t->op || t->op->kind == EV_YIELD);
}

/* The program's function that it began in; 0: one of the runtime. */
static u64 start_of(const struct thread *t)
{
	u64 start = (u64)(uintptr_t)t->start;

	return t == &M.thread[M.created[0]] || signals_is_own(start) ? 0 : start;
}

static void put_threads(const bool *enabled)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];
		struct trace_thread r = {
			.id = t->number,
			.parent = M.thread[t->parent].number,
			.child = t->nth,
			.start = start_of(t),
			.stack = t->create_stack,
			.name = t->name,
			.enabled = enabled ? enabled[t->slot] : is_surely_enabled(t),
		};

		trace_put_thread(&writer, &r);
	}
}

static void put_stacks(void)
{
	for (u32 id = 1; id <= stack_count(); id++) {
		struct trace_stack s = {.id = id};

		s.nframes = stack_frames(id, &s.frames);
		trace_put_stack(&writer, &s);
	}
}

/* --- places ---------------------------------------------------------------------------------- */

static u32 stack_of(enum event_kind kind, u64 addr)
{
	for (u32 i = 0; i < record.nevents; i++)
		if (record.event[i].kind == kind && record.event[i].addr == addr)
			return record.event[i].stack;
	return 0;
}

/* The id of a block's record. Called twice for each address, as blocks are written before
 * places. */
static u32 block_id(const struct heap_block *b, bool writing)
{
	struct trace_block r = {
		.thread = M.thread[b->thread].number,
		.nth = b->nth,
		.size = b->size,
		.address = b->start,
	};
	u32 i;

	TABLE_FIND(i, prng_mix(b->start), BLOCKS, !block[i].id || block[i].start == b->start);
	if (block[i].id || !writing || nblocks > BLOCKS / 2)
		return block[i].id;
	block[i].start = b->start;
	block[i].id = r.id = ++nblocks;
	r.stack = stack_of(EV_MALLOC, b->start);
	r.freed = b->freed ? stack_of(EV_FREE, b->start) : 0;
	trace_put_block(&writer, &r);
	return r.id;
}

static i32 number_of_slot(u64 slot)
{
	for (u32 i = 0; i < M.nthreads; i++)
		if (M.created[i] == slot)
			return M.thread[slot].number;
	return -1;
}

/* A variable on a thread's stack: the call that it belongs to, from the stack of an event of that
 * thread, if possible the last one before the address was first used. */
static void describe_stack(struct trace_place *p)
{
	u32 first = 0;
	u64 sp, cfa;

	while (first < record.nevents && record.event[first].addr != p->address)
		first++;
	for (u32 i = 0; i < record.nevents; i++) {
		u32 at = i <= first ? first - i : i;
		const struct event *e = &record.event[at];

		if (at >= record.nevents || e->thread != p->thread || !e->stack ||
			!stack_frame_of(e->stack, p->address, &p->frame, &sp, &cfa))
			continue;
		p->stack = e->stack;
		p->above = p->address - sp;
		p->below = cfa - p->address;
		return;
	}
}

static void describe_place(struct trace_place *p)
{
	u64 stack = (p->address - FIBER_STACKS) / FIBER_STACK_STRIDE, base;
	const struct module *m;
	struct heap_block b;
	unsigned slot;

	if (heap_find((void *)(uintptr_t)p->address, &b)) {
		p->kind = PLACE_HEAP;
		p->block = block_id(&b, false);
		p->offset = p->address - b.start;
		if (p->block)
			return;
	}
	if (p->address >= FIBER_STACKS && stack < THREADS_MAX && number_of_slot(stack) >= 0) {
		p->kind = PLACE_STACK;
		p->thread = (u32)number_of_slot(stack);
		p->offset = fiber_end((unsigned)stack) - p->address;
		describe_stack(p);
		return;
	}
	if (tls_find(p->address, &slot, &base, &p->offset) && number_of_slot(slot) >= 0) {
		m = module_find(base);
		p->kind = PLACE_TLS;
		p->thread = (u32)number_of_slot(slot);
		for (unsigned i = 0; i < modules_count(); i++)
			if (module_at(i) == m || module_at(i)->base == base)
				p->module = i;
		return;
	}
	m = module_find(p->address);
	p->kind = m ? PLACE_GLOBAL : PLACE_OTHER;
	if (!m)
		return;
	p->offset = p->address - m->base;
	for (unsigned i = 0; i < modules_count(); i++)
		if (module_at(i) == m)
			p->module = i;
}

static struct replay_location *find_place(u64 addr, u32 size)
{
	u32 i;

	TABLE_FIND(i, prng_mix(addr + size), PLACES,
		!place[i].id || (place[i].addr == addr && place[i].size == size));
	return &place[i];
}

static u32 place_id(u64 addr, u32 size)
{
	return addr && place ? find_place(addr, size)->id : 0;
}

static void put_memory_place(u64 addr, u32 size)
{
	struct trace_place r = {.address = addr, .size = size};
	struct replay_location *p = find_place(addr, size);

	if (!addr || p->id || nplaces > PLACES / 2)
		return;
	p->addr = addr;
	p->size = size;
	p->id = r.id = ++nplaces;
	describe_place(&r);
	r.name = name_find(addr, &r.into);
	r.name = r.name ? r.name : "";
	trace_put_place(&writer, &r);
}

static void put_block_of(u64 addr)
{
	struct heap_block b;

	if (addr && heap_find((void *)(uintptr_t)addr, &b))
		block_id(&b, true);
}

/* Zeroed, but not page by page: few of them are used. */
static bool need(void **p, size_t size)
{
	if (!*p)
		*p = pages_take(size);
	else if (madvise(*p, size, MADV_DONTNEED))
		memset(*p, 0, size);
	return *p;
}

/* Without memory the file has no places, and reports lack the names of variables. */
static void put_memory_places(const struct wait *waits, u32 nwaits)
{
	nplaces = nblocks = 0;
	if (!need((void **)&place, PLACES * sizeof *place) ||
		!need((void **)&block, BLOCKS * sizeof *block))
		return;
	for (u32 i = 0; i < record.nevents; i++)
		put_block_of(record.event[i].addr);
	for (u32 i = 0; i < nwaits; i++)
		put_block_of(waits[i].object);
	for (u32 i = 0; i < record.nevents; i++)
		put_memory_place(record.event[i].addr, record.event[i].size);
	for (u32 i = 0; i < nwaits; i++)
		put_memory_place(waits[i].object, 0);
}

/* --- the finding ----------------------------------------------------------------------------- */

#define SCRATCH ((size_t)1 << 30)

static void find_finding_cycle(struct status_finding *f, struct cycle *c)
{
	struct arena scratch = {.mem = pages_take(SCRATCH), .size = SCRATCH};

	f->reorder = -1;
	c->n = 0;
	if (!scratch.mem || record.full)
		return;
	switch (sc_check(record.event, record.nevents, &scratch, c)) {
	case SC_YES: f->reorder = 0; break;
	case SC_NO: f->reorder = 1; break;
	case SC_UNKNOWN: break;
	}
	munmap(scratch.mem, SCRATCH);
}

static void put_finding(const struct status_finding *f, const struct wait *w, u32 nwaits,
	const struct cycle *c)
{
	struct trace_finding r = {
		.f = f->finding,
		.reorder = f->reorder < 0 ? REORDER_UNKNOWN : f->reorder ? REORDER_YES : REORDER_NO,
		.execution = f->execution,
	};

	trace_put_finding(&writer, &r);
	if (minimised.tries)
		trace_put_minimised(&writer, &minimised);
	for (u32 i = 0; i < nwaits; i++) {
		struct trace_wait t = {.thread = w[i].thread,
			.kind = w[i].kind,
			.place = place_id(w[i].object, 0),
			.holder = w[i].holder,
			.stack = w[i].stack};

		trace_put_wait(&writer, &t);
	}
	for (u32 i = 0; i < c->n; i++) {
		struct trace_edge e = {
			c->edge[i].from, c->edge[i].to, c->edge[i].relation, c->edge[i].kept};

		trace_put_edge(&writer, &e);
	}
}

static void put_axiom(const struct axiom_found *a)
{
	if (!a || (!a->name[0] && a->repair == REPAIR_NONE))
		return;
	trace_put_axiom(&writer, &(struct trace_axiom){a->name, a->repair});
	for (u32 i = 0; i < a->n; i++)
		trace_put_link(&writer, &(struct trace_link){a->link[i].from, a->link[i].to,
						 a->link[i].name});
}

static void put_output(int fd)
{
	size_t n;
	const char *text = output_text(fd, &n);

	if (n)
		trace_put_output(&writer, (u32)fd, text, n);
}

/* The parts that every replay file begins with; those that say how accesses take effect. */
static void begin_replay(int *fd)
{
	trace_begin(&writer, write_bytes, fd);
	put_program();
	put_args();
	put_options();
}

static void put_effects(void)
{
	override_put(&writer);
	if (M.private || M.engine->own_history)
		visible_put(&writer);
}

void replay_write_choices(struct status_finding *f, const u32 *choices, u32 n)
{
	struct trace_finding r = {f->finding, REORDER_UNKNOWN, f->execution};
	int fd = begin_file(f);

	if (fd < 0) {
		f->replay[0] = 0;
		return;
	}
	begin_replay(&fd);
	for (u32 i = 0; i <= f->finding.thread; i++)
		trace_put_thread(&writer, &(struct trace_thread){.id = i, .child = i});
	for (u32 i = 0; i < n; i++) {
		struct trace_choice choice = {choices[i] >> 16, choices[i] & 0xffff, 0, 0};

		trace_put_choice(&writer, &choice);
	}
	r.f.step = r.f.other = 0;
	trace_put_finding(&writer, &r);
	put_effects();
	trace_end(&writer);
	if (end_replay(fd, f))
		return;
	f->replay[0] = 0;
}

void replay_write(struct status_finding *f)
{
	static struct wait waits[THREADS_MAX];
	enum finding_kind kind = f->finding.kind;
	struct replay_facts facts = {.waits = waits};
	struct cycle cycle;

	if (f->finding.repeats)
		facts.nwaits = state_cycle_waits(waits);
	else if (kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK)
		facts.nwaits = stuck_waits(waits);
	if (kind == FINDING_LOCK_ORDER)
		facts.nwaits = lock_order_waits(waits);
	find_finding_cycle(f, &cycle);
	facts.cycle = &cycle;
	replay_write_facts(f, &facts);
}

void replay_write_facts(struct status_finding *f, const struct replay_facts *facts)
{
	int fd = begin_file(f);

	if (fd < 0) {
		coverage_note("cannot write %s: %s (--replay-dir)", f->replay, strerror(errno));
		f->replay[0] = 0;
		return;
	}
	begin_replay(&fd);
	put_modules();
	put_threads(facts->enabled);
	put_stacks();
	put_memory_places(facts->waits, facts->nwaits);
	for (u32 i = 0; i < record.nevents; i++) {
		const struct event *e = &record.event[i];

		trace_put_event(&writer, e, place_id(e->addr, e->size));
	}
	for (u32 i = 0; i < record.nchoices; i++)
		trace_put_choice(&writer, &record.choice[i]);
	put_finding(f, facts->waits, facts->nwaits, facts->cycle);
	put_axiom(facts->axiom);
	put_effects();
	if (f->finding.kind == FINDING_LINEARIZABILITY)
		history_put(&writer);
	put_output(1);
	put_output(2);
	trace_end(&writer);
	if (end_replay(fd, f))
		return;
	coverage_note("cannot write %s: %s", f->replay,
		write_error ? strerror(write_error) : "no room left?");
	f->replay[0] = 0;
}
