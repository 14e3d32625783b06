/* SPDX-License-Identifier: ISC */
/* switch with fall-through and jump tables, goto, computed goto, Duff's device. */
#include "two.h"

static int trace[2][12];

static int classify(int n)
{
	switch (n) {
	case 0: return 10;
	case 1:
	case 2: n += 20; /* fall through */
	case 3: return n + 1;
	case 4: return 44;
	case 5: return 55;
	case 100 ... 110: return 1;
	default: return -1;
	}
}

static void *worker(void *arg)
{
	static const void *const step[] = {&&start, &&middle, &&end};
	int *t = arg, n = 0, left = 7, pc = 0;

	goto *step[pc];
start:
	t[n] = classify(n);
	n++;
	if (n < 6)
		goto start;
	goto *step[++pc];
middle:
	switch (left % 4) {
		do {
		case 0: t[6]++; /* fall through */
		case 3: t[6]++; /* fall through */
		case 2: t[6]++; /* fall through */
		case 1: t[6]++;
			left -= 4;
		} while (left > 0);
	}
	goto *step[++pc];
end:
	t[7] = classify(105);
	return NULL;
}

int main(void)
{
	two(worker, trace[0], worker, trace[1]);
	for (int i = 0; i < 8; i++)
		printf("%d ", trace[0][i]);
	printf("\n");
	assert(!memcmp(trace[0], trace[1], sizeof(trace[0])) && trace[0][6] == 7 &&
		trace[0][2] == 23);
	return 0;
}
