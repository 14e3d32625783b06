/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/*
 * memstream.c - text that threads write to streams in memory is the program's: it is passed on, and freed by another.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *lines[4];
static int n;

static void add(char *line)
{
	pthread_mutex_lock(&lock);
	lines[n++] = line;
	pthread_mutex_unlock(&lock);
}

static void *write_line(void *arg)
{
	char *text = NULL;
	size_t length = 0;
	FILE *f = open_memstream(&text, &length);

	assert(f);
	fprintf(f, "thread %s", (char *)arg);
	assert(!fflush(f) && length == 8 && !strncmp(text, "thread ", 7));
	for (int i = 0; i < 200; i++)
		fputs(" goes on writing to its stream", f);
	assert(!fclose(f) && length == 8 + 200 * 30 && strlen(text) == length);
	text[8] = 0;
	add(text);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	assert(!fclose(f) && !length && !*text);
	free(text);
	pthread_create(&t[0], NULL, write_line, "a");
	pthread_create(&t[1], NULL, write_line, "b");
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	for (int i = 0; i < n; i++) {
		assert(!strncmp(lines[i], "thread ", 7) && strlen(lines[i]) == 8);
		free(lines[i]);
	}
	return n != 2;
}
