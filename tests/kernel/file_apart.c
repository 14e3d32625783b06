/* SPDX-License-Identifier: ISC */
/* Each thread has a temporary file of its own: which comes first makes no difference, and there is one graph. WRONG:
 * both have the same one.
 *
 * verdict rc11 ok complete -- --strategy graph
 * report rc11 "1 execution"
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static void *work(void *text)
{
	char path[80] = "/tmp/heddle-kernel-XXXXXX", back[8] = "";
	int fd;

#ifdef WRONG
	strcpy(path, "/tmp/heddle-kernel-same");
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
#else
	fd = mkstemp(path);
#endif
	assert(fd >= 0);
	for (int i = 0; i < 3; i++)
		assert(pwrite(fd, text, 4, 0) == 4);
	assert(pread(fd, back, 4, 0) == 4 && !strcmp(back, text));
	assert(!close(fd));
	unlink(path);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	t[0] = start(work, "mine");
	t[1] = start(work, "ours");
	join(t[0]);
	join(t[1]);
	return 0;
}
