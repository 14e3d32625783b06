/* SPDX-License-Identifier: ISC */
/*
 * directory.c - interceptors that list directories: the entries on disk, and what this execution
 * has made there, or removed (layer.h).
 *
 * The entries are read by opendir() and rewinddir(), in one step; readdir() then has no effect that
 * another thread could observe. All uses of paths are ordered with that step.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"
#include "heap/heap.h"
#include "machine/machine.h"
#include "process/pages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LISTING_MAGIC 0xfed1d1d1fed1d1d1u /* a DIR of libc begins with its descriptor */
#define BUFFER	      32768		  /* of getdents64() */

/* A directory that is open: the program's DIR, a block of its own. */
struct listing {
	u64 magic;
	struct dirent *entries; /* another block */
	size_t size, at;	/* bytes */
	const void *caller;	/* of opendir() */
	int fd;			/* -1: none yet */
	struct layer_place place;
};

static struct listing *listing_of(DIR *d)
{
	struct listing *l = (void *)d;

	return l && l->magic == LISTING_MAGIC ? l : NULL;
}

/* --- entries --------------------------------------------------------------------------------- */

/* The entries of a directory as they are read: allocating a block is a step, with which the program
 * may change. Of each thread. */
static struct gathered {
	char *byte;
	size_t room, n;
} gathered[THREADS_MAX];

static void widen(struct gathered *g, size_t size)
{
	char *p;

	if (g->n + size <= g->room)
		return;
	p = pages_need(2 * g->room + BUFFER);
	memcpy(p, g->byte, g->n);
	g->byte = p; /* the old ones stay: together they are fewer */
	g->room = 2 * g->room + BUFFER;
}

static void add_directory_entry(struct gathered *g, const char *name, ino_t inode, u8 type)
{
	size_t n = strlen(name), size = (offsetof(struct dirent, d_name) + n + 8) & ~(size_t)7;
	struct dirent *e;

	widen(g, size);
	e = (void *)(g->byte + g->n);
	g->n += size;
	memset(e, 0, size);
	e->d_ino = inode;
	e->d_off = (off_t)g->n;
	e->d_reclen = (u16)size;
	e->d_type = type;
	memcpy(e->d_name, name, n);
}

