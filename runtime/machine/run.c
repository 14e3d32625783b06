/* SPDX-License-Identifier: ISC */
/*
 * run.c - the main loop; read this file first.
 *
 *     remember the program's memory
 *     until the strategy has seen everything or a bound is met:
 *         restore the memory, run the program once on fibers (sched.c), count how it ended
 *         if it failed: run the same choices again with the recorder on, write a replay file
 *
 * The loop runs on the stack of the thread that called machine_explore(); an execution ends by
 * switching back to it (execution_end), whatever the fibers were doing.
 */
#include "search/compare.h"
#include "machine/core.h"
#include "machine/heap_check.h"
#include "machine/history.h"
#include "search/leak.h"
#include "machine/lock_order.h"
#include "machine/unjoined.h"
#include "search/outcome.h"
#include "machine/late.h"
#include "process/output.h"
#include "machine/run.h"
#include "search/search.h"
#include "search/share.h"
#include "machine/signal.h"
#include "process/snapshot.h"
#include "process/stack.h"
#include "process/stop.h"
#include "process/sys.h"
#include "process/tls.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

u8 machine_exploring;
bool machine_graph;
bool machine_recording;

static const struct sync_op exit_op = {.kind = EV_EXIT};

/* --- one execution --------------------------------------------------------------------------- */

static void main_entry(void)
{
	int status;

	status = M.fn(M.arg);
	machine_entered(); /* settles what it has announced */
	machine_exit(status);
}

static void clear(struct agents *a)
{
	for (u32 i = 0; i < a->n; i++)
		a->pos[a->item[i]] = 0xffff;
	a->n = 0;
}

static void reset(void)
{
	clear(&M.run);
	clear(&M.buffered);
	M.ncommits = M.nparked = M.nthreads = M.nlive = M.nunarrived = M.nwaiting = 0;
	M.steps = M.alone_steps = 0;
	M.weak_cas = M.spurious = M.timeouts = M.preemptions = 0;
	M.committer = NULL;
	M.fail_stack = 0;
	M.alone = true;
	M.status->nchoices = 0;
	lock_order_begin();
}

void execution_prepare(void)
{
	struct thread *t;

	late_begin();
	heap_restore();
	snapshot_restore();
	reset();
	t = thread_begin(0, NULL, main_entry);
	BUG_ON(!t);
	M.cur = t;
	signals_execution_begins();
}

void execution_over(void)
{
	M.status->steps += M.steps;
	if (machine_hooks.execution_ends)
		machine_hooks.execution_ends();
	output_end();
}

void run_execution(void)
{
	execution_prepare();
	M.in_execution = true;
	machine_exploring = EXPLORING;
	fiber_switch(&M.scheduler, &M.cur->fiber);
	machine_exploring = 0;
	if (M.outcome == OUTCOME_EXIT && (history_fails(&M.finding) || lock_order_fails(&M.finding)))
		M.outcome = OUTCOME_FAIL;
	execution_over();
}

/* --- how an execution ends ------------------------------------------------------------------- */

void machine_exit(int status)
{
	if (!M.graph)
		sync_arrive(&exit_op, NULL);
	sync_event(EV_EXIT, NULL, M.cur->number, (u64)status);
	M.exit_status = status;
	if (status)
		machine_fail(FINDING_EXIT, NULL, 0, NULL, "exit status %d", status & 0xff);
	if (M.options->detect & DETECT_THREADS && !M.graph)
		unjoined_check();
	if (M.options->detect & DETECT_LEAK && !M.graph)
		leak_check();
	execution_end(OUTCOME_EXIT);
}

static void copy(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from ? from : "");
}

static void begin_finding(enum finding_kind kind, int line)
{
	M.finding = (struct finding){.kind = kind, .line = line, .thread = M.cur->number};
	if (M.options->judged)
		M.finding.site = stack_site();
}

static _Noreturn void fail(u64 addr)
{
	struct event e = {.kind = EV_FAIL, .thread = M.cur->number, .addr = addr,
		.stack = M.fail_stack, .buffered = M.cur->buffer.nstores};

	if (machine_recording && M.in_execution)
		record_event(&e);
	M.finding.step = record_steps();
	execution_end(OUTCOME_FAIL);
}

void machine_fail(enum finding_kind kind, const char *file, int line, const char *function,
	const char *format, ...)
{
	struct finding *f = &M.finding;
	va_list ap;

	begin_finding(kind, line);
	va_start(ap, format);
	vsnprintf(f->message, sizeof f->message, format, ap);
	va_end(ap);
	copy(f->file, sizeof f->file, file);
	copy(f->function, sizeof f->function, function);
	fail(0);
}

