/* SPDX-License-Identifier: ISC */
/* layer_open.c - opening files, see layer.h. */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

static bool opens_to_change(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
}

/* Files of the kernel, which store no data. */
static bool is_of_kernel(const char *path)
{
	struct statfs s;

	if (statfs(path, &s))
		return false;
	switch ((unsigned long)s.f_type) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
	case SECURITYFS_MAGIC:
	case CGROUP_SUPER_MAGIC:
	case CGROUP2_SUPER_MAGIC: return true;
	}
	return false;
}

static mode_t masked_mode(mode_t mode)
{
	mode_t mask = real(umask)(0);

	real(umask)(mask);
	return mode & ~mask;
}

/* Open an existing file of the layer; -1 and errno: its mode does not allow it. */
static int open_node(u32 node, int flags)
{
	return io_opened_file(layer_open_file(node, flags), node, layer_node_object(node));
}

static int open_created(u32 node, int flags, mode_t mode)
{
	int fd = open_node(node, flags);

	if (fd >= 0)
		fchmod(layer_descriptor(node), masked_mode(mode) & 07777);
	return fd;
}

static int open_outside(struct layer_place *p, int flags)
{
	int fd;

	if (!S_ISREG(p->mode) || !opens_to_change(flags) || is_of_kernel(p->path)) {
		fd = real(open)(p->path, flags & ~(O_CREAT | O_EXCL));
		return io_opened_file(fd < 0 ? -errno : fd, IO_OUTSIDE, layer_object(p->path));
	}
	fd = real(open)(p->path, flags & ~(O_CREAT | O_EXCL | O_TRUNC)); /* is it allowed? */
	if (fd < 0)
		return -1;
	real(close)(fd);
	fd = layer_copy(p, !(flags & O_TRUNC));
	return fd ? (int)errno_return(fd) : open_node(p->node, flags);
}

static int create_file(const struct layer_place *p, int flags, mode_t mode)
{
	int error = layer_check_parent(p);
	u32 node;

	if (error)
		return (int)errno_return(error);
	node = layer_new_file(0600, layer_object(p->path));
	layer_name_file(p->path, node);
	return open_created(node, flags, mode);
}

int layer_open(int directory, const char *path, int flags, mode_t mode)
{
	bool new = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
	struct layer_place p;
	int error;

	if ((flags & O_TMPFILE) == O_TMPFILE)
		return layer_open_unnamed(flags, mode);
	error = layer_find(directory, path, !new && !(flags & O_NOFOLLOW), &p);
	if (!error && new && p.kind != LAYER_NONE)
		error = -EEXIST;
	if (!error && p.kind == LAYER_NONE && !(flags & O_CREAT))
		error = -ENOENT;
	if (!error && p.kind == LAYER_FILE && flags & O_DIRECTORY)
		error = -ENOTDIR;
	if (!error && p.kind == LAYER_DIRECTORY && opens_to_change(flags))
		error = -EISDIR;
	if (layer_done(error ? EV_FILE_FIND : EV_FD_OPEN, &p, error))
		return -1;
	switch (p.kind) {
	case LAYER_NONE: return create_file(&p, flags, mode);
	case LAYER_FILE: return open_node(p.node, flags);
	case LAYER_OUTSIDE: return open_outside(&p, flags);
	default:
		machine_refuse("the program opens the directory %s, which it has made: not "
			       "simulated",
			p.path);
	}
}

int layer_open_new(char *template, int suffix, int flags)
{
	struct layer_place p;
	int error = suffix < 0 ? -EINVAL : layer_new_name(template, (u32)suffix, &p);

	if (error)
		return (int)errno_return(error);
	layer_done(EV_FD_OPEN, &p, 0);
	return create_file(&p, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
}

int layer_open_unnamed(int flags, mode_t mode)
{
	return open_created(layer_new_file(0600, 0), flags & ~O_DIRECTORY, mode);
}
