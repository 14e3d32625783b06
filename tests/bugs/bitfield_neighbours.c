/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* Two bit-fields in one word, a thread each: writing one writes the other back as it was. */
#include "../clean/two.h"

static struct {
	unsigned left : 3, right : 9;
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
	assert(s.left == 5 && s.right == 100);
	return 0;
}
