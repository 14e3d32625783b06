/* SPDX-License-Identifier: ISC */
/* A file that only one thread can make is a lock. WRONG: looking for it and making it are two steps.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static char path[80];
static atomic_int owners;

static void *claim(void *arg)
{
#ifdef WRONG
	int fd = access(path, F_OK) ? open(path, O_WRONLY | O_CREAT, 0600) : -1;
#else
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
#endif

	if (fd < 0)
		return NULL;
	assert(++owners == 1);
	close(fd);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	name_file(path, "claimed");
	for (int i = 0; i < 2; i++)
		t[i] = start(claim, NULL);
	for (int i = 0; i < 2; i++)
		join(t[i]);
	assert(owners == 1);
	return 0;
}
