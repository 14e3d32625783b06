/* SPDX-License-Identifier: ISC */
/*
 * One thread can run. It makes 512 private loads, and then one that is visible, again and again,
 * with any offset: at some offset each pause falls upon the visible one.
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#define PAUSE 513

static union {
	atomic_int atomic;
	int plain;
} word;
static int data[64], sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	int steps = 1000 + heddle_choose(2), offset = heddle_choose(PAUSE), total = 0;

	for (int i = 0; i < steps; i++)
		total += atomic_load(&word.atomic);
	for (int i = 0; i < offset; i++)
		total += data[i % 64];
	for (int i = 0; i < 80; i++) {
		for (int k = 0; k < PAUSE - 1; k++)
			total += data[k % 64];
		atomic_signal_fence(memory_order_seq_cst);
		total += word.plain;
	}
	sum = total;
	return arg;
}

static void *wait(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 64; i++)
		data[i] = i;
	pthread_mutex_lock(&lock);
	atomic_store(&word.atomic, 1);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, wait, NULL);
	pthread_join(a, NULL);
	pthread_mutex_unlock(&lock);
	pthread_join(b, NULL);
	return !sum;
}
