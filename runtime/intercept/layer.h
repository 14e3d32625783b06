/* SPDX-License-Identifier: ISC */
/*
 * layer.h - regular files that an execution changes: a private layer over the file system.
 *
 * A file that the program opens for writing is a file in memory from then on, with the contents of
 * the real one, and a name that it makes, removes or gives to another file is in a table. What the
 * program opens is a descriptor of the kernel all the same: reading, writing, mapping and locking
 * it needs nothing from here. The layer is empty when an execution begins; what is below it is
 * never changed.
 *
 * A path is a sequence point of the threads that use it (io_step_at()); so the table is in the
 * state that the calling thread's step finds.
 */
#ifndef INTERCEPT_LAYER_H
#define INTERCEPT_LAYER_H

#include "event/event.h"

#include <limits.h>
#include <sys/stat.h>

enum layer_kind {
	LAYER_NONE,
	LAYER_OUTSIDE, /* as it is below the layer */
	LAYER_FILE,
	LAYER_DIRECTORY, /* made by this execution */
};

/* A path without symbolic links, and what is there. */
struct place {
	char path[PATH_MAX];
	enum layer_kind kind;
	u32 node;    /* of LAYER_FILE */
	mode_t mode; /* of LAYER_OUTSIDE */
};

/* --- names ----------------------------------------------------------------------------------- */

/* Find a path, after a step of the calling thread. follow: also a link at its end. Returns 0, or a
 * negative errno: its directory is not there. */
int layer_find(int directory, const char *path, bool follow, struct place *p);
/* For reports: what the calling thread has done there. error: 0 or a negative errno; returns as
 * libc's functions do. */
int layer_done(enum event_kind kind, const struct place *p, int error);
/* The number of the path, for io_step_at(). */
u64 layer_object(const char *path);
/* What is there from now on. */
void layer_name_file(const char *path, u32 node);
void layer_name_directory(const char *path);
void layer_remove(const struct place *p);
/* All names in a directory that this execution has made go with it. */
void layer_move_directory(const struct place *from, const char *to);
/* Is anything in that directory? / Has a name in it been changed? NULL: anywhere. */
bool layer_has_entries(const char *directory);
bool layer_has_changed(const char *directory);
/* May the caller change names in the directory of this path? 0, or a negative errno. */
int layer_check_parent(const struct place *p);
/* Replaces the Xs of a template before `suffix` bytes by a name that is new, and the calling
 * thread's. */
int layer_new_name(char *path, u32 suffix, struct place *p);
/* What is at p->path in the table; false: nothing. */
bool layer_look(struct place *p);

/* --- files ----------------------------------------------------------------------------------- */

/* A number that no other thread gets, in order of the thread's own. */
u32 layer_own_number(void);
u64 layer_unnamed_object(void); /* a number for the steps of a file without a name */
/* An empty file without a name; object: the number for its steps, 0: one of its own. */
u32 layer_new_file(mode_t mode, u64 object);
u64 layer_node_object(u32 node);
/* A regular file outside is one of the layer from now on, with its contents if `whole`. Returns 0
 * or a negative errno. */
int layer_copy(struct place *p, bool whole);
/* open() of a file of the layer: a descriptor, or a negative errno. */
int layer_open_file(u32 node, int flags);
int layer_descriptor(u32 node); /* our own */
/* Descriptors that hold a file, one more or less. */
void layer_hold(u32 node);
void layer_drop(u32 node);
/* The same of the file there in the state that the program sees. */
void layer_stat(u32 node, struct stat *s);
void layer_stat_directory(const char *path, struct stat *s);

/* openat() and mkstemp() while exploring: a descriptor of the program's, or -1 and errno. */
int layer_open(int directory, const char *path, int flags, mode_t mode);
int layer_open_new(char *template, int suffix, int flags);
int layer_open_unnamed(int flags, mode_t mode);

/* The execution has ended. */
void layer_clear(void);

#endif
