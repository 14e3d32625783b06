/* finding: livelock; models: sc tso pso; reorder: no; cflags: -O0 */
/*
 * A thread tries for ever, by compare-and-exchange, to take a lock that was not released. Threads
 * that are not joined wait for mutexes that it and main, which joins it, hold: none starves. At -O0
 * each try stores to the thread's own stack.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held = 1;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER, mine = PTHREAD_MUTEX_INITIALIZER;

static int take(atomic_int *lock, int *expected)
{
	return atomic_compare_exchange_strong(lock, expected, 1);
}

static void *waits(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

static void *spins(void *arg)
{
	int expected = 0;
	pthread_t t;

	pthread_mutex_lock(&mine);
	pthread_create(&t, NULL, waits, &mine);
	while (!take(&held, &expected))
		expected = 0;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_mutex_lock(&kept);
	pthread_create(&a, NULL, waits, &kept);
	pthread_create(&b, NULL, spins, NULL);
	pthread_join(b, NULL);
	return 0;
}
