/* SPDX-License-Identifier: ISC */
/* locks.c - synchronisation by mutexes, spin locks, rwlocks, once, join, and C11's own (races.h). */
#include "races.h"

static int data;
static bool ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* --- mutexes ---------------------------------------------------------------------------------- */

static void under_lock(void)
{
	pthread_mutex_lock(&lock);
	data++; /* @under_lock */
	pthread_mutex_unlock(&lock);
}

static void under_wrong_lock(void)
{
	pthread_mutex_lock(&wrong);
	data++; /* @under_wrong_lock */
	pthread_mutex_unlock(&wrong);
}

static void under_both(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&wrong);
	data++; /* @under_both */
	pthread_mutex_unlock(&wrong);
	pthread_mutex_unlock(&lock);
}

static void no_lock(void)
{
	data++; /* @no_lock */
}

static void read_no_lock(void)
{
	USE(data); /* @read_no_lock */
}

static void after_unlock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	data++; /* @after_unlock */
}

static void unlock_too_early(void)
{
	pthread_mutex_lock(&lock);
	USE(data); /* @unlock_too_early_read */
	pthread_mutex_unlock(&lock);
	data = 5; /* @unlock_too_early */
}

static void try_lock(void)
{
	if (!pthread_mutex_trylock(&lock)) {
		data++; /* @try_lock */
		pthread_mutex_unlock(&lock);
	}
}

static void try_lock_unchecked(void)
{
	bool mine = !pthread_mutex_trylock(&lock);

	data++; /* @try_lock_unchecked */
	if (mine)
		pthread_mutex_unlock(&lock);
}

static void timed_lock(void)
{
	struct timespec t = {0, 1000};

	if (!pthread_mutex_timedlock(&lock, &t)) {
		data++; /* @timed_lock */
		pthread_mutex_unlock(&lock);
	}
}

static void recursive_lock(void)
{
	static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

	pthread_mutex_lock(&again);
	pthread_mutex_lock(&again);
	pthread_mutex_unlock(&again);
	data++; /* @recursive_lock */
	pthread_mutex_unlock(&again);
}

static void flag_under_lock(void)
{
	data = 1; /* @flag_under_lock */
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_mutex_unlock(&lock);
}

static void look_under_lock(void)
{
	bool is_ready;

	pthread_mutex_lock(&lock);
	is_ready = ready;
	pthread_mutex_unlock(&lock);
	if (is_ready)
		USE(data); /* @look_under_lock */
}

static void look_unlocked(void)
{
	if (ready) /* @look_unlocked */
		USE(data);
}

static void set_unlocked(void)
{
	ready = true; /* @set_unlocked */
}

static void set_under_lock(void)
{
	pthread_mutex_lock(&lock);
	ready = true; /* @set_under_lock */
	pthread_mutex_unlock(&lock);
}

/* clean */
CASE(mutex) { together(under_lock, under_lock); }

/* race data @under_lock @under_wrong_lock */
CASE(wrong_lock) { together(under_lock, under_wrong_lock); }

/* clean: one in common is enough */
CASE(locks_with_one_in_common) { together(under_lock, under_both); }

/* race data @under_lock @under_wrong_lock */
CASE(locks_in_common_by_pairs) { three(under_lock, under_wrong_lock, under_both); }

/* race data @under_lock @no_lock */
CASE(one_without_lock) { together(under_lock, no_lock); }

/* race data @under_lock @read_no_lock */
CASE(reader_without_lock) { together(under_lock, read_no_lock); }

/* race data @no_lock @no_lock */
CASE(no_thread_locks) { together(no_lock, no_lock); }

/* clean: both only read */
CASE(readers_without_lock) { together(read_no_lock, read_no_lock); }

/* race data @under_lock @after_unlock */
CASE(lock_let_go) { together(under_lock, after_unlock); }

/* race data @unlock_too_early @unlock_too_early_read
 * race data @unlock_too_early @unlock_too_early */
CASE(lock_let_go_between) { together(unlock_too_early, unlock_too_early); }

/* clean */
CASE(trylock) { together(under_lock, try_lock); }

/* race data @under_lock @try_lock_unchecked */
CASE(trylock_unchecked) { together(under_lock, try_lock_unchecked); }

