/* SPDX-License-Identifier: ISC */
/* A thread appends a line to a journal, and is cancelled while it waits for the disk. WRONG: the line is not counted
 * then, though it is there.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion -- --strategy random
 * verdict -DWRONG sc assertion -- --strategy dfs
 * verdict -DWRONG -DDATA rc11 assertion -- --strategy graph
 * verdict -DWRONG -DRANGE rc11 assertion -- --strategy graph
 * verdict -DWRONG -DMAPPED rc11 assertion -- --strategy graph
 * verdict -DWRONG -DTERMINAL rc11 assertion -- --strategy graph
 * report -DWRONG rc11 "cancel thread T1" "is cancelled"
 */
#include "kernel.h"
#include "file.h"

#include <termios.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int journal, written, lines;

static void wait_for_disk(void)
{
#ifdef DATA
	assert(!fdatasync(journal));
#elif defined RANGE
	assert(!sync_file_range(journal, 0, 5, SYNC_FILE_RANGE_WRITE));
#elif defined MAPPED
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, journal, 0);

	assert(!msync(page, 4096, MS_SYNC));
	munmap(page, 4096);
#elif defined TERMINAL
	assert(tcdrain(journal) == -1 && errno == ENOTTY);
#else
	assert(!fsync(journal));
#endif
}

static void finish(void *arg)
{
#ifndef WRONG
	lines += written;
#endif
	pthread_mutex_unlock(&mutex);
}

static void *append(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(finish, NULL);
	written = write(journal, "line\n", 5) == 5;
	wait_for_disk();
#ifdef WRONG
	lines += written;
#endif
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	char path[80];
	struct stat s;
	pthread_t t;

	name_file(path, "journal");
	journal = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
	assert(journal >= 0);
	t = start(append, NULL);
	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	join(t);
	assert(!fstat(journal, &s) && s.st_size == lines * 5);
	assert(!close(journal) && !unlink(path));
	return 0;
}
