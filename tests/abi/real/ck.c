/* SPDX-License-Identifier: ISC */
/*
 * ck.c - a client of every part of Concurrency Kit that is all headers: it must compile without a
 * warning about inline assembly, and work.
 */
#include <ck_backoff.h>
#include <ck_barrier.h>
#include <ck_bitmap.h>
#include <ck_brlock.h>
#include <ck_bytelock.h>
#include <ck_cohort.h>
#include <ck_ec.h>
#include <ck_elide.h>
#include <ck_epoch.h>
#include <ck_fifo.h>
#include <ck_hp.h>
#include <ck_pflock.h>
#include <ck_queue.h>
#include <ck_ring.h>
#include <ck_rwlock.h>
#include <ck_sequence.h>
#include <ck_spinlock.h>
#include <ck_stack.h>
#include <ck_swlock.h>
#include <ck_tflock.h>
#include <stdio.h>
#include <stdlib.h>

static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static ck_spinlock_mcs_t mcs = CK_SPINLOCK_MCS_INITIALIZER;
static ck_spinlock_clh_t *clh, clh_first, clh_second;
static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static ck_bytelock_t bytelock = CK_BYTELOCK_INITIALIZER;
static ck_rwlock_t rwlock = CK_RWLOCK_INITIALIZER;
static ck_pflock_t pflock = CK_PFLOCK_INITIALIZER;
static ck_swlock_t swlock = CK_SWLOCK_INITIALIZER;
static ck_tflock_ticket_t tflock = CK_TFLOCK_TICKET_INITIALIZER;
static ck_ring_t ring;
static ck_ring_buffer_t ring_buffer[8];
static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[4];
static ck_fifo_spsc_t spsc;
static ck_fifo_spsc_entry_t spsc_entries[2];
static ck_fifo_mpmc_t mpmc;
static ck_fifo_mpmc_entry_t mpmc_entries[2];
static int counter;

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d: %s\n", __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)

static void spinlocks(void)
{
	ck_spinlock_mcs_context_t node;
	ck_spinlock_clh_t *thread = &clh_second;

	ck_spinlock_fas_lock(&fas);
	CHECK(!ck_spinlock_fas_trylock(&fas));
	ck_spinlock_fas_unlock(&fas);
	ck_spinlock_ticket_lock(&ticket);
	CHECK(!ck_spinlock_ticket_trylock(&ticket));
	ck_spinlock_ticket_unlock(&ticket);
	ck_spinlock_mcs_lock(&mcs, &node);
	CHECK(ck_spinlock_mcs_locked(&mcs));
	ck_spinlock_mcs_unlock(&mcs, &node);
	ck_spinlock_clh_init(&clh, &clh_first);
	ck_spinlock_clh_lock(&clh, thread);
	ck_spinlock_clh_unlock(&thread);
	CHECK(thread == &clh_first);
}

static void other_locks(void)
{
	unsigned version;

	ck_sequence_write_begin(&sequence);
	counter++;
	ck_sequence_write_end(&sequence);
	do
		version = ck_sequence_read_begin(&sequence);
	while (ck_sequence_read_retry(&sequence, version));
	CHECK(version == 2);
	ck_bytelock_write_lock(&bytelock, 1);
	ck_bytelock_write_unlock(&bytelock);
	ck_bytelock_read_lock(&bytelock, 2);
	ck_bytelock_read_unlock(&bytelock, 2);
	ck_bytelock_read_lock(&bytelock, 200);
	ck_bytelock_read_unlock(&bytelock, 200);
	ck_rwlock_write_lock(&rwlock);
	CHECK(!ck_rwlock_read_trylock(&rwlock));
	ck_rwlock_write_unlock(&rwlock);
	ck_rwlock_read_lock(&rwlock);
	ck_rwlock_read_unlock(&rwlock);
	ck_pflock_write_lock(&pflock);
	ck_pflock_write_unlock(&pflock);
	ck_swlock_write_lock(&swlock);
	ck_swlock_write_unlock(&swlock);
	ck_swlock_read_lock(&swlock);
	ck_swlock_read_unlock(&swlock);
	ck_tflock_ticket_write_lock(&tflock);
	ck_tflock_ticket_write_unlock(&tflock);
}

static void queues(void)
{
	ck_fifo_mpmc_entry_t *garbage;
	void *value;

	ck_ring_init(&ring, 8);
	CHECK(ck_ring_enqueue_spsc(&ring, ring_buffer, &counter));
	CHECK(ck_ring_dequeue_spsc(&ring, ring_buffer, &value) && value == &counter);
	ck_ring_init(&ring, 8);
	CHECK(ck_ring_enqueue_mpmc(&ring, ring_buffer, &ring));
	CHECK(ck_ring_trydequeue_mpmc(&ring, ring_buffer, &value) && value == &ring);
	CHECK(ck_ring_enqueue_mpsc(&ring, ring_buffer, &fas));
	CHECK(ck_ring_dequeue_mpmc(&ring, ring_buffer, &value) && value == &fas);
	CHECK(!ck_ring_dequeue_mpmc(&ring, ring_buffer, &value));
	ck_fifo_spsc_init(&spsc, &spsc_entries[0]);
	ck_fifo_spsc_enqueue(&spsc, &spsc_entries[1], &counter);
	CHECK(ck_fifo_spsc_dequeue(&spsc, &value));
	ck_fifo_mpmc_init(&mpmc, &mpmc_entries[0]);
	ck_fifo_mpmc_enqueue(&mpmc, &mpmc_entries[1], &counter);
	CHECK(ck_fifo_mpmc_dequeue(&mpmc, &value, &garbage) && garbage == &mpmc_entries[0]);
}

static void stacks(void)
{
	ck_stack_push_upmc(&stack, &entries[0]);
	ck_stack_push_mpmc(&stack, &entries[1]);
	ck_stack_push_mpnc(&stack, &entries[2]);
	CHECK(ck_stack_pop_mpmc(&stack) == &entries[2]);
	CHECK(ck_stack_pop_upmc(&stack) == &entries[1]);
	CHECK(ck_stack_batch_pop_upmc(&stack) == &entries[0]);
	CHECK(CK_STACK_ISEMPTY(&stack));
}

/* Event counters use assembly without a lock prefix, and conditions other than zero. */
static void event_counts(void)
{
	static struct ck_ec32 count = CK_EC_INITIALIZER;
	static const struct ck_ec_ops ops;
	static const struct ck_ec_mode mode = {&ops, true}, many = {&ops, false};

	ck_ec32_inc(&count, &mode);
	ck_ec32_inc(&count, &many);
	CHECK(ck_ec32_add(&count, &mode, 5) == 2);
	CHECK(ck_ec32_value(&count) == 7);
}

int main(void)
{
	spinlocks();
	other_locks();
	queues();
	stacks();
	event_counts();
	return 0;
}
