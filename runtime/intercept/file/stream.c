/* SPDX-License-Identifier: ISC */
/*
 * stream.c - interceptors that use streams. The C library's own functions do the work: the calling
 * thread takes a step before, so that the order in which threads use a stream is explored.
 *
 * The lock of a stream (POSIX.1-2017, flockfile()) is a recursive mutex here, as all fibers are one
 * thread to the C library. A single call cannot be interrupted: it takes the lock only in programs
 * that call flockfile() or ftrylockfile(), which is learned (LEARNT_STREAM_LOCKS), and where it can
 * wait for other threads (pipe_stream.h).
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/memstream.h"
#include "intercept/file/pipe_stream.h"
#include "intercept/file/standard.h"
#include "machine/learnt.h"
#include "sync/mutex.h"
#include "sync/shadow.h"

#define PIPE_STREAMS 0x530000000400u

void io_stream_step(FILE *f)
{
	int fd = machine_entered() && f ? f->_fileno : -1;

	if (fd >= 0 && pipe_stream_is(f)) {
		io_step_at(PIPE_STREAMS + (u64)fd * 8); /* its buffer has the history of all */
	} else if (fd > 2) {
		io_step_of(fd);
		io_moved(EV_STREAM, fd, 0);
		return;
	} else if (fd >= 0) {
		standard_step(fd);
		if (io_is_own(fd)) { /* a file, in its place */
			io_step_of(fd);
			io_moved(EV_STREAM, fd, 0);
		}
	}
	if (machine_entered())
		machine_drain();
}

/* --- locks ----------------------------------------------------------------------------------- */

INTERCEPT void flockfile(FILE *f)
{
	if (!machine_entered()) {
		real(flockfile)(f);
		return;
	}
	learnt_add(LEARNT_STREAM_LOCKS, 1);
	mutex_lock(shadow_mutex(f, true));
}

ATTEMPT(int, ftrylockfile, (FILE *f), (f))
{
	learnt_add(LEARNT_STREAM_LOCKS, 1);
	return mutex_trylock(shadow_mutex(f, true)) ? -1 : 0;
}

INTERCEPT void funlockfile(FILE *f)
{
	if (machine_entered())
		mutex_unlock(shadow_mutex(f, true));
	else
		real(funlockfile)(f);
}

static bool stream_is_locked(const FILE *f)
{
	return machine_entered() && f &&
	       (learnt_known(LEARNT_STREAM_LOCKS) || pipe_stream_is(f));
}

/* Around a call that uses the stream, and locks it. Returns the stream to use. */
static FILE *stream_begins(FILE *f)
{
	FILE *used = standard_stream(f);

	if (stream_is_locked(used))
		mutex_lock(shadow_mutex(f, true));
	io_stream_step(used);
	return used;
}

/* The same if it does not lock it. */
static FILE *stream_used(FILE *f)
{
	FILE *used = standard_stream(f);

	io_stream_step(used);
	return used;
}

static void unlocked_ends(FILE *used)
{
	if (unlikely(standard_is_replaced(used)))
		standard_note_end(used);
}

static void stream_ends(FILE *used)
{
	unlocked_ends(used);
	if (stream_is_locked(used))
		mutex_unlock(shadow_mutex(standard_original(used), true));
}

#define STREAM(result, name, parameters, arguments) \
	STREAM_TAKES(result, name, parameters, arguments, )
#define STREAM_UNLOCKED(result, name, parameters, arguments) \
	STREAM_UNLOCKED_TAKES(result, name, parameters, arguments, )

/* takes: the caller's memory is read. */
#define STREAM_TAKES(result, name, parameters, arguments, takes) \
	INTERCEPT result name parameters \
	{ \
		result answer; \
\
		NATIVELY_OR_OURS_(name, arguments); \
		takes; \
		f = stream_begins(f); \
		answer = real(name) arguments; \
		stream_ends(f); \
		return answer; \
	}
#define STREAM_UNLOCKED_TAKES(result, name, parameters, arguments, takes) \
	INTERCEPT result name parameters \
	{ \
		result answer; \
\
		NATIVELY_OR_OURS_(name, arguments); \
		takes; \
		f = stream_used(f); \
		answer = real(name) arguments; \
		unlocked_ends(f); \
		return answer; \
	}