/* clean */
CASE(timedlock) { together(under_lock, timed_lock); }

/* clean */
CASE(recursive) { together(recursive_lock, recursive_lock); }

/* race data @under_lock @recursive_lock */
CASE(locks_of_two_kinds) { together(under_lock, recursive_lock); }

/* clean: data that changes hands by a flag under a lock */
CASE(flag_by_lock) { together(flag_under_lock, look_under_lock); }

/* race ready @set_under_lock @look_unlocked */
CASE(flag_read_unlocked) { together(set_under_lock, look_unlocked); }

/* race ready @set_unlocked @look_unlocked */
CASE(flag_plain) { together(set_unlocked, look_unlocked); }

/* race ready @set_unlocked @set_under_lock */
CASE(flag_set_twice) { together(set_unlocked, set_under_lock); }

static void lazily(void)
{
	if (!ready) { /* @lazily_look */
		pthread_mutex_lock(&lock);
		if (!ready) {
			data = 1;
			ready = true; /* @lazily_set */
		}
		pthread_mutex_unlock(&lock);
	}
	USE(data);
}

/* race ready @lazily_look @lazily_set */
CASE(double_checked) { together(lazily, lazily); }

static atomic_bool made;

static void lazily_atomic(void)
{
	if (!LOAD(made, acquire)) {
		pthread_mutex_lock(&lock);
		if (!LOAD(made, relaxed)) {
			data = 1;
			STORE(made, true, release);
		}
		pthread_mutex_unlock(&lock);
	}
	USE(data);
}

static void lazily_relaxed(void)
{
	if (!LOAD(made, relaxed)) {
		pthread_mutex_lock(&lock);
		if (!LOAD(made, relaxed)) {
			data = 1; /* @lazily_relaxed_make */
			STORE(made, true, release);
		}
		pthread_mutex_unlock(&lock);
	}
	USE(data); /* @lazily_relaxed_use */
}

/* clean */
CASE(double_checked_atomic) { together(lazily_atomic, lazily_atomic); }

/* race rc11: data @lazily_relaxed_make @lazily_relaxed_use */
CASE(double_checked_relaxed) { together(lazily_relaxed, lazily_relaxed); }

/* --- spin locks ------------------------------------------------------------------------------- */

static void under_spinlock(void)
{
	pthread_spin_lock(&spin);
	data++; /* @under_spinlock */
	pthread_spin_unlock(&spin);
}

static void under_spin_trylock(void)
{
	if (!pthread_spin_trylock(&spin)) {
		data++;
		pthread_spin_unlock(&spin);
	}
}

/* clean */
CASE(spin_lock)
{
	pthread_spin_init(&spin, 0);
	together(under_spinlock, under_spin_trylock);
}

/* race data @under_spinlock @under_lock */
CASE(spin_lock_and_mutex)
{
	pthread_spin_init(&spin, 0);
	together(under_spinlock, under_lock);
}

/* --- read-write locks ------------------------------------------------------------------------- */

static void read_locked(void)
{
	pthread_rwlock_rdlock(&rwlock);
	USE(data); /* @read_locked */
	pthread_rwlock_unlock(&rwlock);
}

static void write_locked(void)
{
	pthread_rwlock_wrlock(&rwlock);
	data++; /* @write_locked */
	pthread_rwlock_unlock(&rwlock);
}

static void write_read_locked(void)
{
	pthread_rwlock_rdlock(&rwlock);
	data++; /* @write_read_locked */
	pthread_rwlock_unlock(&rwlock);
}

static void try_read_locked(void)
{
	if (!pthread_rwlock_tryrdlock(&rwlock)) {
		USE(data);
		pthread_rwlock_unlock(&rwlock);
	}
}

static void try_write_locked(void)
{
	if (!pthread_rwlock_trywrlock(&rwlock)) {
		data++;
		pthread_rwlock_unlock(&rwlock);
	}
}

/* clean */
CASE(rwlock_of_all) { three(read_locked, write_locked, read_locked); }

/* clean */
CASE(rwlock_tried) { three(write_locked, try_read_locked, try_write_locked); }

/* race data @write_read_locked @write_read_locked */
CASE(rwlock_writers_lock_to_read) { together(write_read_locked, write_read_locked); }

