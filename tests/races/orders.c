/* SPDX-License-Identifier: ISC */
/* orders.c - synchronisation by atomic operations: orders, fences, release sequences
 * (races.h). */
#include "races.h"

static int data, other;
static atomic_int flag, second;
static volatile int signal;

/* --- a message, by every pair of orders ------------------------------------------------------- */

static void write_relaxed(void)
{
	data = 1; /* @write_relaxed */
	STORE(flag, 1, relaxed);
}

static void write_release(void)
{
	data = 1; /* @write_release */
	STORE(flag, 1, release);
}

static void write_seq_cst(void)
{
	data = 1; /* @write_seq_cst */
	flag = 1;
}

static void write_fence(void)
{
	data = 1; /* @write_fence */
	FENCE(release);
	STORE(flag, 1, relaxed);
}

static void write_early_fence(void)
{
	FENCE(release);
	data = 1; /* @write_early_fence */
	STORE(flag, 1, relaxed);
}

static void write_late_fence(void)
{
	data = 1; /* @write_late_fence */
	STORE(flag, 1, relaxed);
	FENCE(release);
}

static void write_acquire_fence(void)
{
	data = 1; /* @write_acquire_fence */
	FENCE(acquire);
	STORE(flag, 1, relaxed);
}

static void write_after(void)
{
	STORE(flag, 1, release);
	data = 1; /* @write_after */
}

static void read_relaxed(void)
{
	if (LOAD(flag, relaxed))
		USE(data); /* @read_relaxed */
}

static void read_consume(void)
{
	if (LOAD(flag, consume))
		USE(data); /* @read_consume */
}

static void read_acquire(void)
{
	if (LOAD(flag, acquire))
		USE(data); /* @read_acquire */
}

static void read_seq_cst(void)
{
	if (flag)
		USE(data); /* @read_seq_cst */
}

static void read_fence(void)
{
	if (LOAD(flag, relaxed)) {
		FENCE(acquire);
		USE(data); /* @read_fence */
	}
}

static void read_early_fence(void)
{
	FENCE(acquire);
	if (LOAD(flag, relaxed))
		USE(data); /* @read_early_fence */
}

static void read_release_fence(void)
{
	if (LOAD(flag, relaxed)) {
		FENCE(release);
		USE(data); /* @read_release_fence */
	}
}

static void read_unasked(void)
{
	USE(LOAD(flag, acquire));
	USE(data); /* @read_unasked */
}

static void read_wrong_way(void)
{
	if (!LOAD(flag, acquire))
		USE(data); /* @read_wrong_way */
}

static void read_waiting(void)
{
	while (!LOAD(flag, acquire))
		;
	USE(data); /* @read_waiting */
}

static void read_waiting_relaxed(void)
{
	while (!LOAD(flag, relaxed))
		;
	USE(data); /* @read_waiting_relaxed */
}

/* race rc11,pso: data @write_relaxed @read_relaxed */
CASE(message_relaxed_relaxed) { together(write_relaxed, read_relaxed); }

/* race rc11,pso: data @write_relaxed @read_acquire */
CASE(message_relaxed_acquire) { together(write_relaxed, read_acquire); }

/* race rc11: data @write_release @read_relaxed */
CASE(message_release_relaxed) { together(write_release, read_relaxed); }

/* clean */
CASE(message_release_acquire) { together(write_release, read_acquire); }

/* clean: consume counts as acquire, as compilers have it */
CASE(message_release_consume) { together(write_release, read_consume); }

/* clean */
CASE(message_seq_cst) { together(write_seq_cst, read_seq_cst); }

/* clean */
CASE(message_release_seq_cst) { together(write_release, read_seq_cst); }

/* race rc11: data @write_seq_cst @read_relaxed */
CASE(message_seq_cst_relaxed) { together(write_seq_cst, read_relaxed); }

/* clean */
CASE(message_fences) { together(write_fence, read_fence); }

/* clean */
CASE(message_fence_acquire) { together(write_fence, read_acquire); }

/* clean */
CASE(message_release_fence) { together(write_release, read_fence); }

/* race rc11: data @write_fence @read_relaxed */
CASE(message_fence_relaxed) { together(write_fence, read_relaxed); }

/* race rc11,pso: data @write_relaxed @read_fence */
CASE(message_relaxed_fence) { together(write_relaxed, read_fence); }

/* race rc11,pso: data @write_early_fence @read_acquire */
CASE(fence_before_the_data) { together(write_early_fence, read_acquire); }

/* race rc11,pso: data @write_late_fence @read_acquire */
CASE(fence_after_the_flag) { together(write_late_fence, read_acquire); }

