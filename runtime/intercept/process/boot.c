/* SPDX-License-Identifier: ISC */
/*
 * boot.c - start of the runtime, before main().
 *
 * __libc_start_main() is interposed: when the environment asks for it (HEDDLE_OPTIONS with the
 * option `explore`, set by `heddle run`), its main argument is replaced by a function that explores
 * the program's own. Constructors run natively, once, before: their effects are part of the memory
 * with which every execution starts. Otherwise the program runs unchanged.
 */
#include "intercept/process/boot.h"
#include "intercept/process/check.h"
#include "intercept/process/children.h"
#include "intercept/process/follow.h"
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"
#include "intercept/real.h"
#include "heap/heap.h"
#include "machine/machine.h"
#include "process/snapshot.h"
#include "process/stop.h"
#include "search/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct main_program {
	int (*main)(int, char **, char **);
	int argc;
	char **argv, **envp;
} program;

static struct options options;

__attribute__((constructor(101))) static void boot(void)
{
	real_init();
	heap_init();
	children_init();
}

bool boot_options(struct options *o)
{
	const char *text = getenv("HEDDLE_OPTIONS");
	struct err err;

	if (!text || option_parse(o, text, &err))
		return true;
	say("HEDDLE_OPTIONS, at character %zu: %s", err.at + 1, err.message);
	return false;
}

void boot_save_environment(void)
{
	char **end = environ;

	snapshot_add(&environ, sizeof(environ));
	silent_init();
	getopt_add_to_snapshot();
	settings_add_to_snapshot();
	while (end && *end)
		end++;
	if (end)
		snapshot_add(environ, (size_t)(end + 1 - environ) * sizeof(*environ));
	if (!program.argc)
		return;
	snapshot_add(program.argv, (size_t)program.argc * sizeof(*program.argv));
	for (int i = 0; i < program.argc; i++)
		if (program.argv[i])
			snapshot_add(program.argv[i], strlen(program.argv[i]) + 1);
}

/* --- arguments ------------------------------------------------------------------------------- */

/* Far from fibers (process/fiber.h) and heaps (heap/heap.h). */
#define WORDS	   ((char *)0x300000000000u)
#define WORDS_SIZE ((size_t)8 << 20) /* more than the kernel allows */

/* Copy a NULL-terminated list and its strings to *to, and advance that. */
static char **copy_list(char **list, char **to)
{
	size_t n = 0;
	char **copy = (char **)(void *)*to;

	while (list[n])
		n++;
	*to += (n + 1) * sizeof(*list);
	for (size_t i = 0; i < n; i++) {
		copy[i] = strcpy(*to, list[i]);
		*to += strlen(list[i]) + 1;
	}
	copy[n] = NULL;
	*to += -(uintptr_t)*to % sizeof(*list);
	return copy;
}

/* Where addresses are randomised (which a container may not be able to turn off) the kernel puts
 * arguments and environment elsewhere in each process: a replay would read other addresses than the
 * recorded threads. */
static void move_arguments(void)
{
	char *to = mmap(WORDS, WORDS_SIZE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (to != WORDS)
		return; /* occupied: leave them */
	program.argv = copy_list(program.argv, &to);
	if (environ)
		program.envp = environ = copy_list(environ, &to);
}

/* --- exploring main() ------------------------------------------------------------------------ */

static int run_main(void *unused)
{
	process_exit(program.main(program.argc, program.argv, program.envp));
}

/* Each execution has run the program's exit handlers; the process ends without them. */
static int explore_main(int argc, char **argv, char **envp)
{
	int code;

	program.argc = argc;
	program.argv = argv;
	program.envp = envp;
	if (!status_open(&options)) /* first: errors are reported there */
		fatal("out of memory: cannot explore (ulimit -v?)");
	move_arguments();
	do {
		boot_save_environment();
		code = run_explore(run_main, NULL, &options);
	} while (library_opens());
	fflush(NULL);
	if (!options.status_fd)
		check_report();
	stop_exit(code);
}

static int run_suite(int argc, char **argv, char **envp)
{
	return follow_main(&options, program.main, argc, argv, envp);
}

/* With `check`, a call of heddle_check() is explored (check.c); with `suite-test`, a test
 * (suite.c). */
static int (*chosen_main(void))(int, char **, char **)
{
	if (options.suite_test)
		return options.suite_fork ? run_suite : program.main;
	return options.explore && !options.check ? explore_main : program.main;
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	program.main = main;
	program.argc = argc;
	program.argv = argv;
	option_defaults(&options);
	if (!boot_options(&options))
		stop_exit(2);
	return real(__libc_start_main)(chosen_main(), argc, argv, init, fini, rtld_fini, stack_end);
}