void machine_fail_at(u64 addr, enum finding_kind kind, const char *format, ...)
{
	va_list ap;

	begin_finding(kind, 0);
	va_start(ap, format);
	vsnprintf(M.finding.message, sizeof M.finding.message, format, ap);
	va_end(ap);
	fail(addr);
}

void machine_abandon(void)
{
	/* What others do before counts: they may fail over what this thread has done so far. */
	if (!M.graph && !M.alone)
		arrive(M.cur);
	execution_end(OUTCOME_ABANDON);
}

void machine_refuse(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(M.status->note, sizeof M.status->note, format, ap);
	va_end(ap);
	M.status->state = STATUS_REFUSED;
	execution_end(OUTCOME_REFUSE);
}

void machine_coverage(const char *format, ...)
{
	char line[sizeof M.status->coverage[0]];
	va_list ap;

	if (!M.status)
		return;
	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	for (unsigned i = 0; i < array_size(M.status->coverage); i++) {
		if (!M.status->coverage[i][0])
			strcpy(M.status->coverage[i], line);
		if (!strcmp(M.status->coverage[i], line))
			return;
	}
}

/* --- a search from begin to end -------------------------------------------------------------- */

static void *pages(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

bool status_open(const struct options *o)
{
	static bool have;
	void *p;

	if (!o->status_fd) {
		static struct status *own;

		if (!own)
			own = share_pages(sizeof *own);
		M.status = own;
		if (own)
			memset(own, 0, offsetof(struct status, choices));
		return own;
	}
	if (have)
		return true;
	p = mmap(NULL, sizeof(struct status), PROT_READ | PROT_WRITE, MAP_SHARED,
		(int)o->status_fd, 0);
	if (p == MAP_FAILED)
		return false;
	M.status = p;
	if (M.status->magic != STATUS_MAGIC || M.status->size != sizeof *M.status)
		return false;
	stop_status = M.status;
	close((int)o->status_fd);
	have = true;
	return true;
}

static bool begin(int (*fn)(void *), void *arg, const struct options *o)
{
	M.fn = fn;
	M.arg = arg;
	M.began = clock_ns();
	M.options = o;
	M.model = o->model != MODEL_AUTO ? o->model
		: o->strategy == STRATEGY_GRAPH ? MODEL_RC11 : MODEL_TSO;
	M.buffer_size = o->buffer_size < 1 ? 1 : o->buffer_size > BUFFER_MAX ? BUFFER_MAX
									     : (u32)o->buffer_size;
	M.max_steps = o->max_steps < STATUS_CHOICES ? (u32)o->max_steps : STATUS_CHOICES - 1;
	M.bounds = 0;
	M.max_preemptions = o->preemptions < PREEMPTIONS_ANY ? (u32)o->preemptions : PREEMPTIONS_ANY;
	if (M.max_preemptions < PREEMPTIONS_ANY && o->model == MODEL_AUTO)
		M.model = MODEL_SC;
	if (!M.thread) {
		M.thread = pages(sizeof(struct thread) * THREADS_MAX);
		memset(M.run.pos, 0xff, sizeof M.run.pos);
		memset(M.buffered.pos, 0xff, sizeof M.buffered.pos);
		M.slots = 1;
	}
	if (!M.thread || !status_open(o))
		return false;
	M.status->model = M.model;
	M.status->state = STATUS_READY;
	tls_init();
	fiber_init();
	M.scheduler.tls = tls_mode == TLS_ERRNO ? 0 : tls_base(0);
	outcome_begin();
	compare_begin();
	history_begin();
	output_begin();
	signals_install();
	heap_check_begin();
	heap_save();
	snapshot_take();
	M.status->state = STATUS_EXPLORING;
	return true;
}

static void finish(void)
{
	heap_restore();
	snapshot_drop();
	heap_forget();
	signals_remove();
	output_restore(!search_failures() && M.status->state == STATUS_EXPLORING);
	M.in_execution = false;
}

int machine_explore(
	int (*fn)(void *), void *arg, const struct options *o, bool whole_program)
{
	static const char lack[] = "heddle: not enough memory to explore\n";
	u64 start = clock_ns();
	int code;

	if (!begin(fn, arg, o)) {
		if (write(2, lack, sizeof lack - 1) < 0)
			return 2;
		return 2;
	}
	code = search();
	finish();
	M.status->nanoseconds = clock_ns() - start;
	M.status->exit_code = code;
	if (M.status->state == STATUS_EXPLORING)
		M.status->state = STATUS_DONE;
	return code;
}
