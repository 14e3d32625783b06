/* SPDX-License-Identifier: ISC */
/* Bit-fields: one word shared under a mutex, and neighbours in different words without. */
#include "two.h"

static struct {
	unsigned low : 5, high : 7;
	int sign : 3;
	unsigned : 0;
	unsigned long long wide : 40;
	unsigned char own[2];
} s;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	int me = *(int *)arg;

	pthread_mutex_lock(&lock);
	s.low += 3;
	s.high -= 1;
	s.sign--;
	s.wide += 1ull << 38;
	pthread_mutex_unlock(&lock);
	s.own[me] = 10 + me;
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	printf("%d %d %d %llx %d %d\n", s.low, s.high, s.sign, (unsigned long long)s.wide, s.own[0],
		s.own[1]);
	assert(s.low == 6 && s.high == 126 && s.sign == -2 && s.wide == 1ull << 39);
	assert(s.own[0] == 10 && s.own[1] == 11);
	return 0;
}
