/* SPDX-License-Identifier: ISC */
/* volatile.c - C before C11: data guarded by a volatile flag, or one that assembly accesses; ATOMIC: since C11. */
#include <assert.h>
#include <pthread.h>

static int data;

#if defined ASM
static int flag;
#define set(p) __asm__ volatile("movl $1, %0" : "=m"(*(p)) : : "memory")
static int get(int *p)
{
	int v;

	__asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
	return v;
}
#elif defined ATOMIC
static int flag;
#define set(p) __atomic_store_n(p, 1, __ATOMIC_RELAXED)
#define get(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#else
static volatile int flag;
#define set(p) (*(p) = 1)
#define get(p) (*(p))
#endif

static void *writer(void *arg)
{
	data = 1;
#ifdef FENCE
	__sync_synchronize();
#endif
	set(&flag);
	return arg;
}

static void *reader(void *arg)
{
	if (get(&flag)) {
		int d;

#ifdef FENCE
		__sync_synchronize();
#endif
		d = data;
		assert(d == 1);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
