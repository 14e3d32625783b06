/* SPDX-License-Identifier: ISC */
/* descriptor_stat.c - interceptors that ask for the kind of a descriptor of kernel/descriptor.h. */
#include "intercept/descriptor_io.h"
#include "intercept/intercept.h"

#include <errno.h>
#include <sys/stat.h>

static mode_t mode_of(struct file f)
{
	switch (f.kind) {
	case FILE_PIPE: return S_IFIFO | 0600;
	case FILE_SOCKET:
	case FILE_ENDPOINT: return S_IFSOCK | 0777;
	default: return 0600;
	}
}

static int stat_of(const void *caller, int fd, void *to)
{
	struct file f = descriptor_file(fd);
	struct stat s = {.st_nlink = 1, .st_blksize = 4096};

	if (!f.kind)
		return (int)errno_return(-EBADF);
	s.st_mode = mode_of(f);
	s.st_ino = f.in ? f.in : f.out;
	give(caller, to, &s, sizeof s);
	return 0;
}

INTERCEPT int fstat(int fd, struct stat *to)
{
	NATIVELY_OR_OURS(fstat, fd, to);
	return descriptor_is_ours(fd) ? stat_of(__builtin_return_address(0), fd, to)
				      : real(fstat)(fd, to);
}

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "they are the same");

INTERCEPT int fstat64(int fd, struct stat64 *to)
{
	NATIVELY_OR_OURS(fstat64, fd, to);
	return descriptor_is_ours(fd) ? stat_of(__builtin_return_address(0), fd, to)
				      : real(fstat64)(fd, to);
}

#define LSEEK(name, offset_type) \
	INTERCEPT offset_type name(int fd, offset_type offset, int whence) \
	{ \
		NATIVELY_OR_OURS(lseek, fd, offset, whence); \
		if (descriptor_is_ours(fd)) \
			return errno_return(descriptor_file(fd).kind ? -ESPIPE : -EBADF); \
		return real(lseek)(fd, offset, whence); \
	}
LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)
