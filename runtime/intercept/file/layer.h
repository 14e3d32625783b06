/* SPDX-License-Identifier: ISC */
/*
 * layer.h - regular files that an execution changes: a private layer over the file system.
 *
 * A file that the program opens for writing is from then on a file in memory, with the contents of
 * the real one; names that it makes, removes or gives to other files are in a table. The program
 * still gets a descriptor of the kernel: reading, writing, mapping and locking it need no support
 * here. The layer is empty when an execution begins; the file system below it never changes.
 *
 * The uses of a path are steps, in an order (io_step_at()), so the table is in the state at the
 * calling thread's step. Those of different paths are independent, until an operation concerns
 * several at once (LEARNT_PATHS).
 */
#ifndef INTERCEPT_FILE_LAYER_H
#define INTERCEPT_FILE_LAYER_H

#include "event/event.h"

#include <limits.h>
#include <sys/stat.h>

enum layer_kind {
	LAYER_NONE,
	LAYER_OUTSIDE, /* as it is below the layer */
	LAYER_FILE,
	LAYER_DIRECTORY, /* made by this execution */
};

/* A path without symbolic links, and the file there. */
struct layer_place {
	char path[PATH_MAX];
	enum layer_kind kind;
	u32 node;    /* of LAYER_FILE */
	mode_t mode; /* of LAYER_OUTSIDE */
};

/* --- names ----------------------------------------------------------------------------------- */

/* Find a path, after a step of the calling thread. follow: also a link at its end. Returns 0, or a
 * negative errno if its directory does not exist. */
int layer_find(int directory, const char *path, bool follow, struct layer_place *p);
/* Another one in the same step, in an operation of layer_several_paths(). */
int layer_find_also(int directory, const char *path, bool follow, struct layer_place *p);
/* Record an operation of the calling thread there. error: 0 or a negative errno; returns libc's
 * result. */
int layer_done(enum event_kind kind, const struct layer_place *p, int error);
/* The number of the path, in records. */
u64 layer_object(const char *path);
/* A step of the calling thread that uses all paths, after layer_several_paths(). */
void layer_step(void);
/* The calling operation concerns several paths. The first time this ends the execution. */
void layer_several_paths(void);
/* Set the file there from now on. */
void layer_name_file(const char *path, u32 node);
void layer_name_directory(const char *path);
void layer_remove(const struct layer_place *p);
/* The part of path behind the directory's, or NULL: it is elsewhere. */
const char *layer_behind(const char *path, const char *directory);
/* All names in a directory made by this execution are removed with it. */
void layer_move_directory(const struct layer_place *from, const char *to);
bool layer_has_entries(const char *directory);
bool layer_has_changed(void); /* has any name been? */
/* May the caller change names in the directory of this path? 0, or a negative errno. */
int layer_check_parent(const struct layer_place *p);
/* Replace the Xs of a template, before `suffix` bytes, by a new name from the calling thread's own
 * sequence. */
int layer_new_name(char *path, u32 suffix, struct layer_place *p);
/* The entry of p->path in the table; false: none. */
bool layer_look(struct layer_place *p);
/* The next file or directory made by this execution in that directory, from entry *at on; false:
 * no more. */
bool layer_next(const char *directory, u32 *at, struct layer_place *p);

/* --- files ----------------------------------------------------------------------------------- */

/* A number from the thread's own sequence, unique to it. */
u32 layer_own_number(void);
u64 layer_unnamed_object(void); /* a number for the steps of a file without a name */
/* An empty file without a name; object: the number for its steps, 0: one of its own. */
u32 layer_new_file(mode_t mode, u64 object);
u64 layer_node_object(u32 node);
/* Copy a regular file from outside into the layer, with its contents if `whole`. Returns 0 or a
 * negative errno. */
int layer_copy(struct layer_place *p, bool whole);
/* open() of a file of the layer: a descriptor, or a negative errno. */
int layer_open_file(u32 node, int flags);
int layer_descriptor(u32 node); /* our own */
/* A file gets one more descriptor, or one less. */
void layer_hold(u32 node);
void layer_drop(u32 node);
/* The same for the file there as the program sees it. */
void layer_stat(u32 node, struct stat *s);
void layer_stat_directory(const char *path, struct stat *s);
ino_t layer_inode(const struct layer_place *p); /* LAYER_FILE, LAYER_DIRECTORY */

/* openat() and mkstemp() while exploring: a descriptor of the program's, or -1 and errno. */
int layer_open(int directory, const char *path, int flags, mode_t mode);
int layer_open_new(char *template, int suffix, int flags);
int layer_open_unnamed(int flags, mode_t mode);

/* The execution has ended. */
void layer_clear(void);

#endif
