/* SPDX-License-Identifier: ISC */
/* Two threads write lines, each in several calls, and count them. WRONG: without the lock of the stream; UNCOUNTED:
 * and without shared variables. HELD: one waits for the other while it has the lock.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -O2 rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy random --executions 300
 * verdict -DWRONG sc race -- --strategy graph
 * verdict -DWRONG -DUNCOUNTED rc11 assertion noreorder -- --strategy graph
 * verdict -DHELD rc11 deadlock noreorder -- --strategy graph
 * verdict -DHELD tso deadlock noreorder -- --strategy graph
 * report -DHELD rc11 "T1: waits to lock out, which main holds"
 */
#include "kernel.h"
#include "file.h"

#include <semaphore.h>

static FILE *out;
static int lines;
static sem_t over;

static void line(const char *name)
{
#ifndef WRONG
	if (name[0] == 'a' || ftrylockfile(out))
		flockfile(out);
#endif
	fputs(name, out);
#ifdef UNCOUNTED
	fputc('\n', out);
#else
	putc_unlocked('\n', out);
	lines++;
#endif
#ifndef WRONG
	funlockfile(out);
#endif
}

static void *writer(void *name)
{
	line(name);
	sem_post(&over);
	return NULL;
}

static void check(void)
{
	char text[8];

	rewind(out);
	for (int i = 0; i < 2; i++) {
		assert(fgets(text, sizeof text, out));
		assert(text[0] && text[1] == '\n');
	}
}

int main(void)
{
	char path[80];
	pthread_t t;

	name_file(path, "stream");
	out = fopen(path, "w+");
	assert(out);
	sem_init(&over, 0, 0);
	t = start(writer, "b");
#ifdef HELD
	flockfile(out);
	fputs("c", out);
	sem_wait(&over);
	funlockfile(out);
#endif
	line("a");
	join(t);
#ifndef UNCOUNTED
	assert(lines == 2);
#endif
	check();
	fclose(out);
	assert(!unlink(path));
	return 0;
}
