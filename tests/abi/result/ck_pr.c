/* SPDX-License-Identifier: ISC */
/*
 * ck_pr.c - every operation of Concurrency Kit's x86-64 port, which is all inline assembly.
 */
#include <ck_pr.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const uint64_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
	0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
	0x123456789abcdef0};
#define N (sizeof(values) / sizeof(values[0]))

static uint64_t sum;

static void mix(uint64_t v)
{
	sum = (sum ^ v) * 0x100000001b3 + (sum >> 29);
}

#define UNARY(op, suffix, type) \
	for (unsigned i = 0; i < N; i++) { \
		static type v; \
		v = (type)values[i]; \
		ck_pr_##op##_##suffix(&v); \
		mix((uint64_t)v); \
	}

#define UNARY_ZERO(op, suffix, type) \
	for (unsigned i = 0; i < N; i++) { \
		static type v; \
		v = (type)values[i]; \
		mix(ck_pr_##op##_##suffix##_is_zero(&v)); \
		mix((uint64_t)v); \
	}

#define BINARY(op, suffix, type) \
	for (unsigned i = 0; i < N; i++) \
		for (unsigned k = 0; k < N; k++) { \
			static type v; \
			v = (type)values[i]; \
			ck_pr_##op##_##suffix(&v, (type)values[k]); \
			mix((uint64_t)v); \
			ck_pr_##op##_##suffix(&v, 5); \
			mix((uint64_t)v); \
		}

#define EXCHANGE(suffix, type) \
	for (unsigned i = 0; i < N; i++) \
		for (unsigned k = 0; k < N; k++) { \
			static type v, old; \
			v = (type)values[i]; \
			old = ck_pr_fas_##suffix(&v, (type)values[k]); \
			mix((uint64_t)v + 3 * (uint64_t)old); \
			old = ck_pr_faa_##suffix(&v, (type)values[i]); \
			mix((uint64_t)v + 3 * (uint64_t)old); \
			mix(ck_pr_cas_##suffix(&v, (type)values[i], (type)values[k])); \
			mix((uint64_t)v); \
			old = 0; \
			mix(ck_pr_cas_##suffix##_value( \
				&v, (type)values[i], (type)values[k], &old)); \
			mix((uint64_t)v + 3 * (uint64_t)old); \
			old = v; \
			mix(ck_pr_cas_##suffix(&v, old, (type)values[k])); \
			ck_pr_store_##suffix(&v, (type)values[k]); \
			mix((uint64_t)ck_pr_load_##suffix(&v)); \
		}

#define BITS(op, suffix, type) \
	for (unsigned i = 0; i < N; i++) \
		for (unsigned b = 0; b < 8 * sizeof(type); b++) { \
			static type v; \
			v = (type)values[i]; \
			mix(ck_pr_##op##_##suffix(&v, b)); \
			mix((uint64_t)v); \
		}

#define INTEGER(suffix, type) \
	UNARY(inc, suffix, type) \
	UNARY(dec, suffix, type) \
	UNARY(neg, suffix, type) \
	UNARY(not, suffix, type) \
	UNARY_ZERO(inc, suffix, type) \
	UNARY_ZERO(dec, suffix, type) \
	UNARY_ZERO(neg, suffix, type) \
	BINARY(add, suffix, type) \
	BINARY(sub, suffix, type) \
	BINARY(and, suffix, type) \
	BINARY(or, suffix, type) \
	BINARY(xor, suffix, type) \
	EXCHANGE(suffix, type) \
	printf(#suffix " %" PRIx64 "\n", sum);

#define BITTEST(suffix, type) \
	BITS(bts, suffix, type) \
	BITS(btr, suffix, type) \
	BITS(btc, suffix, type) \
	printf("bits " #suffix " %" PRIx64 "\n", sum);

static int array[8];
static void *pointer;
static double number = 1.5;
static uint64_t pair[2] __attribute__((aligned(16))) = {1, 2};

static void pointers(void)
{
	void *old;
	bool ok;

	ck_pr_store_ptr(&pointer, &array[1]);
	printf("%d\n", ck_pr_load_ptr(&pointer) == &array[1]);
	old = ck_pr_fas_ptr(&pointer, &array[2]);
	printf("%d %d\n", old == &array[1], pointer == &array[2]);
	ck_pr_add_ptr(&pointer, sizeof(int));
	printf("%d\n", pointer == &array[3]);
	ok = ck_pr_cas_ptr_value(&pointer, &array[3], &array[4], &old);
	printf("%d %d %d\n", ok, old == &array[3], pointer == &array[4]);
	ok = ck_pr_cas_ptr(&pointer, &array[3], NULL);
	printf("%d %d\n", ok, pointer == &array[4]);
	ck_pr_store_ptr(&pointer, NULL);
	printf("%d\n", pointer == NULL);
}

static void doubles(void)
{
	double old;
	bool ok;

	ck_pr_store_double(&number, 2.25);
	printf("%g\n", ck_pr_load_double(&number));
	old = ck_pr_fas_double(&number, 3.5);
	printf("%g %g\n", old, number);
	ok = ck_pr_cas_double_value(&number, 3.5, 4.75, &old);
	printf("%d %g %g\n", ok, old, number);
	ok = ck_pr_cas_double(&number, 3.5, 5);
	printf("%d %g\n", ok, number);
}

static void pairs(void)
{
	uint64_t compare[2] = {1, 2}, set[2] = {3, 4}, got[2] = {0, 0};
	bool ok;

	ck_pr_load_64_2(pair, got);
	printf("%" PRIu64 " %" PRIu64 "\n", got[0], got[1]);
	ok = ck_pr_cas_64_2(pair, compare, set);
	printf("%d %" PRIu64 " %" PRIu64 "\n", ok, pair[0], pair[1]);
	ok = ck_pr_cas_64_2_value(pair, compare, set, got);
	printf("%d %" PRIu64 " %" PRIu64 "\n", ok, got[0], got[1]);
	compare[0] = 3;
	compare[1] = 4;
	set[1] = 99;
	ok = ck_pr_cas_ptr_2_value(pair, compare, set, got);
	printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ok, got[0], got[1], pair[1]);
	memset(pair, 0, sizeof(pair));
	ck_pr_load_64_2(pair, got);
	printf("%" PRIu64 " %" PRIu64 "\n", got[0], got[1]);
}

static void fences(void)
{
	ck_pr_fence_load();
	ck_pr_fence_store();
	ck_pr_fence_memory();
	ck_pr_fence_strict_load();
	ck_pr_fence_strict_store();
	ck_pr_fence_strict_memory();
	ck_pr_fence_acquire();
	ck_pr_fence_release();
	ck_pr_stall();
	ck_pr_barrier();
	ck_pr_rfo(array);
}

static void integers_small(void)
{
	INTEGER(char, char)
	INTEGER(8, uint8_t)
	INTEGER(16, uint16_t)
	BITTEST(16, uint16_t)
}

static void integers_large(void)
{
	INTEGER(int, int)
	INTEGER(uint, unsigned int)
	INTEGER(32, uint32_t)
	INTEGER(64, uint64_t)
	BITTEST(int, int)
	BITTEST(32, uint32_t)
	BITTEST(64, uint64_t)
}

int main(void)
{
	integers_small();
	integers_large();
	pointers();
	doubles();
	pairs();
	fences();
	return 0;
}
