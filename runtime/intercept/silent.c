/* SPDX-License-Identifier: ISC */
/* silent.c - functions of libc that write to no memory of the program, and call nothing of it. */
#include "intercept/intercept.h"
#include "base/prng.h"
#include "base/table.h"
#include "process/libc_tls.h"

#include <dlfcn.h>

static const char *const names[] = {
	/* texts */
	"atoi", "atol", "atoll", "atof", "strcasecmp", "strncasecmp", "strstr", "strcasestr",
	"strspn", "strcspn", "strpbrk", "strcoll", "strverscmp", "memmem", "memrchr", "rawmemchr",
	"fnmatch", "strerror", "strsignal",
	/* characters */
	"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
	"ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", "__ctype_b_loc",
	"__ctype_tolower_loc", "__ctype_toupper_loc", "__ctype_get_mb_cur_max",
	/* the process and the system */
	"isatty", "sysconf", "getpagesize", "getuid", "geteuid", "getgid", "getegid", "getppid",
	"nl_langinfo", "localeconv", "gettext", "dgettext", "dcgettext", "ngettext", "mlock",
	"munlock", "madvise",
	/* numbers */
	"div", "ldiv", "lldiv", "ffs", "difftime", "sin", "cos", "tan", "asin", "acos", "atan",
	"atan2", "sinh", "cosh", "tanh", "exp", "exp2", "log", "log2", "log10", "log1p", "pow",
	"sqrt", "cbrt", "hypot", "fmod", "fabs", "floor", "ceil", "round", "trunc", "rint",
	"nearbyint", "lround", "llround", "lrint", "ldexp", "expf", "logf", "powf", "sqrtf",
	"fmodf", "sinf", "cosf", "floorf", "ceilf", "roundf"};

#define SLOTS 512 /* at least twice as many as the names */

static const void *functions[SLOTS];

static u32 silent_slot(const void *function)
{
	u32 slot;

	TABLE_FIND(slot, prng_mix((u64)(uintptr_t)function), SLOTS,
		!functions[slot] || functions[slot] == function);
	return slot;
}

void silent_init(void)
{
	for (u32 i = 0; i < array_size(names); i++) {
		const void *f = dlsym(RTLD_DEFAULT, names[i]);

		if (f)
			functions[silent_slot(f)] = f;
	}
	libc_tls_forget_message(); /* the program may not have libm */
}

bool silent_function(const void *function)
{
	return functions[silent_slot(function)] == function;
}
