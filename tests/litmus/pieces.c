/* SPDX-License-Identifier: ISC */
/* Atomic accesses of different sizes to the same bytes, by graphs: each is one step, whatever its
 * size.
 *
 * MP: two halves are stored, one after the other, and the whole is loaded: relaxed stores of
 *     different halves are as those of different variables. RELEASE: the second one is a release
 *     store.
 * TORN: the whole is stored; two threads load the whole and never see half of it, nor, from two
 *     stores, each another half first (IRIW: the halves are stored).
 * WORD: a byte is stored, and the word loaded, by two threads: where loads wait if no single store
 *     can serve them, this is no store buffering. Stores of both bytes serve it (COVERED).
 * CAS: of a half and of the whole, from the same value: one of them fails. SIXTEEN: of sixteen
 * bytes. SWAP: an exchange of the whole between two relaxed stores of its halves is in order with
 * both.
 *
 * verdict  -DMP     sc    ok
 * verdict  -DMP     tso   ok
 * verdict  -DMP     pso   assertion reorder
 * verdict  -DMP     ra    ok
 * verdict  -DMP     rc11  assertion reorder
 * verdict  -DMP -DRELEASE  pso   ok
 * verdict  -DMP -DRELEASE  rc11  ok
 * verdict  -DTORN   tso   ok
 * verdict  -DTORN   pso   ok
 * verdict  -DTORN   ra    ok
 * verdict  -DTORN   rc11  ok
 * verdict  -DIRIW   pso   ok
 * verdict  -DIRIW   ra    ok
 * verdict  -DIRIW   rc11  ok
 * verdict  -DWORD   sc    ok
 * verdict  -DWORD   tso   ok
 * verdict  -DWORD   pso   ok
 * verdict  -DWORD   rc11  assertion reorder
 * verdict  -DWORD -DCOVERED  sc    ok
 * verdict  -DWORD -DCOVERED  tso   assertion reorder
 * verdict  -DWORD -DCOVERED  rc11  assertion reorder
 * verdict  -DCAS    sc    ok
 * verdict  -DCAS    pso   ok
 * verdict  -DCAS    ra    ok
 * verdict  -DCAS    rc11  ok
 * verdict  -DSIXTEEN -mcx16  sc    ok
 * verdict  -DSIXTEEN -mcx16  pso   ok
 * verdict  -DSIXTEEN -mcx16  ra    ok
 * verdict  -DSIXTEEN -mcx16  rc11  ok
 * verdict  -DSWAP   tso   ok
 * verdict  -DSWAP   ra    ok
 * verdict  -DSWAP   rc11  ok
 * options  --strategy graph --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Alignas(16) unsigned char x[16];
static _Alignas(16) unsigned char y[16] __attribute__((unused));

#define LOAD(type, p)	  __atomic_load_n((type *)(p), __ATOMIC_RELAXED)
#define STORE(type, p, v) __atomic_store_n((type *)(p), v, __ATOMIC_RELAXED)

static uint64_t r[2]; /* the value that a thread has seen, and its neighbour */

#ifdef RELEASE
#define LAST __ATOMIC_RELEASE
#else
#define LAST __ATOMIC_RELAXED
#endif

#if defined(MP)
#define THREADS 2
static void *thread(void *arg)
{
	if (arg) {
		r[0] = __atomic_load_n((uint32_t *)x, __ATOMIC_ACQUIRE);
		return NULL;
	}
	STORE(uint16_t, x, 1);
	__atomic_store_n((uint16_t *)(x + 2), 1, LAST);
	return NULL;
}
#define WRONG (r[0] == 0x10000)
#elif defined(TORN)
#define THREADS 3
static void *thread(void *arg)
{
	if (arg)
		r[arg != x] = LOAD(uint64_t, x);
	else
		STORE(uint64_t, x, 0x100000001);
	if (arg == x)
		STORE(uint32_t, x, 2);
	return NULL;
}
#define WRONG (r[0] == 1 || r[0] == 0x100000000 || r[1] == 1 || r[1] == 0x100000000)
#elif defined(IRIW)
#define THREADS 4
static void *thread(void *arg)
{
	uintptr_t me = arg ? (uintptr_t)((unsigned char *)arg - x) : 0;

	if (me < 2)
		STORE(uint32_t, x + 4 * me, 1);
	else
		r[me - 2] = LOAD(uint64_t, x);
	return NULL;
}
#define WRONG (r[0] == 1 && r[1] == 0x100000000)
#elif defined(WORD)
#define THREADS 2
static void *thread(void *arg)
{
#ifdef COVERED
	unsigned char *mine = arg ? x : y, *other = arg ? y : x;

	STORE(uint16_t, mine, 0x101);
	STORE(uint8_t, mine + 1, 1);
	r[!arg] = LOAD(uint8_t, other);
#else
	STORE(uint8_t, x + !arg, 1);
	r[!arg] = LOAD(uint16_t, x) & (arg ? 0xff00 : 0xff);
#endif
	return NULL;
}
#define WRONG (!r[0] && !r[1])
#elif defined(CAS) || defined(SIXTEEN)
#ifdef SIXTEEN
typedef unsigned __int128 whole_t;
typedef uint64_t half_t;
#else
typedef uint32_t whole_t;
typedef uint16_t half_t;
#endif
#define THREADS 2
static void *thread(void *arg)
{
	whole_t zero = 0, two = 2;
	half_t none = 0;

	if (arg)
		r[0] = __atomic_compare_exchange_n(
			(whole_t *)x, &zero, two, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	else
		r[1] = __atomic_compare_exchange_n(
			(half_t *)x, &none, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return NULL;
}
#define WRONG (r[0] == r[1] || LOAD(half_t, x) != (r[0] ? 2 : 1))
#elif defined(SWAP)
#define THREADS 2
static void *thread(void *arg)
{
	if (arg) {
		r[0] = __atomic_exchange_n((uint32_t *)x, 0x20002, __ATOMIC_ACQ_REL);
		return NULL;
	}
	STORE(uint16_t, x, 1);
	__atomic_store_n((uint16_t *)(x + 2), 1, __ATOMIC_RELEASE);
	return NULL;
}
/* A thread that sees the second store sees the first; one before both is overwritten by both. */
#define WRONG (r[0] == 0x10000 || (r[0] == 0 && LOAD(uint32_t, x) == 0x10002))
#endif

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, thread, i ? x + i - (THREADS < 4) : NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	assert(!WRONG);
	return 0;
}
