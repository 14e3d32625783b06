/* SPDX-License-Identifier: ISC */
/* children.c - a program that starts processes, in every way, beside a thread. */
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static atomic_int count;

static void *add(void *arg)
{
	count++;
	return arg;
}

static int end_of(pid_t child)
{
	int status = 0;
	pid_t ended = waitpid(child, &status, 0);

	assert(ended == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void run_commands(void)
{
	char line[20] = "";
	FILE *f = popen("echo one; echo two", "r");

	assert(fgets(line, sizeof line, f) && !strcmp(line, "one\n"));
	assert(fgets(line, sizeof line, f) && !strcmp(line, "two\n"));
	assert(!fgets(line, sizeof line, f) && pclose(f) == 0);
	f = popen("read word; test $word = given", "w");
	fputs("given\n", f);
	assert(pclose(f) == 0);
	assert(WEXITSTATUS(system("exit 3")) == 3 && system(NULL));
}

static void spawn(void)
{
	char *words[] = {"sh", "-c", "test -z \"$HEDDLE_OPTIONS\" && exit 4", NULL};
	siginfo_t info;
	pid_t child;

	assert(posix_spawnp(&child, "sh", NULL, NULL, words, environ) == 0);
	assert(waitid(P_PID, (id_t)child, &info, WEXITED) == 0 && info.si_status == 4);
	assert(posix_spawn(&child, "/nonexistent", NULL, NULL, words, environ) != 0);
}

static void forks(void)
{
	pid_t child = fork();

	if (!child) {
		char *copy = malloc(4);

		strcpy(copy, "sh");
		execlp(copy, copy, "-c", "exit 5", NULL);
	}
	assert(end_of(child) == 5);
	child = fork();
	if (!child) {
		count = 50; /* of the child */
		exit(6);
	}
	assert(end_of(child) == 6);
	child = vfork();
	if (!child)
		abort();
	assert(end_of(child) == -SIGABRT);
	assert(wait(NULL) < 0);
}

static void overlap(void)
{
	pthread_t t;

	pthread_create(&t, NULL, add, NULL);
	run_commands();
	spawn();
	forks();
	add(NULL);
	pthread_join(t, NULL);
}

static int take_turns(void)
{
	int to[2], from[2];
	char byte = 0;

	assert(!pipe(to) && !pipe(from));
	if (!fork()) {
		while (read(to[0], &byte, 1) == 1)
			assert(write(from[1], &byte, 1) == 1);
		_exit(0);
	}
	for (int i = 0; i < 2; i++)
		assert(write(to[1], "a", 1) == 1 && read(from[0], &byte, 1) == 1);
	return 0;
}

/* A thread works while the child is held, and while it runs. */
static int hold(void)
{
	int ends[2];

	assert(!pipe(ends));
	if (!fork()) {
		dup2(ends[0], 0);
		execlp("sh", "sh", "-c", "exec sleep 101", NULL);
	}
	for (int i = 0; i < 1000; i++)
		count++;
	close(ends[1]);
	return 0;
}

int main(int argc, char **argv)
{
	int ends[2];

	if (argc > 1 && !strcmp(argv[1], "turns"))
		return take_turns();
	if (argc > 1 && !strcmp(argv[1], "held"))
		return hold();
	if (argc > 1 && !strcmp(argv[1], "sleep"))
		return system("sleep 100");
	if (argc > 1 && !strcmp(argv[1], "socket") && (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || fork()))
		return 0;
	overlap();
	assert(count == (argc > 1 ? 3 : 2));
}
