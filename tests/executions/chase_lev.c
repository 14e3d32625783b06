/* SPDX-License-Identifier: ISC */
/* Chase and Lev's work-stealing deque, in the C11 form of Le et al. (2013) without growing: the
 * owner pushes P numbers and takes T times; each of S thieves tries K times to steal.
 *
 * counts -DP=1 -DT=1 -DS=1 -DK=1 sc,rc11 8
 * counts -DP=2 -DT=1 -DS=1 -DK=1 sc,rc11 7
 * counts -DP=2 -DT=1 -DS=1 -DK=2 sc,rc11 29
 * counts -DP=2 -DT=1 -DS=2 -DK=1 sc,tso 117
 * counts -DP=2 -DT=1 -DS=2 -DK=1 rc11 123
 * counts -DP=2 -DT=2 -DS=2 -DK=1 sc,tso,pso 288
 * counts -DP=2 -DT=2 -DS=2 -DK=1 rc11 300
 * counts-bench -DP=2 -DT=2 -DS=3 -DK=1 rc11 6320
 * counts-bench -DP=3 -DT=3 -DS=3 -DK=1 rc11 28777
 */
#include "counts.h"

#define SIZE  8
#define EMPTY -1
#define ABORT -2

atomic_int top, bottom, array[SIZE];

static void push(int v)
{
	int b = load(&bottom, RLX);

	store(&array[b % SIZE], v, RLX);
	fence(REL);
	store(&bottom, b + 1, RLX);
}

static int take(void)
{
	int b = load(&bottom, RLX) - 1;
	int t, v;

	store(&bottom, b, RLX);
	fence(SC);
	t = load(&top, RLX);
	if (t > b) {
		store(&bottom, b + 1, RLX);
		return EMPTY;
	}
	v = load(&array[b % SIZE], RLX);
	if (t == b) {
		if (!cas(&top, t, t + 1, SC))
			v = EMPTY;
		store(&bottom, b + 1, RLX);
	}
	return v;
}

static int steal(void)
{
	int t = load(&top, ACQ);
	int b, v;

	fence(SC);
	b = load(&bottom, ACQ);
	if (t >= b)
		return EMPTY;
	v = load(&array[t % SIZE], RLX);
	return cas(&top, t, t + 1, SC) ? v : ABORT;
}

THREAD(owner)
{
	int sum = 0;

	for (int i = 1; i <= P; i++)
		push(i);
	for (int i = 0; i < T; i++) {
		int v = take();

		if (v != EMPTY)
			sum += 1 << (4 * v);
	}
	RETURN(sum & 255, sum >> 8, 0, 0);
}

THREAD(thief)
{
	int sum = 0;

	for (int i = 0; i < K; i++) {
		int v = steal();

		if (v > 0)
			sum += 1 << (4 * v);
	}
	RETURN(sum & 255, sum >> 8, 0, 0);
}

/* Nothing is taken twice. */
int main(void)
{
	void *r[S + 1];
	int sum = 0;

	start(owner, 0);
	start_many(thief, S);
	join_all(r);
	for (int i = 0; i <= S; i++)
		sum += GET(r[i], 0) + (GET(r[i], 1) << 8);
	for (int v = 1; v <= P; v++)
		assert((sum >> (4 * v) & 15) <= 1);
	return 0;
}
