/* SPDX-License-Identifier: ISC */
/* io_stat.c - interceptors that read or change the properties of a path, see layer.h. */
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <utime.h>

/* Look the path up in the layer. Returns 0 and LAYER_OUTSIDE, or the result. */
static int find_stat(int directory, const char *path, bool follow, struct layer_place *p)
{
	int error;

	machine_drain();
	error = layer_find(directory, path, follow, p);
	if (!error && p->kind == LAYER_NONE)
		error = -ENOENT;
	layer_done(EV_FILE_FIND, p, error);
	return error;
}

static bool is_layer_file(const struct layer_place *p)
{
	return p->kind == LAYER_FILE;
}

/* --- stat ------------------------------------------------------------------------------------ */

static int stat_place(const struct layer_place *p, struct stat *s)
{
	if (p->kind == LAYER_OUTSIDE)
		return real(fstatat)(AT_FDCWD, p->path, s, 0);
	if (is_layer_file(p))
		layer_stat(p->node, s);
	else
		layer_stat_directory(p->path, s);
	return 0;
}

static int stat_path(const void *caller, int directory, const char *path, int flags, void *to)
{
	bool follow = !(flags & AT_SYMLINK_NOFOLLOW);
	struct layer_place p;
	struct stat s;
	int error = find_stat(directory, path, follow, &p);

	if (error)
		return (int)errno_return(error);
	if (p.kind == LAYER_OUTSIDE && S_ISLNK(p.mode))
		error = real(fstatat)(AT_FDCWD, p.path, &s, flags & AT_SYMLINK_NOFOLLOW);
	else
		error = stat_place(&p, &s);
	if (!error)
		give(caller, to, &s, sizeof s);
	return error;
}

#define STAT(name, type, flags) \
	INTERCEPT int name(const char *restrict path, struct type *restrict to) \
	{ \
		NATIVELY_OR_OURS(name, path, to); \
		return stat_path(__builtin_return_address(0), AT_FDCWD, path, flags, to); \
	}
STAT(stat, stat, 0)
STAT(stat64, stat64, 0)
STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)

#define FSTATAT(name, type) \
	INTERCEPT int name( \
		int directory, const char *restrict path, struct type *restrict to, int flags) \
	{ \
		NATIVELY_OR_OURS(name, directory, path, to, flags); \
		if (flags & AT_EMPTY_PATH && !path[0]) \
			return fstat(directory, (struct stat *)to); \
		return stat_path(__builtin_return_address(0), directory, path, flags, to); \
	}
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

static struct statx_timestamp statx_time(struct timespec t)
{
	return (struct statx_timestamp){.tv_sec = t.tv_sec, .tv_nsec = (u32)t.tv_nsec};
}

static void fill_statx(const struct stat *s, struct statx *x)
{
	*x = (struct statx){.stx_mask = STATX_BASIC_STATS,
		.stx_blksize = (u32)s->st_blksize,
		.stx_nlink = (u32)s->st_nlink,
		.stx_uid = s->st_uid,
		.stx_gid = s->st_gid,
		.stx_mode = (u16)s->st_mode,
		.stx_ino = s->st_ino,
		.stx_size = (u64)s->st_size,
		.stx_blocks = (u64)s->st_blocks,
		.stx_atime = statx_time(s->st_atim),
		.stx_mtime = statx_time(s->st_mtim),
		.stx_ctime = statx_time(s->st_ctim),
		.stx_dev_major = major(s->st_dev),
		.stx_dev_minor = minor(s->st_dev)};
}

INTERCEPT int statx(int directory, const char *restrict path, int flags, unsigned mask,
	struct statx *restrict to)
{
	struct layer_place p = {.kind = LAYER_OUTSIDE};
	struct statx x;
	struct stat s;
	int error = 0;

	NATIVELY_OR_OURS(statx, directory, path, flags, mask, to);
	machine_drain();
	if (!path[0]) {
		io_step_of(directory);
		p.kind = io_node(directory) == IO_OUTSIDE ? LAYER_OUTSIDE : LAYER_FILE;
		p.node = io_node(directory);
	} else {
		error = find_stat(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &p);
	}
	if (error)
		return (int)errno_return(error);
	if (p.kind == LAYER_OUTSIDE) {
		io_fill(to, sizeof *to);
		return real(statx)(directory, path, flags, mask, to);
	}
	stat_place(&p, &s);
	fill_statx(&s, &x);
	give(__builtin_return_address(0), to, &x, sizeof x);
	return 0;
}

/* --- links ----------------------------------------------------------------------------------- */

static ssize_t read_link(int directory, const char *path, char *to, size_t n)
{
	struct layer_place p;
	int error = find_stat(directory, path, false, &p);

	if (error)
		return errno_return(error);
	if (p.kind != LAYER_OUTSIDE)
		return errno_return(-EINVAL);
	io_fill(to, n);
	return real(readlink)(p.path, to, n);
}

INTERCEPT ssize_t readlink(const char *restrict path, char *restrict to, size_t n)
{
	NATIVELY_OR_OURS(readlink, path, to, n);
	return read_link(AT_FDCWD, path, to, n);
}

