/* SPDX-License-Identifier: ISC */
/* stream.c - interceptors that use streams. The C library's own functions do the work: the calling
 * thread takes a step before, so that the order in which threads use a stream is explored. */
#include "intercept/intercept.h"
#include "intercept/io.h"

void io_stream_step(FILE *f)
{
	int fd = machine_entered() && f ? f->_fileno : -1;

	if (fd > 2) {
		io_step_of(fd);
		io_moved(EV_STREAM, fd, 0);
	} else if (machine_entered()) {
		machine_drain();
	}
}

#define STREAM(result, name, parameters, arguments) \
	INTERCEPT result name parameters \
	{ \
		NATIVELY_OR_OURS_(name, arguments); \
		io_stream_step(f); \
		return real(name) arguments; \
	}
#define NATIVELY_OR_OURS_(name, arguments) \
	do { \
		if (!machine_entered() || \
			module_in_runtime((u64)(uintptr_t)__builtin_return_address(0))) \
			return real(name) arguments; \
	} while (0)

/* --- out ------------------------------------------------------------------------------------- */

STREAM(int, fputc, (int c, FILE *f), (c, f))
#undef putc
STREAM(int, putc, (int c, FILE *f), (c, f))
STREAM(int, fputs, (const char *restrict s, FILE *restrict f), (s, f))
STREAM(size_t, fwrite, (const void *restrict from, size_t size, size_t n, FILE *restrict f),
	(from, size, n, f))
STREAM(int, vfprintf, (FILE *restrict f, const char *restrict format, va_list list),
	(f, format, list))
STREAM(int, fflush, (FILE *f), (f))

/* Their names under _FORTIFY_SOURCE. */
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list list);
STREAM(int, __vfprintf_chk, (FILE *f, int flag, const char *format, va_list list),
	(f, flag, format, list))

INTERCEPT int fprintf(FILE *restrict f, const char *restrict format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	if (!module_in_runtime((u64)(uintptr_t)__builtin_return_address(0)))
		io_stream_step(f);
	n = real(vfprintf)(f, format, list);
	va_end(list);
	return n;
}

int __fprintf_chk(FILE *f, int flag, const char *format, ...);
INTERCEPT int __fprintf_chk(FILE *f, int flag, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	if (!module_in_runtime((u64)(uintptr_t)__builtin_return_address(0)))
		io_stream_step(f);
	n = real(__vfprintf_chk)(f, flag, format, list);
	va_end(list);
	return n;
}

/* --- in -------------------------------------------------------------------------------------- */

STREAM(int, fgetc, (FILE *f), (f))
#undef getc
STREAM(int, getc, (FILE *f), (f))
STREAM(int, ungetc, (int c, FILE *f), (c, f))

INTERCEPT char *fgets(char *restrict to, int n, FILE *restrict f)
{
	NATIVELY_OR_OURS(fgets, to, n, f);
	io_stream_step(f);
	io_fill(to, n > 0 ? (size_t)n : 0);
	return real(fgets)(to, n, f);
}

char *__fgets_chk(char *to, size_t room, int n, FILE *f);
INTERCEPT char *__fgets_chk(char *to, size_t room, int n, FILE *f)
{
	NATIVELY_OR_OURS(__fgets_chk, to, room, n, f);
	io_stream_step(f);
	io_fill(to, n > 0 ? (size_t)n : 0);
	return real(__fgets_chk)(to, room, n, f);
}

INTERCEPT size_t fread(void *restrict to, size_t size, size_t n, FILE *restrict f)
{
	NATIVELY_OR_OURS(fread, to, size, n, f);
	io_stream_step(f);
	io_fill(to, size * n);
	return real(fread)(to, size, n, f);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f);
INTERCEPT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f)
{
	NATIVELY_OR_OURS(__fread_chk, to, room, size, n, f);
	io_stream_step(f);
	io_fill(to, size * n);
	return real(__fread_chk)(to, room, size, n, f);
}

/* As compiled for a standard of C, or another. */
#define FSCANF(name) \
	int name(FILE *f, const char *format, ...); \
	INTERCEPT int name(FILE *f, const char *format, ...) \
	{ \
		va_list list; \
		int n; \
\
		va_start(list, format); \
		io_stream_step(f); \
		n = real(__isoc99_vfscanf)(f, format, list); \
		va_end(list); \
		return n; \
	}
FSCANF(__isoc99_fscanf)
FSCANF(__isoc23_fscanf)

/* --- positions ------------------------------------------------------------------------------- */

STREAM(int, fseek, (FILE *f, long offset, int whence), (f, offset, whence))
STREAM(int, fseeko, (FILE *f, off_t offset, int whence), (f, offset, whence))
STREAM(long, ftell, (FILE *f), (f))
STREAM(off_t, ftello, (FILE *f), (f))

INTERCEPT void rewind(FILE *f)
{
	io_stream_step(f);
	real(rewind)(f);
}
