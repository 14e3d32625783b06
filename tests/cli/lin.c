/* SPDX-License-Identifier: ISC */
/*
 * lin.c - concurrent objects, right and wrong, for t_lin.sh: one a macro. With -DNO_OPS operations
 * are not recorded; the number of executions must be the same.
 */
#include <stdint.h>
#ifdef NO_OPS
/* Calls all the same, so that registers and stacks are like those with operations. */
static __attribute__((noinline)) void nothing(const void *object, const char *name, int64_t a, int64_t b)
{
	__asm__ volatile("" : : "r"(object), "r"(name), "r"(a), "r"(b) : "memory");
}
#define heddle_specify(spec, parameter)		((void)0)
#define heddle_op_begin(name, argument)		nothing(NULL, name, argument, 0)
#define heddle_op_begin_on(object, name, a, b)	nothing(object, name, a, b)
#define heddle_op_end(ret)			nothing(NULL, NULL, ret, 0)
#define HEDDLE_EMPTY				INT64_MIN
#define HEDDLE_ABORT				(INT64_MIN + 1)
#else
#include <heddle/lin.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define SC  memory_order_seq_cst

static __attribute__((unused)) void run(int n, void *(*const fn[])(void *))
{
	static int number[] = {0, 1, 2, 3};
	pthread_t t[4];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, fn[i], &number[i]);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

#if defined(REGISTER)
/* BUG: a cached copy that other threads do not update. */
static atomic_int cell;

static void write_cell(int v)
{
	heddle_op_begin("write", v);
	atomic_store_explicit(&cell, v, REL);
	heddle_op_end(0);
}

static int read_cell(void)
{
	int v;

	heddle_op_begin("read", 0);
	v = atomic_load_explicit(&cell, ACQ);
	heddle_op_end(v);
	return v;
}

static void *writer(void *arg)
{
	write_cell(1);
	write_cell(2);
	return NULL;
}

static void *reader(void *arg)
{
#ifdef BUG
	int v = read_cell();

	heddle_op_begin("read", 0);
	v = v ? v - 1 : atomic_load_explicit(&cell, ACQ);
	heddle_op_end(v);
#else
	read_cell();
	read_cell();
#endif
	return NULL;
}

int main(void)
{
	heddle_specify(&heddle_spec_register, 0);
	run(2, (void *(*const[])(void *)){writer, reader});
	read_cell();
	return 0;
}

#elif defined(COUNTER)
static atomic_int cell;

static void *inc(void *arg)
{
	int old;

	heddle_op_begin("add", 2);
#ifdef BUG
	old = atomic_load_explicit(&cell, ACQ);
	atomic_store_explicit(&cell, old + 2, REL);
#else
	old = atomic_fetch_add_explicit(&cell, 2, RLX);
#endif
	heddle_op_end(old);
	return NULL;
}

int main(void)
{
	heddle_specify(&heddle_spec_counter, 0);
	run(3, (void *(*const[])(void *)){inc, inc, inc});
	heddle_op_begin("get", 0);
	heddle_op_end(atomic_load(&cell));
	return 0;
}

#elif defined(STACK) || defined(QUEUE)
struct node {
	_Atomic(struct node *) next;
	int value;
};

static struct node nodes[8];

#ifdef STACK
/* Treiber's stack. BUG: pop writes the head without checking that it is unchanged. */
static _Atomic(struct node *) head;

static void put(struct node *n, int v)
{
	struct node *h = atomic_load_explicit(&head, RLX);

	n->value = v;
	heddle_op_begin("push", v);
	do
		atomic_store_explicit(&n->next, h, RLX);
	while (!atomic_compare_exchange_strong_explicit(&head, &h, n, REL, RLX));
	heddle_op_end(0);
}

static void get(void)
{
	struct node *h;

	heddle_op_begin("pop", 0);
	h = atomic_load_explicit(&head, ACQ);
#ifdef BUG
	if (h)
		atomic_store_explicit(&head, atomic_load_explicit(&h->next, RLX), REL);
#else
	while (h && !atomic_compare_exchange_strong_explicit(
			   &head, &h, atomic_load_explicit(&h->next, RLX), ACQ, ACQ))
		;
#endif
	heddle_op_end(h ? h->value : HEDDLE_EMPTY);
}
#define SPEC &heddle_spec_stack
#else
/* Michael and Scott's queue. BUG: the tail is moved before the node is linked. */
static struct node dummy;
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void put(struct node *n, int v)
{
	n->value = v;
	atomic_store_explicit(&n->next, NULL, RLX);
	heddle_op_begin("enq", v);
#ifdef BUG
	struct node *before = atomic_exchange_explicit(&tail, n, memory_order_acq_rel);

	atomic_store_explicit(&before->next, n, REL);
#else
	for (;;) {
		struct node *t = atomic_load_explicit(&tail, ACQ);
		struct node *next = atomic_load_explicit(&t->next, ACQ);

		if (next) {
			atomic_compare_exchange_strong_explicit(&tail, &t, next, REL, RLX);
			continue;
		}
		if (atomic_compare_exchange_strong_explicit(&t->next, &next, n, REL, RLX)) {
			atomic_compare_exchange_strong_explicit(&tail, &t, n, REL, RLX);
			break;
		}
	}
#endif
	heddle_op_end(0);
}

