/* SPDX-License-Identifier: ISC */
/*
 * classic.c - small concurrent programs with well-known mistakes, and without: after the categories
 * of SCTBench (Thomson et al., PPoPP 2014) and the subjects of its programs (races.h).
 */
#include "races.h"

/* --- an account, a driver, queues and stages -------------------------------------------------- */

static int balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, lock_2 = PTHREAD_MUTEX_INITIALIZER;

static void deposit(void)
{
	pthread_mutex_lock(&lock);
	balance += 10; /* @deposit */
	pthread_mutex_unlock(&lock);
}

static void withdraw(void)
{
	if (balance >= 10) { /* @withdraw_look */
		pthread_mutex_lock(&lock);
		balance -= 10;
		pthread_mutex_unlock(&lock);
	}
}

static void withdraw_right(void)
{
	pthread_mutex_lock(&lock);
	if (balance >= 10)
		balance -= 10; /* @withdraw */
	pthread_mutex_unlock(&lock);
}

static void audit(void)
{
	USE(balance); /* @audit */
}

/* race balance @deposit @withdraw_look */
CASE(account_bad) { together(deposit, withdraw); }

/* clean */
CASE(account) { three(deposit, withdraw_right, deposit); }

/* race balance @deposit @audit
 * race balance @withdraw @audit */
CASE(account_audit) { three(deposit, withdraw_right, audit); }

static bool stopping, stopped;
static atomic_int pending = 1;
static atomic_bool stop_flag;

static void driver_work(void)
{
	if (!stopping) { /* @driver_look */
		pending++;
		USE(stopped);
		pending--;
	}
}

static void driver_stop(void)
{
	stopping = true; /* @driver_stop */
	if (--pending == 0)
		stopped = true;
}

static void driver_work_right(void)
{
	pending++;
	if (!stop_flag)
		USE(stopped);
	pending--;
}

static void driver_stop_right(void)
{
	stop_flag = true;
	if (--pending == 0)
		stopped = true;
}

/* race stopping @driver_look @driver_stop */
CASE(bluetooth_driver_bad) { together(driver_work, driver_stop); }

/* clean */
CASE(bluetooth_driver) { together(driver_work_right, driver_stop_right); }

static int ring[2], head, tail;
static atomic_int ahead, atail;

static void ring_put(void)
{
	if (tail - head < 2) /* @ring_put_look */
		ring[tail++ % 2] = 1; /* @ring_put */
}

static void ring_get(void)
{
	if (head < tail) /* @ring_get_look */
		USE(ring[head++ % 2]); /* @ring_get */
}

static void spsc_put(void)
{
	for (int i = 0; i < 2; i++) {
		int at = LOAD(atail, relaxed);

		if (at - LOAD(ahead, acquire) < 1) {
			ring[at % 2] = i;
			STORE(atail, at + 1, release);
		}
	}
}

static void spsc_get(void)
{
	for (int i = 0; i < 2; i++) {
		int at = LOAD(ahead, relaxed);

		if (LOAD(atail, acquire) > at) {
			USE(ring[at % 2]);
			STORE(ahead, at + 1, release);
		}
	}
}

static void spsc_put_weak(void)
{
	int at = LOAD(atail, relaxed);

	ring[at % 2] = 1; /* @spsc_put_weak */
	STORE(atail, at + 1, relaxed);
}

static void spsc_get_weak(void)
{
	int at = LOAD(ahead, relaxed);

	if (LOAD(atail, acquire) > at)
		USE(ring[at % 2]); /* @spsc_get_weak */
}

/* race tail @ring_put @ring_get_look */
CASE(circular_buffer_bad) { together(ring_put, ring_get); }

/* clean */
CASE(circular_buffer) { together(spsc_put, spsc_get); }

/* race rc11,pso: ring[0] @spsc_put_weak @spsc_get_weak */
CASE(circular_buffer_weak) { together(spsc_put_weak, spsc_get_weak); }

static int data_1, data_2;

static void stage_1(void)
{
	pthread_mutex_lock(&lock);
	data_1 = 1;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock_2);
	data_2 = data_1 + 1; /* @stage_1 */
	pthread_mutex_unlock(&lock_2);
}

static void stage_2(void)
{
	pthread_mutex_lock(&lock);
	data_1++; /* @stage_2 */
	pthread_mutex_unlock(&lock);
}

static void stage_2_right(void)
{
	pthread_mutex_lock(&lock_2);
	data_2++;
	pthread_mutex_unlock(&lock_2);
}

/* race data_1 @stage_1 @stage_2 */
CASE(twostage_bad) { together(stage_1, stage_2); }

/* clean */
CASE(twostage) { together(stage_1, stage_2_right); }

static void set_both(void)
{
	data_1 = 1; /* @set_1 */
	data_2 = -1;
}

static void check_both(void)
{
	USE(data_1 == 0 && data_2 == 0); /* @check_both */
}

