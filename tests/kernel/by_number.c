/* SPDX-License-Identifier: ISC */
/* Calls by syscall(): a file that only one thread can make, which the other hears of through a pipe; each execution
 * begins without the file. OWN: read() and close() are the program's, by syscall(). WRONG: looking for the file and making
 * it are two steps.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete -- --strategy graph
 * verdict -DOWN rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifdef OWN /* in the place of the library's */
ssize_t read(int fd, void *to, size_t n)
{
	return syscall(SYS_read, fd, to, n);
}

int close(int fd)
{
	return (int)syscall(SYS_close, fd);
}
#endif

static char path[80], path_then[80];
static int tell[2];
static atomic_int owners;

static void *claim(void *arg)
{
	struct iovec v = {"x", 1};
	int fd;

#ifdef WRONG
	if (!syscall(SYS_faccessat, AT_FDCWD, path, F_OK))
		return NULL;
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
#else
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL, 0600);
#endif
	if (fd < 0)
		return NULL;
	assert(++owners == 1);
	assert(syscall(SYS_pwrite64, fd, "mine", 4, 0) == 4 && syscall(SYS_lseek, fd, 0, SEEK_END) == 4);
	assert(!syscall(SYS_close, fd));
	assert(syscall(SYS_writev, tell[1], &v, 1) == 1);
	return arg;
}

static void hear(void)
{
	struct pollfd p = {tell[0], POLLIN, 0};
	uint64_t set = 0;
	char c[4];

	assert(syscall(SYS_ppoll, &p, 1, NULL, &set, sizeof set) == 1 && p.revents == POLLIN);
	assert(read(tell[0], c, sizeof c) == 1 && *c == 'x' && !close(tell[0]));
}

static void tidy(void)
{
	struct stat s;
	char c[4];

	assert(!syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, path_then, 0));
	assert(syscall(SYS_readlinkat, AT_FDCWD, path, c, sizeof c) == -1 && errno == ENOENT);
	assert(!syscall(SYS_newfstatat, AT_FDCWD, path_then, &s, 0) && s.st_size == 4);
	assert(!syscall(SYS_unlinkat, AT_FDCWD, path_then, 0));
}

int main(void)
{
	uint64_t usr1 = 1 << (SIGUSR1 - 1), before = ~0ull;
	pthread_t t[2];
	char *page;

	name_file(path, "by_number");
	snprintf(path_then, sizeof path_then, "%s.then", path);
	assert(syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == -1 && errno == ENOENT);
	assert(!syscall(SYS_pipe2, tell, 0));
	page = (char *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(page != MAP_FAILED && !*page);
	*page = 1; /* and again in the next execution */
	assert(!syscall(SYS_rt_sigprocmask, SIG_BLOCK, &usr1, &before, sizeof usr1) && !before);
	for (int i = 0; i < 2; i++)
		t[i] = start(claim, NULL);
	hear();
	for (int i = 0; i < 2; i++)
		join(t[i]);
	tidy();
	assert(owners == 1 && !syscall(SYS_munmap, page, 4096));
	return 0;
}
