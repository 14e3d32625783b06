/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11; */
/* Bit-fields with one of no width between them are two memory locations (C11 3.14). */
#include "two.h"

static struct {
	unsigned left : 3;
	unsigned : 0;
	unsigned right : 9;
} s;

static void *set_left(void *arg)
{
	s.left = 5;
	return arg;
}

static void *set_right(void *arg)
{
	s.right = 100;
	return arg;
}

int main(void)
{
	two(set_left, NULL, set_right, NULL);
	printf("%u %u\n", s.left, s.right);
	return 0;
}
