/* SPDX-License-Identifier: ISC */
/* descriptor_stat.c - interceptors that return the kind of a descriptor of kernel/descriptor.h. */
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"

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

static int stat_outside(const void *caller, int fd, struct stat *to)
{
	struct stat s;
	int error;

	io_step_of(fd);
	error = real(fstat)(fd, &s);
	if (error)
		return error;
	if (io_node(fd) != IO_OUTSIDE)
		layer_stat(io_node(fd), &s);
	give(caller, to, &s, sizeof s);
	return 0;
}

#define FSTAT(name, type) \
	INTERCEPT int name(int fd, struct type *to) \
	{ \
		NATIVELY_OR_OURS(name, fd, to); \
		return descriptor_is_ours(fd) ? stat_of(__builtin_return_address(0), fd, to) \
					      : stat_outside(__builtin_return_address(0), fd, \
							(struct stat *)to); \
	}
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "they are the same");
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

#define LSEEK(name, offset_type) \
	INTERCEPT offset_type name(int fd, offset_type offset, int whence) \
	{ \
		NATIVELY_OR_OURS(lseek, fd, offset, whence); \
		if (descriptor_is_ours(fd)) \
			return errno_return(descriptor_file(fd).kind ? -ESPIPE : -EBADF); \
		io_step_of(fd); \
		return real(lseek)(fd, offset, whence); \
	}
LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)
