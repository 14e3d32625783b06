/* SPDX-License-Identifier: ISC */
/* Jobs arrive in a directory: a file gets its final name when it has been written. WRONG: before.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

#include <dirent.h>
#include <glob.h>
#include <stdbool.h>

static char directory[] = "/tmp/heddle-kernel-XXXXXX", hidden[80], job[80];

static void *arrive(void *arg)
{
#ifdef WRONG
	write_file(job, "work");
#else
	write_file(hidden, "work");
	assert(!rename(hidden, job));
#endif
	return arg;
}

static int is_job(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Take the job, if it is there. */
static bool scan(void)
{
	struct dirent **list;
	int n = scandir(directory, &list, is_job, alphasort);
	char text[8];

	assert(n == 0 || n == 1);
	if (n) {
		assert(!strcmp(list[0]->d_name, "job"));
		assert(read_file(job, text, sizeof text) == 4 && !unlink(job));
		free(list[0]);
	}
	free(list);
	return n;
}

/* The directory, with one job and no other file. */
static void list_all(void)
{
	DIR *d = opendir(directory);
	struct dirent *e;
	struct stat s;
	glob_t g;
	int n = 0;

	assert(d);
	while ((e = readdir(d)))
		n += is_job(e) && e->d_type == DT_REG && !stat(job, &s) && s.st_ino == e->d_ino;
	rewinddir(d);
	while (readdir(d))
		n++;
	closedir(d);
	assert(n == 1 + 3);
	assert(!glob(job, 0, NULL, &g) && g.gl_pathc == 1 && !strcmp(g.gl_pathv[0], job));
	globfree(&g);
}

int main(void)
{
	pthread_t t;

	assert(mkdtemp(directory) && !opendir("/tmp/heddle-kernel-none"));
	snprintf(hidden, sizeof hidden, "%s/.job", directory);
	snprintf(job, sizeof job, "%s/job", directory);
	t = start(arrive, NULL);
	if (scan()) {
		join(t);
		write_file(job, "more");
	} else {
		join(t);
	}
	list_all();
	assert(scan() && !rmdir(directory) && !opendir(directory));
	return 0;
}
