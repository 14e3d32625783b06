/* SPDX-License-Identifier: ISC */
/* next.h - a library's own function behind one that is intercepted. */
#ifndef INTERCEPT_NEXT_H
#define INTERCEPT_NEXT_H

#include <stdint.h>

/* The next definition of a function; if the shared library lacks it, the program ends with one
 * line and exit code 2. */
void *next_function(const char *name, const char *library);

/* The same, looked up once. */
#define NEXT_FUNCTION(name, library) \
	({ \
		static __typeof__(&name) own; \
		if (!own) \
			own = (__typeof__(&name))(uintptr_t)next_function(#name, library); \
		own; \
	})

#endif
