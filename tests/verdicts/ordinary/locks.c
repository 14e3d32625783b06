/* SPDX-License-Identifier: ISC */
/* locks.c - mutual exclusion: locks of all kinds and ways to take them; owners that end. */
#include "ordinary.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>

/* --- one lock --------------------------------------------------------------------------------- */

enum kind {
	MUTEX,
	ERRORCHECK,
	RECURSIVE,
	ROBUST,
	ADAPTIVE,
	RWLOCK,
	SPIN,
	SEM,
	MTX,
	OWN_SWAP,
	OWN_POLITE,
	OWN_TICKET,
	KINDS
};

struct lock {
	union {
		pthread_mutex_t mutex;
		pthread_rwlock_t rwlock;
		pthread_spinlock_t spin;
		sem_t sem;
		mtx_t mtx;
		struct {
			atomic_int held, next;
		};
	};
};

static enum kind kind_of(const struct part *p)
{
	return (enum kind)(p->pick[0] % KINDS);
}

static void begin_mutex(pthread_mutex_t *m, int type, bool robust)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	if (robust)
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(m, &a);
	pthread_mutexattr_destroy(&a);
}

static void begin_lock(struct lock *l, enum kind k)
{
	switch (k) {
	case MUTEX: pthread_mutex_init(&l->mutex, NULL); break;
	case ERRORCHECK: begin_mutex(&l->mutex, PTHREAD_MUTEX_ERRORCHECK, false); break;
	case RECURSIVE: begin_mutex(&l->mutex, PTHREAD_MUTEX_RECURSIVE, false); break;
	case ROBUST: begin_mutex(&l->mutex, PTHREAD_MUTEX_NORMAL, true); break;
	case ADAPTIVE: begin_mutex(&l->mutex, PTHREAD_MUTEX_ADAPTIVE_NP, false); break;
	case RWLOCK: pthread_rwlock_init(&l->rwlock, NULL); break;
	case SPIN: pthread_spin_init(&l->spin, PTHREAD_PROCESS_PRIVATE); break;
	case SEM: sem_init(&l->sem, 0, 1); break;
	case MTX: mtx_init(&l->mtx, mtx_timed); break;
	default: break;
	}
}

/* Own locks: weakness 3 is an unlock that does not release, 4 a lock that does not acquire. */
static void own_lock(const struct part *p, struct lock *l, enum kind k)
{
	memory_order order = p->weak == 4 ? memory_order_relaxed : memory_order_acq_rel;
	int free = 0, mine;

	if (k == OWN_TICKET) {
		mine = add(&l->next, 1, memory_order_relaxed);
		while (look(&l->held, acquire_or(p, 4)) != mine)
			sched_yield();
		return;
	}
	while (!change(&l->held, &free, 1, order, false)) {
		free = 0;
		while (k == OWN_POLITE && look(&l->held, memory_order_relaxed))
			sched_yield();
	}
}

static void own_unlock(const struct part *p, struct lock *l, enum kind k)
{
	int next = k == OWN_TICKET ? look(&l->held, memory_order_relaxed) + 1 : 0;

	put(&l->held, next, release_or(p, 3));
}

static void lock(const struct part *p, struct lock *l, enum kind k)
{
	switch (k) {
	case RWLOCK: check(!pthread_rwlock_wrlock(&l->rwlock)); break;
	case SPIN: check(!pthread_spin_lock(&l->spin)); break;
	case SEM: check(!sem_wait(&l->sem)); break;
	case MTX: check(mtx_lock(&l->mtx) == thrd_success); break;
	case OWN_SWAP:
	case OWN_POLITE:
	case OWN_TICKET: own_lock(p, l, k); break;
	default: check(!pthread_mutex_lock(&l->mutex));
	}
}

static void unlock(const struct part *p, struct lock *l, enum kind k)
{
	switch (k) {
	case RWLOCK: check(!pthread_rwlock_unlock(&l->rwlock)); break;
	case SPIN: check(!pthread_spin_unlock(&l->spin)); break;
	case SEM: check(!sem_post(&l->sem)); break;
	case MTX: check(mtx_unlock(&l->mtx) == thrd_success); break;
	case OWN_SWAP:
	case OWN_POLITE:
	case OWN_TICKET: own_unlock(p, l, k); break;
	default: check(!pthread_mutex_unlock(&l->mutex));
	}
}

