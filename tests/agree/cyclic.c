/* SPDX-License-Identifier: ISC */
/*
 * cyclic.c - strategy states against an abstract machine, on programs that loop for ever.
 *
 *     cyclic [PROGRAMS [FIRST SEED [EVERY]]]
 *
 * Under SC, TSO and PSO, with buffers of 1 to 4 stores: the same verdict (an assertion fails, a
 * deadlock, a store has waited for room, neither), and the same views, one each time that a thread
 * begins an operation: memory, and all threads' places and registers.
 *
 * Under TSO and PSO each program whose seed is a multiple of EVERY, and an eighth of those of
 * threads that take turns (CYCLIC_TURNS), also without a bound, with and without reductions: the
 * verdict and the views of the machine with buffers of 1, 2, 4 and 8 stores, as soon as none is
 * full; if one always is, its failures must be found, and a proof must have all of its views. TAP.
 */
#include "cyclic.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST 4000 /* states */
#define MOST_STEPWISE 30000
#define ROOM (1u << 17)

static struct cyclic_program program;
static atomic_schar var[CYCLIC_VARS];
static pthread_mutex_t lock[CYCLIC_LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static uint8_t place[CYCLIC_THREADS], value[CYCLIC_THREADS];
static struct cyclic_views *native, *machine; /* not part of the program's memory */

/* The thread begins an operation: not a step of the program. */
static __attribute__((annotate("heddle_ignore"), noinline)) void note(int me, int pc, int r)
{
	uint8_t view[CYCLIC_VIEW] = {0};

	place[me] = (uint8_t)pc;
	value[me] = (uint8_t)r;
	for (int i = 0; i < CYCLIC_VARS; i++)
		view[i] = (uint8_t)((const volatile signed char *)var)[i];
	for (unsigned t = 0; t < program.threads; t++) {
		view[CYCLIC_VARS + 2 * t] = place[t];
		view[CYCLIC_VARS + 2 * t + 1] = value[t];
	}
	cyclic_see(native, cyclic_pack(view));
}

static void store(struct cyclic_op o, int r)
{
	atomic_schar *at = &var[o.where];

	switch (o.order) {
	case CYCLIC_RELAXED: atomic_store_explicit(at, (signed char)r, memory_order_relaxed); break;
	case CYCLIC_RELEASE: atomic_store_explicit(at, (signed char)r, memory_order_release); break;
	default: atomic_store(at, (signed char)r);
	}
}

static int compare_and_exchange(struct cyclic_op o)
{
	signed char old = (signed char)o.value;

	atomic_compare_exchange_strong(&var[o.where], &old, (signed char)o.other);
	return old;
}

static int run_op(struct cyclic_op o, int r)
{
	switch (o.kind) {
	case CYCLIC_STORE: store(o, o.value); break;
	case CYCLIC_STORE_R: store(o, r); break;
	case CYCLIC_LOAD: return atomic_load_explicit(&var[o.where], memory_order_acquire);
	case CYCLIC_EXCHANGE: return atomic_exchange(&var[o.where], (signed char)o.value);
	case CYCLIC_CAS: return compare_and_exchange(o);
	case CYCLIC_FENCE:
		if (o.order == CYCLIC_SEQ_CST)
			atomic_thread_fence(memory_order_seq_cst);
		else
			atomic_thread_fence(memory_order_release);
		break;
	case CYCLIC_LOCK: pthread_mutex_lock(&lock[o.where]); break;
	case CYCLIC_UNLOCK: pthread_mutex_unlock(&lock[o.where]); break;
	}
	return r;
}

static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg, pc = 0, r = 0;
	struct cyclic_op op[CYCLIC_OPS];

	/* Now, while the buffer is empty: a call of code without Heddle waits for it. */
	for (int i = 0; i < CYCLIC_OPS; i++)
		op[i] = cyclic_op(&program, me, i);
	for (;;) {
		struct cyclic_op o = op[pc];

		note(me, pc, r);
		if (o.kind == CYCLIC_ASSERT)
			heddle_assert(r != o.value);
		r = run_op(o, r);
		if (o.kind == CYCLIC_LOOP)
			pc = 0;
		else if (o.kind == CYCLIC_AGAIN && r == o.value)
			pc--;
		else
			pc += 1 + (o.kind == CYCLIC_SKIP && r == o.value);
	}
	return NULL;
}

