/* SPDX-License-Identifier: ISC */
/* Every atomic read-modify-write of C11 and of the older builtins, in every size. */
#include "two.h"

static _Atomic uint8_t a8;
static _Atomic uint16_t a16;
static _Atomic uint32_t a32;
static _Atomic int64_t a64;
static _Atomic(char *) pointer;
static char text[16];
static unsigned old_style;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int guarded;

static void *worker(void *arg)
{
	uint32_t seen = 0;

	a8 += 200;
	atomic_fetch_sub_explicit(&a16, 3, memory_order_relaxed);
	atomic_fetch_or(&a32, *(int *)arg);
	atomic_fetch_xor(&a64, -1);
	atomic_fetch_and_explicit(&a32, 0xff, memory_order_acq_rel);
	pointer++;
	while (!atomic_compare_exchange_weak(&a32, &seen, seen + 0x100))
		;
	__sync_fetch_and_add(&old_style, 5);
	__sync_bool_compare_and_swap(&old_style, 1000, 0);
	__atomic_fetch_nand(&old_style, 0, __ATOMIC_SEQ_CST);
	__atomic_and_fetch(&old_style, 0x0f, __ATOMIC_RELEASE);
	while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
		;
	guarded++;
	atomic_flag_clear_explicit(&flag, memory_order_release);
	return NULL;
}

int main(void)
{
	int one = 1, two_ = 2;

	pointer = text;
	two(worker, &one, worker, &two_);
	printf("%u %u %#x %lld %td %#x %d\n", a8, a16, a32 & 3, (long long)a64, pointer - text,
		old_style, guarded);
	assert(a8 == 144 && a16 == 65530 && (a32 & 3) == 3 && a64 == 0 && pointer == text + 2);
	assert(old_style == 15 && guarded == 2);
	return 0;
}
