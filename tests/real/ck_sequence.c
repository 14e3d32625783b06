/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's sequence lock: one writer, one reader.
 *
 * verdict              tso  ok
 * verdict              pso  assertion reorder
 * verdict  -DPORT_PSO  pso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  tso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  pso  assertion reorder
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict              tso  ok -- --strategy graph --executions 1000
 */
#include "ck_port.h"
#include <ck_sequence.h>

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static int left, right;

static void *writer(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		ck_sequence_write_begin(&sequence);
		ck_pr_store_int(&left, i);
		ck_pr_store_int(&right, i);
		ck_sequence_write_end(&sequence);
	}
	return arg;
}

static void *reader(void *arg)
{
	unsigned int version;
	int l, r;

	version = ck_sequence_read_begin(&sequence);
	l = ck_pr_load_int(&left);
	r = ck_pr_load_int(&right);
	if (!ck_sequence_read_retry(&sequence, version))
		assert(l == r);
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	return 0;
}
