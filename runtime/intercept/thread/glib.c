/* SPDX-License-Identifier: ISC */
/*
 * glib.c - threads and locks of GLib.
 *
 * The library is not instrumented, and has state shared by threads: so its thread functions are
 * implemented here while exploring, like the pthread functions (sync/shadow.h has the objects). Its
 * types are not needed: objects are identified by their addresses. Not here: g_once_init_enter(),
 * main loops, queues and pools, whose code takes its own locks.
 */
#include "intercept/intercept.h"
#include "intercept/next.h"
#include "process/pages.h"
#include "process/stop.h"
#include "sync/cond.h"
#include "sync/mutex.h"
#include "sync/rwlock.h"
#include "sync/shadow.h"


#define GLIB(name) NEXT_FUNCTION(name, "GLib")

/* --- locks ----------------------------------------------------------------------------------- */

#define VOID(name, object, explored) \
	void name(void *object); \
	INTERCEPT void name(void *object) \
	{ \
		if (!machine_entered()) \
			GLIB(name)(object); \
		else \
			explored; \
	}

#define TRY(name, object, explored) \
	int name(void *object); \
	INTERCEPT int name(void *object) \
	{ \
		return machine_entered() ? !(explored) : GLIB(name)(object); \
	}

VOID(g_mutex_init, m, pthread_mutex_init(shadow_mutex(m, false), NULL))
VOID(g_mutex_clear, m, mutex_destroy(shadow_mutex(m, false)))
VOID(g_mutex_lock, m, mutex_lock(shadow_mutex(m, false)))
VOID(g_mutex_unlock, m, mutex_unlock(shadow_mutex(m, false)))
TRY(g_mutex_trylock, m, mutex_trylock(shadow_mutex(m, false)))

VOID(g_rec_mutex_init, m, pthread_mutex_init(shadow_mutex(m, true), NULL))
VOID(g_rec_mutex_clear, m, mutex_destroy(shadow_mutex(m, true)))
VOID(g_rec_mutex_lock, m, mutex_lock(shadow_mutex(m, true)))
VOID(g_rec_mutex_unlock, m, mutex_unlock(shadow_mutex(m, true)))
TRY(g_rec_mutex_trylock, m, mutex_trylock(shadow_mutex(m, true)))

VOID(g_rw_lock_init, l, pthread_rwlock_init(shadow_rwlock(l), NULL))
VOID(g_rw_lock_clear, l, rwlock_destroy(shadow_rwlock(l)))
VOID(g_rw_lock_writer_lock, l, rwlock_wrlock(shadow_rwlock(l)))
VOID(g_rw_lock_writer_unlock, l, rwlock_unlock(shadow_rwlock(l)))
VOID(g_rw_lock_reader_lock, l, rwlock_rdlock(shadow_rwlock(l)))
VOID(g_rw_lock_reader_unlock, l, rwlock_unlock(shadow_rwlock(l)))
TRY(g_rw_lock_writer_trylock, l, rwlock_trywrlock(shadow_rwlock(l)))
TRY(g_rw_lock_reader_trylock, l, rwlock_tryrdlock(shadow_rwlock(l)))

/* --- conditions ------------------------------------------------------------------------------ */

VOID(g_cond_init, c, pthread_cond_init(shadow_cond(c), NULL))
VOID(g_cond_clear, c, cond_destroy(shadow_cond(c)))
VOID(g_cond_signal, c, cond_signal(shadow_cond(c)))
VOID(g_cond_broadcast, c, cond_broadcast(shadow_cond(c)))

void g_cond_wait(void *c, void *m);
INTERCEPT void g_cond_wait(void *c, void *m)
{
	if (machine_entered())
		cond_wait(shadow_cond(c), shadow_mutex(m, false));
	else
		GLIB(g_cond_wait)(c, m);
}

/* until: microseconds of g_get_monotonic_time(). */
int g_cond_wait_until(void *c, void *m, i64 until);
INTERCEPT int g_cond_wait_until(void *c, void *m, i64 until)
{
	struct timespec at = {until / 1000000, until % 1000000 * 1000};

	if (!machine_entered())
		return GLIB(g_cond_wait_until)(c, m, until);
	return !cond_timedwait(shadow_cond(c), shadow_mutex(m, false), CLOCK_MONOTONIC, &at);
}

/* --- threads --------------------------------------------------------------------------------- */

#define CHILDREN 64 /* of one thread */

/* The first four members are GLib's. */
struct glib_thread {
	void *(*start)(void *);
	void *arg;
	int joinable, priority;
	pthread_t handle;
};