static bool try(const struct part *p, struct lock *l, enum kind k)
{
	int free = 0;

	switch (k) {
	case RWLOCK: return !pthread_rwlock_trywrlock(&l->rwlock);
	case SPIN: return !pthread_spin_trylock(&l->spin);
	case SEM: return !sem_trywait(&l->sem);
	case MTX: return mtx_trylock(&l->mtx) == thrd_success;
	case OWN_SWAP:
	case OWN_POLITE:
	case OWN_TICKET:
		return change(&l->held, &free, 1,
			p->weak == 4 ? memory_order_relaxed : memory_order_acq_rel, false);
	default: return !pthread_mutex_trylock(&l->mutex);
	}
}

static bool try_for(const struct part *p, struct lock *l, enum kind k, long ms)
{
	struct timespec t = in(CLOCK_REALTIME, ms);
	int error;

	switch (k) {
	case RWLOCK: error = pthread_rwlock_timedwrlock(&l->rwlock, &t); break;
	case SEM: error = sem_timedwait(&l->sem, &t) ? errno : 0; break;
	case MTX: error = mtx_timedlock(&l->mtx, &t) == thrd_success ? 0 : ETIMEDOUT; break;
	case SPIN:
	case OWN_SWAP:
	case OWN_POLITE:
	case OWN_TICKET: return try(p, l, k);
	default: error = pthread_mutex_timedlock(&l->mutex, &t);
	}
	check(!error || error == ETIMEDOUT);
	return !error;
}

/* Until it is taken, in some way. */
static void take(const struct part *p, struct lock *l, enum kind k)
{
	switch (k == OWN_TICKET ? 0 : p->pick[1] % 5) {
	case 1:
		while (!try(p, l, k))
			sched_yield();
		break;
	case 2:
		for (int i = 0; i < 2; i++)
			if (try(p, l, k))
				return;
		lock(p, l, k);
		break;
	case 3:
		if (!try_for(p, l, k, 10))
			lock(p, l, k);
		break;
	default: lock(p, l, k);
	}
}

/* --- a counter that has a lock ---------------------------------------------------------------- */

struct counter {
	struct lock lock;
	int value, twin;
	atomic_int missed;
};

static void count(struct counter *c)
{
	check(c->value == c->twin);
	c->value++;
	KEEP();
	c->twin++;
}

static void counter_begin(const struct part *p, void *state)
{
	struct counter *c = state;

	begin_lock(&c->lock, kind_of(p));
}

static void lock_work(const struct part *p, void *state, int me)
{
	struct counter *c = state;
	enum kind k = kind_of(p);

	for (int i = 0; i < p->rounds; i++) {
		bool without = p->weak == 1 && !me && !i,
		     keep = p->weak == 2 && !me && i == p->rounds - 1;

		if (!without)
			take(p, &c->lock, k);
		count(c);
		if (!without && !keep)
			unlock(p, &c->lock, k);
	}
}

static void lock_end(const struct part *p, void *state)
{
	struct counter *c = state;

	check(c->value == p->users * p->rounds && c->twin == c->value);
}

/* Orders are those of own locks. An owner that ends gives up a robust mutex, in a way. */
static void lock_shape(struct part *p)
{
	if (p->weak >= 3)
		p->pick[0] = (uint8_t)(OWN_SWAP + p->pick[0] % 3);
	if (p->weak == 2 && kind_of(p) == ROBUST)
		p->pick[0] = MUTEX;
}

const struct idiom lock_idiom = {.name = "lock",
	.least = 2,
	.most = 3,
	.costs = {12, 150, 450},
	.shape = lock_shape,
	.begin = counter_begin,
	.work = lock_work,
	.end = lock_end,
	.weakness = {{0}, {"one thread counts without the lock", ALL_MODELS(RACE)},
		{"one unlock is missing", ALL_MODELS(STUCK)},
		{"the unlock of an own lock is relaxed", NO_RELEASE(RACE)},
		{"the lock of an own lock is relaxed", NO_ACQUIRE(RACE)}}};

