/* SPDX-License-Identifier: ISC */
/* String functions of libc on shared buffers: one thread writes, the other reads after it. */
#include "two.h"

static char line[64], word[2][16];
static atomic_bool ready;

static void *writer(void *arg)
{
	strcpy(line, "alpha");
	strcat(line, " beta");
	snprintf(line + strlen(line), 20, " %d %s", 42, "gamma");
	atomic_store_explicit(&ready, true, memory_order_release);
	return arg;
}

static void *reader(void *arg)
{
	char *space;

	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	space = strchr(line, ' ');
	memcpy(word[0], line, space - line);
	strncpy(word[1], strrchr(line, ' ') + 1, 15);
	assert(strlen(line) == 19 && !strcmp(word[0], "alpha") &&
		strtol(line + 11, NULL, 10) == 42);
	return arg;
}

int main(void)
{
	char *copy;

	two(writer, NULL, reader, NULL);
	copy = strdup(line);
	printf("%s|%s|%s\n", copy, word[0], word[1]);
	assert(!strcmp(copy, "alpha beta 42 gamma") && strstr(copy, "beta") == copy + 6);
	free(copy);
	return 0;
}
