/* SPDX-License-Identifier: ISC */
/*
 * guard.cc - the initialisation of static variables of functions (Itanium C++ ABI, 3.3.3): that of
 * libstdc++ is not instrumented, and stores to the guard that the program loads.
 *
 * The definitions are weak: in a program with a static libstdc++ the library's own are used.
 */
#include <cstdint>
#include <pthread.h>

#define LOCKS 64

struct guard {
	unsigned char done, pending;
};

static pthread_mutex_t locks[LOCKS];
static pthread_cond_t ended[LOCKS];

__attribute__((constructor(101))) static void make_locks()
{
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_init(&locks[i], nullptr);
		pthread_cond_init(&ended[i], nullptr);
	}
}

static unsigned lock_of(const guard *g)
{
	return (unsigned)((uintptr_t)g / 8 % LOCKS);
}

extern "C" __attribute__((weak)) int __cxa_guard_acquire(guard *g)
{
	unsigned i = lock_of(g);
	bool ours;

	if (__atomic_load_n(&g->done, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&locks[i]);
	while (g->pending)
		pthread_cond_wait(&ended[i], &locks[i]);
	ours = !__atomic_load_n(&g->done, __ATOMIC_RELAXED);
	g->pending = ours;
	pthread_mutex_unlock(&locks[i]);
	return ours;
}

static void end(guard *g, bool done)
{
	unsigned i = lock_of(g);

	pthread_mutex_lock(&locks[i]);
	if (done)
		__atomic_store_n(&g->done, 1, __ATOMIC_RELEASE);
	g->pending = 0;
	pthread_cond_broadcast(&ended[i]);
	pthread_mutex_unlock(&locks[i]);
}

extern "C" __attribute__((weak)) void __cxa_guard_release(guard *g)
{
	end(g, true);
}

extern "C" __attribute__((weak)) void __cxa_guard_abort(guard *g)
{
	end(g, false);
}
