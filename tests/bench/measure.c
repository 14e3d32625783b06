/* SPDX-License-Identifier: ISC */
/*
 * measure.c - run a command and measure its resources.
 *
 * `measure FILE SECONDS COMMAND...` writes to FILE the CPU time in seconds (user and system, of the
 * command and of all processes it waited for), the largest resident set among them in KiB, and the
 * exit code, which is 124 when a process had used up SECONDS of CPU time. time(1) counts in
 * hundredths of a second, and a shell does not know the resident set.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rlimit limit;
	struct rusage use;
	FILE *out;
	pid_t child;
	int status, code;
	double took;

	if (argc < 4) {
		fprintf(stderr, "usage: measure FILE SECONDS COMMAND...\n");
		return 2;
	}
	limit.rlim_cur = (rlim_t)atoi(argv[2]); /* of each process of the command */
	limit.rlim_max = limit.rlim_cur + 1;
	child = vfork();
	if (child == 0) {
		setrlimit(RLIMIT_CPU, &limit);
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &use) != child) {
		perror("measure");
		return 2;
	}
	took = seconds(use.ru_utime) + seconds(use.ru_stime);
	code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (code == 128 + SIGXCPU || took >= (double)limit.rlim_cur)
		code = 124;
	out = fopen(argv[1], "w");
	if (!out) {
		perror(argv[1]);
		return 2;
	}
	fprintf(out, "%.6f %ld %d\n", took, use.ru_maxrss, code);
	return fclose(out) ? 2 : 0;
}
