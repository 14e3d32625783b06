/* SPDX-License-Identifier: ISC */
/* getenv, fopen, fprintf, fscanf on a temporary file; streams left open do not add up. */
#include <unistd.h>
#include "two.h"

static FILE *file;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	pthread_mutex_lock(&m);
	fprintf(file, "%d\n", *(int *)arg);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	const char *dir = getenv("TMPDIR");
	int a = 10, b = 32, x = 0, y = 0;
	char path[256];

	snprintf(path, sizeof path, "%s/heddle-stdio-%d", dir ? dir : "/tmp", (int)getpid());
	file = fopen(path, "w");
	assert(file && fileno(file) < 100);
	two(writer, &a, writer, &b);
	assert(fclose(file) == 0);
	file = fopen(path, "r");
	assert(file && fscanf(file, "%d %d", &x, &y) == 2 && x + y == 42);
	assert(unlink(path) == 0);
	printf("%d\n", x + y); /* `file` stays open */
	return 0;
}
