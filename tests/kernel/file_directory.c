/* SPDX-License-Identifier: ISC */
/* Jobs leave their results in a directory, which is removed when all have ended. WRONG: before.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static char directory[] = "/tmp/heddle-kernel-XXXXXX", path[80];

static void *work(void *arg)
{
	write_file(path, "result");
	return arg;
}

int main(void)
{
	pthread_t t;
	char text[8];

	assert(mkdtemp(directory) && rmdir("/tmp/heddle-kernel-none") == -1 && errno == ENOENT);
	snprintf(path, sizeof path, "%s/result", directory);
	t = start(work, NULL);
#ifndef WRONG
	join(t);
	assert(read_file(path, text, sizeof text) == 6);
	assert(rmdir(directory) == -1 && errno == ENOTEMPTY && !unlink(path));
#endif
	rmdir(directory);
#ifdef WRONG
	join(t);
	assert(read_file(path, text, sizeof text) == 6);
#endif
	return 0;
}
