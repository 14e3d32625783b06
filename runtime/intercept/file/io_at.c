/* SPDX-License-Identifier: ISC */
/* io_at.c - interceptors that read and write files at an offset, or make files without a name, see
 * io.h. */
#include "intercept/file/io.h"
#include "intercept/intercept.h"
#include "intercept/file/layer.h"
#include "kernel/descriptor.h"
#include "machine/wait/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

/* A pipe, a socket and the like has none. */
static ssize_t no_position(int fd)
{
	return errno_return(descriptor_file(fd).kind ? -ESPIPE : -EBADF);
}

/* --- in -------------------------------------------------------------------------------------- */

#define PREAD(name, offset_type) \
	INTERCEPT ssize_t name(int fd, void *to, size_t n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(pread, fd, to, n, offset); \
		interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return no_position(fd); \
		io_step_of(fd); \
		io_receive(to, n); \
		return io_moved(EV_FD_READ, fd, real(pread)(fd, to, n, offset)); \
	}
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define PREADV(name, offset_type) \
	INTERCEPT ssize_t name(int fd, const struct iovec *v, int n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(preadv, fd, v, n, offset); \
		interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return no_position(fd); \
		io_step_of(fd); \
		io_fill_vector(v, n > 0 ? (size_t)n : 0); \
		return io_moved(EV_FD_READ, fd, real(preadv)(fd, v, n, offset)); \
	}
PREADV(preadv, off_t)
PREADV(preadv64, off64_t)

/* --- out ------------------------------------------------------------------------------------- */

#define PWRITE(name, offset_type) \
	INTERCEPT ssize_t name(int fd, const void *from, size_t n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(pwrite, fd, from, n, offset); \
		interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return no_position(fd); \
		io_take(from, n); \
		io_changes(fd); \
		return io_moved(EV_FD_WRITE, fd, real(pwrite)(fd, from, n, offset)); \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset_type) \
	INTERCEPT ssize_t name(int fd, const struct iovec *v, int n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(pwritev, fd, v, n, offset); \
		interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return no_position(fd); \
		io_changes(fd); \
		io_take_vector(v, n > 0 ? (size_t)n : 0); \
		return io_moved(EV_FD_WRITE, fd, real(pwritev)(fd, v, n, offset)); \
	}
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define FTRUNCATE(name, offset_type) \
	INTERCEPT int name(int fd, offset_type size) \
	{ \
		NATIVELY(ftruncate, fd, size); \
		if (descriptor_is_ours(fd)) \
			return (int)errno_return(descriptor_file(fd).kind ? -EINVAL : -EBADF); \
		io_changes(fd); \
		return real(ftruncate)(fd, size); \
	}
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

static bool is_pipe(int fd)
{
	return descriptor_file(fd).kind == FILE_PIPE;
}

#define FALLOCATE(name, offset_type) \
	INTERCEPT int name(int fd, int mode, offset_type offset, offset_type n) \
	{ \
		NATIVELY(fallocate, fd, mode, offset, n); \
		interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return (int)errno_return(is_pipe(fd) ? -ESPIPE : -ENODEV); \
		io_changes(fd); \
		return real(fallocate)(fd, mode, offset, n); \
	}
FALLOCATE(fallocate, off_t)
FALLOCATE(fallocate64, off64_t)

/* --- files without a name -------------------------------------------------------------------- */

/* As shm_open(3): a file in /dev/shm. False: no such name. */
static bool shared_path(const char *name, char path[PATH_MAX])
{
	machine_drain();
	while (*name == '/')
		name++;
	if (!*name || strchr(name, '/'))
		return false;
	return snprintf(path, PATH_MAX, "/dev/shm/%s", name) < PATH_MAX;
}

INTERCEPT int shm_open(const char *name, int flags, mode_t mode)
{
	char path[PATH_MAX];

	NATIVELY(shm_open, name, flags, mode);
	if (!shared_path(name, path))
		return (int)errno_return(-EINVAL);
	return layer_open(AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, mode);
}

INTERCEPT int shm_unlink(const char *name)
{
	char path[PATH_MAX];

	NATIVELY(shm_unlink, name);
	return shared_path(name, path) ? io_remove(path) : (int)errno_return(-ENOENT);
}

INTERCEPT int memfd_create(const char *name, unsigned flags)
{
	int fd;

	NATIVELY_OR_OURS(memfd_create, name, flags);
	machine_drain();
	fd = real(memfd_create)(name, flags);
	return io_opened_file(fd < 0 ? -errno : fd, IO_OUTSIDE, layer_unnamed_object());
}
