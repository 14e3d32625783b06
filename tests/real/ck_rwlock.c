/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's reader-writer lock and byte lock: a writer and a reader that must see both of
 * two variables changed, or none.
 *
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict              tso  ok
 * verdict  -DBYTELOCK  tso  ok
 * verdict  -DPORT_PSO  pso  ok
 * verdict  -DBYTELOCK -DPORT_PSO  pso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_UNLOCK  pso  assertion reorder
 * verdict              tso  ok -- --strategy graph --executions 1000
 */
#include "ck_port.h"
#ifdef BYTELOCK
#include <ck_bytelock.h>

static ck_bytelock_t lock = CK_BYTELOCK_INITIALIZER;

#define WRITE_LOCK()   ck_bytelock_write_lock(&lock, 1)
#define WRITE_UNLOCK() ck_bytelock_write_unlock(&lock)
#define READ_LOCK()    ck_bytelock_read_lock(&lock, 2)
#define READ_UNLOCK()  ck_bytelock_read_unlock(&lock, 2)
#else
#include <ck_rwlock.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;

#define WRITE_LOCK()   ck_rwlock_write_lock(&lock)
#define WRITE_UNLOCK() ck_rwlock_write_unlock(&lock)
#define READ_LOCK()    ck_rwlock_read_lock(&lock)
#define READ_UNLOCK()  ck_rwlock_read_unlock(&lock)
#endif

static int left, right;

static void *writer(void *arg)
{
	WRITE_LOCK();
	left = 1;
	right = 1;
	WRITE_UNLOCK();
	return arg;
}

static void *reader(void *arg)
{
	READ_LOCK();
	assert(left == right);
	READ_UNLOCK();
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	return 0;
}
