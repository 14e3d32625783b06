/* SPDX-License-Identifier: ISC */
/* A program reads the output of a process that it starts, beside a thread. INPUT: it writes the process's input, too;
 * SPAWN: posix_spawn(); TWO: the output of one process is the input of another; BOTH: two threads start one each. WRONG: it keeps the end that writes, so
 * that its input never ends.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete -- --strategy dfs
 * verdict -DINPUT rc11 ok complete -- --strategy graph
 * verdict -DINPUT -DSPAWN tso ok complete -- --strategy graph
 * verdict -DSPAWN rc11 ok complete -- --strategy graph
 * verdict -DBOTH rc11 ok -- --strategy graph --executions 500
 * verdict -DBOTH tso ok -- --strategy random --executions 30
 * verdict -DTWO rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock -- --strategy random
 * verdict -DWRONG -DINPUT rc11 deadlock -- --strategy graph
 */
#include "kernel.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static _Thread_local int input[2], output[2];
static atomic_int count;

static void close_both(const int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

static pid_t start_command(const char *command, int in, int out)
{
	char *argv[] = {"sh", "-c", (char *)command, NULL};
	pid_t child;
#ifdef SPAWN
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	if (in >= 0)
		posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_addclose(&actions, output[0]);
	assert(!posix_spawnp(&child, "sh", &actions, NULL, argv, environ));
	posix_spawn_file_actions_destroy(&actions);
#else
	child = fork();
	if (!child) {
		if (in >= 0)
			dup2(in, 0);
		dup2(out, 1);
		if (in >= 0)
			close_both(input);
		close_both(output);
		execvp("sh", argv);
		_exit(127);
	}
#endif
	return child;
}

static void check_end(pid_t child)
{
	int status;

	assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void read_output(const char *expected)
{
	char text[64] = "";
	size_t n = 0;
	ssize_t part;

	while ((part = read(output[0], text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)part;
	assert(part == 0 && !strcmp(text, expected));
	close(output[0]);
}

static void run(void)
{
	assert(!pipe(output));
#ifdef TWO
	assert(!pipe(input));
	pid_t first = start_command("echo b; echo a; exit 3", -1, input[1]);
	pid_t child = start_command("sort; exit 3", input[0], output[1]);

	close_both(input);
#elif defined INPUT
	assert(!pipe(input));
	pid_t child = start_command("sort; exit 3", input[0], output[1]);

	close(input[0]);
	assert(write(input[1], "b\na\n", 4) == 4);
	close(input[1]);
#else
	pid_t child = start_command("echo a; echo b; exit 3", -1, output[1]);
#endif
#ifndef WRONG
	close(output[1]);
#endif
	read_output("a\nb\n");
	check_end(child);
#ifdef TWO
	check_end(first);
#endif
}

static void *add(void *arg)
{
#ifdef BOTH
	run();
#endif
	count++;
	return arg;
}

int main(void)
{
	pthread_t t = start(add, NULL);

	run();
	count++;
	join(t);
	assert(count == 2);
}
