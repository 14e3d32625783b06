/* SPDX-License-Identifier: ISC */
/*
 * library.c - dlopen() while exploring: each execution finds a library's variables as its
 * constructors left them, so it has to be there when the program's memory is saved. The first
 * execution that opens it ends; the library is opened natively, and the exploration begins again.
 * Then dlopen() and dlclose() only count.
 */
#include "intercept/intercept.h"
#include "intercept/process/boot.h"
#include "machine/core.h"
#include "search/run.h"

#define ABSENT 16
#define OPENED 64

static char absent[ABSENT][STATUS_LIBRARY]; /* they could not be opened natively */
static u32 nabsent;

/* Those that were, and how often the execution has them open. */
static void *opened[OPENED];
static u32 nopened;
static PER_EXECUTION u32 times_open[OPENED];

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
	void *library;

	if (!*path)
		return false;
	library = real(dlopen)(path, M.status->library_flags);
	if (library && nopened < OPENED)
		opened[nopened++] = library;
	else if (!library && nabsent < ABSENT)
		strcpy(absent[nabsent++], path);
	run_forget();
	return true;
}

/* NULL: it was there before the exploration. */
static u32 *times_open_of(const void *library)
{
	for (u32 i = 0; i < nopened; i++)
		if (opened[i] == library)
			return &times_open[i];
	return NULL;
}

/* RTLD_NOLOAD: the library, if this execution has it open, or it was there before. */
static void *open_again(const char *path, int flags)
{
	void *library = real(dlopen)(path, flags);
	u32 *times = times_open_of(library);

	if (!library || !times)
		return library;
	if (!*times) {
		real(dlclose)(library);
		return NULL;
	}
	++*times;
	return library;
}

INTERCEPT int dlclose(void *library)
{
	u32 *times;

	NATIVELY(dlclose, library);
	times = times_open_of(library);
	if (times && !*times)
		return -1;
	if (times)
		--*times;
	return real(dlclose)(library);
}

INTERCEPT void *dlopen(const char *path, int flags)
{
	void *library;
	u32 *times;

	/* A tail call: libc looks at its caller. */
	if (!path || !machine_entered() || M.options->check || is_absent(path) ||
		nabsent == ABSENT || strlen(path) >= STATUS_LIBRARY)
		return real(dlopen)(path, flags);
	if (flags & RTLD_NOLOAD)
		return open_again(path, flags);
	library = real(dlopen)(path, flags | RTLD_NOLOAD);
	times = times_open_of(library);
	if (times)
		++*times;
	if (library)
		return library;
	strcpy(M.status->library, path);
	M.status->library_flags = flags;
	machine_refuse("the program opens %s by dlopen()", path);
}
