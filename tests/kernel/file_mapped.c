/* SPDX-License-Identifier: ISC */
/* Threads count in a file that they have mapped, as databases do. WRONG: reading and adding are two accesses.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static _Atomic int *count;

static void *add(void *arg)
{
#ifdef WRONG
	int now = *count;

	*count = now + 1;
#else
	*count += 1;
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];
	char path[80];
	int fd;

	name_file(path, "mapped");
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert(fd >= 0 && !ftruncate(fd, 4096));
	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(count != MAP_FAILED && !close(fd) && *count == 0);
	for (int i = 0; i < 2; i++)
		t[i] = start(add, NULL);
	for (int i = 0; i < 2; i++)
		join(t[i]);
	assert(*count == 2 && !munmap((void *)count, 4096));
	return 0;
}
