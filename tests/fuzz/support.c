/* SPDX-License-Identifier: ISC */
/*
 * support.c - see fuzz.h: die.h's functions for a process that goes on, and libc's functions that
 * the linker (--wrap) redirects here.
 */
#include "fuzz.h"
#include "source/csource.h"
#include "source/primitive.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "die.h"

void __real_free(void *p);
void __wrap_free(void *p);
FILE *__real_open_memstream(char **bytes, size_t *n);
FILE *__wrap_open_memstream(char **bytes, size_t *n);
int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
ssize_t __real_getline(char **line, size_t *room, FILE *f);
ssize_t __wrap_getline(char **line, size_t *room, FILE *f);
ssize_t __real___getdelim(char **line, size_t *room, int end, FILE *f);
ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *f);
void __real_exit(int code) __attribute__((noreturn));
void __wrap_exit(int code) __attribute__((noreturn));

static bool running; /* an input is running: else libc's own functions */
static jmp_buf back;

/* --- what is allocated ------------------------------------------------------------------------ */

#define SLOTS (1u << 20) /* beyond what any input of a few kilobytes needs; a power of two */

static struct {
	void *slot[SLOTS]; /* open addressing */
	u32 used[SLOTS];   /* slots in the order of use */
	u32 n;
} live;

static char gone; /* stands in slots whose memory has been freed */

static u32 hash(const void *p)
{
	return (u32)((uintptr_t)p * 0x9e3779b97f4a7c15ull >> 40) & (SLOTS - 1);
}

static void *keep(void *p)
{
	u32 i = hash(p);

	if (!p || !running)
		return p;
	while (live.slot[i])
		i = (i + 1) & (SLOTS - 1);
	live.slot[i] = p;
	live.used[live.n++] = i;
	if (live.n > SLOTS / 2)
		fuzz_failed(__FILE__, __LINE__, "an input allocates too often");
	return p;
}

static void forget(const void *p)
{
	u32 i = hash(p);

	while (live.slot[i] && live.slot[i] != p)
		i = (i + 1) & (SLOTS - 1);
	if (live.slot[i])
		live.slot[i] = &gone;
}

static void free_all(void)
{
	while (live.n) {
		u32 i = live.used[--live.n];

		if (live.slot[i] != &gone)
			__real_free(live.slot[i]);
		live.slot[i] = NULL;
	}
}

void __wrap_free(void *p)
{
	if (p && running)
		forget(p);
	__real_free(p);
}

void *xmalloc(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		die("not enough memory for %zu bytes", n);
	return keep(p);
}

void *xgrow(void *p, size_t n)
{
	if (p)
		forget(p);
	p = realloc(p, n ? n : 1);
	if (!p)
		die("not enough memory for %zu bytes", n);
	return keep(p);
}

char *fuzz_copy(const u8 *data, size_t n)
{
	char *copy = malloc(n ? n : 1);

	memcpy(copy, data, n);
	return keep(copy);
}

char *fuzz_text(const u8 *data, size_t n)
{
	char *copy = malloc(n + 1);

	memcpy(copy, data, n);
	copy[n] = 0;
	return keep(copy);
}

/* --- files ------------------------------------------------------------------------------------ */

#define STREAMS 16

static struct stream {
	FILE *f; /* NULL: free */
	char *bytes, **to;
	size_t n, *to_n;
} streams[STREAMS];

static const void *file_bytes;
static size_t file_size;

static struct stream *stream_of(const FILE *f)
{
	for (unsigned i = 0; i < STREAMS; i++)
		if (streams[i].f == f)
			return &streams[i];
	return NULL;
}

FILE *__wrap_open_memstream(char **bytes, size_t *n)
{
	struct stream *s = stream_of(NULL);

	if (!running)
		return __real_open_memstream(bytes, n);
	FUZZ_CHECK(s);
	*s = (struct stream){.to = bytes, .to_n = n};
	s->f = __real_open_memstream(&s->bytes, &s->n);
	return s->f;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	struct stream *s = stream_of(NULL);

	if (!running ||
		strstr(path, "-crash-")) /* libFuzzer keeps what a sanitizer has stopped at */
		return __real_fopen(path, mode);
	FUZZ_CHECK(s && mode[0] == 'r');
	if (!file_bytes) {
		errno = ENOENT;
		return NULL;
	}
	*s = (struct stream){.to = NULL};
	s->f = fmemopen((void *)(uintptr_t)file_bytes, file_size, "r");
	return s->f;
}

int __wrap_fclose(FILE *f)
{
	struct stream *s = running ? stream_of(f) : NULL;
	int result = __real_fclose(f);

	if (!s)
		return result;
	s->f = NULL;
	if (s->to) {
		*s->to = keep(s->bytes);
		*s->to_n = s->n;
	}
	return result;
}

static void close_all(void)
{
	for (unsigned i = 0; i < STREAMS; i++) {
		if (!streams[i].f)
			continue;
		__real_fclose(streams[i].f);
		if (streams[i].to)
			__real_free(streams[i].bytes);
		streams[i].f = NULL;
	}
}

ssize_t __wrap_getline(char **line, size_t *room, FILE *f)
{
	ssize_t n;

	if (*line && running)
		forget(*line);
	n = __real_getline(line, room, f);
	keep(*line);
	return n;
}

/* getline() as inlined by glibc's headers. */
ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *f)
{
	ssize_t n;

	if (*line && running)
		forget(*line);
	n = __real___getdelim(line, room, end, f);
	keep(*line);
	return n;
}

void fuzz_file(const void *bytes, size_t n)
{
	file_bytes = bytes;
	file_size = n;
}

int fuzz_descriptor(const void *bytes, size_t n)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, n, 0) != (ssize_t)n ||
		lseek(fd, 0, SEEK_SET) != 0)
		fuzz_failed(__FILE__, __LINE__, "no file in memory");
	return fd;
}

size_t fuzz_part(const u8 **data, size_t *size, const u8 **part)
{
	const u8 *end = memchr(*data, 0xff, *size);
	size_t n = end ? (size_t)(end - *data) : *size, whole = n + !!end;

	*part = *data;
	*data += whole;
	*size -= whole;
	return n;
}

/* --- ends ------------------------------------------------------------------------------------- */

_Noreturn void fuzz_failed(const char *file, int line, const char *what)
{
	running = false; /* the reporter of the error uses libc */
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

void __wrap_exit(int code)
{
	if (!running)
		__real_exit(code);
	FUZZ_CHECK(code != EXIT_BUG);
	longjmp(back, 1);
}

/* The line is made, as the tool makes it, for what vsnprintf() reads. */
static void say(const char *format, va_list ap)
{
	char line[2048];

	vsnprintf(line, sizeof(line), format, ap);
	FUZZ_CHECK(line[0]);
}

void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(format, ap);
	va_end(ap);
	FUZZ_CHECK(running);
	longjmp(back, 1);
}

void warn(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(format, ap);
	va_end(ap);
}

void stop_bug(const char *file, int line, const char *what)
{
	fuzz_failed(file, line, what);
}

void fuzz_run(void (*body)(const u8 *data, size_t size), const u8 *data, size_t size)
{
	running = true;
	fuzz_file(NULL, 0);
	if (!setjmp(back))
		body(data, size);
	close_all();
	running = false;
	csource_forget();
	primitive_rules_forget();
	free_all();
}
