/* SPDX-License-Identifier: ISC */
/*
 * urcu.c - a client of liburcu's queues, stacks and atomic operations, all inline: it must compile
 * without a warning about inline assembly, and work.
 */
#define _LGPL_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <urcu/lfstack.h>
#include <urcu/uatomic.h>
#include <urcu/wfcqueue.h>
#include <urcu/wfstack.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];
static struct cds_wfs_stack wait_free;
static struct cds_wfs_node wait_free_nodes[2];
static struct cds_lfs_stack lock_free;
static struct cds_lfs_node lock_free_nodes[2];
static unsigned char c;
static unsigned short s;
static int i;
static long l;

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d: %s\n", __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)

#define OPERATIONS(x) \
	uatomic_set(&x, 1); \
	uatomic_add(&x, 3); \
	uatomic_inc(&x); \
	uatomic_dec(&x); \
	uatomic_or(&x, 16); \
	uatomic_and(&x, ~4); \
	CHECK(uatomic_read(&x) == 16); \
	CHECK(uatomic_add_return(&x, 5) == 21); \
	CHECK(uatomic_sub_return(&x, 2) == 19); \
	CHECK(uatomic_cmpxchg(&x, 5, 6) == 19); \
	CHECK(uatomic_cmpxchg(&x, 19, 6) == 19); \
	CHECK(uatomic_xchg(&x, 7) == 6); \
	CHECK(x == 7);

int main(void)
{
	cds_wfcq_init(&head, &tail);
	for (int k = 0; k < 2; k++) {
		cds_wfcq_node_init(&nodes[k]);
		cds_wfcq_enqueue(&head, &tail, &nodes[k]);
	}
	CHECK(cds_wfcq_dequeue_blocking(&head, &tail) == &nodes[0]);
	CHECK(cds_wfcq_dequeue_blocking(&head, &tail) == &nodes[1]);
	CHECK(cds_wfcq_empty(&head, &tail));
	cds_wfs_init(&wait_free);
	cds_lfs_init(&lock_free);
	for (int k = 0; k < 2; k++) {
		cds_wfs_node_init(&wait_free_nodes[k]);
		cds_wfs_push(&wait_free, &wait_free_nodes[k]);
		cds_lfs_node_init(&lock_free_nodes[k]);
		cds_lfs_push(&lock_free, &lock_free_nodes[k]);
	}
	CHECK(cds_wfs_pop_blocking(&wait_free) == &wait_free_nodes[1]);
	CHECK(cds_lfs_pop_blocking(&lock_free) == &lock_free_nodes[1]);
	OPERATIONS(c)
	OPERATIONS(s)
	OPERATIONS(i)
	OPERATIONS(l)
	cmm_smp_mb();
	cmm_smp_rmb();
	cmm_smp_wmb();
	cmm_mb();
	cmm_rmb();
	cmm_wmb();
	caa_cpu_relax();
	return 0;
}
