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

/* Its buffer lies between our blocks, in the same pages. */
static FILE *open_file(void)
{
	FILE *f = fopen("/proc/self/exe", "r");
	char magic[4];

	assert(f && fread(magic, 1, 4, f) == 4 && !memcmp(magic, "\177ELF", 4));
	return f;
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
			kept[i / 500] = open_file();
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
	char magic[4];
	int fd;

	for (int i = 0; i < 3; i++) {
		assert(!fseek(kept[i], i % 2 ? 0 : 8192, SEEK_SET));
		rewind(kept[i]);
		assert(fread(magic, 1, 4, kept[i]) == 4 && !memcmp(magic, "\177ELF", 4));
		fclose(open_file());
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