/* A thread's entry depends only on its parent's history; the last one is for threads not made by
 * GLib. */
static struct glib_thread (*threads)[CHILDREN + 1]; /* [THREADS_MAX] */
static u8 nchildren[THREADS_MAX];
static struct glib_thread *current[THREADS_MAX];
static PER_EXECUTION bool begun; /* these are of this execution */

static void begin_threads(void)
{
	if (begun)
		return;
	begun = true;
	if (!threads)
		threads = pages_need(THREADS_MAX * sizeof *threads);
	memset(nchildren, 0, sizeof nchildren);
	memset(current, 0, sizeof current);
}

static void *thread(void *of)
{
	struct glib_thread *t = of;

	current[thread_id(thread_self())] = t;
	return t->start(t->arg);
}

/* NULL: too many threads. */
static struct glib_thread *start_gthread(void *(*start)(void *), void *arg)
{
	unsigned id = thread_id(thread_self());
	struct glib_thread *t;

	begin_threads();
	if (nchildren[id] == CHILDREN)
		machine_refuse(
			"limit: more than %u threads of GLib that one thread creates", CHILDREN);
	t = &threads[id][nchildren[id]++];
	*t = (struct glib_thread){start, arg, 1, 1, 0};
	return create_thread(&t->handle, thread, t, false) ? NULL : t;
}

void *g_thread_try_new(const char *name, void *(*start)(void *), void *arg, void **error);
INTERCEPT void *g_thread_try_new(const char *name, void *(*start)(void *), void *arg, void **error)
{
	return machine_entered() ? start_gthread(start, arg)
				 : GLIB(g_thread_try_new)(name, start, arg, error);
}

void *g_thread_new(const char *name, void *(*start)(void *), void *arg);
INTERCEPT void *g_thread_new(const char *name, void *(*start)(void *), void *arg)
{
	struct glib_thread *t;

	if (!machine_entered())
		return GLIB(g_thread_new)(name, start, arg);
	t = start_gthread(start, arg);
	if (!t)
		abort();
	return t;
}

static void *start_old_thread(void *(*start)(void *), void *arg, int joinable)
{
	struct glib_thread *t = start_gthread(start, arg);

	if (t && !joinable) {
		t->joinable = 0;
		detach_thread(t->handle);
	}
	return t;
}

/* Deprecated since 2.32. */
void *g_thread_create(void *(*start)(void *), void *arg, int joinable, void **error);
INTERCEPT void *g_thread_create(void *(*start)(void *), void *arg, int joinable, void **error)
{
	return machine_entered() ? start_old_thread(start, arg, joinable)
				 : GLIB(g_thread_create)(start, arg, joinable, error);
}

void *g_thread_create_full(void *(*start)(void *), void *arg, unsigned long stack, int joinable,
	int bound, int priority, void **error);
INTERCEPT void *g_thread_create_full(void *(*start)(void *), void *arg, unsigned long stack,
	int joinable, int bound, int priority, void **error)
{
	return machine_entered() ? start_old_thread(start, arg, joinable)
				 : GLIB(g_thread_create_full)(
					   start, arg, stack, joinable, bound, priority, error);
}

void *g_thread_join(void *of);
INTERCEPT void *g_thread_join(void *of)
{
	struct glib_thread *t = of;
	void *result = NULL;

	if (!machine_entered())
		return GLIB(g_thread_join)(of);
	join_thread(t->handle, &result);
	t->joinable = 0;
	return result;
}

void *g_thread_self(void);
INTERCEPT void *g_thread_self(void)
{
	unsigned id;

	if (!machine_entered())
		return GLIB(g_thread_self)();
	begin_threads();
	id = thread_id(thread_self());
	return current[id] ? current[id] : &threads[id][CHILDREN];
}

void *g_thread_ref(void *of);
INTERCEPT void *g_thread_ref(void *of)
{
	return machine_entered() ? of : GLIB(g_thread_ref)(of);
}

/* Perhaps the last reference to a thread that will not be joined. */
void g_thread_unref(void *of);
INTERCEPT void g_thread_unref(void *of)
{
	struct glib_thread *t = of;

	if (!machine_entered())
		GLIB(g_thread_unref)(of);
	else if (t->joinable && t->handle)
		detach_thread(t->handle);
}

void g_thread_exit(void *result);
INTERCEPT void g_thread_exit(void *result)
{
	if (!machine_entered())
		GLIB(g_thread_exit)(result);
	pthread_exit(result);
}

void g_thread_yield(void);
INTERCEPT void g_thread_yield(void)
{
	sched_yield();
}
