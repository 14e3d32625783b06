/* SPDX-License-Identifier: ISC */
/*
 * library.c - dlopen() while exploring: each execution finds a library's variables as its
 * constructors left them, so it has to be there when the program's memory is saved. The first
 * execution that opens it ends; the library is opened natively, and the exploration begins again.
 * Then dlopen() and dlclose() only count.
 */
#include "intercept/intercept.h"
#include "intercept/boot.h"
#include "machine/core.h"
#include "search/run.h"

#define ABSENT 16

static char absent[ABSENT][STATUS_LIBRARY]; /* they could not be opened natively */
static u32 nabsent;

static bool is_absent(const char *path)
{
	for (u32 i = 0; i < nabsent; i++)
		if (!strcmp(absent[i], path))
			return true;
	return false;
}

bool library_opens(void)
{
	const char *path = M.status->library;

	if (!*path)
		return false;
	if (!real(dlopen)(path, M.status->library_flags) && nabsent < ABSENT)
		strcpy(absent[nabsent++], path);
	run_forget();
	return true;
}

INTERCEPT void *dlopen(const char *path, int flags)
{
	void *library;

	/* A tail call: libc looks at its caller. */
	if (!path || !machine_entered() || flags & RTLD_NOLOAD || M.options->check ||
		is_absent(path) || nabsent == ABSENT || strlen(path) >= STATUS_LIBRARY)
		return real(dlopen)(path, flags);
	library = real(dlopen)(path, flags | RTLD_NOLOAD);
	if (library)
		return library;
	strcpy(M.status->library, path);
	M.status->library_flags = flags;
	machine_refuse("the program opens %s by dlopen()", path);
}
