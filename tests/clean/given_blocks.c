/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* given_blocks.c - blocks that libc allocates for the program, and that it never frees: their
 * addresses are shared, and what is in them depends on the other thread. */
#define _GNU_SOURCE
#include <argz.h>
#include <obstack.h>
#include <regex.h>

#include "two.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct obstack texts;
static char *text[2], *words;
static size_t nwords;
static regex_t pattern[2];
static int n;

/* The first and the second thread do not do the same. */
static void *work(void *arg)
{
	const char *own;

	pthread_mutex_lock(&lock);
	own = n ? "second" : "first";
	text[n] = obstack_copy0(&texts, own, (int)strlen(own));
	assert(!argz_add(&words, &nwords, own));
	assert(!regcomp(&pattern[n], own, REG_NOSUB));
	n++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *look(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(!words == !n);
	assert(!n || (!strcmp(text[0], "first") && !strcmp(words, "first")));
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t looker;

	obstack_init(&texts);
	pthread_create(&looker, NULL, look, NULL);
	two(work, NULL, work, NULL);
	pthread_join(looker, NULL);
	assert(nwords == sizeof "first" + sizeof "second");
	assert(!strcmp(words, "first") && !strcmp(words + sizeof "first", "second"));
	assert(!strcmp(text[0], "first") && !strcmp(text[1], "second"));
	assert(!regexec(&pattern[1], "the second", 0, NULL, 0));
	return 0;
}
