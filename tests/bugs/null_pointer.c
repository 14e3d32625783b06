/* SPDX-License-Identifier: ISC */
/* finding: crash; models: sc tso pso */
/* A pointer that is checked, and read again after the other thread has cleared it: SIGSEGV. */
#include "../clean/two.h"

struct node {
	int value;
};

static struct node node = {3};
static _Atomic(struct node *) current = &node;
static volatile int sink;

static void *user(void *arg)
{
	if (current)
		sink = ((struct node *)current)->value;
	return arg;
}

static void *remover(void *arg)
{
	current = NULL;
	return arg;
}

int main(void)
{
	two(user, NULL, remover, NULL);
	return 0;
}
