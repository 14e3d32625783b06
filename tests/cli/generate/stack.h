/* SPDX-License-Identifier: ISC */
/* stack.h - the operations of Treiber's stack of tests/relax, for heddle generate. */
#define main its_client
#include "../../relax/treiber.c"
#include <heddle/generate.h>

static struct node nodes[40];

static int64_t take(void)
{
	int v = pop();

	return v ? v : HEDDLE_EMPTY;
}

HEDDLE_SPECIFICATION(stack)
HEDDLE_THREADS(push(&nodes[new], new), pop: take())
HEDDLE_AFTER(pop: take())
