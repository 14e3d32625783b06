/* SPDX-License-Identifier: ISC */
/*
 * layer_path.c - paths of layer.h: a path is walked component by component, as the kernel does.
 *
 * Whether a component exists below the layer never changes. A component that does not, and the last
 * one, may be made or removed by the program: looking it up is a step. Once paths are one object
 * (LEARNT_PATHS), the whole walk is one step.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"
#include "machine/learnt.h"

#include <errno.h>
#include <fcntl.h>

#define LINKS_MOST 40

struct path_walk {
	struct layer_place *p;
	char rest[PATH_MAX]; /* still to be walked */
	size_t at;
	bool follow;
	u32 links;
};

/* The next component of w->rest, n bytes; 0: none. */
static size_t next_component(struct path_walk *w, const char **name)
{
	size_t n = 0;

	while (w->rest[w->at] == '/')
		w->at++;
	*name = w->rest + w->at;
	while ((*name)[n] && (*name)[n] != '/')
		n++;
	w->at += n;
	return n;
}

static bool is_last_component(const struct path_walk *w)
{
	return !w->rest[w->at + strspn(w->rest + w->at, "/")];
}

static void go_up(struct layer_place *p)
{
	char *slash = strrchr(p->path, '/');

	*(slash ? slash : p->path) = '\0';
	p->kind = LAYER_OUTSIDE;
	p->mode = S_IFDIR;
	layer_look(p);
}

static int begin_at(int directory, struct layer_place *p)
{
	char link[40] = "/proc/self/cwd";
	ssize_t n;

	if (directory != AT_FDCWD)
		snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
	n = readlink(link, p->path, sizeof p->path - 1);
	if (n < 0)
		return -EBADF;
	p->path[n == 1 ? 0 : n] = '\0';
	return n == 1 || p->path[0] == '/' ? 0 : -ENOTDIR;
}

/* The component is a symbolic link: its target is walked next. */
static int follow_link(struct path_walk *w)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t n = readlink(w->p->path, target, sizeof target - 1);

	if (n < 0)
		return -errno;
	target[n] = '\0';
	if (++w->links > LINKS_MOST)
		return -ELOOP;
	if (snprintf(rest, sizeof rest, "%s/%s", target, w->rest + w->at) >= (int)sizeof rest)
		return -ENAMETOOLONG;
	if (is_last_component(w))
		rest[n] = '\0';
	strcpy(w->rest, rest);
	w->at = 0;
	go_up(w->p);
	if (target[0] == '/')
		w->p->path[0] = '\0';
	return 0;
}

/* Links there lead to open files, not to paths. */
static bool in_proc(const char *path)
{
	return !strncmp(path, "/proc/", 6);
}

static int enter(struct path_walk *w, const char *name, size_t n)
{
	bool last = is_last_component(w), inside = w->p->kind == LAYER_DIRECTORY, exists = false;
	struct layer_place *p = w->p;
	size_t length = strlen(p->path);
	struct stat s;

	if (length + 1 + n >= sizeof p->path || n > NAME_MAX)
		return -ENAMETOOLONG;
	p->path[length] = '/';
	memcpy(p->path + length + 1, name, n);
	p->path[length + 1 + n] = '\0';
	if (!inside) {
		exists = real(lstat)(p->path, &s) == 0;
		if (!exists && errno != ENOENT)
			return -errno;
	}
	if ((last || !exists) && !in_proc(p->path) && !learnt_known(LEARNT_PATHS))
		io_step_at(layer_object(p->path));
	if (layer_look(p))
		return 0;
	p->kind = exists ? LAYER_OUTSIDE : LAYER_NONE;
	p->mode = exists ? s.st_mode : 0;
	if (exists && S_ISLNK(s.st_mode) && (!last || w->follow)) {
		if (in_proc(p->path) && last)
			return 0;
		return follow_link(w);
	}
	return 0;
}

static int check_directory(const struct layer_place *p)
{
	if (p->kind == LAYER_NONE)
		return -ENOENT;
	if (p->kind == LAYER_FILE || (p->kind == LAYER_OUTSIDE && !S_ISDIR(p->mode)))
		return -ENOTDIR;
	return 0;
}

static int walk_path(struct path_walk *w)
{
	const char *name;
	size_t n;
	int error;

	while ((n = next_component(w, &name))) {
		error = check_directory(w->p);
		if (error)
			return error;
		if (n == 1 && name[0] == '.')
			continue;
		if (n == 2 && name[0] == '.' && name[1] == '.') {
			go_up(w->p);
			continue;
		}
		error = enter(w, name, n);
		if (error)
			return error;
	}
	return 0;
}

int layer_find(int directory, const char *path, bool follow, struct layer_place *p)
{
	if (path && !in_proc(path) && learnt_known(LEARNT_PATHS))
		layer_step();
	return layer_find_also(directory, path, follow, p);
}

int layer_find_also(int directory, const char *path, bool follow, struct layer_place *p)
{
	struct path_walk w = {.p = p, .follow = follow};
	size_t n = path ? strlen(path) : 0;
	int error = 0;

	if (!path)
		return -EFAULT;
	if (!n || n >= sizeof w.rest)
		return n ? -ENAMETOOLONG : -ENOENT;
	memcpy(w.rest, path, n + 1);
	*p = (struct layer_place){.kind = LAYER_OUTSIDE, .mode = S_IFDIR};
	if (path[0] != '/')
		error = begin_at(directory, p);
	error = error ? error : walk_path(&w);
	if (!error && !p->path[0])
		strcpy(p->path, "/");
	return error;
}

/* --- new names ------------------------------------------------------------------------------- */

int layer_check_parent(const struct layer_place *p)
{
	char parent[PATH_MAX];
	struct layer_place directory = {.kind = LAYER_OUTSIDE};
	char *slash;

	strcpy(parent, p->path);
	slash = strrchr(parent, '/');
	if (slash == parent)
		slash++;
	*slash = '\0';
	strcpy(directory.path, parent);
	if (layer_look(&directory))
		return check_directory(&directory);
	return real(access)(parent, W_OK | X_OK) ? -errno : 0;
}

/* 6 letters: the thread, and a count of its requests. */
static void write_letters(char *to, u32 number)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

	for (u32 i = 6; i--; number /= 36)
		to[i] = digits[number % 36];
}

int layer_new_name(char *path, u32 suffix, struct layer_place *p)
{
	size_t n = strlen(path);
	int error;

	if (n < 6 + (size_t)suffix || memcmp(path + n - suffix - 6, "XXXXXX", 6) != 0)
		return -EINVAL;
	do {
		write_letters(path + n - suffix - 6, layer_own_number());
		error = layer_find(AT_FDCWD, path, false, p);
	} while (!error && p->kind != LAYER_NONE);
	return error ? error : layer_check_parent(p);
}