/* race data_1 @set_1 @check_both */
CASE(reorder_bad) { together(set_both, check_both); }

static int token;
static sem_t place[3];

static void ring_member(int i)
{
	sem_wait(&place[i]);
	token++;
	sem_post(&place[(i + 1) % 3]);
}

static void member_0(void)
{
	ring_member(0);
}

static void member_1(void)
{
	ring_member(1);
}

static void member_2(void)
{
	ring_member(2);
}

static void member_early(void)
{
	token++; /* @member_early */
	sem_wait(&place[1]);
}

static void begin_ring(void)
{
	sem_init(&place[0], 0, 1);
	sem_init(&place[1], 0, 0);
	sem_init(&place[2], 0, 0);
}

static void token_0(void)
{
	sem_wait(&place[0]);
	token++; /* @token_0 */
	sem_post(&place[1]);
}

/* clean */
CASE(token_ring)
{
	begin_ring();
	three(member_0, member_1, member_2);
}

/* race token @token_0 @member_early */
CASE(token_ring_bad)
{
	begin_ring();
	together(token_0, member_early);
}

static int stack[2], top;

static void push(void)
{
	pthread_mutex_lock(&lock);
	stack[top] = 1; /* @push */
	top++;		/* @push_top */
	pthread_mutex_unlock(&lock);
}

static void pop(void)
{
	if (top > 0) { /* @pop_look */
		pthread_mutex_lock(&lock);
		USE(stack[--top]);
		pthread_mutex_unlock(&lock);
	}
}

/* race top @push_top @pop_look */
CASE(stack_bad) { together(push, pop); }

/* clean */
CASE(stack_pushes) { together(push, push); }

static int forks[2], meals;
static pthread_mutex_t fork_lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void philosopher(void)
{
	pthread_mutex_lock(&fork_lock[0]);
	pthread_mutex_lock(&fork_lock[1]);
	forks[0]++;
	forks[1]++;
	pthread_mutex_unlock(&fork_lock[1]);
	pthread_mutex_unlock(&fork_lock[0]);
	meals++; /* @meals */
}

static void philosopher_right(void)
{
	pthread_mutex_lock(&fork_lock[0]);
	pthread_mutex_lock(&fork_lock[1]);
	meals++;
	pthread_mutex_unlock(&fork_lock[1]);
	pthread_mutex_unlock(&fork_lock[0]);
}

/* race meals @meals @meals */
CASE(din_phil_bad) { together(philosopher, philosopher); }

/* clean */
CASE(din_phil) { together(philosopher_right, philosopher_right); }

static bool busy[4];

static void allocate(void)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&fork_lock[i]);
		if (!busy[i]) {
			busy[i] = true;
			pthread_mutex_unlock(&fork_lock[i]);
			return;
		}
		pthread_mutex_unlock(&fork_lock[i]);
	}
}

static void allocate_striped_badly(void)
{
	pthread_mutex_lock(&fork_lock[1]);
	busy[0] |= true; /* @striped */
	pthread_mutex_unlock(&fork_lock[1]);
}

static void allocate_first(void)
{
	pthread_mutex_lock(&fork_lock[0]);
	busy[0] = true; /* @allocate_first */
	pthread_mutex_unlock(&fork_lock[0]);
}

/* clean */
CASE(fsbench) { three(allocate, allocate, allocate); }

/* race busy[0] @striped @allocate_first */
CASE(fsbench_bad) { together(allocate_striped_badly, allocate_first); }

/* --- algorithms ------------------------------------------------------------------------------- */

static bool want[2];
static int inside;
static atomic_bool awant[2];
static atomic_int avictim;

static void peterson_plain_0(void)
{
	want[0] = true;
	USE(want[1]);	/* @peterson_0_look */
}

static void peterson_plain_1(void)
{
	want[1] = true; /* @peterson_1_set */
	USE(want[0]);
}

static void peterson(int me)
{
	awant[me] = true;
	avictim = me;
	while (awant[1 - me] && avictim == me)
		;
	inside++;
	awant[me] = false;
}

static void peterson_0(void)
{
	peterson(0);
}

static void peterson_1(void)
{
	peterson(1);
}

static void peterson_weak(int me)
{
	STORE(awant[me], true, release);
	STORE(avictim, me, release);
	if (!(LOAD(awant[1 - me], acquire) && LOAD(avictim, acquire) == me))
		inside++; /* @peterson_weak */
}

static void peterson_weak_0(void)
{
	peterson_weak(0);
}

static void peterson_weak_1(void)
{
	peterson_weak(1);
}

/* race want[1] @peterson_0_look @peterson_1_set */
CASE(peterson_with_plain_variables) { together(peterson_plain_0, peterson_plain_1); }

/* clean */
CASE(peterson_seq_cst) { together(peterson_0, peterson_1); }

/* race rc11,tso,pso: inside @peterson_weak @peterson_weak */
CASE(peterson_release_acquire) { together(peterson_weak_0, peterson_weak_1); }

