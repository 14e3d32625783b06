/* SPDX-License-Identifier: ISC */
/*
 * assembly.c - a lock, a count of tries and a message in inline assembly.
 *
 * -DRACE: not every thread takes the lock. -DTORN: the count is not atomic. -DUNKNOWN: with an
 * unknown instruction, which may order the accesses around it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static int lock, counter, counted, message, sent;

static inline bool try_lock(int *l)
{
	__asm__ goto("lock; btsl $0, %0; jc %l[busy]" ::"m"(*l) : "memory", "cc" : busy);
	return true;
busy:
	return false;
}

static inline void unlock(int *l)
{
	__asm__ volatile("movl $0, %0" : "=m"(*l)::"memory");
}

static inline int count(int *p)
{
	int n = 1;

#ifdef TORN
	__asm__ volatile("xaddl %0, %1" : "+r"(n), "+m"(*p)::"memory", "cc");
#else
	__asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p)::"memory", "cc");
#endif
	return n;
}

static void *work(void *argument)
{
	int is_sent = 1;

#ifdef RACE
	if (argument)
#endif
		while (!try_lock(&lock))
			__asm__ volatile("rep; nop");
	counter++;
#ifdef UNKNOWN
	__asm__ volatile(".byte 0x90; lock; notl %0" : "+m"(counter)::"memory", "cc");
#endif
	unlock(&lock);
	count(&counted);
	if (argument) {
		__atomic_store_n(&message, 1, __ATOMIC_RELAXED);
		__asm__ volatile("mfence; xchgl %0, %1" : "+r"(is_sent), "+m"(sent)::"memory");
	}
	return NULL;
}

/* Stores before the message are visible after it. */
static int received(void)
{
	int is_sent;

	__asm__ volatile("movl %1, %0" : "=r"(is_sent) : "m"(sent) : "memory");
	__asm__ volatile("lfence" ::: "memory");
	return is_sent ? __atomic_load_n(&message, __ATOMIC_RELAXED) : 1;
}

int main(void)
{
	pthread_t t[2];
	int seen;

	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, t);
	seen = received();
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(counted == 2);
	assert(seen == 1);
	printf("%d %d\n", counter, counted);
	return 0;
}
