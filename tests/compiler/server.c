// SPDX-License-Identifier: ISC
/*
 * server.c - clang that has been started once, and is forked for each compilation: half of the time
 * of compiling a small program is the start of clang, with half a million relocations.
 *
 *     LD_PRELOAD=server.so CLANG_SERVER=SOCKET clang      serves as long as its parent lives
 *
 * All constructors have run, and main() waits for requests. A compilation is the call of clang's
 * own main() in a child. A driver that would run `clang -cc1' itself sends a request instead.
 */
#define _GNU_SOURCE
#include "request.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 4000, MOST_CHILDREN = 256 };

typedef int main_function(int argc, char **argv, char **envp);

extern char **environ;
static main_function *clang_main;
static struct {
	pid_t child;
	int sender;
} running[MOST_CHILDREN];

/* The strings up to an empty one; returns the place after them. */
static char *read_strings(char *from, char **word, int *n)
{
	for (*n = 0; *from && *n < MOST_WORDS - 1; from += strlen(from) + 1)
		word[(*n)++] = from;
	word[*n] = NULL;
	return from + 1;
}

/* Receives a request and takes over the sender's directory and files. Returns the words. */
static int receive(int from, char **argv, char **envp)
{
	static char packet[REQUEST_SIZE];
	int files[REQUEST_FILES], argc, n;
	char control[CMSG_SPACE(sizeof files)];
	struct iovec data = {packet, sizeof packet};
	struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
		.msg_controllen = sizeof control};

	if (recvmsg(from, &m, 0) <= 0 || !CMSG_FIRSTHDR(&m))
		_exit(127);
	memcpy(files, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof files);
	if (fchdir(files[0]))
		_exit(127);
	for (n = 1; n < REQUEST_FILES; n++) {
		dup2(files[n], n - 1);
		close(files[n]);
	}
	close(files[0]);
	read_strings(read_strings(packet, argv, &argc), envp, &n);
	return argc;
}

/* In the child: clang. */
static void compile(int sender)
{
	static char *argv[MOST_WORDS], *envp[MOST_WORDS];
	int argc = receive(sender, argv, envp);

	close(sender);
	environ = envp;
	unsetenv("LD_PRELOAD");
	exit(clang_main(argc, argv, environ));
}

static void start(int listener, sigset_t *before)
{
	int sender = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	unsigned i;

	for (i = 0; i < MOST_CHILDREN - 1 && running[i].child; i++)
		;
	if (sender < 0)
		return;
	running[i].sender = sender;
	running[i].child = fork();
	if (running[i].child)
		return;
	close(listener);
	sigprocmask(SIG_SETMASK, before, NULL);
	signal(SIGCHLD, SIG_DFL);
	compile(sender);
}

/* Answers the senders of the children that have ended. */
static void answer(void)
{
	int status, code;
	pid_t child;

	while ((child = waitpid(-1, &status, WNOHANG)) > 0)
		for (unsigned i = 0; i < MOST_CHILDREN; i++)
			if (running[i].child == child) {
				code = WIFEXITED(status) ? WEXITSTATUS(status)
						         : 128 + WTERMSIG(status);
				if (write(running[i].sender, &code, sizeof code) < 0)
					perror("clang server");
				close(running[i].sender);
				running[i].child = 0;
			}
}

static void noted(int signal)
{
	(void)signal;
}

static int serve(int argc, char **argv, char **envp)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct pollfd wait = {.fd = listener, .events = POLLIN};
	sigset_t ended, before;

	(void)argc, (void)argv, (void)envp;
	strncpy(a.sun_path, getenv("CLANG_SERVER"), sizeof a.sun_path - 1);
	if (listener < 0 || bind(listener, (struct sockaddr *)&a, sizeof a) ||
		listen(listener, 64)) {
		perror(a.sun_path);
		return 1;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGCHLD, noted);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ended, &before);
	for (;;) {
		if (ppoll(&wait, 1, NULL, &before) > 0)
			start(listener, &before);
		answer();
	}
}

/* Instead of libc's: main() is serve(). */
int __libc_start_main(main_function *main, int argc, char **argv, main_function *init,
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	typeof(__libc_start_main) *real = (typeof(real))dlsym(RTLD_NEXT, "__libc_start_main");

	clang_main = main;
	return real(serve, argc, argv, init, fini, rtld_fini, stack_end);
}

/* Instead of libc's: clang -cc1 by a request. */
int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const *argv, char *const *envp)
{
	typeof(posix_spawn) *real = (typeof(real))dlsym(RTLD_NEXT, "posix_spawn");

	if (actions || !argv[0] || !argv[1] || strcmp(argv[1], "-cc1"))
		return real(pid, path, actions, attributes, argv, envp);
	*pid = fork();
	if (*pid < 0)
		return errno;
	if (!*pid) {
		int code = request_run(getenv("CLANG_SERVER"), argv, envp ? envp : environ);

		_exit(code < 0 ? 127 : code);
	}
	return 0;
}
