/* SPDX-License-Identifier: ISC */
/* happens.c - see happens.h. */
#include "buffers/happens.h"
#include "buffers/private.h"
#include "process/pages.h"

#define WORDS (1u << 22) /* of messages, in an execution */

/* Clocks are joined and copied in lanes. Components beyond the number of threads are 0. */
#define LANES 4
typedef i32 lanes __attribute__((vector_size(4 * LANES), aligned(4 * LANES)));

typedef i32 clocks[THREADS_MAX][THREADS_MAX] __attribute__((aligned(4 * LANES)));

clocks happens_clock;

/* By number of the thread: the messages of relaxed loads, for an acquire fence; the message of a
 * release fence, for relaxed stores. struct thread.received and .fenced tell whether they are in
 * use. */
static clocks received, fenced;

/*
 * A thread whose clock contains `sender` has received the message; SENDER_NONE: unknown. `next`
 * links the free messages of this size.
 */
#define SENDER_NONE UINT16_MAX
struct message {
	u16 n; /* components, behind it */
	u16 sender;
	i32 time;
	u32 next, unused;
};
#define HEAD (sizeof(struct message) / sizeof(i32))

static i32 *words; /* a message is the index of its head, in lanes */
static u32 used, free_message;

void happens_begin(void)
{
	if (!words)
		words = pages_need(WORDS * sizeof *words);
	used = MESSAGE_EMPTY + 1;
	free_message = 0;
}

static inline struct message *message_at(u32 m)
{
	return (struct message *)(words + (size_t)m * LANES);
}

static inline i32 *message_clock(u32 m)
{
	return words + (size_t)m * LANES + HEAD;
}

static inline void join_entries(i32 *to, const i32 *from, u32 n)
{
	for (u32 i = 0; i < n; i += LANES) {
		lanes a = *(lanes *)(to + i), b = *(const lanes *)(from + i), more = a > b;

		*(lanes *)(to + i) = (a & more) | (b & ~more);
	}
}

static inline void copy(i32 *to, const i32 *from, u32 n)
{
	for (u32 i = 0; i < n; i += LANES)
		*(lanes *)(to + i) = *(const lanes *)(from + i);
}

static inline void advance(struct thread *t)
{
	if (unlikely(++happens_clock[t->number][t->number] == WORD_CLOCK_MAX))
		private_give_up();
	else
		t->store_epoch = t->epoch += 1ull << WORD_CLOCK;
}

/* Thread n is the first of its lanes. */
static void begin_lanes(u32 n)
{
	for (u32 i = 0; i < n; i++)
		*(lanes *)&happens_clock[i][n] = *(lanes *)&received[i][n] =
			*(lanes *)&fenced[i][n] = (lanes){0};
}

void happens_thread(struct thread *t, struct thread *parent)
{
	u32 n = t->number;
	i32 *mine = happens_clock[n];

	if (n % LANES == 0) {
		begin_lanes(n);
		*(lanes *)(mine + n) = (lanes){0};
	}
	if (parent) {
		copy(mine, happens_clock[parent->number], n);
		advance(parent);
	}
	mine[n] = 1;
	t->store_epoch = t->epoch =
		private_execution | 1ull << WORD_CLOCK | (u64)n << WORD_THREAD | WORD_BYTES;
	t->received = t->fenced = false;
}

/* --- messages -------------------------------------------------------------------------------- */

/* MESSAGE_EMPTY: no memory; then nothing is private any more. */
static u32 message_new(const struct thread *sender, const i32 *clock)
{
	u32 n = (M.nthreads + LANES - 1) & -LANES, m = free_message;
	struct message *x;

	if (m && message_at(m)->n == n) {
		free_message = message_at(m)->next;
	} else if (unlikely((used + 1) * LANES + n > WORDS)) {
		private_give_up();
		return MESSAGE_EMPTY;
	} else {
		m = used;
		used += 1 + n / LANES;
	}
	x = message_at(m);
	x->n = (u16)n;
	x->sender = sender ? sender->number : SENDER_NONE;
	x->time = sender ? happens_clock[sender->number][sender->number] : 0;
	copy(message_clock(m), clock, n);
	return m;
}

