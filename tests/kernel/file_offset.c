/* SPDX-License-Identifier: ISC */
/* Threads write records at their places in a file. WRONG: by lseek() and write() on one descriptor,
 * whose offset they share.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * executions sc 20
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static int fd;

static void *put(void *arg)
{
	const char *record = arg;
	off_t at = (record[0] - '0') * 4;

#ifdef WRONG
	lseek(fd, at, SEEK_SET);
	assert(write(fd, record, 4) == 4);
#else
	assert(pwrite(fd, record, 4, at) == 4);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	char path[80], text[16] = "";
	struct stat s;

	name_file(path, "records");
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert(fd >= 0 && !ftruncate(fd, 12));
	t[0] = start(put, "1...");
	t[1] = start(put, "2...");
	join(t[0]);
	join(t[1]);
	assert(!fstat(fd, &s) && s.st_size == 12 && S_ISREG(s.st_mode));
	assert(pread(fd, text, 12, 0) == 12 && text[4] == '1' && text[8] == '2');
	close(fd);
	return 0;
}
