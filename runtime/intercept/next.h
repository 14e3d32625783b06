/* SPDX-License-Identifier: ISC */
/* next.h - a library's own function behind one that is intercepted. */
#ifndef INTERCEPT_NEXT_H
#define INTERCEPT_NEXT_H

#include <stdint.h>

/* The next definition of a function: behind the program's, or else that of the library at `caller`,
 * which may have been opened by dlopen(). If there is none, the program ends with one line and exit
 * code 2. */
void *next_function(const char *name, const char *library, const void *caller);

/* The same, looked up once, in an interceptor. */
#define NEXT_FUNCTION(name, library) NEXT_FUNCTION_OF(name, library, __builtin_return_address(0))
#define NEXT_FUNCTION_OF(name, library, caller) \
	({ \
		static __typeof__(&name) own; \
		if (!own) \
			own = (__typeof__(&name))(uintptr_t)next_function(#name, library, caller); \
		own; \
	})

#endif