void happens_drop(u32 m)
{
	if (m <= MESSAGE_EMPTY)
		return;
	message_at(m)->next =
		free_message && message_at(free_message)->n == message_at(m)->n ? free_message : 0;
	free_message = m;
}

u32 happens_copy(u32 message)
{
	i32 clock[THREADS_MAX] __attribute__((aligned(4 * LANES))) = {0};

	if (message <= MESSAGE_EMPTY)
		return message;
	copy(clock, message_clock(message), message_at(message)->n);
	return message_new(NULL, clock);
}

bool happens_in_message(u32 m, u64 word)
{
	return m > MESSAGE_EMPTY && word_thread(word) < message_at(m)->n &&
	       (i32)word_clock(word) <= message_clock(m)[word_thread(word)];
}

u32 happens_kept(const struct thread *t, u64 word)
{
	i32 clock = (i32)word_clock(word);

	return (t->received && clock <= received[t->number][word_thread(word)]) |
	       (t->fenced && clock <= fenced[t->number][word_thread(word)]) << 1;
}

static inline bool is_message_known(const struct thread *t, u32 message)
{
	const struct message *x = message_at(message);

	return x->sender != SENDER_NONE && x->time <= happens_clock[t->number][x->sender];
}

/* Add the thread's clock, or the part of it that no single thread has, to the message. */
static u32 message_with(u32 message, const struct thread *sender, const i32 *clock)
{
	u32 m;

	if (message <= MESSAGE_EMPTY)
		return message_new(sender, clock);
	m = message_new(NULL, clock);
	if (m > MESSAGE_EMPTY)
		join_entries(message_clock(m), message_clock(message), message_at(message)->n);
	happens_drop(message);
	return m;
}

u32 happens_send(struct thread *t, int order)
{
	u32 m;

	if (order_releases(order)) {
		m = message_new(t, happens_clock[t->number]);
		advance(t);
		return m;
	}
	return t->fenced ? message_new(NULL, fenced[t->number]) : MESSAGE_EMPTY;
}

u32 happens_pass(struct thread *t, u32 old, int order)
{
	if (order_releases(order)) {
		if (old > MESSAGE_EMPTY && is_message_known(t, old)) {
			happens_drop(old);
			old = MESSAGE_EMPTY;
		}
		old = message_with(old, t, happens_clock[t->number]);
		advance(t);
	} else if (t->fenced) {
		old = message_with(old, NULL, fenced[t->number]);
	}
	return old;
}

void happens_receive_slow(struct thread *t, u32 message, int order)
{
	i32 *mine = happens_clock[t->number];
	u32 n = message_at(message)->n;

	if (is_message_known(t, message))
		return;
	if (order_acquires(order)) {
		join_entries(mine, message_clock(message), n);
		return;
	}
	if (!t->received)
		copy(received[t->number], mine, M.nthreads);
	t->received = true;
	join_entries(received[t->number], message_clock(message), n);
}

void happens_fence(struct thread *t, int order)
{
	i32 *mine = happens_clock[t->number];

	if (order_acquires(order) && t->received)
		join_entries(mine, received[t->number], M.nthreads);
	if (!order_releases(order))
		return;
	copy(fenced[t->number], mine, M.nthreads);
	t->fenced = true;
	advance(t);
}

u32 happens_operate(struct thread *t, u32 old)
{
	happens_receive(t, old, __ATOMIC_ACQ_REL);
	happens_drop(old);
	old = message_new(t, happens_clock[t->number]);
	advance(t);
	return old;
}

void happens_join(struct thread *t, const struct thread *ended)
{
	join_entries(happens_clock[t->number], happens_clock[ended->number], M.nthreads);
}

void happens_meet(void)
{
	i32 all[THREADS_MAX] __attribute__((aligned(4 * LANES))) = {0};

	for (u32 i = 0; i < M.nthreads; i++)
		join_entries(all, happens_clock[i], M.nthreads);
	for (u32 i = 0; i < M.nthreads; i++) {
		copy(happens_clock[i], all, M.nthreads);
		advance(&M.thread[M.created[i]]);
	}
}
