/* SPDX-License-Identifier: ISC */
/*
 * memory.c - string functions on shared memory, see heddle/libc.def.
 *
 * The compiler pass redirects calls of these functions here, and only calls from instrumented code:
 * libraries, libc and the runtime itself keep libc's functions, at full speed. (If the names were
 * interposed, every copy inside the runtime would call itself.) String functions that are not in
 * the list are calls of uninstrumented code: the calling thread's stores reach memory first, then
 * they work on memory directly, in one step.
 *
 * Strings are read in aligned words of 8 bytes, as libc's own read them in larger ones; a word
 * never reaches into another page. After the first few, more are read at once.
 */
#include "intercept/intercept.h"
#include "heap/heap_check.h"
#include "machine/core.h"

#include <heddle/abi.h>

#define LIBC(ret, name, params, args)                                                              \
	__attribute__((visibility("default"))) ret __heddle_lib_##name params;                     \
	static ret explore_##name params;
#include <heddle/libc.def>
#undef LIBC

char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__strncat_chk(char *to, const char *from, size_t n, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);

#define LIBC(ret, name, params, args)                                                              \
	ret __heddle_lib_##name params                                                             \
	{                                                                                          \
		return likely(!machine_entered()) ? name args : explore_##name args;               \
	}
#include <heddle/libc.def>
#undef LIBC

void give(const void *caller, void *to, const void *answer, size_t n)
{
	const struct module *m = module_find((u64)(uintptr_t)caller);

	if (!to)
		return;
	if (m && m->instrumented) {
		machine_write(to, answer, n);
		if (thread_self()->foreign_sp) /* for an object of another compiler */
			machine_drain();
		return;
	}
	machine_drain();
	memcpy(to, answer, n);
}

void take(const void *caller, void *to, const void *from, size_t n)
{
	const struct module *m = module_find((u64)(uintptr_t)caller);

	if (m && m->instrumented) {
		machine_read(to, from, n);
		return;
	}
	machine_drain();
	memcpy(to, from, n);
}

/* --- reading --------------------------------------------------------------------------------- */

#define WORD  8
#define BLOCK 256 /* at once, when already this much has been read */

/* At most `left` bytes from `at` on. */
struct chunk_reader {
	const char *at;
	size_t left, done;
	u32 i, n; /* of chunk */
	char chunk[BLOCK];
};

static struct chunk_reader reader_of(const void *p, size_t limit)
{
	struct chunk_reader r;

	r.at = p;
	r.left = limit;
	r.done = 0;
	r.i = r.n = 0;
	return r;
}

static void fill_reader(struct chunk_reader *r)
{
	size_t unit = r->done < BLOCK ? WORD : BLOCK;
	size_t n = unit - (uintptr_t)r->at % unit;

	if (n > r->left)
		n = r->left;
	n = heap_room(r->at, n);
	machine_read(r->chunk, r->at, n);
	r->at += n;
	r->left -= n;
	r->done += n;
	r->i = 0;
	r->n = (u32)n;
}

/* The next byte, or -1 at the end. */
static int next_byte(struct chunk_reader *r)
{
	if (r->i == r->n) {
		if (!r->left)
			return -1;
		fill_reader(r);
	}
	return (u8)r->chunk[r->i++];
}

static size_t length(const char *s, size_t limit)
{
	struct chunk_reader r = reader_of(s, limit);
	size_t n = 0;

	while (next_byte(&r) > 0)
		n++;
	return n;
}

void read_bytes(const void *p, size_t n)
{
	struct chunk_reader r = reader_of(p, n);

	while (next_byte(&r) >= 0)
		;
}

void read_text(const char *s)
{
	(void)length(s, SIZE_MAX);
}

static size_t explore_strlen(const char *s)
{
	return length(s, SIZE_MAX);
}

static size_t explore_strnlen(const char *s, size_t n)
{
	return length(s, n);
}

/* --- comparing and searching ----------------------------------------------------------------- */

static int compare(const void *a, const void *b, size_t n, bool strings)
{
	struct chunk_reader ra = reader_of(a, n), rb = reader_of(b, n);

	for (;;) {
		int ca = next_byte(&ra), cb = next_byte(&rb);

		if (ca != cb)
			return ca - cb;
		if (ca < 0 || (strings && !ca))
			return 0;
	}
}

static int explore_bcmp(const void *a, const void *b, size_t n)
{
	return compare(a, b, n, false);
}

static int explore_memcmp(const void *a, const void *b, size_t n)
{
	return compare(a, b, n, false);
}

static int explore_strcmp(const char *a, const char *b)
{
	return compare(a, b, SIZE_MAX, true);
}

static int explore_strncmp(const char *a, const char *b, size_t n)
{
	return compare(a, b, n, true);
}

