/* SPDX-License-Identifier: ISC */
/*
 * paths.c - random programs whose threads make, link, rename, remove, read and list files, by
 * graphs, against all interleavings of a file system of their own (paths_program.c); and that
 * against the kernel's; TAP.
 *
 *     paths [FIRST SEED [PROGRAMS]]
 */
#include "paths_program.h"

#include <heddle/heddle.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEQUENCE 12 /* calls of one thread, against the kernel */

static struct path_program program;
static char top[] = "/tmp/heddle-paths-XXXXXX", path[PATHS][40];
static int result[PATH_THREADS][PATH_EACH];

static void name_paths(void)
{
	static const char *const name[PATHS] = {"a", "b", "d", "d/c"};

	strcpy(top + sizeof top - 7, "XXXXXX");
	if (!mkdtemp(top))
		abort();
	for (int i = 0; i < PATHS; i++)
		snprintf(path[i], sizeof path[i], "%s/%s", top, name[i]);
}

static int of(int answer)
{
	return answer < 0 ? -errno : 0;
}

static int append(const struct path_step *s)
{
	unsigned char byte = (unsigned char)s->byte;
	int fd = open(path[s->path], O_WRONLY | O_APPEND | O_CREAT, 0600);

	if (fd < 0)
		return -errno;
	if (write(fd, &byte, 1) != 1)
		abort();
	return close(fd);
}

static int read_bytes(const struct path_step *s)
{
	unsigned char byte[3];
	int fd = open(path[s->path], O_RDWR), bytes = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, byte, sizeof byte);
	for (ssize_t i = 0; i < n; i++)
		bytes = bytes * 16 + byte[i];
	close(fd);
	return bytes;
}

static int list(const struct path_step *s)
{
	DIR *d = opendir(s->path < 2 ? top : path[2]);
	const struct dirent *e;
	int names = 0;

	if (!d)
		return -errno;
	while ((e = readdir(d)))
		names |= !strcmp(e->d_name, "a")   ? 1
			 : !strcmp(e->d_name, "b") ? 2
			 : !strcmp(e->d_name, "d") ? 4
			 : !strcmp(e->d_name, "c") ? 8
						   : 0;
	closedir(d);
	return names;
}

static int call(const struct path_step *s)
{
	int fd;

	switch (s->call) {
	case PATH_MAKE:
		fd = open(path[s->path], O_WRONLY | O_CREAT | O_EXCL, 0600);
		return fd < 0 ? -errno : close(fd);
	case PATH_APPEND: return append(s);
	case PATH_READ: return read_bytes(s);
	case PATH_LOOK: return of(access(path[s->path], F_OK));
	case PATH_UNLINK: return of(unlink(path[s->path]));
	case PATH_RENAME: return of(rename(path[s->path], path[s->to]));
	case PATH_LINK: return of(link(path[s->path], path[s->to]));
	case PATH_MKDIR: return of(mkdir(path[s->path], 0700));
	case PATH_RMDIR: return of(rmdir(path[s->path]));
	default: return list(s);
	}
}

static void *run(void *arg)
{
	int t = (int)(intptr_t)arg;

	for (int i = 0; i < program.calls; i++)
		result[t][i] = call(&program.step[t][i]);
	return NULL;
}

static void explored(void *arg)
{
	pthread_t thread[PATH_THREADS];

	(void)arg;
	name_paths();
	for (int i = 0; i < program.before; i++)
		call(&program.first[i]);
	for (int t = 0; t < program.threads; t++)
		pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
	for (int t = 0; t < program.threads; t++)
		pthread_join(thread[t], NULL);
	for (int t = 0; t < program.threads; t++)
		for (int i = 0; i < program.calls; i++)
			heddle_observe(path_result_name(t, i), result[t][i]);
}

static bool agree(unsigned seed, const char *model, const struct results *all)
{
	static struct results found;

	results_explore(&found, explored, model, "graph", "", 0);
	if (results_equal(all, &found))
		return true;
	printf("# seed %u, %s\n", seed, model);
	path_print(&program);
	results_print(all, &found);
	return false;
}

/* --- one thread, against the kernel ----------------------------------------------------------- */

static void remove_all(void)
{
	for (int i = PATHS; i--;)
		if (unlink(path[i]))
			rmdir(path[i]);
	for (int i = 0; i < 2; i++) { /* the directory may be there, with its file */
		char inside[48];

		snprintf(inside, sizeof inside, "%s/c", path[i]);
		if (unlink(inside))
			rmdir(inside);
		rmdir(path[i]);
	}
	rmdir(path[2]);
	rmdir(top);
}

static bool agrees_with_kernel(unsigned seed)
{
	struct path_step step[SEQUENCE];
	int expected[SEQUENCE];
	bool equal = true;

	srand(seed);
	for (int i = 0; i < SEQUENCE; i++)
		step[i] = (struct path_step){(enum path_call)(rand() % PATH_CALLS), rand() % PATHS,
			rand() % PATHS, i + 1};
	path_run(step, SEQUENCE, expected);
	name_paths();
	for (int i = 0; i < SEQUENCE && equal; i++) {
		int answer = call(&step[i]);

		equal = answer == expected[i];
		if (!equal)
			printf("# seed %u, call %d: %s %d %d: %d, expected %d\n", seed, i,
				path_call_name[step[i].call], step[i].path, step[i].to, answer,
				expected[i]);
	}
	remove_all();
	return equal;
}

int main(int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 60, wrong = 0, differ = 0;
	static struct results all;

	for (unsigned seed = first; seed < first + 10 * n; seed++)
		differ += !agrees_with_kernel(seed);
	printf("%sok - agree: the model of a file system, against the kernel's: %u sequences\n",
		differ ? "not " : "", 10 * n);
	for (unsigned seed = first; seed < first + n; seed++) {
		path_random(&program, seed);
		path_interleave(&program, &all);
		wrong += !agree(seed, "sc", &all);
		wrong += !agree(seed, "rc11", &all);
	}
	printf("%sok - agree: %u programs of paths and files, against all interleavings\n",
		wrong ? "not " : "", n);
	return wrong || differ;
}
