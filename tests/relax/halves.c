/* SPDX-License-Identifier: ISC */
/*
 * halves.c - a word that one thread fills byte by byte, and another loads as a whole: the value of
 * the second byte comes with the first one, and with the data.
 *
 * -DRELAXED: all orders are relaxed, and there are no data.
 */
#include "relax.h"

#include <stdint.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

static union {
	_Atomic uint32_t word;
	_Atomic uint8_t byte[4];
} mixed;
static int data;

static void *fill(void *arg)
{
#ifndef RELAXED
	data = 1;
#endif
	atomic_store_explicit(&mixed.byte[0], 1, ORDER);
	atomic_store_explicit(&mixed.byte[3], 1, ORDER);
	return arg;
}

static void *look(void *arg)
{
	uint32_t word = atomic_load_explicit(&mixed.word, ORDER);

	assert(word != 0x01000000);
#ifndef RELAXED
	if (word == 0x01000001)
		assert(data == 1);
#endif
	return arg;
}

int main(void)
{
	RUN(fill, look);
	return data > 1;
}
