/* SPDX-License-Identifier: ISC */
/*
 * follow.c - see follow.h.
 *
 * The frames of the program that are active at the call of fork() belong to the memory with which
 * every execution begins. An execution begins on the stack of thread 0, so main() has to run there
 * from the start, below some room for the frames with which the machine begins a thread; the
 * explorer runs on the process's own stack.
 */
#include "intercept/process/follow.h"
#include "base/option.h"
#include "intercept/real.h"
#include "intercept/process/suite.h"
#include "machine/core.h"
#include "process/fiber.h"
#include "process/snapshot.h"
#include "process/stop.h"

#include <stdio.h>

#define BEGIN_ROOM 4096 /* bytes at the end of the stack for the first frames of a thread */

static struct follow {
	bool on;
	const struct options *options;
	int (*main)(int, char **, char **);
	int argc;
	char **argv, **envp;
	void *explorer; /* the stack pointer of each side while the other runs */
	void *program;
	char *end; /* of the program's stack */
	bool ended;
	int result;
} follow;

static void begin_main(void)
{
	follow.result = follow.main(follow.argc, follow.argv, follow.envp);
	follow.ended = true;
	arch_jump(&follow.program, follow.explorer);
}

/* An execution: back into fork(). */
static int return_from_fork(void *unused)
{
	void *here;

	arch_jump(&here, follow.program);
	return 0; /* not reached */
}

/* On the explorer's stack. */
static _Noreturn void explore_child(void)
{
	char name[32];
	struct options *o = suite_options();

	snprintf(name, sizeof name, "process %u", (unsigned)M.status->tests);
	suite_name(o, "", name);
	snapshot_add(follow.program, (size_t)(follow.end - (char *)follow.program));
	suite_explore(o, return_from_fork, NULL, NULL, __builtin_dwarf_cfa());
}

int follow_main(const struct options *o, int (*main)(int, char **, char **), int argc, char **argv,
	char **envp)
{
	char *end;

	fiber_init(o->stack);
	end = fiber_stack(0, 0);
	if (!end)
		fatal("out of memory: no stack for the program (ulimit -v?)");
	follow = (struct follow){.on = true, .options = o, .main = main, .argc = argc,
		.argv = argv, .envp = envp, .end = end - BEGIN_ROOM};
	arch_jump(&follow.explorer, arch_stack_begin(follow.end, begin_main));
	if (!follow.ended)
		explore_child();
	return follow.result;
}

pid_t follow_fork(void)
{
	pid_t child;

	if (follow.on && suite_is_next(follow.options)) {
		fflush(NULL);
		arch_jump(&follow.program, follow.explorer);
		return 0; /* in an execution */
	}
	child = real(fork)();
	if (!child)
		follow.on = false;
	return child;
}
