/* SPDX-License-Identifier: ISC */
/* compiler.c - see compiler.h. */
#include "program/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "standard.h"

static char *find_compiler(void)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (n < 0)
		die("cannot read /proc/self/exe: %s", strerror(errno));
	self[n] = 0;
	slash = strrchr(self, '/');
	return xprintf("%.*s/heddle-cc", (int)(slash - self), self);
}

static char **join_words(char *command, const char *const *first, char *const *rest)
{
	size_t n = 1;
	char **words;

	for (size_t i = 0; first[i]; i++)
		n++;
	for (size_t i = 0; rest[i]; i++)
		n++;
	words = xmalloc((n + 1) * sizeof(*words));
	words[0] = command;
	n = 1;
	while (*first)
		words[n++] = xstrdup(*first++);
	while (*rest)
		words[n++] = *rest++;
	return words;
}

bool compiler_run(const char *const *first, char *const *rest, const char *out)
{
	char **words = join_words(find_compiler(), first, rest);
	int status, fd;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("%s: %s", words[0], strerror(errno));
	if (pid == 0) {
		fd = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
			 : STDERR_FILENO;
		dup2(fd, STDOUT_FILENO);
		standard_restore();
		execv(words[0], words);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		die("%s: cannot be executed", words[0]);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
