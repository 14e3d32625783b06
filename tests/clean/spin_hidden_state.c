/* models: sc tso pso; options: --strategy dfs */
/* A loop that reads the same flag with the same registers each time, and yet ends: strtok() keeps
 * its place inside libc, unseen. It must not count as a spin loop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int flag, rounds;

static void *reader(void *arg)
{
	char text[] = "a,b,c,d,e";

	for (char *p = strtok(text, ","); p; p = strtok(NULL, ","))
		if (atomic_load_explicit(&flag, memory_order_relaxed) > 1)
			atomic_store_explicit(&rounds, 1, memory_order_relaxed);
	return arg;
}

static void *writer(void *arg)
{
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!rounds);
	return 0;
}
