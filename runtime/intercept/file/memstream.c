/* SPDX-License-Identifier: ISC */
/*
 * memstream.c - open_memstream(): its text is a block of the program.
 *
 * libc's own would be one of libc's blocks (heap/heap.h): its address would depend on other
 * threads, and it would outlive the execution. So the stream is one with functions of ours
 * (fopencookie()). The program gets the text and its length by fflush() and fclose(), as in
 * POSIX.1-2017.
 */
#include "intercept/file/memstream.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "heap/heap.h"

#include <errno.h>
#include <string.h>

#define MEMSTREAMS 64 /* open at once */

static struct memstream {
	FILE *f; /* NULL: free */
	char **text; /* the program's */
	size_t *length;
	const void *caller;
	char *block;
	size_t size, end, at; /* of the block; without the final 0; of the next byte */
} slots[MEMSTREAMS];

static PER_EXECUTION bool begun;

/* NULL: a free slot, or none. */
static struct memstream *find_memstream(const FILE *f)
{
	if (!begun)
		memset(slots, 0, sizeof slots);
	begun = true;
	for (u32 i = 0; i < MEMSTREAMS; i++)
		if (slots[i].f == f)
			return &slots[i];
	return NULL;
}

static bool grow_stream(struct memstream *s, size_t size)
{
	char *p;

	if (size < s->size)
		return true;
	size += size / 2 + 64;
	p = heap_alloc(size, HEAP_ALIGNMENT, true, s->caller);
	if (!p)
		return false;
	if (s->block) {
		memcpy(p, s->block, s->end);
		heap_free(s->block, s->caller);
	}
	s->block = p;
	s->size = size;
	return true;
}

/* --- the stream's functions; the cookie is its slot ------------------------------------------- */

static ssize_t write_memstream(void *cookie, const char *from, size_t n)
{
	struct memstream *s = cookie;

	if (!thread_self()) /* the execution is over */
		return (ssize_t)n;
	if (!grow_stream(s, s->at + n)) {
		errno = ENOMEM;
		return 0;
	}
	if (s->at > s->end)
		memset(s->block + s->end, 0, s->at - s->end);
	memcpy(s->block + s->at, from, n);
	s->at += n;
	if (s->at > s->end)
		s->end = s->at;
	s->block[s->end] = 0;
	return (ssize_t)n;
}

static int seek_memstream(void *cookie, off64_t *offset, int whence)
{
	struct memstream *s = cookie;
	off64_t from = whence == SEEK_SET ? 0 : (off64_t)(whence == SEEK_CUR ? s->at : s->end);

	if (from + *offset < 0) {
		errno = EINVAL;
		return -1;
	}
	*offset += from;
	s->at = (size_t)*offset;
	return 0;
}

/* --- interceptors ----------------------------------------------------------------------------- */

INTERCEPT FILE *open_memstream(char **text, size_t *length)
{
	static const cookie_io_functions_t functions = {
		.write = write_memstream, .seek = seek_memstream};
	struct memstream *s;
	FILE *f;

	NATIVELY_OR_OURS(open_memstream, text, length);
	s = find_memstream(NULL);
	if (!s)
		machine_refuse("limit: more than %d streams of open_memstream() at once",
			MEMSTREAMS);
	heap_expect_stream(true);
	f = fopencookie(s, "w", functions);
	heap_expect_stream(false);
	if (!f)
		return NULL;
	*s = (struct memstream){.f = io_stream_opened(f), .text = text, .length = length,
		.caller = __builtin_return_address(0)};
	return f;
}

void memstream_flushed(FILE *f)
{
	struct memstream *s = f ? find_memstream(f) : NULL;
	size_t length;

	if (!s || !grow_stream(s, s->end))
		return;
	length = s->at < s->end ? s->at : s->end;
	give(s->caller, s->text, &s->block, sizeof s->block);
	give(s->caller, s->length, &length, sizeof length);
}

bool memstream_closed(FILE *f)
{
	struct memstream *s = find_memstream(f);

	if (!s)
		return false;
	real(fflush)(f);
	memstream_flushed(f);
	s->f = NULL;
	io_stream_closed(f);
	real(fclose)(f);
	return true;
}