/* race rc11,pso: data @write_acquire_fence @read_acquire */
CASE(fence_of_the_wrong_kind_writing) { together(write_acquire_fence, read_acquire); }

/* race rc11: data @write_release @read_early_fence */
CASE(fence_before_the_load) { together(write_release, read_early_fence); }

/* race rc11: data @write_release @read_release_fence */
CASE(fence_of_the_wrong_kind_reading) { together(write_release, read_release_fence); }

/* race data @write_after @read_acquire */
CASE(data_after_the_flag) { together(write_after, read_acquire); }

/* race data @write_release @read_unasked */
CASE(flag_not_asked) { together(write_release, read_unasked); }

/* race data @write_seq_cst @read_wrong_way */
CASE(flag_read_the_wrong_way) { together(write_seq_cst, read_wrong_way); }

/* clean */
CASE(waiting) { together(write_release, read_waiting); }

/* race rc11: data @write_release @read_waiting_relaxed */
CASE(waiting_relaxed) { together(write_release, read_waiting_relaxed); }

/* clean: two reads are no race */
CASE(two_readers) { three(write_release, read_acquire, read_fence); }

/* race rc11: data @write_release @read_relaxed */
CASE(one_reader_of_two) { three(write_release, read_acquire, read_relaxed); }

/* race data @write_release @write_seq_cst */
CASE(two_writers) { together(write_release, write_seq_cst); }

/* --- release sequences ------------------------------------------------------------------------ */

static void pass_on(void)
{
	if (LOAD(flag, relaxed) == 1)
		ADD(flag, 1, relaxed);
}