static void *explore_memchr(const void *p, int byte, size_t n)
{
	struct chunk_reader r = reader_of(p, n);
	int c;

	for (const char *at = p; (c = next_byte(&r)) >= 0; at++)
		if (c == (u8)byte)
			return (char *)at;
	return NULL;
}

static char *explore_strchrnul(const char *s, int byte)
{
	struct chunk_reader r = reader_of(s, SIZE_MAX);

	for (;; s++) {
		int c = next_byte(&r);

		if (!c || c == (u8)byte)
			return (char *)s;
	}
}

static char *explore_strchr(const char *s, int byte)
{
	struct chunk_reader r = reader_of(s, SIZE_MAX);

	for (;; s++) {
		int c = next_byte(&r);

		if (c == (u8)byte)
			return (char *)s;
		if (!c)
			return NULL;
	}
}

static char *explore_strrchr(const char *s, int byte)
{
	struct chunk_reader r = reader_of(s, SIZE_MAX);
	const char *found = NULL;

	for (;; s++) {
		int c = next_byte(&r);

		if (c == (u8)byte)
			found = s;
		if (!c)
			return (char *)found;
	}
}

/* --- copying --------------------------------------------------------------------------------- */

/* A buffer of bytes to be written at `to`. */
struct chunk_writer {
	char *to;
	size_t room; /* that is left there */
	u32 n;	     /* of chunk */
	char chunk[64]; /* the size up to which machine_write() makes single stores */
};

static struct chunk_writer writer_to(char *to, size_t room)
{
	struct chunk_writer w;

	w.to = to;
	w.room = room;
	w.n = 0;
	return w;
}

static void flush_writer(struct chunk_writer *w)
{
	machine_write(w->to, w->chunk, w->n);
	w->to += w->n;
	w->n = 0;
}

static void put_writer_char(struct chunk_writer *w, int c)
{
	if (!w->room--)
		machine_fail(FINDING_CRASH, NULL, 0, NULL, "buffer overflow detected");
	w->chunk[w->n++] = (char)c;
	if (w->n == sizeof w->chunk)
		flush_writer(w);
}

/* Copy a string, at most n bytes of it, and end it with a 0; returns where the 0 is. */
static char *copy_string(char *to, const char *from, size_t n, size_t room)
{
	struct chunk_reader r = reader_of(from, n);
	struct chunk_writer w = writer_to(to, room);
	char *end = to;
	int c;

	for (; (c = next_byte(&r)) > 0; end++)
		put_writer_char(&w, c);
	put_writer_char(&w, 0);
	flush_writer(&w);
	return end;
}

/* strncpy(): exactly n bytes. */
static char *copy_padded(char *to, const char *from, size_t n, size_t room)
{
	struct chunk_reader r = reader_of(from, n);
	struct chunk_writer w = writer_to(to, room);
	int c = 1;

	for (; n > 0; n--) {
		if (c)
			c = next_byte(&r);
		put_writer_char(&w, c);
	}
	flush_writer(&w);
	return to;
}

static char *append_bytes(char *to, const char *from, size_t n, size_t room)
{
	size_t used = length(to, SIZE_MAX);

	copy_string(to + used, from, n, room > used ? room - used : 0);
	return to;
}

static void *explore_mempcpy(void *to, const void *from, size_t n)
{
	return (char *)__heddle_memcpy(to, from, n) + n;
}

static char *explore_stpcpy(char *to, const char *from)
{
	return copy_string(to, from, SIZE_MAX, SIZE_MAX);
}

static char *explore_strcpy(char *to, const char *from)
{
	copy_string(to, from, SIZE_MAX, SIZE_MAX);
	return to;
}

static char *explore_strncpy(char *to, const char *from, size_t n)
{
	return copy_padded(to, from, n, SIZE_MAX);
}

static char *explore_strcat(char *to, const char *from)
{
	return append_bytes(to, from, SIZE_MAX, SIZE_MAX);
}

static char *explore_strncat(char *to, const char *from, size_t n)
{
	return append_bytes(to, from, n, SIZE_MAX);
}

/* --- the same with _FORTIFY_SOURCE ----------------------------------------------------------- */

static char *explore___stpcpy_chk(char *to, const char *from, size_t room)
{
	return copy_string(to, from, SIZE_MAX, room);
}

static char *explore___strcpy_chk(char *to, const char *from, size_t room)
{
	copy_string(to, from, SIZE_MAX, room);
	return to;
}

static char *explore___strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	return copy_padded(to, from, n, room);
}

static char *explore___strcat_chk(char *to, const char *from, size_t room)
{
	return append_bytes(to, from, SIZE_MAX, room);
}

static char *explore___strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	return append_bytes(to, from, n, room);
}
