/* SPDX-License-Identifier: ISC */
/* io_name.c - interceptors that make, remove and rename files and directories, see layer.h; the
 * path of a socket exists only in the simulation. */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"
#include "kernel/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/un.h>

/* --- removing -------------------------------------------------------------------------------- */

/* If a socket is bound to this path, unbind it. */
static bool remove_socket(const char *path)
{
	struct address a = {.length = (u32)(offsetof(struct sockaddr_un, sun_path) + 1)};
	struct sockaddr_un *to = (void *)a.bytes;
	size_t n;

	n = path ? strlen(path) : 0;
	if (!descriptor_any() || !n || n >= sizeof to->sun_path)
		return false;
	to->sun_family = AF_UNIX;
	memcpy(to->sun_path, path, n);
	a.length += (u32)n;
	return socket_unlink(&a);
}

static int remove_directory(const struct layer_place *p)
{
	if (p->kind == LAYER_OUTSIDE && S_ISDIR(p->mode))
		machine_refuse("the program removes the directory %s, which it has not made: not "
			       "simulated",
			p->path);
	if (p->kind != LAYER_DIRECTORY)
		return -ENOTDIR;
	layer_several_paths();
	if (layer_has_entries(p->path))
		return -ENOTEMPTY;
	layer_remove(p);
	return 0;
}

static bool is_directory(const struct layer_place *p)
{
	return p->kind == LAYER_DIRECTORY || (p->kind == LAYER_OUTSIDE && S_ISDIR(p->mode));
}

/* either: a file or a directory. */
static int remove_path(int directory, const char *path, bool wants_directory, bool either)
{
	struct layer_place p;
	int error;

	machine_drain();
	if (!wants_directory && directory == AT_FDCWD && remove_socket(path))
		return 0;
	error = layer_find(directory, path, false, &p);
	if (!error && p.kind == LAYER_NONE)
		error = -ENOENT;
	if (!error)
		error = layer_check_parent(&p);
	if (!error && (wants_directory || (either && is_directory(&p))))
		error = remove_directory(&p);
	else if (!error && is_directory(&p))
		error = -EISDIR;
	else if (!error)
		layer_remove(&p);
	return layer_done(EV_FILE_REMOVE, &p, error);
}

int io_remove(const char *path)
{
	return remove_path(AT_FDCWD, path, false, false);
}

INTERCEPT int unlink(const char *path)
{
	NATIVELY_OR_OURS(unlink, path);
	return io_remove(path);
}

INTERCEPT int unlinkat(int directory, const char *path, int flags)
{
	NATIVELY_OR_OURS(unlinkat, directory, path, flags);
	return remove_path(directory, path, flags & AT_REMOVEDIR, false);
}

INTERCEPT int remove(const char *path)
{
	NATIVELY_OR_OURS(remove, path);
	return remove_path(AT_FDCWD, path, false, true);
}

INTERCEPT int rmdir(const char *path)
{
	NATIVELY_OR_OURS(rmdir, path);
	return remove_path(AT_FDCWD, path, true, false);
}

/* --- renaming -------------------------------------------------------------------------------- */

/* Make it a file or directory of the layer. Returns 0 or a negative errno. */
static int take_in(struct layer_place *p, const char *call)
{
	if (p->kind == LAYER_NONE)
		return -ENOENT;
	if (p->kind == LAYER_OUTSIDE && !S_ISREG(p->mode))
		machine_refuse("the program calls %s() on %s, which is not a regular file and was "
			       "not made by it: not simulated",
			call, p->path);
	return p->kind == LAYER_OUTSIDE ? layer_copy(p, true) : 0;
}

/* May `from`, which is in the layer, be renamed onto `to`? */
static int check_target(const struct layer_place *from, const struct layer_place *to)
{
	bool directory = from->kind == LAYER_DIRECTORY;

	if (layer_behind(to->path, from->path))
		return -EINVAL;
	if (layer_behind(from->path, to->path))
		return -ENOTEMPTY;
	if (to->kind == LAYER_NONE)
		return layer_check_parent(to);
	if (directory != is_directory(to))
		return directory ? -ENOTDIR : -EISDIR;
	if (!directory)
		return 0;
	return to->kind == LAYER_OUTSIDE || layer_has_entries(to->path) ? -ENOTEMPTY : 0;
}

/* The same path, or two names of one file: rename() leaves them as they are. */
static bool is_same_file(const struct layer_place *a, const struct layer_place *b)
{
	return !strcmp(a->path, b->path) ||
	       (a->kind == LAYER_FILE && b->kind == LAYER_FILE && a->node == b->node);
}

static int rename_path(int a, const char *path_a, int b, const char *path_b, unsigned flags)
{
	struct layer_place from, to;
	int error;

	machine_drain();
	if (flags & ~RENAME_NOREPLACE)
		machine_refuse(
			"the program calls renameat2() with flags 0x%x: not simulated", flags);
	layer_several_paths();
	error = layer_find(a, path_a, false, &from);
	error = error ? error : layer_find_also(b, path_b, false, &to);
	error = error ? error : take_in(&from, "rename");
	if (!error && to.kind != LAYER_NONE && flags & RENAME_NOREPLACE)
		error = -EEXIST;
	error = error ? error : layer_check_parent(&from);
	if (!error && !is_same_file(&from, &to))
		error = check_target(&from, &to);
	if (layer_done(EV_FILE_RENAME, &from, error) || is_same_file(&from, &to))
		return error ? -1 : 0;
	if (from.kind == LAYER_DIRECTORY) {
		layer_move_directory(&from, to.path);
	} else {
		layer_name_file(to.path, from.node);
		layer_remove(&from);
	}
	return 0;
}

