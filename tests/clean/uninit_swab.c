/* SPDX-License-Identifier: ISC */
/* options: --strategy random --executions 100 --time 10 --detect=+uninit; graph: rc11 */
/* Code that is not instrumented may store the fill pattern of fresh blocks: after a call of such
 * code, a short value with the pattern no longer counts as unset. */
#define _XOPEN_SOURCE 700
#include "two.h"

#include <unistd.h>

static void *worker(void *arg)
{
	unsigned char from[2], *to = malloc(2);

	swab(to, from, 2); /* the pattern, in the other order */
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
