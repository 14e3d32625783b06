/* SPDX-License-Identifier: ISC */
/* paths_program.c - see paths_program.h. The errors and their order are those of Linux. */
#include "paths_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const path_call_name[PATH_CALLS] = {"make", "append", "read", "look", "unlink",
	"rename", "link", "mkdir", "rmdir", "list"};
static const char *const paths[PATHS] = {"a", "b", "d", "d/c"};

static struct path_step random_step(int byte)
{
	return (struct path_step){(enum path_call)(rand() % PATH_CALLS), rand() % PATHS,
		rand() % PATHS, byte};
}

void path_random(struct path_program *p, unsigned seed)
{
	srand(seed);
	*p = (struct path_program){
		.threads = seed % 3 ? 2 : 3, .before = rand() % (PATH_BEFORE + 1)};
	p->calls = p->threads == 2 ? 3 : 1;
	for (int i = 0; i < p->before; i++)
		p->first[i] = random_step(10 + i);
	if (p->before && rand() % 2)
		p->first[0] = (struct path_step){PATH_MKDIR, 2, 0, 0};
	for (int t = 0; t < p->threads; t++)
		for (int i = 0; i < p->calls; i++)
			p->step[t][i] = random_step(1 + t * PATH_EACH + i);
}

static void print_steps(const char *name, const struct path_step *s, int n)
{
	printf("#   %s:", name);
	for (int i = 0; i < n; i++) {
		printf(" %s %s", path_call_name[s[i].call], paths[s[i].path]);
		if (s[i].call == PATH_RENAME || s[i].call == PATH_LINK)
			printf(" %s", paths[s[i].to]);
		printf(";");
	}
	printf("\n");
}

void path_print(const struct path_program *p)
{
	print_steps("first", p->first, p->before);
	for (int t = 0; t < p->threads; t++)
		print_steps("thread", p->step[t], p->calls);
}

const char *path_result_name(int thread, int call)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

	return names[thread * PATH_EACH + call];
}

/* --- the file system -------------------------------------------------------------------------- */

#define OBJECTS 24

struct disk {
	struct object {
		bool directory;
		unsigned char child; /* an entry: the number of an object, plus 1; 0: none */
		unsigned char n, byte[PATH_THREADS * PATH_EACH + PATH_BEFORE];
	} object[OBJECTS];
	unsigned char n, root[3]; /* entries */
};

/* The entry of a path. Returns 0, or a negative errno if its directory is not there. */
static int find(struct disk *d, int path, unsigned char **entry)
{
	struct object *o;

	if (path < 3) {
		*entry = &d->root[path];
		return 0;
	}
	if (!d->root[2])
		return -ENOENT;
	o = &d->object[d->root[2] - 1];
	*entry = &o->child;
	return o->directory ? 0 : -ENOTDIR;
}

static unsigned char new_object(struct disk *d, bool directory)
{
	if (d->n == OBJECTS)
		abort();
	d->object[d->n].directory = directory;
	return ++d->n;
}

static bool is_directory(const struct disk *d, unsigned char entry)
{
	return d->object[entry - 1].directory;
}

static int rename_entry(struct disk *d, const struct path_step *s, unsigned char *from,
	unsigned char *to)
{
	bool directory;

	if (!*from)
		return -ENOENT;
	if (s->path == 2 && s->to == 3)
		return -EINVAL;
	if (s->path == 3 && s->to == 2)
		return -ENOTEMPTY;
	if (*from == *to)
		return 0;
	directory = is_directory(d, *from);
	if (*to && directory != is_directory(d, *to))
		return directory ? -ENOTDIR : -EISDIR;
	if (*to && directory && d->object[*to - 1].child)
		return -ENOTEMPTY;
	*to = *from;
	*from = 0;
	return 0;
}

static int link_entry(struct disk *d, const unsigned char *from, unsigned char *to)
{
	if (*to)
		return -EEXIST;
	if (is_directory(d, *from))
		return -EPERM;
	*to = *from;
	return 0;
}

static int two_paths(struct disk *d, const struct path_step *s, unsigned char *from)
{
	unsigned char *to;
	int error;

	if (s->call == PATH_LINK && !*from)
		return -ENOENT;
	error = find(d, s->to, &to);
	if (error)
		return error;
	return s->call == PATH_LINK ? link_entry(d, from, to) : rename_entry(d, s, from, to);
}

static int remove_entry(struct disk *d, unsigned char *entry, bool directory)
{
	if (!*entry)
		return -ENOENT;
	if (is_directory(d, *entry) != directory)
		return directory ? -ENOTDIR : -EISDIR;
	if (directory && d->object[*entry - 1].child)
		return -ENOTEMPTY;
	*entry = 0;
	return 0;
}

