/* SPDX-License-Identifier: ISC */
/*
 * children.h - child processes that the program starts in an execution: real processes, which run
 * natively to their end, in one step of the thread that starts them.
 *
 * Their numbers are the same in every execution. Their effects outside of the process are not
 * undone, and SIGCHLD is not delivered. Of the simulated objects of the kernel they can use pipes
 * (intercept/file/lent.h); then they run later.
 */
#ifndef INTERCEPT_PROCESS_CHILDREN_H
#define INTERCEPT_PROCESS_CHILDREN_H

#include <spawn.h>
#include <sys/types.h>

typedef int spawn_function(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const env[]);

/* Once, from the constructor. */
void children_init(void);

/* The arguments of posix_spawn() or posix_spawnp(). */
struct spawn {
	spawn_function *function;
	const char *file;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attr;
	char *const *argv, *const *env;
};

/* The same while exploring. Returns an error number. A child that may use pipes ends with status
 * 127 if the program cannot be started. */
int children_spawn(const struct spawn *s, pid_t *pid);

/* fork() while exploring; the child continues natively. */
pid_t children_fork(const char *call);

/* At the end of an execution, which may have been abandoned while a child was running. */
void children_execution_ends(void);

#endif
