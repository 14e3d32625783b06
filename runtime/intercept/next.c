/* SPDX-License-Identifier: ISC */
/* next.c - see next.h. */
#include "intercept/next.h"

#include "intercept/intercept.h"
#include "process/stop.h"

#include <dlfcn.h>

/* What the library at `caller' itself, or one that it needs, has. */
static void *function_of(const char *name, const void *caller)
{
	Dl_info info;
	void *library = NULL, *p = NULL;

	if (dladdr(caller, &info) && info.dli_fname)
		library = real(dlopen)(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (library)
		p = dlsym(library, name);
	return p;
}

void *next_function(const char *name, const char *library, const void *caller)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (!p)
		p = function_of(name, caller);
	if (!p) {
		say("%s: %s's shared library does not have it", name, library);
		stop_exit(2);
	}
	return p;
}
