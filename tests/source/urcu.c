/* SPDX-License-Identifier: ISC */
/* liburcu: two readers in read-side sections, an updater that waits for a grace period before it
 * removes the old version. */
#include <assert.h>
#include <pthread.h>
#include <urcu.h>

struct version {
	int alive;
};

static struct version versions[2] = {{1}, {1}};
static struct version *current = &versions[0];

static void *reader(void *arg)
{
	struct version *v;

	rcu_register_thread();
	rcu_read_lock();
	v = rcu_dereference(current);
	assert(CMM_LOAD_SHARED(v->alive));
	rcu_read_unlock();
	rcu_unregister_thread();
	return arg;
}

static void *updater(void *arg)
{
	rcu_xchg_pointer(&current, &versions[1]);
#ifndef NO_GRACE_PERIOD
	synchronize_rcu();
#endif
	CMM_STORE_SHARED(versions[0].alive, 0);
	return arg;
}

int main(void)
{
	pthread_t t[2], u;

	for (int i = 0; i < READERS; i++)
		pthread_create(&t[i], NULL, reader, NULL);
	pthread_create(&u, NULL, updater, NULL);
	for (int i = 0; i < READERS; i++)
		pthread_join(t[i], NULL);
	pthread_join(u, NULL);
	return 0;
}
