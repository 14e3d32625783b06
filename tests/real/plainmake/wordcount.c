/* SPDX-License-Identifier: ISC */
/* wordcount.c - count the words of a text with two threads. */
#include "queue.h"
#include "table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const text[] = {"the warp the weft", "the heddle lifts", "the warp", NULL};
static struct queue queue;

static void count(const char *line)
{
	while (*line) {
		size_t n = 0;

		while (line[n] && !isspace((unsigned char)line[n]))
			n++;
		if (n)
			table_add(line, n);
		line += n;
		if (*line)
			line++;
	}
}

static void *worker(void *arg)
{
	const char *line;

	(void)arg;
	while ((line = queue_get(&queue)))
		count(line);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	unsigned words, different;

	queue_init(&queue);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, worker, NULL))
			return EXIT_FAILURE;
	for (int i = 0; text[i]; i++)
		queue_put(&queue, text[i]);
	queue_close(&queue);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	queue_destroy(&queue);
	table_totals(&words, &different);
	printf("total %u, different %u\n", words, different);
	table_clear();
	return words == 9 && different == 5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
