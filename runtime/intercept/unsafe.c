/* SPDX-License-Identifier: ISC */
/* unsafe.c - functions of libc that are not async-signal-safe: machine/wait/unsafe.h. */
#include "intercept/intercept.h"
#include "machine/wait/unsafe.h"

#include <dlfcn.h>

static const char *const names[] = {"printf", "fprintf", "vprintf", "vfprintf", "__printf_chk",
	"__fprintf_chk", "__vprintf_chk", "__vfprintf_chk", "puts", "fputs", "putchar", "fputc",
	"putc", "fwrite", "perror", "scanf", "fscanf", "gets", "fgets", "fgetc", "getc", "getchar",
	"fread", "getline", "fflush", "fopen", "fdopen", "fclose", "setvbuf", "fseek", "syslog",
	"localtime", "localtime_r", "mktime", "tzset", "strdup", "strndup"};

static const void *functions[array_size(names)];

void unsafe_function(const void *function, const void *caller)
{
	if (!functions[0])
		for (u32 i = 0; i < array_size(names); i++)
			functions[i] = dlsym(RTLD_DEFAULT, names[i]);
	for (u32 i = 0; i < array_size(names); i++)
		if (functions[i] == function)
			unsafe_call(names[i], caller);
}
