/* SPDX-License-Identifier: ISC */
/* words.c - a word, and its halves: t_pieces.sh */
#include <pthread.h>
#include <stdint.h>

static _Alignas(8) uint64_t word;

static void *halves(void *arg)
{
	uint32_t *half = (uint32_t *)&word;

	__atomic_store_n(&half[0], 1, __ATOMIC_RELAXED);
	__atomic_store_n(&half[1], 2, __ATOMIC_RELAXED);
	__atomic_store_n(&half[0], 3, __ATOMIC_RELAXED);
	return arg;
}

static void *wholes(void *arg)
{
	__atomic_store_n(&word, 5, __ATOMIC_RELAXED);
	(void)__atomic_load_n(&word, __ATOMIC_RELAXED);
	__atomic_fetch_add(&word, 7, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, halves, NULL);
	pthread_create(&b, NULL, wholes, NULL);
	pthread_create(&c, NULL, wholes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