static void execute(void *unused)
{
	pthread_t t[CYCLIC_THREADS];
	unsigned n = program.threads;

	(void)unused;
	heddle_ignore_state(place, sizeof place); /* the same is in registers and on stacks */
	heddle_ignore_state(value, sizeof value);
	for (unsigned i = 0; i < n; i++)
		pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
	for (unsigned i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static int failures, compared, fails, deadlocks, full, proved;
/* Without a bound: comparisons; with a machine whose buffers are not full; proved though they are;
 * with its views. */
static int unbounded, exact, endless, same;

static void report(uint64_t seed, const char *model, unsigned buffer, const char *what)
{
	failures++;
	printf("not ok - cyclic: seed %llu, %s, buffers of %u: %s (%u views, %u)\n",
		(unsigned long long)seed, model, buffer, what, native->n, machine->n);
	cyclic_print(&program);
}

static bool found(const struct heddle_result *r, const char *kind)
{
	for (unsigned i = 0; i < r->findings; i++)
		if (!strcmp(r->finding[i].kind, kind))
			return true;
	return false;
}

static void compare(uint64_t seed, enum cyclic_model m, unsigned buffer)
{
	static const char *const name[] = {"sc", "tso", "pso"};
	char options[200];
	struct heddle_options o = {.options = options, .model = name[m], .quiet = true,
		.keep_going = true, .strategy = "states"};
	struct cyclic_result want;
	struct heddle_result r;

	cyclic_clear(machine);
	want = cyclic_explore(&program, m, buffer, false, MOST, machine);
	if (want.cut)
		return;
	compared++;
	fails += want.fails;
	deadlocks += want.deadlocks;
	full += want.full;
	snprintf(options, sizeof options,
		"buffer-size=%u,minimise=0,max-findings=64,replay-dir=.", buffer);
	cyclic_clear(native);
	heddle_check(execute, NULL, &o, &r);
	proved += r.complete && !r.findings;
	if (found(&r, "assertion") != want.fails)
		report(seed, name[m], buffer, "an assertion fails, or not");
	else if (found(&r, "deadlock") != want.deadlocks)
		report(seed, name[m], buffer, "a deadlock, or not");
	else if (r.complete == want.full)
		report(seed, name[m], buffer, "complete, or not");
	else if (!cyclic_same(native, machine))
		report(seed, name[m], buffer, "other views");
}

static struct cyclic_result explore_by_step(enum cyclic_model m, unsigned buffer)
{
	cyclic_clear(machine);
	return cyclic_explore(&program, m, buffer, true, MOST_STEPWISE, machine);
}

/* The machine with ever larger buffers, until none is full, or the largest. */
static struct cyclic_result explore_growing(enum cyclic_model m)
{
	struct cyclic_result r = {.full = true};

	for (unsigned buffer = 1; buffer <= CYCLIC_BUFFER && r.full; buffer *= 2) {
		r = explore_by_step(m, buffer);
		r.unused = buffer == 1 && !r.full;
		if (r.cut && buffer > 1) {
			r = explore_by_step(m, buffer / 2);
			break;
		}
	}
	/* The search without a bound comes after one with buffers for one store, whose first
	 * threads store before the last ones are created. */
	if (!r.cut)
		cyclic_explore(&program, m, 1, false, MOST_STEPWISE, machine);
	return r;
}

/* What is wrong with the result; NULL: nothing. all: without reductions. */
static const char *find_mistake(
	const struct heddle_result *r, const struct cyclic_result *want, bool all)
{
	bool fails = found(r, "assertion"), deadlocks = found(r, "deadlock");
	bool is_proof = r->complete && !r->findings;

	if (want->fails && !fails)
		return "no failed assertion";
	if (want->deadlocks && !deadlocks)
		return "no deadlock";
	if (!want->full && (fails != want->fails || deadlocks != want->deadlocks))
		return "a finding that buffers of any size do not have";
	if (all && is_proof && !cyclic_includes(native, machine))
		return "views are missing";
	if (all && is_proof && !want->full && !cyclic_same(native, machine))
		return "other views";
	return NULL;
}

static void check_unbounded(uint64_t seed, enum cyclic_model m, bool all)
{
	static const char *const name[] = {"sc", "tso", "pso"};
	char options[200];
	struct heddle_options o = {.options = options, .model = name[m], .quiet = true,
		.keep_going = true, .strategy = "states"};
	struct cyclic_result want = explore_growing(m);
	struct heddle_result r;
	const char *mistake;
	bool is_proof;

	if (want.cut || want.unused)
		return;
	unbounded++;
	snprintf(options, sizeof options,
		"buffer-size=1,unbounded=1,minimise=0,max-findings=64,replay-dir=.,time=5%s",
		all ? ",unreduced=1" : "");
	cyclic_clear(native);
	heddle_check(execute, NULL, &o, &r);
	is_proof = r.complete && !r.findings;
	exact += !want.full;
	endless += is_proof && want.full;
	same += all && is_proof && cyclic_same(native, machine);
	mistake = find_mistake(&r, &want, all);
	if (mistake)
		report(seed, name[m], 0, mistake);
}

static void summarise(int n)
{
	bool ok = fails && deadlocks && full && proved && endless && same;

	failures += !ok;
	printf("%s - cyclic: %d comparisons of %d programs: %d with a failed assertion, %d with a "
	       "deadlock, %d with a full buffer, %d proved; without a bound %d: %d with an exact "
	       "result, %d proved though buffers fill, %d with the same views\n",
		ok ? "ok" : "not ok", compared, n, fails, deadlocks, full, proved, unbounded, exact,
		endless, same);
}

static struct cyclic_views *new_views(void)
{
	struct cyclic_views *v = mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	v->room = ROOM;
	v->view = mmap(NULL, ROOM * sizeof *v->view, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return v;
}

static void compare_all(uint64_t seed, bool without_bound)
{
	cyclic_generate(seed, &program);
	compare(seed, CYCLIC_SC, 1);
	compare(seed, CYCLIC_TSO, 1 + seed % 3);
	compare(seed, CYCLIC_PSO, 1 + seed % 4);
	for (int all = 0; all < 2 && without_bound; all++) {
		check_unbounded(seed, CYCLIC_TSO, all);
		check_unbounded(seed, CYCLIC_PSO, all);
	}
}

int main(int argc, char **argv)
{
	/* They failed: views of threads that store before others are created. */
	static const uint64_t named[] = {10088, 10354};
	int n = argc > 1 ? atoi(argv[1]) : 200;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t every = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;

	native = new_views();
	machine = new_views();
	for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
		compare_all(named[i], true);
	for (int i = 0; i < n; i++)
		compare_all(first + (uint64_t)i, (first + (uint64_t)i) % every == 0 ||
						       (first + (uint64_t)i) % 64 == CYCLIC_TURNS);
	if (!failures)
		summarise(n);
	return failures != 0;
}