/* A thread that does not get it in time counts that. */
static void trylock_work(const struct part *p, void *state, int me)
{
	struct counter *c = state;
	enum kind k = kind_of(p);

	for (int i = 0; i < p->rounds; i++) {
		bool got = p->pick[1] % 2 ? try_for(p, &c->lock, k, 5) : try(p, &c->lock, k);

		if (got || (p->weak == 1 && !me))
			count(c);
		else
			add(&c->missed, 1, memory_order_relaxed);
		if (got)
			unlock(p, &c->lock, k);
	}
}

static void trylock_end(const struct part *p, void *state)
{
	struct counter *c = state;

	check(c->value + look(&c->missed, memory_order_relaxed) == p->users * p->rounds &&
		c->value);
}

static void trylock_shape(struct part *p)
{
	if (p->weak >= 3)
		p->pick[0] = (uint8_t)(OWN_SWAP + p->pick[0] % 2);
	if (kind_of(p) == OWN_TICKET)
		p->pick[0] = MUTEX;
}

const struct idiom trylock_idiom = {.name = "trylock",
	.least = 2,
	.most = 3,
	.costs = {14, 70, 100},
	.shape = trylock_shape,
	.begin = counter_begin,
	.work = trylock_work,
	.end = trylock_end,
	.weakness = {{0}, {"one thread does not look at the result of trylock", ALL_MODELS(RACE)}}};

/* --- readers and writers ---------------------------------------------------------------------- */

struct shared {
	pthread_rwlock_t lock;
	int a, b;
	atomic_int missed;
};

static void rwlock_begin(const struct part *p, void *state)
{
	struct shared *s = state;
	pthread_rwlockattr_t a;

	pthread_rwlockattr_init(&a);
	if (p->pick[2] % 2)
		pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&s->lock, &a);
	pthread_rwlockattr_destroy(&a);
}

static bool read_lock(const struct part *p, struct shared *s)
{
	struct timespec t;
	int error;

	switch (p->pick[0] % 4) {
	case 0:
		error = pthread_rwlock_tryrdlock(&s->lock);
		check(!error || error == EBUSY);
		return !error;
	case 1:
		t = in(CLOCK_REALTIME, 10);
		error = pthread_rwlock_timedrdlock(&s->lock, &t);
		check(!error || error == ETIMEDOUT);
		return !error;
	default: check(!pthread_rwlock_rdlock(&s->lock)); return true;
	}
}

/* Thread 0 writes, thread 1 reads, another does both. */
static void rwlock_work(const struct part *p, void *state, int me)
{
	struct shared *s = state;

	for (int i = 0; i < p->rounds; i++) {
		bool writes = !me || (me == 2 && i % 2), weak = !i && p->weak - 1 == me,
		     locked = true;

		if (writes)
			check(!(weak ? pthread_rwlock_rdlock(&s->lock)
				     : pthread_rwlock_wrlock(&s->lock)));
		else if (weak || !read_lock(p, s))
			locked = false;
		if (writes) {
			s->a++;
			KEEP();
			s->b++;
		} else if (locked || weak) {
			check(s->a == s->b);
		}
		if (locked)
			check(!pthread_rwlock_unlock(&s->lock));
	}
}

static void rwlock_end(const struct part *p, void *state)
{
	struct shared *s = state;

	check(s->a == p->rounds + (p->users > 2 ? p->rounds / 2 : 0) && s->a == s->b);
}

const struct idiom rwlock_idiom = {.name = "rwlock",
	.least = 2,
	.most = 3,
	.costs = {16, 150, 500},
	.begin = rwlock_begin,
	.work = rwlock_work,
	.end = rwlock_end,
	.weakness = {{0}, {"the writer takes the lock for reading", ALL_MODELS(RACE)},
		{"one reader takes no lock", ALL_MODELS(RACE)}}};

/* --- recursive mutexes ------------------------------------------------------------------------ */

struct recursive {
	pthread_mutex_t mutex;
	mtx_t mtx;
	int depth, sum;
};

