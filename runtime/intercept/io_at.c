/* SPDX-License-Identifier: ISC */
/* io_at.c - interceptors that read and write files at an offset, or make files without a name, see
 * io.h. */
#include "intercept/io.h"
#include "intercept/intercept.h"

/* --- in -------------------------------------------------------------------------------------- */

#define PREAD(name, offset_type) \
	INTERCEPT ssize_t name(int fd, void *to, size_t n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(pread, fd, to, n, offset); \
		io_step(); \
		io_fill(to, n); \
		return real(pread)(fd, to, n, offset); \
	}
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define PREADV(name, offset_type) \
	INTERCEPT ssize_t name(int fd, const struct iovec *v, int n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(preadv, fd, v, n, offset); \
		io_step(); \
		for (int i = 0; i < n; i++) \
			io_fill(v[i].iov_base, v[i].iov_len); \
		return real(preadv)(fd, v, n, offset); \
	}
PREADV(preadv, off_t)
PREADV(preadv64, off64_t)

/* --- out ------------------------------------------------------------------------------------- */

#define PWRITE(name, offset_type) \
	INTERCEPT ssize_t name(int fd, const void *from, size_t n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(pwrite, fd, from, n, offset); \
		io_changes(fd); \
		return real(pwrite)(fd, from, n, offset); \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset_type) \
	INTERCEPT ssize_t name(int fd, const struct iovec *v, int n, offset_type offset) \
	{ \
		NATIVELY_OR_OURS(pwritev, fd, v, n, offset); \
		io_changes(fd); \
		return real(pwritev)(fd, v, n, offset); \
	}
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define FTRUNCATE(name, offset_type) \
	INTERCEPT int name(int fd, offset_type size) \
	{ \
		NATIVELY(ftruncate, fd, size); \
		io_changes(fd); \
		return real(ftruncate)(fd, size); \
	}
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

/* --- files without a name -------------------------------------------------------------------- */

INTERCEPT int memfd_create(const char *name, unsigned flags)
{
	NATIVELY_OR_OURS(memfd_create, name, flags);
	io_step();
	return io_opened(real(memfd_create)(name, flags));
}
