/* SPDX-License-Identifier: ISC */
/* graph: rc11; */
/* Calls whose results the kernel writes to static memory, which no thread has written before in the
 * execution: none may return EFAULT. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PAGE 4096

static char page[40][2 * PAGE] __attribute__((aligned(PAGE)));
static int used;

static void check(const char *call, long result)
{
	printf("%s: %s\n", call, result < 0 && errno == EFAULT ? "EFAULT" : "done");
	used++;
	errno = 0;
}

#define CHECK(call) (to = page[used], check(#call, (long)(call)))

static void *ask(void *argument)
{
	void *to;

	CHECK(readlink("/proc/self/exe", to, PAGE));
	CHECK(readlinkat(AT_FDCWD, "/proc/self/exe", to, PAGE));
	CHECK(getcwd(to, PAGE) ? 0 : -1);
	CHECK(uname(to));
	CHECK(sysinfo(to));
	CHECK(getrusage(RUSAGE_SELF, to));
	CHECK(getrlimit(RLIMIT_NOFILE, to));
	CHECK(prlimit(0, RLIMIT_NOFILE, NULL, to));
	CHECK(sched_getaffinity(0, sizeof(cpu_set_t), to));
	CHECK(sched_getparam(1, to));
	CHECK(sched_rr_get_interval(0, to));
	CHECK(getgroups(100, to));
	CHECK(getresuid(to, to, to));
	CHECK(getresgid(to, to, to));
	CHECK(statfs("/", to));
	CHECK(statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, to));
	CHECK(listxattr("/", to, PAGE));
	CHECK(sigaltstack(NULL, to));
	CHECK(mincore(page, PAGE, to));
	CHECK(prctl(PR_GET_PDEATHSIG, to));
	CHECK(syscall(SYS_getcwd, to, PAGE));
	return argument;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, ask, NULL);
	pthread_join(t, NULL);
	return 0;
}
