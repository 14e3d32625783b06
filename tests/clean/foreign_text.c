/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso sc; random: tso */
/* libc writes where its arguments say, and the other threads read that: also beside their own bytes. */
#include "two.h"

#define LAST 34

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct {
	char before[5], text[LAST + 2], after;
	char *end;
	long sum;
} s;

static void *writer(void *arg)
{
	int k = *(int *)arg;
	long value;

	s.before[k] = (char)k;
	pthread_mutex_lock(&m);
	snprintf(s.text, sizeof(s.text), "%d %33d, and more than fits", k, k);
	value = strtol(s.text, &s.end, 10);
	pthread_mutex_unlock(&m);
	assert(value == k);

	pthread_mutex_lock(&m);
	assert(s.end == s.text + 1 && *s.end == ' ' && s.text[LAST] == s.text[0]);
	s.sum += s.text[LAST] - '0';
	sprintf(s.text, "%d %*d", k, LAST - 1, k);
	s.after++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	int a = 1, b = 2;

	two(writer, &a, writer, &b);
	assert(s.sum >= 2 && s.sum <= 4 && s.after == 2 && s.before[1] == 1 && s.before[2] == 2);
	assert(s.text[LAST] == s.text[0] && !s.text[LAST + 1]);
	puts(s.text + LAST + 1);
	return 0;
}
