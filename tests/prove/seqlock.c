/* SPDX-License-Identifier: ISC */
/* A sequence lock, with a sequence modulo 8, whose writer never ends.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 * prove pso assertion -DRELAXED
 */
#include "endless.h"

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

VAR sequence, data[2];

static int rounds; /* of the writer, since the reader has begun */

static __attribute__((annotate("heddle_ignore"), noinline)) void begin_read(void)
{
	rounds = 0;
}

static __attribute__((annotate("heddle_ignore"), noinline)) void end_round(void)
{
	rounds += rounds < 4;
}

/* After four rounds the sequence is the same; a real one has 31 bits. */
static __attribute__((annotate("heddle_ignore"), noinline)) void check(int a, int b)
{
	heddle_assert(a == b || rounds == 4);
}

static void *writer(void *arg)
{
	for (int s = 0, v = 0;; s = (s + 2) % 8) {
		v = !v;
		atomic_exchange(&sequence, s + 1);
		W(data[0], v);
		W(data[1], v);
		end_round();
		atomic_store_explicit(&sequence, (s + 2) % 8, ORDER);
	}
}

static void *reader(void *arg)
{
	int s, a, b;

	for (;;) {
		do {
			begin_read();
			s = R(sequence);
			a = R(data[0]);
			b = R(data[1]);
		} while (s & 1 || R(sequence) != s);
		check(a, b);
	}
}

MAIN(writer, reader)
