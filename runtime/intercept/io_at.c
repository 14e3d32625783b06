/* SPDX-License-Identifier: ISC */
/* io_at.c - interceptors that read and write files at an offset, or make files without a name, see
 * io.h. */
#include "intercept/io.h"
#include "intercept/intercept.h"

#include <fcntl.h>
#include <limits.h>

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
		io_fill_vector(v, n > 0 ? (size_t)n : 0); \
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

/* Names of shared memory that this execution has made; they must not be there in the next one. */
#define MADE 16
static char made[MADE][NAME_MAX + 1];
static u32 nmade;

static void note_made(const char *name)
{
	if (nmade == MADE || strlen(name) > NAME_MAX)
		machine_refuse("limit: more than %u names of shared memory, or a long one",
			MADE);
	strcpy(made[nmade++], name);
	clean_up_at_end();
}

void io_remove_shared(void)
{
	while (nmade)
		real(shm_unlink)(made[--nmade]);
}

INTERCEPT int shm_open(const char *name, int flags, mode_t mode)
{
	int fd = -1;

	NATIVELY(shm_open, name, flags, mode);
	io_step();
	if (flags & O_CREAT)
		fd = real(shm_open)(name, flags | O_EXCL, mode);
	if (fd >= 0)
		note_made(name);
	else if (!(flags & O_EXCL))
		fd = real(shm_open)(name, flags & ~O_CREAT, mode);
	return io_opened(fd);
}

INTERCEPT int memfd_create(const char *name, unsigned flags)
{
	NATIVELY_OR_OURS(memfd_create, name, flags);
	io_step();
	return io_opened(real(memfd_create)(name, flags));
}
