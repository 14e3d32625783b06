/* SPDX-License-Identifier: ISC */
/* list.h - heddle generate: the operations of a structure, as listed with <heddle/generate.h>. */
#ifndef GENERATE_LIST_H
#define GENERATE_LIST_H

#include <stdbool.h>

enum argument_kind {
	ARGUMENT_TEXT, /* a C expression, not an argument in the specification */
	ARGUMENT_NEW,
	ARGUMENT_VALUES, /* from .. to */
};

struct argument {
	enum argument_kind kind;
	char *text;
	long from, to;
};

#define ARGUMENTS_MAX 8

struct operation {
	char *name, *function;
	struct argument argument[ARGUMENTS_MAX];
	unsigned n;
};

/* The operations of a kind of thread. */
struct thread_role {
	bool once; /* one thread only */
	struct operation *operation;
	unsigned n;
};

struct list {
	char *path;	     /* of the file */
	bool specified, setup;
	struct thread_role *role; /* of the threads */
	unsigned nroles;
	struct thread_role before, after; /* of main */
};

/* Read the file, after the preprocessor of heddle-cc with these arguments, which end with NULL.
 * folder: for a temporary file. Mistakes are fatal. */
struct list list_read(const char *path, char *const *arguments, const char *folder);

#endif