INTERCEPT int rename(const char *from, const char *to)
{
	NATIVELY_OR_OURS(rename, from, to);
	return rename_path(AT_FDCWD, from, AT_FDCWD, to, 0);
}

INTERCEPT int renameat(int a, const char *from, int b, const char *to)
{
	NATIVELY_OR_OURS(renameat, a, from, b, to);
	return rename_path(a, from, b, to, 0);
}

INTERCEPT int renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
	NATIVELY_OR_OURS(renameat2, a, from, b, to, flags);
	return rename_path(a, from, b, to, flags);
}

static int link_path(int a, const char *path_a, int b, const char *path_b, bool follow)
{
	struct layer_place from, to;
	int error;

	machine_drain();
	layer_several_paths();
	error = layer_find(a, path_a, follow, &from);
	if (!error && from.kind == LAYER_NONE)
		error = -ENOENT;
	error = error ? error : layer_find_also(b, path_b, false, &to);
	if (!error && to.kind != LAYER_NONE)
		error = -EEXIST;
	error = error ? error : is_directory(&from) ? -EPERM : take_in(&from, "link");
	error = error ? error : layer_check_parent(&to);
	if (!error)
		layer_name_file(to.path, from.node);
	return layer_done(EV_FD_OPEN, &to, error);
}

INTERCEPT int link(const char *from, const char *to)
{
	NATIVELY_OR_OURS(link, from, to);
	return link_path(AT_FDCWD, from, AT_FDCWD, to, false);
}

INTERCEPT int linkat(int a, const char *from, int b, const char *to, int flags)
{
	NATIVELY_OR_OURS(linkat, a, from, b, to, flags);
	return link_path(a, from, b, to, flags & AT_SYMLINK_FOLLOW);
}

/* --- making ---------------------------------------------------------------------------------- */

static int make_directory(int directory, const char *path)
{
	struct layer_place p;
	int error;

	machine_drain();
	error = layer_find(directory, path, false, &p);
	if (!error && p.kind != LAYER_NONE)
		error = -EEXIST;
	error = error ? error : layer_check_parent(&p);
	if (!error)
		layer_name_directory(p.path);
	return layer_done(EV_FD_OPEN, &p, error);
}

INTERCEPT int mkdir(const char *path, mode_t mode)
{
	NATIVELY_OR_OURS(mkdir, path, mode);
	return make_directory(AT_FDCWD, path);
}

INTERCEPT int mkdirat(int directory, const char *path, mode_t mode)
{
	NATIVELY_OR_OURS(mkdirat, directory, path, mode);
	return make_directory(directory, path);
}

INTERCEPT char *mkdtemp(char *template)
{
	struct layer_place p;
	int error;

	NATIVELY(mkdtemp, template);
	machine_drain();
	error = layer_new_name(template, 0, &p);
	if (layer_done(EV_FD_OPEN, &p, error))
		return NULL;
	layer_name_directory(p.path);
	return template;
}

#define REFUSED(name, parameters, arguments) \
	INTERCEPT int name parameters \
	{ \
		if (machine_entered()) \
			machine_refuse("the program calls " #name "(): not simulated, and " \
				       "what it does to files would not be undone"); \
		return real(name) arguments; \
	}
REFUSED(symlink, (const char *to, const char *path), (to, path))
REFUSED(symlinkat, (const char *to, int directory, const char *path), (to, directory, path))
REFUSED(mkfifo, (const char *path, mode_t mode), (path, mode))
REFUSED(mkfifoat, (int directory, const char *path, mode_t mode), (directory, path, mode))
REFUSED(mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device))
REFUSED(mknodat, (int directory, const char *path, mode_t mode, dev_t device),
	(directory, path, mode, device))
REFUSED(chown, (const char *path, uid_t user, gid_t group), (path, user, group))
REFUSED(lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
REFUSED(fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
REFUSED(fchownat, (int directory, const char *path, uid_t user, gid_t group, int flags),
	(directory, path, user, group, flags))
REFUSED(setxattr, (const char *path, const char *name, const void *value, size_t n, int flags),
	(path, name, value, n, flags))
REFUSED(lsetxattr, (const char *path, const char *name, const void *value, size_t n, int flags),
	(path, name, value, n, flags))
REFUSED(fsetxattr, (int fd, const char *name, const void *value, size_t n, int flags),
	(fd, name, value, n, flags))
REFUSED(removexattr, (const char *path, const char *name), (path, name))
REFUSED(lremovexattr, (const char *path, const char *name), (path, name))
REFUSED(fremovexattr, (int fd, const char *name), (fd, name))

#define NO_EVENTS(name, parameters, arguments) \
	INTERCEPT int name parameters \
	{ \
		if (machine_entered()) \
			machine_refuse("the program calls " #name \
				       "(): events of files are not simulated"); \
		return real(name) arguments; \
	}
NO_EVENTS(inotify_init, (void), ())
NO_EVENTS(inotify_init1, (int flags), (flags))
NO_EVENTS(fanotify_init, (unsigned flags, unsigned how), (flags, how))
