/* SPDX-License-Identifier: ISC */
/* poll() with a time-out, by a single thread: a descriptor that is ready is found in time. WRONG: none is, and
 * the time-out is not expected.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

int main(void)
{
	struct pollfd p = {.events = POLLIN};
	int fd[2];

	assert(!pipe(fd));
	p.fd = fd[0];
	assert(poll(&p, 1, 50) == 0);
#ifndef WRONG
	assert(write(fd[1], "x", 1) == 1);
#endif
	assert(poll(&p, 1, 50) == 1);
	return 0;
}
