/* SPDX-License-Identifier: ISC */
/*
 * loop.c - production, for t_seen.sh: main() of a test again and again, natively, until it fails.
 *
 *     loop SECONDS ./TEST.so [HANG]
 *
 * The test is a library; before each call its variables are as in the beginning. Its threads begin
 * in pairs, as soon as both run and up to JITTER turns of a loop later, or after PATIENCE looks. A
 * call that takes longer than HANG seconds, 2 by default, ends the process by SIGALRM. Exit code 0:
 * it has not failed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PARTS	 8
#define PAGE	 4096ul
#define PATIENCE 100000
#define JITTER	 64

static struct part {
	char *at, *saved;
	size_t n;
} part[PARTS];
static int nparts;

/* What is written while it runs: what relocation has made read-only is not. */
static void save_part(const struct dl_phdr_info *info, const ElfW(Phdr) *p, size_t read_only)
{
	struct part *to = &part[nparts++];

	to->at = (char *)info->dlpi_addr + p->p_vaddr;
	to->n = p->p_memsz;
	if (read_only > (size_t)to->at) {
		to->n -= read_only - (size_t)to->at;
		to->at = (char *)read_only;
	}
	to->saved = malloc(to->n);
	memcpy(to->saved, to->at, to->n);
}

static int save_library(struct dl_phdr_info *info, size_t size, void *name)
{
	size_t read_only = 0;

	(void)size;
	if (!strstr(info->dlpi_name, name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
			read_only = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
					    info->dlpi_phdr[i].p_memsz) / PAGE * PAGE;
	for (int i = 0; i < info->dlpi_phnum && nparts < PARTS; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_W)
			save_part(info, &info->dlpi_phdr[i], read_only);
	return 1;
}

/* --- the beginning of threads ---------------------------------------------------------------- */

struct start {
	void *(*function)(void *);
	void *arg;
};

static int arrived;

__attribute__((annotate("heddle_ignore"))) static void wait_for_another(void)
{
	unsigned number = (unsigned)__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL);

	for (int i = 0; number % 2 && i < PATIENCE; i++)
		if (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) != (int)number)
			break;
	for (volatile int i = (int)(number * 2654435761u >> 16) % JITTER; i > 0; i--)
		;
}

static void *start_in_pairs(void *arg)
{
	struct start s = *(struct start *)arg;

	free(arg);
	wait_for_another();
	return s.function(s.arg);
}

/* In place of libc's. */
int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*function)(void *), void *arg)
{
	static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	struct start *s = malloc(sizeof(*s));

	*s = (struct start){function, arg};
	if (!create)
		create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
			RTLD_NEXT, "pthread_create");
	return create(t, a, start_in_pairs, s);
}

/* --- the test -------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;
	int (*test)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "main") : NULL;
	struct itimerval limit = {.it_value = {argc > 3 ? atoi(argv[3]) : 2, 0}};
	time_t end = argc > 1 ? time(NULL) + atoi(argv[1]) : 0;
	long runs = 0;

	if (!test) {
		fprintf(stderr, "loop: %s\n", dlerror());
		return 2;
	}
	dl_iterate_phdr(save_library, argv[2] + 2);
	while (time(NULL) < end) {
		for (int i = 0; i < nparts; i++)
			memcpy(part[i].at, part[i].saved, part[i].n);
		setitimer(ITIMER_REAL, &limit, NULL);
		if (test(1, (char *[]){argv[2], NULL}))
			abort();
		runs++;
	}
	printf("%ld runs without a failure\n", runs);
	return 0;
}
