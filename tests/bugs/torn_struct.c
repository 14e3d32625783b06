/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso */
/* A structure copied while another thread assigns it: half old, half new. */
#include "../clean/two.h"

struct wide {
	long part[6];
};

static struct wide shared;

static void *assign(void *arg)
{
	struct wide w = {{1, 1, 1, 1, 1, 1}};

	shared = w;
	return arg;
}

static void *copy(void *arg)
{
	struct wide w = shared;

	assert(w.part[0] == w.part[5]);
	return arg;
}

int main(void)
{
	two(assign, NULL, copy, NULL);
	return 0;
}
