/* SPDX-License-Identifier: ISC */
/*
 * openmp.c - threads of OpenMP's library.
 *
 * They wait for one another in system calls of the library, so an exploration, which is one thread
 * of the kernel, would wait for ever. A parallel region of one thread does not wait, and is
 * explored.
 */
#include "intercept/intercept.h"
#include "process/module.h"

static const char *const libraries[] = {"libgomp", "libomp", "libiomp5"};

/* Without libc: its functions may be ours. */
static const char *base_of(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		base = *path == '/' ? path + 1 : base;
	return base;
}

static bool name_begins_with(const char *name, const char *with)
{
	while (*with && *name == *with)
		name++, with++;
	return !*with && (*name == '.' || *name == '-' || !*name);
}

void openmp_refuse(const void *caller)
{
	static u64 start, end; /* a cache: the last module found harmless */
	u64 code = (u64)(uintptr_t)caller;
	const struct module *m;

	if (likely(code - start < end - start))
		return;
	m = module_find(code);
	for (size_t i = 0; m && i < array_size(libraries); i++)
		if (name_begins_with(base_of(m->path), libraries[i]))
			machine_refuse("OpenMP: the threads of %s wait for one another inside the "
				       "library, invisibly to heddle: test the body of the "
				       "parallel region with pthread_create(), or with one thread "
				       "(OMP_NUM_THREADS=1, num_threads(1))",
				base_of(m->path));
	start = m ? m->start : 0;
	end = m ? m->end : 0;
}
