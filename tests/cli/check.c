/* SPDX-License-Identifier: ISC */
/* check.c - exploring one function inside a program: those given on the command line, in that
 * order. Each line of output has the results of heddle_check(). */
#define _GNU_SOURCE
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State set up by a test suite before: globals, heap, a block allocated by libc, its own frame. */
struct setup {
	int calls;
	char name[20];
	int r0, r1;
	char *block, *line;
};

static int global = 3, explorations;
static char *text, *formatted;
static struct setup *shared;
static atomic_int x, y;

static void *write_x(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_release);
	shared->r0 = atomic_load_explicit(&y, memory_order_acquire);
	return NULL;
}

static void *write_y(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_release);
	shared->r1 = atomic_load_explicit(&x, memory_order_acquire);
	return NULL;
}

static void untouched(const struct setup *s)
{
	assert(!s->calls && !strcmp(s->name, "as set up") && global == 3 && !strcmp(text, "text"));
	assert(!strcmp(s->block, "block") && !strncmp(s->line, "Name:", 5) && !x && !y);
	assert(!strcmp(formatted, "formatted 5"));
}

static void store_buffering(void *arg)
{
	struct setup *s = shared = arg;
	pthread_t a, b;

	untouched(s);
	s->calls++;
	global++;
	strcpy(s->name, "changed");
	strcpy(text, "TEXT");
	free(s->block);
	s->line[0] = 'X';
	free(s->line);
	s->block = s->line = NULL;
	text = realloc(text, 500);
	assert(!strcmp(text, "TEXT"));
	strcpy(formatted, "FORMATTED");
	pthread_create(&a, NULL, write_x, NULL);
	pthread_create(&b, NULL, write_y, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	heddle_assert(s->r0 || s->r1);
}

static void nothing(void *arg)
{
	((struct setup *)arg)->calls++;
}

static void twice(void *arg)
{
	free(text);
	free(text);
}

static void nested(void *arg)
{
	heddle_check(nothing, arg, NULL, NULL);
}

static void choices(void *arg)
{
	unsigned a = heddle_choose(3), b = heddle_choose(4);

	heddle_assume(a != b);
	assert(heddle_active());
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *waits(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *creates(void *n)
{
	pthread_t t;

	for (intptr_t i = 0; i < (intptr_t)n; i++) {
		pthread_create(&t, NULL, waits, NULL);
		pthread_detach(t);
	}
	return NULL;
}

/* In each exploration other threads create others. */
static void trees(void *arg)
{
	pthread_t t[4];

	(void)arg;
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, creates, (void *)(intptr_t)(i == explorations % 4 ? 1 + explorations / 4 : 0));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void *wait_for(void *mutex)
{
	pthread_mutex_lock(mutex);
	return NULL;
}

static void show(const char *what, int code, const struct heddle_result *r)
{
	printf("%s: code %d, %u findings, %s, executions %d, blocked %d%s%s\n", what, code, r->findings,
		r->complete ? "complete" : "incomplete", (int)r->executions, (int)r->blocked,
		r->message ? ": " : "", r->message ? r->message : "");
	fflush(stdout);
}

static void run(const char *what, struct setup *s)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct heddle_options o = {.options = "model=tso,strategy=dfs", .quiet = true};
	void (*fn)(void *) = store_buffering;
	struct heddle_result r;
	pthread_t other;
	int code;

	if (!strcmp(what, "sc"))
		o.options = "model=sc,strategy=dfs";
	else if (!strcmp(what, "report"))
		o.quiet = false;
	else if (!strcmp(what, "bad-option"))
		o.options = "model=foo";
	else if (!strcmp(what, "twice"))
		fn = twice;
	else if (!strcmp(what, "nested"))
		fn = nested;
	else if (!strcmp(what, "choices"))
		fn = choices;
	else if (!strcmp(what, "threads"))
		fn = nothing;
	else if (!strcmp(what, "trees"))
		fn = trees, o.options = "model=rc11";
	explorations++;
	pthread_mutex_lock(&mutex);
	if (!strcmp(what, "threads"))
		pthread_create(&other, NULL, wait_for, &mutex);
	code = heddle_check(fn, s, &o, &r);
	pthread_mutex_unlock(&mutex);
	if (!strcmp(what, "threads"))
		pthread_join(other, NULL);
	show(what, code, &r);
	assert(!heddle_active());
	untouched(s);
}

int main(int argc, char **argv)
{
	struct setup s = {.name = "as set up"};
	FILE *f = fopen("/proc/self/status", "r");
	size_t n = 0;

	text = strdup("text");
	s.block = strcpy(malloc(20), "block");
	if (!f || getline(&s.line, &n, f) < 0 || asprintf(&formatted, "%s %d", "formatted", 5) < 0)
		return 9;
	fclose(f);
	for (int i = 1; i < argc; i++)
		run(argv[i], &s);
	free(s.block);
	free(s.line);
	free(text);
	free(formatted);
	return 0;
}
