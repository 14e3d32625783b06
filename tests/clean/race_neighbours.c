/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11; */
/* Neighbouring bytes, members and elements are locations of their own, whoever shares the word. */
#include "two.h"

static struct {
	char a, b;
	short c;
	int element[2];
} s;

static void *first(void *arg)
{
	s.a = 1;
	s.c = 3;
	s.element[0] = 4;
	return arg;
}

static void *second(void *arg)
{
	s.b = 2;
	s.element[1] = 5;
	return arg;
}

int main(void)
{
	two(first, NULL, second, NULL);
	printf("%d %d %d %d %d\n", s.a, s.b, s.c, s.element[0], s.element[1]);
	return 0;
}
