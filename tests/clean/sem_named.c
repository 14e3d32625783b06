/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11; random: sc tso; dfs: sc; */
/* Named semaphores: two threads open one name, the first one creates it; then it is unlinked. */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include "two.h"

static const char name[] = "/heddle-clean-sem-named";
static int shared, made;

static sem_t *make(void)
{
	sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 1);

	if (s != SEM_FAILED) {
		__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
		return s;
	}
	assert(errno == EEXIST);
	s = sem_open(name, O_CREAT, 0600, 1);
	assert(s != SEM_FAILED);
	return s;
}

static void *user(void *arg)
{
	sem_t *s = make();

	sem_wait(s);
	shared++;
	sem_post(s);
	assert(!sem_close(s));
	return arg;
}

int main(void)
{
	sem_unlink(name);
	two(user, NULL, user, NULL);
	assert(shared == 2 && made == 1);
	assert(!sem_unlink(name));
	assert(sem_unlink(name) && errno == ENOENT);
	assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
	assert(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED);
	puts("ok");
	return 0;
}
