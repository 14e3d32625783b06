/* SPDX-License-Identifier: ISC */
/*
 * boot.c - how the runtime gets hold of the program: before main().
 *
 * __libc_start_main() is interposed: when the environment asks for it (HEDDLE_OPTIONS with the
 * option `explore`, set by `heddle run`), the main it is given is replaced by one that explores the
 * program's own. Constructors run natively, once, before: what they set up is part of the memory
 * that every execution starts with. Otherwise the program runs as if we were not there.
 */
#include "intercept/boot.h"
#include "intercept/check.h"
#include "intercept/intercept.h"
#include "intercept/real.h"
#include "machine/heap.h"
#include "machine/machine.h"
#include "process/snapshot.h"
#include "process/stop.h"
#include "search/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct program {
	int (*main)(int, char **, char **);
	int argc;
	char **argv, **envp;
} program;

static struct options options;

__attribute__((constructor(101))) static void boot(void)
{
	real_init();
	heap_init();
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

static int run_main(void *unused)
{
	process_exit(program.main(program.argc, program.argv, program.envp));
}

/* The program has ended many times over; what is left is the process, and that ends here without
 * the program's exit handlers. */
static int explore_main(int argc, char **argv, char **envp)
{
	int code;

	program.argc = argc;
	program.argv = argv;
	program.envp = envp;
	if (!status_open(&options)) /* first: what fails is said there */
		fatal("out of memory: cannot explore (ulimit -v?)");
	boot_save_environment();
	code = run_explore(run_main, NULL, &options);
	fflush(NULL);
	if (!options.status_fd)
		check_report();
	stop_exit(code);
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
	/* With `check` it is a call of heddle_check() that is to be explored: check.c; with `cunit` a
	 * test of CUnit's: cunit.c. */
	return real(__libc_start_main)(
		options.explore && !options.check && !options.cunit ? explore_main : main, argc, argv,
		init, fini, rtld_fini, stack_end);
}
