/* SPDX-License-Identifier: ISC */
/* Two threads add lines to a file, which is not there when an execution begins. WRONG: not by O_APPEND, so that one
 * may write over the other's.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * executions sc 20
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

#ifdef WRONG
#define APPEND 0
#else
#define APPEND O_APPEND
#endif

static char path[80];

static void *add(void *line)
{
	int fd = open(path, O_WRONLY | O_CREAT | APPEND, 0600);

	assert(fd >= 0);
	for (int i = 0; i < 2; i++)
		assert(write(fd, line, 4) == 4);
	assert(!close(fd));
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	char text[32];

	name_file(path, "append");
	t[0] = start(add, "one\n");
	t[1] = start(add, "two\n");
	join(t[0]);
	join(t[1]);
	assert(read_file(path, text, sizeof text) == 16);
	return 0;
}
