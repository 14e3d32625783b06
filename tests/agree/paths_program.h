/* SPDX-License-Identifier: ISC */
/* paths_program.h - random programs of threads that make, rename and list files, and their results:
 * all interleavings of a small file system of their own. Compiled without Heddle. */
#ifndef AGREE_PATHS_PROGRAM_H
#define AGREE_PATHS_PROGRAM_H

#include "results.h"

enum path_call {
	PATH_MAKE,   /* a new file */
	PATH_APPEND, /* open it, or make it; write a byte of the call's own */
	PATH_READ,   /* open it; read at most three bytes */
	PATH_LOOK,   /* is there anything? */
	PATH_UNLINK,
	PATH_RENAME,
	PATH_LINK,
	PATH_MKDIR,
	PATH_RMDIR,
	PATH_LIST, /* the directory; the names in it, a bit each */
	PATH_CALLS
};

/* Two files, a directory, and a file in it; PATH_LIST: a name is its directory. */
#define PATHS 4

#define PATH_THREADS 3
#define PATH_EACH    3
#define PATH_BEFORE  4

struct path_step {
	enum path_call call;
	int path, to; /* to: PATH_RENAME, PATH_LINK */
	int byte;
};

struct path_program {
	int threads, calls, before; /* calls: of each thread; before: by main, first */
	struct path_step step[PATH_THREADS][PATH_EACH], first[PATH_BEFORE];
};

extern const char *const path_call_name[PATH_CALLS];

void path_random(struct path_program *p, unsigned seed);
void path_print(const struct path_program *p);

/* The name of a call's result, and all results. A result is a negative errno, or 0, or the bytes
 * read, or the names. */
const char *path_result_name(int thread, int call);
void path_interleave(const struct path_program *p, struct results *r);
/* The results of n calls by one thread, to be compared with the kernel's. */
void path_run(const struct path_step *step, int n, int result[]);

#endif