/* The entries below the layer that have not been changed. */
static void add_outside(struct gathered *g, const char *directory, int fd)
{
	static char buffer[BUFFER] __attribute__((aligned(8)));
	struct layer_place p;
	ssize_t n;

	while ((n = real(getdents64)(fd, buffer, sizeof buffer)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent *e = (const void *)(buffer + at);

			at += e->d_reclen;
			if (snprintf(p.path, sizeof p.path, "%s/%s", directory, e->d_name) <
					(int)sizeof p.path && !layer_look(&p))
				add_directory_entry(g, e->d_name, e->d_ino, e->d_type);
		}
}

static void add_made(struct gathered *g, const char *directory)
{
	struct layer_place p;

	for (u32 at = 0; layer_next(directory, &at, &p);)
		add_directory_entry(g, strrchr(p.path, '/') + 1, layer_inode(&p),
			p.kind == LAYER_DIRECTORY ? DT_DIR : DT_REG);
}

/* Returns 0 or a negative errno. */
static int gather_entries(struct gathered *g, const struct layer_place *p)
{
	int fd;

	g->n = 0;
	if (p->kind == LAYER_OUTSIDE) {
		fd = real(open)(p->path[0] ? p->path : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		add_outside(g, p->path, fd);
		real(close)(fd);
	} else {
		add_directory_entry(g, ".", layer_object(p->path), DT_DIR);
		add_directory_entry(g, "..", 1, DT_DIR);
	}
	add_made(g, p->path);
	return 0;
}

static int check_place(const struct layer_place *p)
{
	if (p->kind == LAYER_NONE)
		return -ENOENT;
	return p->kind == LAYER_DIRECTORY || (p->kind == LAYER_OUTSIDE && S_ISDIR(p->mode))
		       ? 0
		       : -ENOTDIR;
}

/* Read the entries, behind a step. Returns 0 or a negative errno. */
static int read_entries(struct listing *l)
{
	struct gathered *g = &gathered[thread_id(thread_self())];
	int error = gather_entries(g, &l->place);

	if (error)
		return error;
	heap_free(l->entries, l->caller);
	l->at = l->size = 0;
	l->entries = heap_alloc(g->n, HEAP_ALIGNMENT, true, l->caller);
	if (!l->entries)
		return -ENOMEM;
	memcpy(l->entries, g->byte, g->n);
	l->size = g->n;
	return 0;
}

/* --- opening and closing ---------------------------------------------------------------------- */

static int find_directory(struct listing *l, int fd, const char *path)
{
	int error = layer_find(fd, path, true, &l->place);

	error = error ? error : check_place(&l->place);
	if (!strcmp(l->place.path, "/"))
		l->place.path[0] = '\0';
	return error;
}

static void free_listing(struct listing *l, const void *caller)
{
	heap_free(l->entries, caller);
	heap_free(l, caller);
}

/* path: from fd on. own: a descriptor that is closed with the directory, or -1. */
static DIR *open_listing(const void *caller, int fd, const char *path, int own)
{
	struct listing *l;
	int error;

	machine_drain();
	layer_several_paths();
	l = heap_alloc(sizeof *l, HEAP_ALIGNMENT, true, caller);
	if (!l) {
		errno_return(-ENOMEM);
		return NULL;
	}
	*l = (struct listing){.magic = LISTING_MAGIC, .caller = caller, .fd = own};
	error = find_directory(l, fd, path);
	error = error ? error : read_entries(l);
	if (layer_done(EV_FILE_FIND, &l->place, error)) {
		free_listing(l, caller);
		return NULL;
	}
	return (DIR *)l;
}

INTERCEPT DIR *opendir(const char *path)
{
	NATIVELY_OR_OURS(opendir, path);
	return open_listing(__builtin_return_address(0), AT_FDCWD, path, -1);
}

INTERCEPT DIR *fdopendir(int fd)
{
	NATIVELY_OR_OURS(fdopendir, fd);
	return open_listing(__builtin_return_address(0), fd, ".", fd);
}

INTERCEPT int closedir(DIR *d)
{
	struct listing *l = listing_of(d);
	int error = 0;

	if (!l)
		return real(closedir)(d);
	if (l->fd >= 0)
		error = io_close(l->fd);
	l->magic = 0;
	free_listing(l, __builtin_return_address(0));
	return error;
}

INTERCEPT int dirfd(DIR *d)
{
	struct listing *l = listing_of(d);

	if (!l)
		return real(dirfd)(d);
	if (l->fd < 0)
		l->fd = layer_open(AT_FDCWD, l->place.path[0] ? l->place.path : "/",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	return l->fd;
}

/* --- reading ---------------------------------------------------------------------------------- */

static struct dirent *next_entry(struct listing *l)
{
	struct dirent *e = (void *)((char *)l->entries + l->at);

	machine_progress(); /* a loop that reads entries is no wait loop */
	if (l->at == l->size)
		return NULL;
	l->at += e->d_reclen;
	return e;
}

#define READDIR(name, type) \
	INTERCEPT struct type *name(DIR *d) \
	{ \
		struct listing *l = listing_of(d); \
\
		return l ? (struct type *)next_entry(l) : real(name)(d); \
	}
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

#define READDIR_R(name, type) \
	INTERCEPT int name( \
		DIR *restrict d, struct type *restrict to, struct type **restrict answer) \
	{ \
		struct listing *l = listing_of(d); \
		const struct dirent *e; \
\
		if (!l) \
			return real(name)(d, to, answer); \
		e = next_entry(l); \
		if (e) \
			give(__builtin_return_address(0), to, e, e->d_reclen); \
		give(__builtin_return_address(0), answer, &(struct type *){e ? to : NULL}, \
			sizeof *answer); \
		return 0; \
	}
READDIR_R(readdir_r, dirent)
READDIR_R(readdir64_r, dirent64)

INTERCEPT void rewinddir(DIR *d)
{
	struct listing *l = listing_of(d);

	if (!l) {
		real(rewinddir)(d);
		return;
	}
	machine_drain();
	layer_step();
	layer_look(&l->place);
	if (check_place(&l->place) || read_entries(l))
		l->size = l->at = 0; /* it has been removed */
}

INTERCEPT long telldir(DIR *d)
{
	struct listing *l = listing_of(d);

	return l ? (long)l->at : real(telldir)(d);
}

INTERCEPT void seekdir(DIR *d, long at)
{
	struct listing *l = listing_of(d);

	if (!l)
		real(seekdir)(d, at);
	else if (at >= 0 && (size_t)at <= l->size)
		l->at = (size_t)at;
}

/* --- whole directories ------------------------------------------------------------------------ */

typedef int filter_fn(const struct dirent *);
typedef int compare_fn(const struct dirent **, const struct dirent **);

/* Copies of the entries that pass the filter, in the order of the directory. Returns how many. */
static int copy_entries(struct listing *l, struct dirent **to, filter_fn *filter)
{
	const struct dirent *e;
	int n = 0;

	while ((e = next_entry(l))) {
		if (filter && !filter(e))
			continue;
		to[n] = heap_alloc(e->d_reclen, HEAP_ALIGNMENT, true, l->caller);
		memcpy(to[n++], e, e->d_reclen);
	}
	return n;
}

static int scan(const void *caller, const char *path, struct dirent ***list, filter_fn *filter,
	compare_fn *compare)
{
	struct listing *l = listing_of(open_listing(caller, AT_FDCWD, path, -1));
	struct dirent **to;
	int n = 0;

	if (!l)
		return -1;
	while (next_entry(l))
		n++;
	l->at = 0;
	to = heap_alloc((size_t)n * sizeof *to, HEAP_ALIGNMENT, true, caller);
	n = copy_entries(l, to, filter);
	if (compare)
		qsort(to, (size_t)n, sizeof *to, (int (*)(const void *, const void *))compare);
	free_listing(l, caller);
	give(caller, list, &to, sizeof to);
	return n;
}

INTERCEPT int scandir(const char *path, struct dirent ***list, filter_fn *filter,
	compare_fn *compare)
{
	NATIVELY_OR_OURS(scandir, path, list, filter, compare);
	return scan(__builtin_return_address(0), path, list, filter, compare);
}

INTERCEPT int scandir64(const char *path, struct dirent64 ***list,
	int (*filter)(const struct dirent64 *),
	int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	NATIVELY_OR_OURS(scandir64, path, list, filter, compare);
	return scan(__builtin_return_address(0), path, (struct dirent ***)list,
		(filter_fn *)filter, (compare_fn *)compare);
}

/* nftw() and ftw() read directories by calls of its own: those on disk. */
static void check_walk(const char *call)
{
	machine_drain();
	layer_several_paths();
	layer_step();
	if (layer_has_changed())
		machine_refuse("the program calls %s() after it has made, renamed or removed "
			       "files: not simulated",
			call);
}

#define NFTW(name, visit_fn) \
	INTERCEPT int name(const char *path, visit_fn visit, int most, int flags) \
	{ \
		NATIVELY_OR_OURS(name, path, visit, most, flags); \
		check_walk(#name); \
		return real(name)(path, visit, most, flags); \
	}
NFTW(nftw, __nftw_func_t)
NFTW(nftw64, __nftw64_func_t)

#define FTW(name, visit_fn) \
	INTERCEPT int name(const char *path, visit_fn visit, int most) \
	{ \
		NATIVELY_OR_OURS(name, path, visit, most); \
		check_walk(#name); \
		return real(name)(path, visit, most); \
	}
FTW(ftw, __ftw_func_t)
FTW(ftw64, __ftw64_func_t)

/* --- patterns --------------------------------------------------------------------------------- */

static void close_listing(void *d)
{
	closedir(d);
}

static struct dirent *read_listing(void *d)
{
	return next_entry(d);
}

static void *open_for_pattern(const char *path)
{
	return open_listing(NULL, AT_FDCWD, path, -1);
}

/* glob() with functions of ours that read directories. */
#define GLOB(name, type, dirent_type, stat_type) \
	INTERCEPT int name(const char *restrict pattern, int flags, \
		int (*error)(const char *, int), type *restrict to) \
	{ \
		int answer; \
		NATIVELY_OR_OURS(name, pattern, flags, error, to); \
		if (flags & GLOB_ALTDIRFUNC) \
			return real(name)(pattern, flags, error, to); \
		machine_drain(); \
		to->gl_opendir = open_for_pattern; \
		to->gl_readdir = (struct dirent_type * (*)(void *)) read_listing; \
		to->gl_closedir = close_listing; \
		to->gl_stat = (int (*)(const char *, struct stat_type *))stat; \
		to->gl_lstat = (int (*)(const char *, struct stat_type *))lstat; \
		heap_gives(true); \
		answer = real(name)(pattern, flags | GLOB_ALTDIRFUNC, error, to); \
		heap_gives(false); \
		return answer; \
	}
GLOB(glob, glob_t, dirent, stat)
GLOB(glob64, glob64_t, dirent64, stat64)
