/* SPDX-License-Identifier: ISC */
/* Structures assigned, passed and returned by value, of sizes that fit registers and others. */
#include "two.h"

struct small {
	short a, b, c;
};
struct large {
	int id;
	struct small parts[5];
	double weight;
};

static struct large shared[3];
static struct small pieces[2];

static struct small scale(struct small s, int by)
{
	s.a *= by;
	s.b *= by;
	s.c *= by;
	return s;
}

static struct large twice(struct large l)
{
	for (int i = 0; i < 5; i++)
		l.parts[i] = scale(l.parts[i], 2);
	l.weight *= 2;
	return l;
}

static void *worker(void *arg)
{
	int me = *(int *)arg;

	shared[me] = twice(shared[2]);
	shared[me].id = me;
	pieces[me] = shared[me].parts[4];
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	shared[2] = (struct large){.id = 9, .parts = {[4] = {1, 2, 3}}, .weight = 1.5};
	two(worker, &zero, worker, &one);
	printf("%d %d %g %d %d\n", shared[0].id, shared[1].id, shared[1].weight, pieces[0].c,
		pieces[1].b);
	assert(pieces[0].c == 6 && pieces[1].b == 4 && shared[0].weight == 3 && shared[1].id == 1);
	return 0;
}