INTERCEPT ssize_t readlinkat(int directory, const char *restrict path, char *restrict to, size_t n)
{
	NATIVELY_OR_OURS(readlinkat, directory, path, to, n);
	return read_link(directory, path, to, n);
}

/* --- permissions ----------------------------------------------------------------------------- */

static int check_access(int directory, const char *path, int mode, int flags)
{
	struct layer_place p;
	char own[40];
	int error = find_stat(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &p);

	if (error)
		return (int)errno_return(error);
	if (p.kind == LAYER_OUTSIDE)
		return real(faccessat)(AT_FDCWD, p.path, mode, flags & AT_EACCESS);
	if (p.kind == LAYER_DIRECTORY)
		return 0;
	snprintf(own, sizeof own, "/proc/self/fd/%d", layer_descriptor(p.node));
	return real(faccessat)(AT_FDCWD, own, mode, flags & AT_EACCESS);
}

INTERCEPT int access(const char *path, int mode)
{
	NATIVELY_OR_OURS(access, path, mode);
	return check_access(AT_FDCWD, path, mode, 0);
}

INTERCEPT int faccessat(int directory, const char *path, int mode, int flags)
{
	NATIVELY_OR_OURS(faccessat, directory, path, mode, flags);
	return check_access(directory, path, mode, flags);
}

/* A regular file, to be changed: its descriptor, or a negative errno. */
static int change_file(int directory, const char *path, struct layer_place *p, const char *call)
{
	int error = find_stat(directory, path, true, p);

	if (error)
		return error;
	if (p->kind == LAYER_DIRECTORY)
		return -EISDIR;
	if (p->kind == LAYER_OUTSIDE && !S_ISREG(p->mode))
		machine_refuse("the program calls %s() on %s, which is not a regular file: that "
			       "would not be undone",
			call, p->path);
	if (p->kind == LAYER_OUTSIDE && real(access)(p->path, W_OK))
		return -errno;
	error = p->kind == LAYER_OUTSIDE ? layer_copy(p, true) : 0;
	return error ? error : layer_descriptor(p->node);
}

static int change_mode(int directory, const char *path, mode_t mode)
{
	struct layer_place p;
	int fd = change_file(directory, path, &p, "chmod");

	return fd < 0 ? (fd == -EISDIR ? 0 : (int)errno_return(fd)) : real(fchmod)(fd, mode);
}

INTERCEPT int chmod(const char *path, mode_t mode)
{
	NATIVELY_OR_OURS(chmod, path, mode);
	return change_mode(AT_FDCWD, path, mode);
}

INTERCEPT int fchmodat(int directory, const char *path, mode_t mode, int flags)
{
	NATIVELY_OR_OURS(fchmodat, directory, path, mode, flags);
	return change_mode(directory, path, mode);
}

INTERCEPT int fchmod(int fd, mode_t mode)
{
	NATIVELY_OR_OURS(fchmod, fd, mode);
	io_step_of(fd);
	if (io_node(fd) == IO_OUTSIDE)
		machine_refuse("the program calls fchmod() on a file that it has not opened for "
			       "writing: that would not be undone");
	return real(fchmod)(fd, mode);
}

#define TRUNCATE(name, type) \
	INTERCEPT int name(const char *path, type size) \
	{ \
		struct layer_place p; \
		int fd; \
\
		NATIVELY_OR_OURS(truncate, path, size); \
		fd = change_file(AT_FDCWD, path, &p, "truncate"); \
		if (fd < 0) \
			return (int)errno_return(fd); \
		io_step_at(layer_node_object(p.node)); \
		return real(ftruncate)(fd, size); \
	}
TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

/* --- times: they stay as they are ------------------------------------------------------------ */

#define TIMES(name, parameters, arguments, found) \
	INTERCEPT int name parameters \
	{ \
		struct layer_place p; \
\
		if (!machine_entered()) \
			return real(name) arguments; \
		return (int)errno_return(found); \
	}
TIMES(utime, (const char *path, const struct utimbuf *t), (path, t),
	find_stat(AT_FDCWD, path, true, &p))
TIMES(utimes, (const char *path, const struct timeval t[2]), (path, t),
	find_stat(AT_FDCWD, path, true, &p))
TIMES(utimensat, (int directory, const char *path, const struct timespec t[2], int flags),
	(directory, path, t, flags), find_stat(directory, path, true, &p))

INTERCEPT int futimens(int fd, const struct timespec t[2])
{
	NATIVELY_OR_OURS(futimens, fd, t);
	io_step_of(fd);
	return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

/* --- directories ----------------------------------------------------------------------------- */

INTERCEPT int chdir(const char *path)
{
	struct layer_place p;

	NATIVELY_OR_OURS(chdir, path);
	machine_drain();
	if (!layer_find(AT_FDCWD, path, true, &p) && p.kind == LAYER_DIRECTORY)
		machine_refuse("the program changes to the directory %s, which it has made: not "
			       "simulated",
			p.path);
	settings_keep_directory();
	return real(chdir)(path);
}
