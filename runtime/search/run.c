/* SPDX-License-Identifier: ISC */
/*
 * run.c - an exploration from beginning to end; read this file first.
 *
 *     save the program's memory                                          begin_exploration()
 *     until the strategy is finished or a bound is reached: search() in search.c
 *         restore the memory, run the program once on fibers,  machine/execution/execution.c
 *         count how it ended
 *         if it failed: run the same choices again with the recorder on, write a replay file
 *
 * The loop runs on the stack of the thread that called run_explore().
 */
#include "search/run.h"
#include "machine/execution/clock.h"
#include "buffers/buffers.h"
#include "cycle/endless.h"
#include "machine/core.h"
#include "machine/execution/execution.h"
#include "machine/execution/loop_bound.h"
#include "heap/heap.h"
#include "heap/heap_check.h"
#include "history/history.h"
#include "machine/execution/signal.h"
#include "machine/execution/slots.h"
#include "machine/wait/vtime.h"
#include "process/coverage.h"
#include "process/input.h"
#include "process/libc_state.h"
#include "process/output.h"
#include "process/shared.h"
#include "process/snapshot.h"
#include "process/stop.h"
#include "process/sys.h"
#include "process/tls.h"
#include "process/pages.h"
#include "prove/states.h"
#include "search/outcome/compare.h"
#include "search/schedule/natural.h"
#include "search/outcome/outcome.h"
#include "search/search.h"
#include "failure/verdict.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool status_open(const struct options *o)
{
	static bool have;
	void *p;

	if (!o->status_fd) {
		static struct status *own;

		if (!own)
			own = shared_pages(sizeof *own);
		status_use(own);
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
	status_use(p);
	if (M.status->magic >> 32 != STATUS_TAG)
		return false;
	if (M.status->magic != STATUS_MAGIC || M.status->size != sizeof *M.status) {
		M.status->magic = STATUS_MAGIC; /* of another version: reported by the tool */
		stop_exit(2);
	}
	if (o->break_at_failure) /* a debugger may run the program again, with the same page */
		memset((void *)&M.status->state, 0,
			offsetof(struct status, choices) - offsetof(struct status, state));
	stop_status = M.status;
	close((int)o->status_fd);
	have = true;
	return true;
}

/* The default of --sleepers; also for replay files from before that option. In a program that
 * loops for ever a sleeper that wakes up last never does. */
static enum sleepers standard_sleepers(const struct options *o)
{
	return !o->check && !o->replay[0] && o->explore && o->strategy != STRATEGY_RF &&
			       o->strategy != STRATEGY_STATES && !model_is_file(o->model)
		       ? SLEEPERS_LAST
		       : SLEEPERS_ANY;
}

/* Where loops are cut, endless loops are no findings; and data that states do not contain cannot be
 * judged. */
static const struct options *effective(const struct options *asked)
{
	static struct options o;

	o = *asked;
	if (o.loop_bound)
		o.detect &= ~(u64)(DETECT_LIVELOCK | DETECT_STARVATION);
	if (o.strategy == STRATEGY_STATES)
		o.detect &= PROVE_DETECTORS;
	if (o.sleepers == SLEEPERS_AUTO)
		o.sleepers = standard_sleepers(&o);
	vtime_set_default(asked->sleepers == SLEEPERS_AUTO && o.sleepers == SLEEPERS_LAST);
	return &o;
}

static void use_options(const struct options *o)
{
	engine_use(&buffers_engine);
	M.options = o;
	machine_set_model(option_model(o));
	M.buffer_size = o->buffer_size < 1 ? 1 : o->buffer_size > BUFFER_MAX ? BUFFER_MAX
									     : (u32)o->buffer_size;
	M.parks = o->strategy != STRATEGY_STATES;
	M.max_steps = o->replay[0] ? STATUS_CHOICES - 1 : natural_bound(o);
	M.bounds = 0;
	M.max_preemptions =
		o->preemptions < PREEMPTIONS_ANY ? (u32)o->preemptions : PREEMPTIONS_ANY;
	M.max_delays = o->delays < DELAYS_ANY ? (u32)o->delays : DELAYS_ANY;
}

static bool begin_exploration(int (*fn)(void *), void *arg, const struct options *o)
{
	M.fn = fn;
	M.arg = arg;
	M.began = clock_ns();
	o = effective(o);
	use_options(o);
	if (!M.thread)
		M.thread = pages_take(sizeof(struct thread) * THREADS_MAX);
	if (!M.thread || !status_open(o) || !loop_bound_begin(o))
		return false;
	thread_slots_forget();
	M.status->model = M.status->chosen_model = M.model;
	M.status->chosen = o->strategy;
	M.status->state = STATUS_READY;
	sys_call4(SYS_munlockall, 0, 0, 0, 0); /* locked pages could not be given back (madvise) */
	tls_init();
	fiber_init(o->stack);
	M.scheduler.tls = tls_mode == TLS_ERRNO ? 0 : tls_base(0);
	outcome_begin();
	compare_begin();
	history_begin();
	output_begin();
	input_begin();
	libc_state_begin();
	endless_install();
	signals_install();
	clock_begin();
	heap_check_begin();
	heap_save();
	if (machine_hooks.snapshot_begins)
		machine_hooks.snapshot_begins();
	snapshot_take();
	M.status->state = STATUS_EXPLORING;
	return true;
}

static int asked; /* a signal to end */

static void finish(void)
{
	heap_restore();
	snapshot_drop();
	heap_forget();
	asked = clock_end();
	signals_remove();
	output_restore(!verdict_failures() && M.status->state == STATUS_EXPLORING);
	M.in_execution = false;
}

int run_asked(void)
{
	return asked;
}

void run_forget(void)
{
	u32 stop = M.status->stop;
	u64 until = M.status->until;

	memset((void *)&M.status->state, 0,
		offsetof(struct status, choices) - offsetof(struct status, state));
	M.status->stop = stop;
	M.status->until = until;
}

int run_explore(int (*fn)(void *), void *arg, const struct options *o)
{
	u64 start = clock_ns();
	int code;

	if (!begin_exploration(fn, arg, o)) {
		if (stop_status)
			fatal("out of memory: cannot explore (ulimit -v?)");
		say("out of memory: cannot explore (ulimit -v?)");
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
