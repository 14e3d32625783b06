/* SPDX-License-Identifier: ISC */
/* part.c - the half of parts.c that may be compiled by another compiler. */
#include <stdatomic.h>
#include <string.h>

struct packed {
	char c;
	int i[9];
} __attribute__((packed));

struct packed source, target;
volatile int ready;
int counter;
char text[64];
_Atomic(int) turn;
__int128 wide;

void produce(int n)
{
	struct packed local = {(char)n, {n, n + 1}};

	source = local;
	target = source;
	target.i[8] = source.i[1]++;
	memset(text, 'a' + n, sizeof text - 1);
	memmove(text + 1, text, 8);
	strcpy(text + 40, "end");
	counter++;
	ready = ready + 1;
}

int consume(void)
{
	while (!ready) /* volatile: recognised as a spin loop */
		;
	return source.i[0] + source.i[1] + target.i[8] + (int)strlen(text) + counter + text[8];
}

void take_turn(int mine)
{
	int expected = mine;

	while (!atomic_compare_exchange_weak_explicit(
		&turn, &expected, mine, memory_order_acquire, memory_order_relaxed))
		expected = mine;
	counter += 2;
	atomic_fetch_xor(&turn, 1);
}

int wide_sum(void)
{
	__int128 old = __atomic_exchange_n(&wide, (__int128)7 << 64 | 5, __ATOMIC_SEQ_CST);

	old += __atomic_fetch_add(&wide, 1, __ATOMIC_SEQ_CST);
	return (int)(old >> 64) * 10 + (int)__atomic_load_n(&wide, __ATOMIC_SEQ_CST);
}
