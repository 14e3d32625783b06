/* SPDX-License-Identifier: ISC */
/* Processes: fork with threads and a heap, handlers of pthread_atfork, pipes, shared memory, exec,
 * spawn. */
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static atomic_int stop;
static char order[64];

static void prepare(void)
{
	strcat(order, "p");
}

static void parent(void)
{
	strcat(order, "P");
}

static void child(void)
{
	strcat(order, "C");
}

static void *allocate(void *arg)
{
	while (!stop)
		free(malloc(100));
	return NULL;
}

static int wait_for(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void forks(void)
{
	atomic_int *shared =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_t t;
	int fds[2], n = 0;
	char text[20] = "";
	pid_t pid;

	pthread_atfork(prepare, parent, child);
	pthread_create(&t, NULL, allocate, NULL);
	for (int i = 0; i < 20; i++) {
		pid = fork();
		if (!pid) {
			char *p = malloc(1000);

			memset(p, i, 1000);
			free(p);
			atomic_fetch_add(shared, 1);
			_exit(i);
		}
		n += wait_for(pid) == i;
	}
	stop = 1;
	pthread_join(t, NULL);
	printf("children: %d, shared: %d\n", n, *shared);
	order[0] = 0;
	if (pipe(fds) || (pid = fork()) < 0)
		exit(9);
	if (!pid) {
		pthread_t inner;

		stop = 1;
		pthread_create(&inner, NULL, allocate, NULL);
		pthread_join(inner, NULL);
		strcat(order, "!");
		exit(write(fds[1], order, strlen(order)) != 3);
	}
	printf("child's exit: %d\n", wait_for(pid));
	printf("order: %s, ", read(fds[0], text, sizeof text - 1) > 0 ? text : "?");
	printf("%s\n", order);
}

static void spawns(char *self)
{
	char *argv[] = {self, "spawned", NULL};
	FILE *p;
	char line[40];
	pid_t pid;

	posix_spawn(&pid, self, NULL, NULL, argv, environ);
	printf("spawned: %d\n", wait_for(pid));
	pid = fork();
	if (!pid) {
		execl(self, self, "spawned", "twice", NULL);
		_exit(77);
	}
	printf("exec: %d\n", wait_for(pid));
	pid = vfork();
	if (!pid) {
		execv(self, argv);
		_exit(77);
	}
	printf("vfork, exec: %d\n", wait_for(pid));
	printf("system: %d\n", WEXITSTATUS(system("exit 5")));
	p = popen("echo through a pipe", "r");
	printf("%s", p && fgets(line, sizeof line, p) ? line : "nothing\n");
	printf("pclose: %d\n", pclose(p));
	pid = fork();
	if (!pid)
		abort();
	printf("aborted: %d\n", wait_for(pid));
}

static void *thread_exec(void *self)
{
	execl(self, self, "last", NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (argc > 1) {
		printf("%s\n", argv[1]);
		return argc + 20;
	}
	forks();
	spawns(argv[0]);
	pthread_create(&t, NULL, thread_exec, argv[0]); /* replaces all of the process */
	pthread_join(t, NULL);
	return 1;
}
