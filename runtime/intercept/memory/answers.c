/* SPDX-License-Identifier: ISC */
/*
 * answers.c - calls whose answer the kernel writes to memory of the program.
 *
 * While exploring, pages that the execution has not written yet are protected, and the kernel would
 * answer EFAULT. Calls that libc answers itself, or through memory of its own, need nothing.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"

#include <dirent.h>
#include <sys/xattr.h>

/* ANSWER(type, name, (parameters), (arguments), where the answer goes, bytes) */
#define ANSWER(type, name, params, args, to, size) \
	INTERCEPT type name params \
	{ \
		if (!machine_entered() || \
			module_calls_itself(__builtin_return_address(0))) \
			return real(name) args; \
		machine_drain(); \
		io_fill(to, size); \
		return real(name) args; \
	}

ANSWER(int, uname, (struct utsname *to), (to), to, sizeof *to)
ANSWER(int, sysinfo, (struct sysinfo *to), (to), to, sizeof *to)
ANSWER(int, getrusage, (__rusage_who_t of, struct rusage *to), (of, to), to, sizeof *to)
ANSWER(int, statfs, (const char *path, struct statfs *to), (path, to), to, sizeof *to)
ANSWER(int, statfs64, (const char *path, struct statfs64 *to), (path, to), to, sizeof *to)
ANSWER(int, fstatfs, (int fd, struct statfs *to), (fd, to), to, sizeof *to)
ANSWER(int, fstatfs64, (int fd, struct statfs64 *to), (fd, to), to, sizeof *to)
ANSWER(int, getgroups, (int n, gid_t to[]), (n, to), to, n > 0 ? (size_t)n * sizeof *to : 0)
ANSWER(int, mincore, (void *start, size_t size, unsigned char *to), (start, size, to), to,
	(size + 4095) / 4096)
ANSWER(ssize_t, getdents64, (int fd, void *to, size_t n), (fd, to, n), to, n)

ANSWER(ssize_t, getxattr, (const char *path, const char *name, void *to, size_t n),
	(path, name, to, n), to, n)
ANSWER(ssize_t, lgetxattr, (const char *path, const char *name, void *to, size_t n),
	(path, name, to, n), to, n)
ANSWER(ssize_t, fgetxattr, (int fd, const char *name, void *to, size_t n), (fd, name, to, n), to, n)
ANSWER(ssize_t, listxattr, (const char *path, char *to, size_t n), (path, to, n), to, n)
ANSWER(ssize_t, llistxattr, (const char *path, char *to, size_t n), (path, to, n), to, n)
ANSWER(ssize_t, flistxattr, (int fd, char *to, size_t n), (fd, to, n), to, n)

/* Three numbers. */
#define ANSWER_IDS(name, type) \
	INTERCEPT int name(type *a, type *b, type *c) \
	{ \
		NATIVELY_OR_OURS(name, a, b, c); \
		io_fill(a, sizeof *a); \
		io_fill(b, sizeof *b); \
		io_fill(c, sizeof *c); \
		return real(name)(a, b, c); \
	}
ANSWER_IDS(getresuid, uid_t)
ANSWER_IDS(getresgid, gid_t)
