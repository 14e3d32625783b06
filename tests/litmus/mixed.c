/* SPDX-License-Identifier: ISC */
/* Accesses of different sizes to the same bytes.
 *
 * READ_HALVES: a four-byte store is one event: its halves arrive together.
 * OWN_HALVES: a thread finds the halves, and the bytes, of its own buffered store.
 * PARTIAL: a four-byte load of which the buffer holds two bytes waits until these are in memory;
 *     so what looks like store buffering cannot happen, as on real processors.
 * OVERLAP: a one-byte store into a buffered four-byte one does not overtake it, under PSO either.
 * TWO_STORES: two two-byte stores to one word are two events; another thread may see just one,
 *     and under PSO just the second.
 * ACROSS: a store that reaches across the border between two variables.
 *
 * verdict  -DREAD_HALVES  sc   ok complete
 * verdict  -DREAD_HALVES  tso  ok complete
 * verdict  -DREAD_HALVES  pso  ok complete
 * verdict  -DOWN_HALVES   tso  ok complete
 * verdict  -DOWN_HALVES   pso  ok complete
 * verdict  -DPARTIAL      sc   ok complete
 * verdict  -DPARTIAL      tso  ok complete
 * verdict  -DPARTIAL      pso  ok complete
 * verdict  -DPARTIAL -DCOVERED  tso  assertion reorder
 * verdict  -DPARTIAL -DCOVERED  pso  assertion reorder
 * verdict  -DOVERLAP      tso  ok complete
 * verdict  -DOVERLAP      pso  ok complete
 * verdict  -DTWO_STORES   tso  ok complete
 * verdict  -DTWO_STORES   pso  assertion reorder
 * verdict  -DACROSS       tso  ok complete
 * verdict  -DACROSS       pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static _Alignas(16) unsigned char x[16];
static _Alignas(16) unsigned char y[16] __attribute__((unused));

#define LOAD(type, p)	  __atomic_load_n((type *)(p), __ATOMIC_RELAXED)
#define STORE(type, p, v) __atomic_store_n((type *)(p), v, __ATOMIC_RELAXED)

#if defined(READ_HALVES)
static void *a(void *arg)
{
	STORE(uint32_t, x, 0x00020001);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int high = LOAD(uint16_t, x + 2);
	int low = LOAD(uint16_t, x);

	RETURN(high == 2 && low == 0, 0, 0, 0);
}
#elif defined(OWN_HALVES)
static void *a(void *arg)
{
	STORE(uint32_t, x, 0x00020001);
	RETURN(LOAD(uint16_t, x + 2) != 2 || LOAD(uint16_t, x) != 1 || LOAD(uint8_t, x + 2) != 2, 0,
		0, 0);
}

static void *b(void *arg)
{
	STORE(uint32_t, y, 1);
	RETURN(LOAD(uint8_t, y) != 1 || LOAD(uint8_t, y + 3) != 0, 0, 0, 0);
}
#elif defined(PARTIAL)
#ifdef COVERED
#define READ_BACK uint16_t
#else
#define READ_BACK uint32_t
#endif
/* Both loads of the other's variable read 0; -DCOVERED reads back what was stored, no more. */
static void *a(void *arg)
{
	uint32_t mine, theirs;

	STORE(uint16_t, x, 1);
	mine = LOAD(READ_BACK, x);
	theirs = LOAD(uint32_t, y);
	RETURN(mine, theirs, 0, 0);
}

static void *b(void *arg)
{
	uint32_t mine, theirs;

	STORE(uint16_t, y, 1);
	mine = LOAD(READ_BACK, y);
	theirs = LOAD(uint32_t, x);
	RETURN(mine, theirs, 0, 0);
}
#elif defined(OVERLAP)
static void *a(void *arg)
{
	STORE(uint32_t, x, 0x01010101);
	STORE(uint8_t, x, 2);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	uint32_t byte = LOAD(uint8_t, x);
	uint32_t word = LOAD(uint32_t, x);

	RETURN(byte == 2 && word != 0x01010102, 0, 0, 0);
}
#elif defined(TWO_STORES)
static void *a(void *arg)
{
	STORE(uint16_t, x, 1);
	STORE(uint16_t, x + 2, 2);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	uint32_t word = LOAD(uint32_t, x);

	RETURN(word == 0x00020000, 0, 0, 0);
}
#else /* ACROSS: aligned for neither half */
struct __attribute__((packed)) across {
	uint32_t v;
};

static void *a(void *arg)
{
	((volatile struct across *)(x + 2))->v = 0x04030201;
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	uint32_t second = LOAD(uint32_t, x + 4);
	uint32_t first = LOAD(uint32_t, x);

	RETURN(second == 0x0403 && first != 0x02010000, 0, 0, 0);
}
#endif

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
#ifdef PARTIAL
	assert(GET(r[0], 0) == 1 && GET(r[1], 0) == 1);
	assert(GET(r[0], 1) != 0 || GET(r[1], 1) != 0);
#else
	assert(r[0] == 0 && r[1] == 0);
#endif
	return 0;
}
