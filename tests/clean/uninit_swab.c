/* SPDX-License-Identifier: ISC */
/* options: --strategy random --executions 100 --time 10 --detect=+uninit; graph: rc11 */
/* Code that is not instrumented may store the fill pattern of fresh blocks: after a call of such
 * code, a short value with the pattern no longer counts as unset. */
#define _XOPEN_SOURCE 700
#include "two.h"

#include <unistd.h>

#define PATTERN 0xA5 /* ARENA_PATTERN of runtime/heap/heap_priv.h */

static void *worker(void *arg)
{
	unsigned char from[2] = {PATTERN, PATTERN}, *to = malloc(2);

	swab(from, to, 2);
	if (to[0] == 1)
		printf("one\n");
	free(to);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	return 0;
}
