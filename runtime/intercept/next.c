/* SPDX-License-Identifier: ISC */
/* next.c - see next.h. */
#include "intercept/next.h"

#include "intercept/intercept.h"
#include "process/stop.h"

#include <dlfcn.h>

void *next_function(const char *name, const char *library)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (!p) {
		say("%s: %s's shared library does not have it", name, library);
		stop_exit(2);
	}
	return p;
}
