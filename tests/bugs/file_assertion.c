/* SPDX-License-Identifier: ISC */
/* finding: assertion; graph: sc rc11; random: tso */
/* A thread writes to a file that main has opened. The descriptor is the same when the failure is
 * recorded, and confirmed: libraries that do this open some of their own. */
#include "../clean/two.h"

#include <fcntl.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd;
static atomic_int lines;

static void *writer(void *arg)
{
	if (write(fd, "line\n", 5) == 5)
		lines++;
	return arg;
}

static void *reader(void *arg)
{
	assert(fcntl(fd, F_GETFL) >= 0);
	if (write(fd, "line\n", 5) == 5)
		assert(!lines);
	return arg;
}

int main(void)
{
	pthread_mutex_lock(&lock); /* recorded, with its call stack */
	fd = open("/dev/null", O_WRONLY);
	pthread_mutex_unlock(&lock);
	assert(fd >= 0);
	two(writer, NULL, reader, NULL);
	close(fd);
	return 0;
}
