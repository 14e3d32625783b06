/* SPDX-License-Identifier: ISC */
/* Local variables that other threads access while their functions run: one after the other in the same
 * place, in recursion, in arrays of any length, in frames that longjmp() leaves, on other stacks;
 * a flag that is only relaxed says that the access has been made. graph: sc tso rc11 */
#include "two.h"

#include <setjmp.h>
#include <ucontext.h>

struct job {
	atomic_int state;
	atomic_int value;
};

static _Atomic(struct job *) queue;
static atomic_int hits;
static jmp_buf back;

static __attribute__((noinline)) void submit(int value)
{
	struct job j;

	j.value = value;
	atomic_store_explicit(&j.state, 1, memory_order_relaxed);
	queue = &j;
	while (atomic_load_explicit(&j.state, memory_order_relaxed) != 2)
		;
}

static __attribute__((noinline)) void submit_array(int n)
{
	struct job jobs[n];

	jobs[n - 1].value = 1;
	atomic_store_explicit(&jobs[n - 1].state, 1, memory_order_relaxed);
	queue = &jobs[n - 1];
	while (jobs[n - 1].state != 2)
		;
}

static __attribute__((noinline)) void recurse(int n)
{
	atomic_int count = 0;
	struct job j;

	if (n)
		recurse(n - 1);
	j.value = n;
	atomic_store_explicit(&j.state, 1, memory_order_relaxed);
	queue = &j;
	while (j.state != 2)
		count = 0;
}

static __attribute__((noinline)) void leave(void)
{
	struct job j = {.value = 1};

	atomic_store_explicit(&j.state, 1, memory_order_relaxed);
	queue = &j;
	while (j.state != 2)
		;
	longjmp(back, 1);
}

static ucontext_t main_context, coroutine_context;

static void coroutine(void)
{
	submit(1);
	swapcontext(&coroutine_context, &main_context);
}

static __attribute__((noinline)) void on_another_stack(void)
{
	static char stack[65536];

	getcontext(&coroutine_context);
	coroutine_context.uc_stack.ss_sp = stack;
	coroutine_context.uc_stack.ss_size = sizeof stack;
	coroutine_context.uc_link = &main_context;
	makecontext(&coroutine_context, coroutine, 0);
	swapcontext(&main_context, &coroutine_context);
	submit(2);
}

#define JOBS 2

/* Wait loops of other compilers are known only if they store nothing, and on the own stack. */
#ifdef __SANITIZE_THREAD__
#define STEP 2
#else
#define STEP 1
#endif

static void *producer(void *way)
{
	switch ((long)way) {
	case 0:
		submit(1);
		submit_array(3);
		break;
	case 1:
		recurse(1);
		break;
	case 2:
		if (!setjmp(back))
			leave();
		submit(1);
		break;
	default:
		on_another_stack();
	}
	hits++;
	return NULL;
}

static void *consumer(void *arg)
{
	struct job *j;

	for (int i = 0; i < JOBS; i++) {
		while (!(j = atomic_exchange(&queue, NULL)))
			;
		assert(j->value <= 2);
		atomic_store_explicit(&j->state, 2, memory_order_release);
	}
	return arg;
}

int main(void)
{
	for (long way = 0; way < 4; way += STEP)
		two(producer, (void *)way, consumer, NULL);
	puts("ok");
	return 0;
}