static int list(const struct disk *d, int path)
{
	if (path < 2)
		return (d->root[0] ? 1 : 0) | (d->root[1] ? 2 : 0) | (d->root[2] ? 4 : 0);
	if (!d->root[2])
		return -ENOENT;
	if (!is_directory(d, d->root[2]))
		return -ENOTDIR;
	return d->object[d->root[2] - 1].child ? 8 : 0;
}

/* open(); *file: the object. */
static int open_entry(struct disk *d, unsigned char *entry, bool makes, unsigned char *file)
{
	if (*entry && is_directory(d, *entry))
		return -EISDIR;
	if (!*entry && !makes)
		return -ENOENT;
	if (!*entry)
		*entry = new_object(d, false);
	*file = *entry;
	return 0;
}

/* The first step of a call; *file: an object that its second step uses, or 0. */
static int first_step(struct disk *d, const struct path_step *s, unsigned char *file)
{
	unsigned char *entry;
	int error;

	*file = 0;
	if (s->call == PATH_LIST)
		return list(d, s->path);
	error = find(d, s->path, &entry);
	if (error)
		return error;
	switch (s->call) {
	case PATH_MAKE:
		if (*entry)
			return -EEXIST;
		*entry = new_object(d, false);
		return 0;
	case PATH_MKDIR:
		if (*entry)
			return -EEXIST;
		*entry = new_object(d, true);
		return 0;
	case PATH_APPEND:
	case PATH_READ: return open_entry(d, entry, s->call == PATH_APPEND, file);
	case PATH_UNLINK: return remove_entry(d, entry, false);
	case PATH_RMDIR: return remove_entry(d, entry, true);
	case PATH_LOOK: return *entry ? 0 : -ENOENT;
	default: return two_paths(d, s, entry);
	}
}

static int second_step(struct disk *d, const struct path_step *s, unsigned char file)
{
	struct object *o = &d->object[file - 1];
	int bytes = 0;

	if (s->call == PATH_APPEND) {
		o->byte[o->n++] = (unsigned char)s->byte;
		return 0;
	}
	for (int i = 0; i < o->n && i < 3; i++)
		bytes = bytes * 16 + o->byte[i];
	return bytes;
}

void path_run(const struct path_step *step, int n, int result[])
{
	struct disk d;
	unsigned char file;

	memset(&d, 0, sizeof d);
	for (int i = 0; i < n; i++) {
		result[i] = first_step(&d, &step[i], &file);
		if (file)
			result[i] = second_step(&d, &step[i], file);
	}
}

/* --- interleavings ---------------------------------------------------------------------------- */

struct state {
	struct disk disk;
	unsigned char at[PATH_THREADS], file[PATH_THREADS];
	int result[PATH_THREADS][PATH_EACH];
};

static void note_end(const struct path_program *p, const struct state *s, struct results *r)
{
	char text[sizeof r->text[0]] = "";

	for (int t = 0; t < p->threads; t++)
		for (int i = 0; i < p->calls; i++)
			sprintf(text + strlen(text), "%s=%d ", path_result_name(t, i),
				s->result[t][i]);
	text[strlen(text) - 1] = '\0';
	for (unsigned i = 0; i < r->n; i++)
		if (!strcmp(r->text[i], text))
			return;
	if (r->n == RESULTS_MAX)
		abort();
	strcpy(r->text[r->n++], text);
}

static void explore(const struct path_program *p, const struct state *s, struct results *r)
{
	bool ended = true;

	for (int t = 0; t < p->threads; t++) {
		const struct path_step *step = &p->step[t][s->at[t]];
		struct state next = *s;
		int *result = &next.result[t][s->at[t]];

		if (s->at[t] == p->calls)
			continue;
		ended = false;
		if (s->file[t]) {
			*result = second_step(&next.disk, step, s->file[t]);
			next.file[t] = 0;
		} else {
			*result = first_step(&next.disk, step, &next.file[t]);
		}
		next.at[t] += !next.file[t];
		explore(p, &next, r);
	}
	if (ended)
		note_end(p, s, r);
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

void path_interleave(const struct path_program *p, struct results *r)
{
	static struct state s;
	unsigned char file;

	memset(&s, 0, sizeof s);
	memset(r, 0, sizeof *r);
	for (int i = 0; i < p->before; i++) {
		first_step(&s.disk, &p->first[i], &file);
		if (file)
			second_step(&s.disk, &p->first[i], file);
	}
	explore(p, &s, r);
	qsort(r->text, r->n, sizeof r->text[0], compare);
	r->complete = true;
}
