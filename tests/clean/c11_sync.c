/* SPDX-License-Identifier: ISC */
/* threads.h: mutexes of all types, conditions, call_once, thread-specific storage with
 * destructors. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t plain, both;
static cnd_t cond;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int ready, inits, destroyed;

static void init(void)
{
	inits++;
}

static void destroy(void *p)
{
	mtx_lock(&plain);
	destroyed += *(int *)p;
	mtx_unlock(&plain);
	free(p);
}

static int waiter(void *arg)
{
	int *mine = malloc(sizeof *mine);
	struct timespec late = {4000000000, 0};

	call_once(&once, init);
	*mine = 5;
	assert(tss_get(key) == NULL && tss_set(key, mine) == thrd_success);
	mtx_lock(&plain);
	while (!ready)
		cnd_wait(&cond, &plain);
	mtx_unlock(&plain);
	if (mtx_timedlock(&both, &late) == thrd_success) {
		assert(mtx_lock(&both) == thrd_success);
		mtx_unlock(&both);
		mtx_unlock(&both);
	}
	assert(tss_get(key) == mine);
	return 0;
}

int main(void)
{
	thrd_t t;

	assert(mtx_init(&plain, mtx_plain) == thrd_success && cnd_init(&cond) == thrd_success);
	assert(mtx_init(&both, mtx_timed | mtx_recursive) == thrd_success);
	assert(tss_create(&key, destroy) == thrd_success);
	assert(thrd_create(&t, waiter, NULL) == thrd_success);
	call_once(&once, init);
	if (mtx_trylock(&plain) == thrd_busy)
		mtx_lock(&plain);
	ready = 1;
	cnd_broadcast(&cond);
	mtx_unlock(&plain);
	thrd_join(t, NULL);
	assert(inits == 1 && destroyed == 5);
	cnd_destroy(&cond);
	mtx_destroy(&plain);
	mtx_destroy(&both);
	tss_delete(key);
	puts("ok");
	return 0;
}