/* race data @write_read_locked @read_locked */
CASE(rwlock_writer_locks_to_read) { together(write_read_locked, read_locked); }

/* clean: a reader's lock excludes writers */
CASE(rwlock_one_writer_locks_to_read) { together(write_read_locked, write_locked); }

/* race data @write_locked @read_no_lock */
CASE(rwlock_reader_does_not) { together(write_locked, read_no_lock); }

/* --- once ------------------------------------------------------------------------------------- */

static void make_once(void)
{
	data = 1; /* @make_once */
}

static void use_once(void)
{
	pthread_once(&once, make_once);
	USE(data);
}

static void write_after_once(void)
{
	pthread_once(&once, make_once);
	data = 2; /* @write_after_once */
}

static void made_by_call_once(void)
{
	static once_flag c11_once = ONCE_FLAG_INIT;

	call_once(&c11_once, make_once);
	USE(data);
}

/* clean */
CASE(once_made) { together(use_once, use_once); }

/* race data @write_after_once @write_after_once */
CASE(once_and_then_written) { together(write_after_once, write_after_once); }

/* race data @make_once @read_no_lock */
CASE(once_unasked) { together(use_once, read_no_lock); }

/* clean */
CASE(once_of_c11) { together(made_by_call_once, made_by_call_once); }

/* --- create and join -------------------------------------------------------------------------- */

/* clean */
CASE(created_after)
{
	pthread_t t;

	data = 1;
	t = start(read_no_lock);
	end(t);
}

/* race data @created_before @read_no_lock */
CASE(created_before)
{
	pthread_t t = start(read_no_lock);

	data = 1; /* @created_before */
	end(t);
}

/* clean */
CASE(joined_before)
{
	end(start(no_lock));
	USE(data);
}

/* race data @no_lock @joined_after */
CASE(joined_after)
{
	pthread_t t = start(no_lock);

	USE(data); /* @joined_after */
	end(t);
}

/* clean: one after the other */
CASE(joined_between)
{
	end(start(no_lock));
	end(start(no_lock));
}

static void idle(void)
{
}

/* race data @no_lock @other_joined */
CASE(other_joined)
{
	pthread_t a = start(no_lock), b = start(idle);

	end(b);
	data++; /* @other_joined */
	end(a);
}

static void create_inner(void)
{
	data = 1; /* @create_inner */
	end(start(no_lock));
	data = 2;
}

/* clean */
CASE(created_by_created) { end(start(create_inner)); }

/* race data @no_lock @detached */
CASE(detached)
{
	pthread_detach(start(no_lock));
	data = 1; /* @detached */
}

static void exits(void)
{
	data = 1;
	pthread_exit(NULL);
}

/* clean */
CASE(joined_who_exits)
{
	end(start(exits));
	USE(data);
}

/* --- C11 threads ------------------------------------------------------------------------------ */

static mtx_t mtx;
static cnd_t cnd;

static int c11_count(void *unused)
{
	mtx_lock(&mtx);
	data++;
	mtx_unlock(&mtx);
	return 0;
}

static int c11_count_unlocked(void *unused)
{
	data++; /* @c11_count_unlocked */
	return 0;
}

static int c11_wait(void *unused)
{
	mtx_lock(&mtx);
	while (!ready)
		cnd_wait(&cnd, &mtx);
	mtx_unlock(&mtx);
	USE(data);
	return 0;
}

static int c11_make(void *unused)
{
	data = 1;
	mtx_lock(&mtx);
	ready = true;
	cnd_signal(&cnd);
	mtx_unlock(&mtx);
	return 0;
}

static void c11_together(thrd_start_t a, thrd_start_t b)
{
	thrd_t ta, tb;

	mtx_init(&mtx, mtx_plain);
	cnd_init(&cnd);
	thrd_create(&ta, a, NULL);
	thrd_create(&tb, b, NULL);
	thrd_join(ta, NULL);
	thrd_join(tb, NULL);
}

/* clean */
CASE(c11_mutex)
{
	c11_together(c11_count, c11_count);
	USE(data);
}

/* race data @c11_count_unlocked @c11_count_unlocked */
CASE(c11_unlocked) { c11_together(c11_count_unlocked, c11_count_unlocked); }

/* clean */
CASE(c11_condition) { c11_together(c11_make, c11_wait); }