#define NATIVELY_OR_OURS_(name, arguments) \
	do { \
		if (!machine_entered() || \
			module_calls_itself(__builtin_return_address(0))) \
			return real(name) arguments; \
	} while (0)

/* --- out ------------------------------------------------------------------------------------- */

STREAM(int, fputc, (int c, FILE *f), (c, f))
#undef putc
STREAM(int, putc, (int c, FILE *f), (c, f))
STREAM_TAKES(int, fputs, (const char *restrict s, FILE *restrict f), (s, f), io_take_text(s))
STREAM_TAKES(size_t, fwrite, (const void *restrict from, size_t size, size_t n, FILE *restrict f),
	(from, size, n, f), io_take(from, size * n))
STREAM(int, vfprintf, (FILE *restrict f, const char *restrict format, va_list list),
	(f, format, list))
INTERCEPT int fflush(FILE *f)
{
	int answer;

	NATIVELY_OR_OURS(fflush, f);
	f = stream_begins(f);
	answer = real(fflush)(f);
	memstream_flushed(f);
	stream_ends(f);
	return answer;
}
#undef putc_unlocked
#undef fputc_unlocked
#undef fputs_unlocked
#undef fwrite_unlocked
STREAM_UNLOCKED(int, putc_unlocked, (int c, FILE *f), (c, f))
STREAM_UNLOCKED(int, fputc_unlocked, (int c, FILE *f), (c, f))
STREAM_UNLOCKED_TAKES(int, fputs_unlocked, (const char *restrict s, FILE *restrict f), (s, f),
	io_take_text(s))
STREAM_UNLOCKED_TAKES(size_t, fwrite_unlocked,
	(const void *restrict from, size_t size, size_t n, FILE *restrict f), (from, size, n, f),
	io_take(from, size * n))
STREAM_UNLOCKED(int, fflush_unlocked, (FILE *f), (f))

/* Their names under _FORTIFY_SOURCE. */
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list list);
STREAM(int, __vfprintf_chk, (FILE *f, int flag, const char *format, va_list list),
	(f, flag, format, list))

INTERCEPT int fprintf(FILE *restrict f, const char *restrict format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	if (module_calls_itself(__builtin_return_address(0))) {
		n = real(vfprintf)(f, format, list);
	} else {
		f = stream_begins(f);
		n = real(vfprintf)(f, format, list);
		stream_ends(f);
	}
	va_end(list);
	return n;
}

int __fprintf_chk(FILE *f, int flag, const char *format, ...);
INTERCEPT int __fprintf_chk(FILE *f, int flag, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	if (module_calls_itself(__builtin_return_address(0))) {
		n = real(__vfprintf_chk)(f, flag, format, list);
	} else {
		f = stream_begins(f);
		n = real(__vfprintf_chk)(f, flag, format, list);
		stream_ends(f);
	}
	va_end(list);
	return n;
}

/* To standard output, by a function that has the stream as an argument. */
#define STREAM_STDOUT(result, name, parameters, arguments, on_stream) \
	INTERCEPT result name parameters \
	{ \
		result answer; \
		FILE *f; \
\
		NATIVELY_OR_OURS_(name, arguments); \
		f = stream_begins(stdout); \
		answer = on_stream; \
		stream_ends(f); \
		return answer; \
	}

INTERCEPT int puts(const char *s)
{
	FILE *f;
	int answer;

	NATIVELY_OR_OURS(puts, s);
	io_take_text(s);
	f = stream_begins(stdout);
	answer = real(fputs)(s, f) < 0 || real(fputc)('\n', f) < 0 ? EOF : 1;
	stream_ends(f);
	return answer;
}

int __vprintf_chk(int flag, const char *format, va_list list);
#undef putchar
STREAM_STDOUT(int, putchar, (int c), (c), real(fputc)(c, f))
STREAM_STDOUT(int, vprintf, (const char *restrict format, va_list list), (format, list),
	real(vfprintf)(f, format, list))
STREAM_STDOUT(int, __vprintf_chk, (int flag, const char *format, va_list list),
	(flag, format, list), real(__vfprintf_chk)(f, flag, format, list))

