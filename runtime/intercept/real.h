/* SPDX-License-Identifier: ISC */
/*
 * real.h - calls the libc function that an interposed one hides: real(pthread_join)(t, &result).
 *
 * The list is real.def. All are looked up together, at the first use of any (a library's
 * constructor may lock a mutex before ours has run), with dlsym(RTLD_NEXT). dlsym may allocate:
 * our malloc does not use this table (heap_native.c calls __libc_malloc), so there is no recursion.
 */
#ifndef INTERCEPT_REAL_H
#define INTERCEPT_REAL_H

#include "base/base.h"

#include <aio.h>
#include <argz.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <envz.h>
#include <getopt.h>
#include <grp.h>
#include <glob.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <netinet/ether.h>
#include <obstack.h>
#include <poll.h>
#include <locale.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>
#include <utime.h>

struct real {
#define REAL(ret, name, params) ret(*name) params;
#include "intercept/real.def"
#undef REAL
};

extern struct real real_table;
extern bool real_ready;

/* Fill the table. Harmless when called again, or by several threads at once. */
void real_init(void);

/* A function that this libc does not have is NULL; those of every glibc need no check. */
#define real(name)                                                                                 \
	(likely(__atomic_load_n(&real_ready, __ATOMIC_ACQUIRE)) ? (void)0 : real_init(),           \
		real_table.name)

#endif
