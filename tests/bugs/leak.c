/* SPDX-License-Identifier: ISC */
/* finding: leak; models: sc tso rc11; options: --detect=+leak */
/* graph: rc11 sc; dfs: tso */
/*
 * Two threads each put a block into the same place: the first one is lost.
 *
 * report rc11 "leak: nothing points to slot#1 (16 bytes) any more" @lost
 * report tso "block of 16 bytes allocated at" @lost
 */
#include "../clean/two.h"

#include <stdlib.h>

_Atomic(char *) slot; /* not static: what nothing reads is removed */

static void *worker(void *arg)
{
	atomic_store(&slot, malloc(16)); /* @lost */
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	return 0;
}
