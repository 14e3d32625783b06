/* SPDX-License-Identifier: ISC */
/* api.c - what heddle.h offers, used as a test suite would: the parts named on the command line, in that
 * order. Compiles as C and as C++, and runs without the runtime, too. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOAD(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define STORE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)

static int x, y, r0, r1, global;
static int *cells;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *write_x(void *arg)
{
	heddle_name_thread("Xavier");
	STORE(x, 1);
	r0 = LOAD(y);
	return NULL;
}

static void *write_y(void *arg)
{
	STORE(y, 1);
	r1 = LOAD(x);
	return NULL;
}

static void two(void *(*a)(void *), void *(*b)(void *))
{
	pthread_t t, u;

	pthread_create(&t, NULL, a, NULL);
	pthread_create(&u, NULL, b, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

static void store_buffering(void *arg)
{
	two(write_x, write_y);
	heddle_observe("r0", r0);
	heddle_observe("r1", r1);
}

static void store_buffering_fails(void *arg)
{
	global++;
	store_buffering(arg);
	heddle_assert(r0 || r1);
}

static void *lock_both(void *arg)
{
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return NULL;
}

static void *lock_both_otherwise(void *arg)
{
	pthread_mutex_lock(&second);
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return NULL;
}

static void deadlock(void *arg)
{
	global++;
	two(lock_both, lock_both_otherwise);
}

static void *crash_thread(void *arg)
{
	global++;
	*(volatile int *)arg = 1;
	return NULL;
}

static void crash(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, crash_thread, NULL);
	pthread_join(t, NULL);
}

static void leave(void *arg)
{
	global++;
	exit(3);
}

static void leave_at_once(void *arg)
{
	global++;
	_exit(4);
}

static void end_well(void *arg)
{
	global++;
	exit(0);
}

static void give_up(void *arg)
{
	global++;
	abort();
}

static int deeper(volatile char *from, int n)
{
	volatile char here[4096];

	here[0] = from ? from[0] : 0;
	return n ? deeper(here, n - 1) + here[0] : 0;
}

static void overflow(void *arg)
{
	global = deeper(NULL, 100000);
}

static void *wait_for_turn(void *arg)
{
	while (!LOAD(x))
		heddle_yield();
	return NULL;
}

static void *give_turn(void *arg)
{
	heddle_yield();
	STORE(x, 1);
	return NULL;
}

static void yielding(void *arg)
{
	two(wait_for_turn, give_turn);
}

static void *write_cell(void *arg)
{
	STORE(cells[5], 1);
	return NULL;
}

static void *read_cell(void *arg)
{
	heddle_assert(!LOAD(cells[5]));
	return NULL;
}

static void named(void *arg)
{
	heddle_name(&cells[5], sizeof cells[5], "mailbox");
	two(write_cell, read_cell);
}

static void named_before(void *arg)
{
	two(write_cell, read_cell);
}

static void choose_and_assume(void *arg)
{
	unsigned a = heddle_choose(4);

	heddle_assume(a != 2);
	heddle_observe("a", a);
	heddle_observe("twice", 1);
	heddle_observe("twice", -(int64_t)a);
	heddle_assert(a < 3);
}

static void too_many_names(void *arg)
{
	char name[8] = "n00";

	for (int i = 0; i < 17; i++) {
		name[1] = (char)('0' + i / 10);
		name[2] = (char)('0' + i % 10);
		heddle_observe(name, i);
	}
}

static void nothing(void *arg)
{
}

static void *check_in_thread(void *code)
{
	*(int *)code = heddle_check(nothing, NULL, NULL, NULL);
	return NULL;
}

/* Two calls at the same time, natively: neither is alone. */
static void concurrent(void)
{
	pthread_t t, u;
	int a = 9, b = 9;

	pthread_create(&t, NULL, check_in_thread, &a);
	pthread_create(&u, NULL, check_in_thread, &b);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("concurrent: %d %d\n", a, b);
	fflush(stdout);
}

static void two_findings(void *arg)
{
	if (heddle_choose(2))
		heddle_assert(!"one");
	heddle_assert(!"other");
}

/* The first execution observes nothing. */
static void observe_late(void *arg)
{
	if (heddle_choose(2))
		heddle_observe("late", 1);
}

static const struct test {
	const char *name;
	void (*fn)(void *);
} tests[] = {
	{"outcomes", store_buffering}, {"fails", store_buffering_fails}, {"deadlock", deadlock},
	{"crash", crash}, {"exit", leave}, {"_exit", leave_at_once}, {"exit-0", end_well},
	{"abort", give_up}, {"overflow", overflow}, {"yield", yielding}, {"named", named},
	{"named-before", named_before}, {"choose", choose_and_assume}, {"names", too_many_names},
	{"findings", two_findings}, {"observe-late", observe_late},
};

static void show(const char *name, int code, const struct heddle_result *r)
{
	printf("%s: code %d, %s, %d executions, %d blocked, %u findings\n", name, code,
		r->complete ? "complete" : "incomplete", (int)r->executions, (int)r->blocked, r->findings);
	for (unsigned i = 0; i < r->findings; i++)
		printf("  %s: %s, line %d, reorder %d, %s\n", r->finding[i].kind, r->finding[i].message,
			r->finding[i].line, r->finding[i].reorder,
			r->finding[i].replay ? r->finding[i].replay : "no file");
	for (unsigned i = 0; i < r->outcomes; i++)
		printf("  %s: %d, sc %d\n", r->outcome[i].text, (int)r->outcome[i].executions,
			r->outcome[i].sc);
	fflush(stdout);
}

static void run(const struct test *t, struct heddle_options *o)
{
	struct heddle_result r;

	o->name = t->name;
	show(t->name, heddle_check(t->fn, NULL, o, &r), &r);
	if (heddle_active_ && (global || x || y || r0 || r1 || heddle_active()))
		printf("  not as it was\n");
}

int main(int argc, char **argv)
{
	struct heddle_options o;

	memset(&o, 0, sizeof o);
	o.quiet = true;
	cells = (int *)calloc(8, sizeof *cells);
	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (value)
			*value++ = 0;
		if (!strcmp(argv[i], "model"))
			o.model = value;
		else if (!strcmp(argv[i], "strategy"))
			o.strategy = value;
		else if (!strcmp(argv[i], "options"))
			o.options = value;
		else if (!strcmp(argv[i], "time"))
			o.time = atof(value);
		else if (!strcmp(argv[i], "executions"))
			o.executions = strtoull(value, NULL, 10);
		else if (!strcmp(argv[i], "seed"))
			o.seed = strtoull(value, NULL, 10);
		else if (!strcmp(argv[i], "jobs"))
			o.jobs = (unsigned)atoi(value);
		else if (!strcmp(argv[i], "dir"))
			o.replay_dir = value;
		else if (!strcmp(argv[i], "keep-going"))
			o.keep_going = true;
		else if (!strcmp(argv[i], "loud"))
			o.quiet = false;
		else if (!strcmp(argv[i], "concurrent"))
			concurrent();
		else if (!strcmp(argv[i], "name"))
			heddle_name(&cells[5], sizeof cells[5], "cell five");
		for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
			if (!strcmp(tests[k].name, argv[i]))
				run(&tests[k], &o);
	}
	free(cells);
	return 0;
}
