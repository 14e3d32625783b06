/* SPDX-License-Identifier: ISC */
/*
 * sample.c - sample `heddle run` from outside: memory, CPU time and figures.
 *
 *     sample FILE MILLISECONDS heddle run ...
 *
 * writes to FILE, every so many milliseconds, a line of numbers between tabs:
 *
 *     seconds  since the start
 *     cpu      seconds that the tested process and its workers have used
 *     executions, blocked, failing, steps
 *              from the page that the tool shares with the process (event/status.h)
 *     tool, process, worker
 *              resident memory in KiB: of the tool, of the process that it started, of the largest
 *              of the processes that that one has forked
 *     workers  how many there are
 *
 * The exit code is the command's.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "event/status.h"

#define WORKERS_MAX 64

struct figures {
	double cpu;
	long kib;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return fopen(path, "r");
}

/* Of one process; zeros if it is gone. */
static struct figures figures_of(pid_t pid)
{
	FILE *memory = open_proc(pid, "statm"), *time = open_proc(pid, "schedstat");
	struct figures f = {0, 0};
	unsigned long long ns;

	if (memory && fscanf(memory, "%*d %ld", &f.kib) == 1)
		f.kib *= sysconf(_SC_PAGESIZE) / 1024;
	if (time && fscanf(time, "%llu", &ns) == 1)
		f.cpu = (double)ns / 1e9;
	if (memory)
		fclose(memory);
	if (time)
		fclose(time);
	return f;
}

/* Returns how many there are, at most `room`. */
static int children_of(pid_t pid, pid_t *child, int room)
{
	char name[64];
	FILE *list;
	int n = 0;

	snprintf(name, sizeof name, "task/%d/children", (int)pid);
	list = open_proc(pid, name);
	while (list && n < room && fscanf(list, "%d", &child[n]) == 1)
		n++;
	if (list)
		fclose(list);
	return n;
}

/* The address of the page in the tool; 0: none so far. */
static unsigned long find_status(pid_t tool)
{
	FILE *maps = open_proc(tool, "maps");
	unsigned long address = 0;
	char line[512];

	while (maps && !address && fgets(line, sizeof line, maps))
		if (strstr(line, "heddle-status"))
			address = strtoul(line, NULL, 16);
	if (maps)
		fclose(maps);
	return address;
}

static bool read_status(pid_t tool, struct status *st)
{
	static unsigned long address;
	size_t size = offsetof(struct status, findings);
	struct iovec to = {st, size}, from = {NULL, size};

	if (!address)
		address = find_status(tool);
	from.iov_base = (void *)address;
	return address && process_vm_readv(tool, &to, 1, &from, 1, 0) == (ssize_t)size &&
	       st->magic == STATUS_MAGIC && st->state == STATUS_EXPLORING;
}

static void take(pid_t tool, double began, FILE *out)
{
	static struct status st;
	struct figures process, worker = {0, 0};
	pid_t first, worker_pid[WORKERS_MAX];
	int workers;
	double cpu;

	if (!read_status(tool, &st) || children_of(tool, &first, 1) != 1)
		return;
	process = figures_of(first);
	cpu = process.cpu;
	workers = children_of(first, worker_pid, WORKERS_MAX);
	for (int i = 0; i < workers; i++) {
		struct figures f = figures_of(worker_pid[i]);

		cpu += f.cpu;
		if (worker.kib < f.kib)
			worker.kib = f.kib;
	}
	fprintf(out, "%.3f\t%.3f\t%llu\t%llu\t%llu\t%llu\t%ld\t%ld\t%ld\t%d\n", now() - began, cpu,
		(unsigned long long)st.executions, (unsigned long long)st.blocked,
		(unsigned long long)st.failing, (unsigned long long)st.steps,
		figures_of(tool).kib, process.kib, worker.kib, workers);
}

int main(int argc, char **argv)
{
	struct timespec pause = {0};
	double began = now();
	int status = 0;
	pid_t tool;
	FILE *out;

	if (argc < 4) {
		fprintf(stderr, "usage: sample FILE MILLISECONDS heddle run ...\n");
		return 2;
	}
	pause.tv_sec = atol(argv[2]) / 1000;
	pause.tv_nsec = atol(argv[2]) % 1000 * 1000000;
	out = fopen(argv[1], "we");
	if (!out) {
		perror(argv[1]);
		return 2;
	}
	tool = fork();
	if (tool == 0) {
		execv(argv[3], argv + 3);
		perror(argv[3]);
		_exit(127);
	}
	while (tool > 0 && waitpid(tool, &status, WNOHANG) == 0) {
		take(tool, began, out);
		nanosleep(&pause, NULL);
	}
	if (tool < 0 || fclose(out) != 0) {
		perror("sample");
		return 2;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