static atomic_int next_ticket, now_serving;

static void ticket_lock(void)
{
	int mine = ADD(next_ticket, 1, relaxed);

	while (LOAD(now_serving, acquire) != mine)
		;
	inside++;
	STORE(now_serving, mine + 1, release);
}

static void ticket_lock_weak(void)
{
	int mine = ADD(next_ticket, 1, acq_rel);

	while (LOAD(now_serving, relaxed) != mine)
		;
	inside++; /* @ticket_lock_weak */
	STORE(now_serving, mine + 1, release);
}

/* clean */
CASE(ticketlock) { together(ticket_lock, ticket_lock); }

/* race rc11: inside @ticket_lock_weak @ticket_lock_weak */
CASE(ticketlock_weak) { together(ticket_lock_weak, ticket_lock_weak); }

static atomic_uint sequence;
static atomic_int value_a, value_b;
static int plain_a;

static void seqlock_write(void)
{
	STORE(sequence, 1, relaxed);
	FENCE(release);
	STORE(value_a, 1, relaxed);
	STORE(value_b, 1, relaxed);
	STORE(sequence, 2, release);
}

static void seqlock_read(void)
{
	unsigned before = LOAD(sequence, acquire);
	int va = LOAD(value_a, relaxed), vb = LOAD(value_b, relaxed);

	FENCE(acquire);
	if (!(before & 1) && LOAD(sequence, relaxed) == before)
		assert(va == vb);
}

static void seqlock_write_plain(void)
{
	STORE(sequence, 1, relaxed);
	FENCE(release);
	plain_a = 1; /* @seqlock_write_plain */
	STORE(sequence, 2, release);
}

static void seqlock_read_plain(void)
{
	if (!(LOAD(sequence, acquire) & 1))
		USE(plain_a); /* @seqlock_read_plain */
}

/* clean */
CASE(seqlock) { together(seqlock_write, seqlock_read); }

/* race plain_a @seqlock_write_plain @seqlock_read_plain */
CASE(seqlock_of_plain_data) { together(seqlock_write_plain, seqlock_read_plain); }

struct node {
	struct node *next;
	int value;
};

static _Atomic(struct node *) treiber;

static void treiber_push(void)
{
	struct node *n = malloc(sizeof *n);

	n->value = 1;
	n->next = LOAD(treiber, relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		&treiber, &n->next, n, memory_order_release, memory_order_relaxed))
		;
}

static void treiber_peek(void)
{
	struct node *n = LOAD(treiber, acquire);

	if (n)
		USE(n->value); /* @treiber_peek */
}

static void treiber_free(void)
{
	while (treiber) {
		struct node *n = treiber;

		treiber = n->next;
		free(n);
	}
}

/* clean */
CASE(treiber_stack)
{
	three(treiber_push, treiber_peek, treiber_push);
	treiber_free();
}

static struct node nodes[2];

static void publish_weak(void)
{
	nodes[1].value = 1; /* @publish_weak */
	STORE(treiber, &nodes[1], relaxed);
}

/* race rc11,pso: nodes[1].value @publish_weak @treiber_peek */
CASE(treiber_stack_weak) { together(publish_weak, treiber_peek); }

static atomic_int readers, writer;

static void rw_read(void)
{
	readers++;
	if (!writer)
		USE(inside); /* @rw_read */
	readers--;
}

static void rw_write(void)
{
	writer = 1;
	if (!readers)
		inside++; /* @rw_write */
	writer = 0;
}

static void rw_read_late(void)
{
	if (!writer) {
		readers++;
		USE(inside); /* @rw_read_late */
		readers--;
	}
}

/* clean */
CASE(readers_and_writer) { together(rw_read, rw_write); }

/* race inside @rw_read_late @rw_write */
CASE(readers_and_writer_bad) { together(rw_read_late, rw_write); }

static atomic_int arrived, sense;
static int before[2];

static void central_barrier(int me)
{
	before[me] = 1;
	if (ADD(arrived, 1, acq_rel) == 1)
		STORE(sense, 1, release);
	while (!LOAD(sense, acquire))
		;
	USE(before[1 - me]);
}

static void central_0(void)
{
	central_barrier(0);
}

static void central_1(void)
{
	central_barrier(1);
}

static void central_weak(int me)
{
	before[me] = 1; /* @central_weak_set */
	if (ADD(arrived, 1, relaxed) == 1)
		STORE(sense, 1, release);
	while (!LOAD(sense, acquire))
		;
	USE(before[1 - me]); /* @central_weak_use */
}

static void central_weak_0(void)
{
	central_weak(0);
}

static void central_weak_1(void)
{
	central_weak(1);
}

/* clean */
CASE(own_barrier) { together(central_0, central_1); }

/* race rc11: before[0] @central_weak_set @central_weak_use */
CASE(own_barrier_weak) { together(central_weak_0, central_weak_1); }