static int print_out(const void *caller, const char *format, va_list list)
{
	FILE *f = stdout;
	int n;

	if (!machine_entered() || module_calls_itself(caller))
		return real(vprintf)(format, list);
	f = stream_begins(f);
	n = real(vfprintf)(f, format, list);
	stream_ends(f);
	return n;
}

INTERCEPT int printf(const char *restrict format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = print_out(__builtin_return_address(0), format, list);
	va_end(list);
	return n;
}

int __printf_chk(int flag, const char *format, ...);
INTERCEPT int __printf_chk(__attribute__((unused)) int flag, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = print_out(__builtin_return_address(0), format, list);
	va_end(list);
	return n;
}

/* --- in -------------------------------------------------------------------------------------- */

STREAM(int, fgetc, (FILE *f), (f))
#undef getc
STREAM(int, getc, (FILE *f), (f))
STREAM(int, ungetc, (int c, FILE *f), (c, f))
#undef getc_unlocked
#undef fgetc_unlocked
STREAM_UNLOCKED(int, getc_unlocked, (FILE *f), (f))
STREAM_UNLOCKED(int, fgetc_unlocked, (FILE *f), (f))

INTERCEPT char *fgets(char *restrict to, int n, FILE *restrict f)
{
	char *answer;

	NATIVELY_OR_OURS(fgets, to, n, f);
	f = stream_begins(f);
	io_receive(to, n > 0 ? (size_t)n : 0);
	answer = real(fgets)(to, n, f);
	stream_ends(f);
	return answer;
}

char *__fgets_chk(char *to, size_t room, int n, FILE *f);
INTERCEPT char *__fgets_chk(char *to, size_t room, int n, FILE *f)
{
	char *answer;

	NATIVELY_OR_OURS(__fgets_chk, to, room, n, f);
	f = stream_begins(f);
	io_receive(to, n > 0 ? (size_t)n : 0);
	answer = real(__fgets_chk)(to, room, n, f);
	stream_ends(f);
	return answer;
}

INTERCEPT size_t fread(void *restrict to, size_t size, size_t n, FILE *restrict f)
{
	size_t answer;

	NATIVELY_OR_OURS(fread, to, size, n, f);
	f = stream_begins(f);
	io_receive(to, size * n);
	answer = real(fread)(to, size, n, f);
	stream_ends(f);
	return answer;
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f);
INTERCEPT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f)
{
	size_t answer;

	NATIVELY_OR_OURS(__fread_chk, to, room, size, n, f);
	f = stream_begins(f);
	io_receive(to, size * n);
	answer = real(__fread_chk)(to, room, size, n, f);
	stream_ends(f);
	return answer;
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
		f = stream_begins(f); \
		n = real(__isoc99_vfscanf)(f, format, list); \
		stream_ends(f); \
		va_end(list); \
		return n; \
	}
FSCANF(__isoc99_fscanf)
FSCANF(__isoc23_fscanf)

#define SCANF(name) \
	int name(const char *format, ...); \
	INTERCEPT int name(const char *format, ...) \
	{ \
		FILE *f = stream_begins(stdin); \
		va_list list; \
		int n; \
\
		va_start(list, format); \
		n = real(__isoc99_vfscanf)(f, format, list); \
		stream_ends(f); \
		va_end(list); \
		return n; \
	}
SCANF(__isoc99_scanf)
SCANF(__isoc23_scanf)

#undef getchar
INTERCEPT int getchar(void)
{
	FILE *f = stream_begins(stdin);
	int c = real(getc)(f);

	stream_ends(f);
	return c;
}

/* --- positions ------------------------------------------------------------------------------- */

STREAM(int, fseek, (FILE *f, long offset, int whence), (f, offset, whence))
STREAM(int, fseeko, (FILE *f, off_t offset, int whence), (f, offset, whence))
STREAM(long, ftell, (FILE *f), (f))
STREAM(off_t, ftello, (FILE *f), (f))

INTERCEPT void rewind(FILE *f)
{
	f = stream_begins(f);
	real(rewind)(f);
	stream_ends(f);
}