static void get(void)
{
	int64_t v = HEDDLE_EMPTY;

	heddle_op_begin("deq", 0);
	for (;;) {
		struct node *h = atomic_load_explicit(&head, ACQ);
		struct node *next = atomic_load_explicit(&h->next, ACQ);

		if (!next)
			break;
		v = next->value;
		if (atomic_compare_exchange_strong_explicit(
			    &head, &h, next, memory_order_acq_rel, RLX))
			break;
		v = HEDDLE_EMPTY;
	}
	heddle_op_end(v);
}
#define SPEC &heddle_spec_queue
#endif

static void *one(void *arg)
{
	put(&nodes[1], 1);
	get();
	return NULL;
}

static void *two(void *arg)
{
	put(&nodes[2], 2);
	get();
	return NULL;
}

int main(void)
{
	heddle_specify(SPEC, 0);
	run(2, (void *(*const[])(void *)){one, two});
	get();
	return 0;
}

#elif defined(BOUNDED)
/*
 * A ring for one producer and one consumer. BUG: it holds one more than it says. WEAK: acquire and release;
 * good for handing on values, but one can find it full and the other empty at the same time.
 */
#ifdef WEAK
#define GET ACQ
#define PUT REL
#else
#define GET SC
#define PUT SC
#endif
static atomic_int head, tail, slot[2];

static void *producer(void *arg)
{
	for (int v = 1; v <= 3; v++) {
		int t = atomic_load_explicit(&tail, RLX), h;
		bool room;

		heddle_op_begin("enq", v);
		h = atomic_load_explicit(&head, GET);
#ifdef BUG
		room = t - h <= 2;
#else
		room = t - h < 2;
#endif
		if (room) {
			atomic_store_explicit(&slot[t % 2], v, RLX);
			atomic_store_explicit(&tail, t + 1, PUT);
		}
		heddle_op_end(room);
	}
	return NULL;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int h = atomic_load_explicit(&head, RLX);
		int64_t v = HEDDLE_EMPTY;

		heddle_op_begin("deq", 0);
		if (atomic_load_explicit(&tail, GET) != h) {
			v = atomic_load_explicit(&slot[h % 2], RLX);
			atomic_store_explicit(&head, h + 1, PUT);
		}
		heddle_op_end(v);
	}
	return NULL;
}

int main(void)
{
	heddle_specify(&heddle_spec_bounded_queue, 2);
	run(2, (void *(*const[])(void *)){producer, consumer});
	return 0;
}

#elif defined(DEQUE)
/* Chase and Lev's deque with the orders of Le et al. (2013). BUG: all fences are gone. */
#ifdef BUG
#define fence(order) ((void)0)
#else
#define fence(order) atomic_thread_fence(order)
#endif
static atomic_long top, bottom;
static atomic_int slot[4];

static void push(int v)
{
	long b = atomic_load_explicit(&bottom, RLX);

	heddle_op_begin("push", v);
	atomic_store_explicit(&slot[b % 4], v, RLX);
	fence(REL);
	atomic_store_explicit(&bottom, b + 1, RLX);
	heddle_op_end(0);
}

static void take(void)
{
	int64_t v = HEDDLE_EMPTY;
	long b, t;

	heddle_op_begin("pop", 0);
	b = atomic_load_explicit(&bottom, RLX) - 1;
	atomic_store_explicit(&bottom, b, RLX);
	fence(SC);
	t = atomic_load_explicit(&top, RLX);
	if (t <= b)
		v = atomic_load_explicit(&slot[b % 4], RLX);
	if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, SC, RLX))
		v = HEDDLE_EMPTY;
	if (t >= b)
		atomic_store_explicit(&bottom, b + 1, RLX);
	heddle_op_end(v);
}

static void *owner(void *arg)
{
	push(1);
	push(2);
	take();
	take();
	return NULL;
}

static void *thief(void *arg)
{
	int64_t v = HEDDLE_EMPTY;
	long t;

	heddle_op_begin("steal", 0);
	t = atomic_load_explicit(&top, ACQ);
	fence(SC);
	if (t < atomic_load_explicit(&bottom, ACQ)) {
		v = atomic_load_explicit(&slot[t % 4], RLX);
		if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, SC, RLX))
			v = HEDDLE_ABORT;
	}
	heddle_op_end(v);
	return NULL;
}

int main(void)
{
	heddle_specify(&heddle_spec_deque, 0);
	run(3, (void *(*const[])(void *)){owner, thief, thief});
	return 0;
}

