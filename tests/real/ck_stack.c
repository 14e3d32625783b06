/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's stack: push, and pop with a counter against ABA (lock cmpxchg16b); pop for one
 * consumer with a single compare-and-exchange.
 *
 * verdict              tso  ok
 * verdict              pso  ok
 * verdict  -DUPMC      tso  ok
 * verdict  -DUPMC -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict  -DUPMC  tso  ok -- --strategy graph --executions 1000
 */
#include "ck_port.h"
#include <ck_stack.h>

#ifdef UPMC
#define POP ck_stack_pop_upmc
#else
#define POP ck_stack_pop_mpmc
#endif

struct item {
	int value;
	ck_stack_entry_t link;
};

static _Alignas(16) ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item items[3];
static struct item *got[2];

static struct item *pop(void)
{
	ck_stack_entry_t *e = POP(&stack);

	return e ? (struct item *)((char *)e - offsetof(struct item, link)) : NULL;
}

static void *worker(void *arg)
{
	int me = *(int *)arg;

	items[me].value = me + 1;
	ck_stack_push_upmc(&stack, &items[me].link);
	got[me] = pop();
	assert(got[me] && got[me]->value);
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;
	struct item *last;

	items[2].value = 3;
	ck_stack_push_upmc(&stack, &items[2].link);
	two(worker, &zero, worker, &one);
	last = pop();
	assert(last && last != got[0] && last != got[1] && got[0] != got[1]);
	assert(!pop());
	return 0;
}
