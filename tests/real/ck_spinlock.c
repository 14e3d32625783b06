/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's spinlocks: test-and-set, ticket, MCS and CLH, one a compilation.
 *
 * Unlocking is a store after ck_pr_fence_unlock(), which the x86 port leaves out; so under PSO the
 * update may still be in the store buffer when the lock is free. The ticket lock of the x86 port
 * unlocks with an atomic increment and is safe anyway.
 *
 * verdict  -DLOCK_FAS     tso  ok
 * verdict  -DLOCK_TICKET  tso  ok
 * verdict  -DLOCK_MCS     tso  ok
 * verdict  -DLOCK_CLH     tso  ok
 * verdict  -DLOCK_FAS     pso  assertion reorder
 * verdict  -DLOCK_TICKET  pso  ok
 * verdict  -DLOCK_MCS     pso  assertion reorder
 * verdict  -DLOCK_CLH     pso  assertion reorder
 * verdict  -DLOCK_FAS -DPORT_PSO     pso  ok
 * verdict  -DLOCK_TICKET -DPORT_PSO  pso  ok
 * verdict  -DLOCK_MCS -DPORT_PSO     pso  ok
 * verdict  -DLOCK_CLH -DPORT_PSO     pso  ok
 * verdict  -DLOCK_FAS -DPORT_PSO -DNO_FENCE_UNLOCK  pso  assertion reorder
 * verdict  -DLOCK_FAS -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict  -DLOCK_MCS  tso  ok -- --strategy graph --executions 1000
 * report   -DLOCK_FAS -DPORT_PSO -DNO_FENCE_UNLOCK  pso  @update ck_spinlock_fas_unlock
 */
#include "ck_port.h"
#include <ck_spinlock.h>

static int counter;

#if defined(LOCK_FAS)
static ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
#define DECLARE() ((void)0)
#define LOCK()	  ck_spinlock_fas_lock(&lock)
#define UNLOCK()  ck_spinlock_fas_unlock(&lock)
#elif defined(LOCK_TICKET)
static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
#define DECLARE() ((void)0)
#define LOCK()	  ck_spinlock_ticket_lock(&lock)
#define UNLOCK()  ck_spinlock_ticket_unlock(&lock)
#elif defined(LOCK_MCS)
static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
static ck_spinlock_mcs_context_t nodes[2];
#define DECLARE() ck_spinlock_mcs_context_t *node = &nodes[*(int *)arg]
#define LOCK()	  ck_spinlock_mcs_lock(&lock, node)
#define UNLOCK()  ck_spinlock_mcs_unlock(&lock, node)
#else
static ck_spinlock_clh_t nodes[3], *lock = &nodes[2];
#define DECLARE() ck_spinlock_clh_t *node = &nodes[*(int *)arg]
#define LOCK()	  ck_spinlock_clh_lock(&lock, node)
#define UNLOCK()  ck_spinlock_clh_unlock(&node)
#endif

static void *worker(void *arg)
{
	DECLARE();

	for (int i = 0; i < 2; i++) {
		int seen;

		LOCK();
		seen = counter;
		counter = seen + 1; /* @update */
		UNLOCK();
	}
	return arg;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	assert(counter == 4);
	return 0;
}
