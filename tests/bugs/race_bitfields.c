/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso rc11; options: --strategy graph */
/* Adjacent bit-fields are one memory location (C11 3.14), so that two threads must not write them
 * at once though they are two members. races/memory.c has the counterparts. */
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
	return 0;
}
