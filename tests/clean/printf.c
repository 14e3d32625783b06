/* SPDX-License-Identifier: ISC */
/* printf, puts, fprintf from two threads under a lock: lines are whole and in some order. */
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *worker(void *arg)
{
	char text[32];

	pthread_mutex_lock(&m);
	snprintf(text, sizeof text, "line %d", ++lines);
	puts(text);
	assert(!strcmp(text, lines == 1 ? "line 1" : "line 2"));
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	fprintf(stdout, "%d lines\n", lines);
	fflush(stdout);
	return 0;
}