static void pass_on_cas(void)
{
	int one = 1;

	atomic_compare_exchange_strong_explicit(
		&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
}

static void pass_on_store(void)
{
	if (LOAD(flag, relaxed) == 1)
		STORE(flag, 2, relaxed);
}

static void read_two(void)
{
	if (LOAD(flag, acquire) == 2)
		USE(data); /* @read_two */
}

/* clean: read-modify-writes carry a release on, of whatever order they are */
CASE(sequence_by_add) { three(write_release, pass_on, read_two); }

/* clean */
CASE(sequence_by_cas) { three(write_release, pass_on_cas, read_two); }

/* race rc11,pso: data @write_release @read_two */
CASE(sequence_broken_by_store) { three(write_release, pass_on_store, read_two); }

static void add_release(void)
{
	data = 1; /* @add_release */
	ADD(flag, 1, release);
}

static void add_acq_rel(void)
{
	other = 1; /* @add_acq_rel */
	ADD(flag, 1, acq_rel);
}

static void add_relaxed(void)
{
	other = 1; /* @add_relaxed */
	ADD(flag, 1, relaxed);
}

static void read_both(void)
{
	if (LOAD(flag, acquire) == 2) {
		USE(data);  /* @read_both_data */
		USE(other); /* @read_both_other */
	}
}

/* clean: the sequence of the first goes on through the second, whichever came first */
CASE(sequence_of_two) { three(add_release, add_acq_rel, read_both); }

/* race rc11: other @add_relaxed @read_both_other */
CASE(sequence_of_two_one_relaxed) { three(add_release, add_relaxed, read_both); }

/* --- read-modify-writes ----------------------------------------------------------------------- */

static void lock_acquire(void)
{
	while (XCHG(flag, 1, acquire))
		;
	data++; /* @lock_acquire */
	STORE(flag, 0, release);
}

static void lock_relaxed(void)
{
	while (XCHG(flag, 1, relaxed))
		;
	data++; /* @lock_relaxed */
	STORE(flag, 0, release);
}

static void unlock_relaxed(void)
{
	while (XCHG(flag, 1, acquire))
		;
	data++; /* @unlock_relaxed */
	STORE(flag, 0, relaxed);
}

static void lock_cas(void)
{
	int zero = 0;

	if (atomic_compare_exchange_strong_explicit(
		    &flag, &zero, 1, memory_order_acquire, memory_order_relaxed)) {
		data++; /* @lock_cas */
		STORE(flag, 0, release);
	}
}

/* clean */
CASE(spinlock) { together(lock_acquire, lock_acquire); }

/* race rc11: data @lock_relaxed @lock_relaxed */
CASE(spinlock_taken_relaxed) { together(lock_relaxed, lock_relaxed); }

/* race rc11,pso: data @unlock_relaxed @unlock_relaxed */
CASE(spinlock_given_relaxed) { together(unlock_relaxed, unlock_relaxed); }

/* clean */
CASE(trylock_by_cas) { together(lock_cas, lock_cas); }

static void cas_release(void)
{
	int zero = 0;

	data = 1; /* @cas_release */
	atomic_compare_exchange_strong_explicit(
		&flag, &zero, 1, memory_order_release, memory_order_relaxed);
}

static void cas_fails_acquire(void)
{
	int zero = 0;

	if (!atomic_compare_exchange_strong_explicit(
		    &flag, &zero, 2, memory_order_acquire, memory_order_acquire))
		USE(data); /* @cas_fails_acquire */
}

static void cas_fails_relaxed(void)
{
	int zero = 0;

	if (!atomic_compare_exchange_strong_explicit(
		    &flag, &zero, 2, memory_order_acquire, memory_order_relaxed))
		USE(data); /* @cas_fails_relaxed */
}

/* clean: a failed exchange is a load of the second order */
CASE(cas_fails_and_acquires) { together(cas_release, cas_fails_acquire); }

/* race rc11: data @cas_release @cas_fails_relaxed */
CASE(cas_fails_and_does_not) { together(cas_release, cas_fails_relaxed); }

static void drop(void)
{
	data = 1; /* @drop */
	if (ADD(flag, -1, release) == 1) {
		FENCE(acquire);
		data = 2; /* @drop_last */
	}
}

static void read_and_drop(void)
{
	USE(data); /* @read_and_drop */
	if (ADD(flag, -1, release) == 1) {
		FENCE(acquire);
		data = 3; /* @read_and_drop_last */
	}
}

static void read_and_drop_relaxed(void)
{
	USE(other); /* @read_and_drop_relaxed */
	if (ADD(flag, -1, relaxed) == 1)
		other = 3; /* @drop_relaxed_last */
}

/* clean: a reference count; the last owner has seen the others' accesses */
CASE(reference_count)
{
	flag = 2;
	together(read_and_drop, read_and_drop);
}

/* race rc11: other @read_and_drop_relaxed @drop_relaxed_last */
CASE(reference_count_relaxed)
{
	flag = 2;
	together(read_and_drop_relaxed, read_and_drop_relaxed);
}

/* race data @drop @read_and_drop */
CASE(reference_count_and_a_write)
{
	flag = 2;
	together(drop, read_and_drop);
}

/* --- chains ----------------------------------------------------------------------------------- */

static void forward_acquire(void)
{
	if (LOAD(flag, acquire))
		STORE(second, 1, release);
}

static void forward_relaxed(void)
{
	if (LOAD(flag, relaxed))
		STORE(second, 1, release);
}

static void read_second(void)
{
	if (LOAD(second, acquire))
		USE(data); /* @read_second */
}

/* clean: happens-before is transitive */
CASE(chain) { three(write_release, forward_acquire, read_second); }

/* race rc11: data @write_release @read_second */
CASE(chain_broken) { three(write_release, forward_relaxed, read_second); }

static void claim_first(void)
{
	flag = 1;
	if (!second)
		data++; /* @claim_first */
}

static void claim_second(void)
{
	second = 1;
	if (!flag)
		data++; /* @claim_second */
}

static void claim_first_release(void)
{
	STORE(flag, 1, release);
	if (!LOAD(second, acquire))
		data++; /* @claim_first_release */
}

static void claim_second_release(void)
{
	STORE(second, 1, release);
	if (!LOAD(flag, acquire))
		data++; /* @claim_second_release */
}

static void claim_first_fence(void)
{
	STORE(flag, 1, relaxed);
	FENCE(seq_cst);
	if (!LOAD(second, relaxed))
		data++; /* @claim_first_fence */
}

static void claim_second_fence(void)
{
	STORE(second, 1, relaxed);
	FENCE(seq_cst);
	if (!LOAD(flag, relaxed))
		data++; /* @claim_second_fence */
}

/* clean: Dekker's way; at most one gets in */
CASE(claims_seq_cst) { together(claim_first, claim_second); }

/* clean */
CASE(claims_fences) { together(claim_first_fence, claim_second_fence); }

/* race rc11,tso,pso: data @claim_first_release @claim_second_release */
CASE(claims_release_acquire) { together(claim_first_release, claim_second_release); }

/* --- volatile is atomic and relaxed ----------------------------------------------------------- */

static void write_volatile(void)
{
	data = 1; /* @write_volatile */
	signal = 1;
}

static void read_volatile(void)
{
	if (signal)
		USE(data); /* @read_volatile */
}

static void count_volatile(void)
{
	signal++;
}

/* race rc11,pso: data @write_volatile @read_volatile */
CASE(message_volatile) { together(write_volatile, read_volatile); }

/* clean: an update may be lost, but it is no data race */
CASE(counter_volatile) { together(count_volatile, count_volatile); }
