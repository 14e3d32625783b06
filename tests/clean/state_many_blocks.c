/* SPDX-License-Identifier: ISC */
/* Thousands of blocks from before main(), with blocks of libc and free memory between them: each
 * execution finds them as they were, and files can be read into them and into libc's buffers.
 * options: --strategy random --executions 500; */
#include <fcntl.h>
#include <unistd.h>
#include "two.h"

#define BLOCKS 1500

static long *block[BLOCKS];
static FILE *kept[3];
static atomic_int next;

static size_t words(int i)
{
	return i % 100 == 7 ? 3000 : 2 + i % 30;
}

__attribute__((constructor)) static void set_up(void)
{
	void *hole[BLOCKS];

	for (int i = 0; i < BLOCKS; i++) {
		block[i] = malloc(words(i) * sizeof(long));
		for (size_t n = 0; n < words(i); n++)
			block[i][n] = i;
		hole[i] = malloc(40 + i % 7 * 700);
		if (i % 500 == 0)
			kept[i / 500] = fopen("/proc/self/status", "r");
	}
	for (int i = 0; i < BLOCKS; i++)
		free(hole[i]);
}

static void untouched(void)
{
	for (int i = 0; i < BLOCKS; i++)
		assert(block[i][0] == i && block[i][words(i) - 1] == i);
}

/* Which blocks a thread gets depends on the schedule. */
static void *change(void *arg)
{
	for (int n = 0; n < 4; n++) {
		int i = atomic_fetch_add(&next, 1) * 171 + *(int *)arg;

		block[i][words(i) - 1] = -1;
		if (n == 2) {
			free(block[i]);
			block[i] = calloc(10, sizeof(long));
		}
	}
	return NULL;
}

static void read_files(void)
{
	char line[100];
	FILE *f;
	int fd;

	for (int i = 0; i < 3; i++) {
		rewind(kept[i]);
		assert(fgets(line, sizeof(line), kept[i]) && !strncmp(line, "Name:", 5));
		f = fopen("/proc/self/status", "r");
		assert(f && fgets(line, sizeof(line), f) && !strncmp(line, "Name:", 5));
		fclose(f);
	}
	fd = open("/proc/self/status", O_RDONLY);
	assert(fd >= 0 && read(fd, block[107] + 1000, 500) == 500);
	assert(!memcmp(block[107] + 1000, "Name:", 5));
	assert(lseek(fd, 0, SEEK_SET) == 0 && read(fd, block[50], 5) == 5);
	assert(!memcmp(block[50], "Name:", 5));
	close(fd);
}

int main(void)
{
	int a = 1, b = 2;

	untouched();
	two(change, &a, change, &b);
	read_files();
	puts("done");
	return 0;
}