#elif defined(SET) || defined(MAP)
/* A sorted list under one lock (SET), a table of two entries (MAP). BUG: one operation forgets the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int there[4];

static void enter(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }

static void *adder(void *arg)
{
	int had;

#ifdef SET
	heddle_op_begin("add", 3);
#else
	heddle_op_begin_on(NULL, "put", 3, 7);
#endif
#ifndef BUG
	enter();
#endif
	had = atomic_load_explicit(&there[3], RLX);
	atomic_store_explicit(&there[3], 7, RLX);
#ifndef BUG
	leave();
#endif
#ifdef SET
	heddle_op_end(!had);
#else
	heddle_op_end(had ? had : HEDDLE_EMPTY);
#endif
	return NULL;
}

static void *remover(void *arg)
{
	int had;

	heddle_op_begin("remove", 3);
	enter();
	had = atomic_exchange_explicit(&there[3], 0, RLX);
	leave();
#ifdef SET
	heddle_op_end(!!had);
#else
	heddle_op_end(had ? had : HEDDLE_EMPTY);
#endif
	return NULL;
}

int main(void)
{
#ifdef SET
	heddle_specify(&heddle_spec_set, 0);
#else
	heddle_specify(&heddle_spec_map, 0);
#endif
	run(3, (void *(*const[])(void *)){adder, adder, remover});
	return 0;
}

#elif defined(LOCK)
/* BUG: a load and a store in place of an exchange. */
static atomic_int held;

static void *user(void *arg)
{
	bool got;

	heddle_op_begin("try_lock", 0);
#ifdef BUG
	got = !atomic_load_explicit(&held, ACQ);
	if (got)
		atomic_store_explicit(&held, 1, RLX);
#else
	got = !atomic_exchange_explicit(&held, 1, ACQ);
#endif
	heddle_op_end(got);
	if (!got)
		return NULL;
	heddle_op_begin("unlock", 0);
	atomic_store_explicit(&held, 0, REL);
	heddle_op_end(0);
	return NULL;
}

int main(void)
{
	heddle_specify(&heddle_spec_lock, 0);
	run(2, (void *(*const[])(void *)){user, user});
	return 0;
}

#elif defined(PENDING)
/* The thread ends while its operation is under way: that may have had its effect (2), or not (0). */
static atomic_int cell;

static void *writer(void *arg)
{
	heddle_op_begin("write", 2);
	atomic_store(&cell, 2);
	for (;;)
		pthread_exit(NULL);
	return NULL;
}

int main(void)
{
	heddle_specify(&heddle_spec_register, 0);
	run(1, (void *(*const[])(void *)){writer});
	heddle_op_begin("read", 0);
#ifdef BUG
	heddle_op_end(1);
#else
	heddle_op_end(atomic_load(&cell));
#endif
	return 0;
}

#elif defined(UNDER_WAY)
/* The same, while the thread waits in its operation for a lock that it never gets. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int cell;

static void *writer(void *arg)
{
	heddle_op_begin("write", 2);
	atomic_store(&cell, 2);
	pthread_mutex_lock(&lock);
	heddle_op_end(0);
	return NULL;
}

int main(void)
{
	pthread_t t;

	heddle_specify(&heddle_spec_register, 0);
	pthread_mutex_lock(&lock);
	pthread_create(&t, NULL, writer, NULL);
	heddle_op_begin("read", 0);
#ifdef BUG
	heddle_op_end(atomic_load(&cell) + 1);
#else
	heddle_op_end(atomic_load(&cell));
#endif
	return 0;
}

#elif defined(OWN)
/* A specification of the program's own, and two objects: a maximum each. BUG: no second read. */
#ifndef NO_OPS
static bool max_apply(void *state, struct heddle_op *op)
{
	int64_t *m = (int64_t *)state, old = *m;

	if (op->arg[0] > old)
		*m = op->arg[0];
	return heddle_returns(op, old);
}

static const struct heddle_operation max_ops[] = {{"raise", 1, HEDDLE_VALUE}, {NULL, 0, 0}};
static const struct heddle_spec max_spec = {
	"maximum", sizeof(int64_t), max_ops, NULL, max_apply, NULL, NULL, NULL};
#endif
static atomic_int cell[2];

static void *raise_both(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int v = *(int *)arg + 1, old;

		heddle_op_begin_on(&cell[i], "raise", v, 0);
#ifdef BUG
		old = atomic_load(&cell[i]);
		if (v > old)
			atomic_store(&cell[i], v);
#else
		old = atomic_load(&cell[i]);
		while (v > old && !atomic_compare_exchange_strong(&cell[i], &old, v))
			;
#endif
		heddle_op_end(old);
	}
	return NULL;
}

int main(void)
{
#ifndef NO_OPS
	heddle_specify_object(&cell[0], &max_spec, 0);
	heddle_specify_object(&cell[1], &max_spec, 0);
#endif
	run(2, (void *(*const[])(void *)){raise_both, raise_both});
	return 0;
}

#elif defined(MISUSE)
int main(int argc, char **argv)
{
	switch (argc) {
	case 1: heddle_op_begin("enq", 1); break;
	case 2:
		heddle_specify(&heddle_spec_queue, 0);
		heddle_op_begin("push", 1);
		break;
	case 3:
		heddle_specify(&heddle_spec_queue, 0);
		heddle_op_begin("enq", 1);
		heddle_op_begin("enq", 2);
		break;
	default: heddle_op_end(0);
	}
	return 0;
}
#endif
