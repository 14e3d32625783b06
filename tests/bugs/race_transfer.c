/* SPDX-License-Identifier: ISC */
/*
 * Memory that the kernel and streams read and write for their caller, and another thread at the same
 * time: without WRONG its flag is released and acquired.
 *
 * options --strategy graph --time 60
 * verdict -DREAD -DWRONG rc11 race
 * report -DREAD -DWRONG rc11 "(fill race_transfer.c:41)"
 * verdict -DREAD rc11 ok
 * verdict -DREAD sc ok
 * verdict -DLINE -DWRONG rc11 race
 * verdict -DLINE -O2 rc11 ok
 * verdict -DTEXT -DWRONG rc11 race
 * verdict -DTEXT -DWRONG -O2 pso race
 * report -DTEXT -DWRONG rc11 "(fill race_transfer.c:45)"
 * verdict -DTEXT rc11 ok
 * verdict -DWRITE -DWRONG rc11 race
 * verdict -DWRITE -O0 tso ok
 */
#include "../clean/two.h"

#include <fcntl.h>
#include <unistd.h>

#ifdef WRONG
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static char text[16];
static atomic_int there;
static FILE *stream;
static int file;

static void *fill(void *arg)
{
#if defined(READ)
	assert(read(file, text, 4) == 4);
#elif defined(LINE)
	assert(fgets(text, sizeof text, stream));
#else
	snprintf(text, sizeof text, "%d", 4);
#endif
	atomic_store_explicit(&there, 1, RELEASE);
	return arg;
}

static void *use(void *arg)
{
	if (!atomic_load_explicit(&there, ACQUIRE))
		return arg;
#if defined(TEXT)
	fputs(text, stream);
#elif defined(WRITE)
	assert(write(file, text, 1) == 1);
#else
	assert(text[0] == 'a');
#endif
	return arg;
}

int main(void)
{
	stream = tmpfile();
	file = fileno(stream);
	fputs("abcd\n", stream);
	rewind(stream);
	two(fill, NULL, use, NULL);
	return 0;
}