static void recursive_begin(const struct part *p, void *state)
{
	struct recursive *r = state;

	(void)p;
	begin_mutex(&r->mutex, PTHREAD_MUTEX_RECURSIVE, false);
	mtx_init(&r->mtx, mtx_plain | mtx_recursive);
}

static void descend(const struct part *p, struct recursive *r, int levels, bool weak)
{
	bool c11 = p->pick[0] % 2;

	if (c11)
		check(mtx_lock(&r->mtx) == thrd_success);
	else
		check(!(p->pick[0] & 2
				? pthread_mutex_trylock(&r->mutex) && pthread_mutex_lock(&r->mutex)
				: pthread_mutex_lock(&r->mutex)));
	r->depth++;
	r->sum++;
	if (levels)
		descend(p, r, levels - 1, weak);
	check(--r->depth == 0 || levels < p->rounds);
	if (weak && !levels)
		return;
	if (c11)
		mtx_unlock(&r->mtx);
	else
		pthread_mutex_unlock(&r->mutex);
}

static void recursive_work(const struct part *p, void *state, int me)
{
	descend(p, state, p->rounds, p->weak == 1 && !me);
}

static void recursive_end(const struct part *p, void *state)
{
	struct recursive *r = state;

	check(!r->depth && r->sum == p->users * (p->rounds + 1));
}

const struct idiom recursive_idiom = {.name = "recursive",
	.least = 2,
	.most = 3,
	.costs = {11, 11, 30},
	.begin = recursive_begin,
	.work = recursive_work,
	.end = recursive_end,
	.weakness = {{0}, {"one unlock is missing", ALL_MODELS(STUCK)}}};

/* --- robust mutexes --------------------------------------------------------------------------- */

/* A thread ends inside, between its two steps; the next owner repairs that. */
struct robust {
	pthread_mutex_t mutex;
	int a, b, mended;
};

static void robust_begin(const struct part *p, void *state)
{
	struct robust *r = state;

	begin_mutex(
		&r->mutex, p->pick[0] % 2 ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_NORMAL, true);
}

static void *dies(void *state)
{
	struct robust *r = state;

	check(!pthread_mutex_lock(&r->mutex));
	r->a++;
	return NULL;
}

static int robust_lock(const struct part *p, struct robust *r)
{
	struct timespec t;
	int error;

	switch (p->pick[1] % 3) {
	case 0:
		while ((error = pthread_mutex_trylock(&r->mutex)) == EBUSY)
			sched_yield();
		return error;
	case 1:
		t = in(CLOCK_REALTIME, 10);
		error = pthread_mutex_timedlock(&r->mutex, &t);
		return error == ETIMEDOUT ? pthread_mutex_lock(&r->mutex) : error;
	default: return pthread_mutex_lock(&r->mutex);
	}
}

static void mend(const struct part *p, struct robust *r, int error)
{
	check(!error || error == EOWNERDEAD);
	if (error) {
		check(r->a == r->b + 1);
		r->b++;
		r->mended++;
		if (p->weak != 1)
			check(!pthread_mutex_consistent(&r->mutex));
	}
	check(r->a == r->b);
	pthread_mutex_unlock(&r->mutex);
}

static void robust_work(const struct part *p, void *state, int me)
{
	struct robust *r = state;
	pthread_t t;

	if (!me) {
		check(!pthread_create(&t, NULL, dies, r));
		if (p->pick[2] % 2)
			pthread_detach(t);
		else
			pthread_join(t, NULL);
	}
	mend(p, r, robust_lock(p, r));
}

static void robust_end(const struct part *p, void *state)
{
	struct robust *r = state;

	mend(p, r, pthread_mutex_lock(&r->mutex));
	if (!(p->pick[2] % 2)) /* it has been joined */
		check(r->mended == 1 && r->a == 1);
}

static void robust_shape(struct part *p)
{
	if (p->weak)
		p->pick[2] = 0; /* joined: it always ends inside */
}

const struct idiom robust_idiom = {.name = "robust",
	.least = 2,
	.most = 3,
	.costs = {12, 12, 40},
	.shape = robust_shape,
	.begin = robust_begin,
	.work = robust_work,
	.end = robust_end,
	.weakness = {
		{0}, {"what the dead owner left is not made consistent", ALL_MODELS(FAILURE)}}};
