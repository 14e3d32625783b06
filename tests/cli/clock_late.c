/* SPDX-License-Identifier: ISC */
/*
 * clock_late.c - commands that are interrupted at random moments, and how late they end.
 *
 *     clock_late SEED [FROM TO]     stdin, a line a case: TITLE; exit codes; expected output (a
 *                                   regular expression); command. TAP.
 *
 * {time} in the command becomes --time and the moment, FROM to TO seconds; without it the process
 * gets SIGINT or SIGTERM at the moment. A case passes if it ends within a second, not counting the
 * time for which its processes were ready to run and had no CPU, which is due to the machine
 * (schedstat), and if its report, last line and exit code agree.
 */
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT	1.0  /* seconds */
#define PATIENT 20.0 /* then it is killed */
#define FAMILY	64
#define WORDS	64

static struct run {
	pid_t pid;
	int out; /* a pipe */
	char text[1 << 16];
	size_t n;
	bool ended;
	int status;
} run;

/* Seconds for which each process of a command had no CPU. */
struct waits {
	pid_t pid[FAMILY];
	double seconds[FAMILY];
	int n;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double waited(pid_t pid)
{
	char path[64];
	double ns = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*s %lf", &ns) != 1)
		ns = 0;
	fclose(f);
	return ns / 1e9;
}

/* The process of the command, its children and theirs. */
static struct waits sample(void)
{
	struct waits w = {{run.pid}, {0}, 1};
	char path[64];
	FILE *f;

	for (int i = 0; i < w.n; i++) {
		w.seconds[i] = waited(w.pid[i]);
		snprintf(path, sizeof path, "/proc/%d/task/%d/children", w.pid[i], w.pid[i]);
		f = fopen(path, "r");
		while (f && w.n < FAMILY && fscanf(f, "%d", &w.pid[w.n]) == 1)
			w.n++;
		if (f)
			fclose(f);
	}
	return w;
}

/* Parent and child wait for one another: the times of all count. */
static double waited_since(const struct waits *before)
{
	struct waits w = sample();
	double sum = 0;

	for (int i = 0; i < w.n; i++) {
		sum += w.seconds[i];
		for (int k = 0; k < before->n; k++)
			if (before->pid[k] == w.pid[i])
				sum -= before->seconds[k];
	}
	return sum;
}

/* Does heddle catch signals? SIGINT may be ignored, in the background of a shell. */
static bool has_begun(void)
{
	char path[64], line[256];
	unsigned long long caught = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", run.pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "SigCgt: %llx", &caught) == 1)
			break;
	if (f)
		fclose(f);
	return caught >> (SIGTERM - 1) & 1;
}

static void start(char *command)
{
	char *argv[WORDS + 1];
	int n = 0, fd[2];

	for (char *w = strtok(command, " "); w && n < WORDS; w = strtok(NULL, " "))
		argv[n++] = w;
	argv[n] = NULL;
	run.n = 0;
	run.ended = false;
	if (pipe2(fd, O_CLOEXEC) || (run.pid = fork()) < 0) {
		perror("clock_late");
		exit(2);
	}
	if (!run.pid) {
		dup2(open("/dev/null", O_RDONLY), 0);
		dup2(fd[1], 1);
		dup2(fd[1], 2);
		signal(SIGINT, SIG_DFL); /* a shell's background ignores it */
		execvp(argv[0], argv);
		_exit(127);
	}
	close(fd[1]);
	run.out = fd[0];
}

/* Read the output for so long; true once the process has ended. */
static bool has_ended(int milliseconds)
{
	struct pollfd p = {.fd = run.out, .events = POLLIN};
	ssize_t n;

	if (poll(&p, 1, milliseconds) > 0) {
		n = read(run.out, run.text + run.n, sizeof run.text - 1 - run.n);
		run.n += n > 0 ? (size_t)n : 0;
		if (n <= 0) /* the end, or no room */
			poll(NULL, 0, milliseconds);
	}
	run.ended |= waitpid(run.pid, &run.status, WNOHANG) == run.pid;
	return run.ended;
}

/* Returns how late it ends; *without: for how much of that it had no CPU. */
static double interrupt(char *command, double moment, int sig, double *without)
{
	struct waits before;
	double began = now(), due, end;

	*without = 0;
	start(command);
	while (sig && !has_ended(2) && !has_begun() && now() < began + PATIENT)
		;
	due = (sig ? now() : began) + moment;
	do {
		before = sample();
	} while (!has_ended(5) && now() < due);
	if (sig && !run.ended) {
		due = now();
		kill(run.pid, sig);
	}
	while (!has_ended(5) && now() < due + PATIENT) {
		double w = waited_since(&before);

		*without = w > *without ? w : *without;
	}
	end = now();
	if (!run.ended) {
		kill(run.pid, SIGKILL);
		waitpid(run.pid, &run.status, 0);
	}
	for (ssize_t n = 1; n > 0; run.n += n > 0 ? (size_t)n : 0)
		n = read(run.out, run.text + run.n, sizeof run.text - 1 - run.n);
	run.text[run.n] = 0;
	close(run.out);
	return end - due;
}

/* Is the number one of the words? */
static bool is_listed(int code, const char *words)
{
	char *end;

	for (long n; n = strtol(words, &end, 10), end != words; words = end)
		if (n == code)
			return true;
	return false;
}

static bool matches(const char *pattern)
{
	regex_t r;
	bool found;

	if (regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE)) {
		fprintf(stderr, "clock_late: %s\n", pattern);
		exit(2);
	}
	found = !regexec(&r, run.text, 0, NULL, 0);
	regfree(&r);
	return found;
}

/* A finding is reported with its replay file, counted, and the exit code; or nothing says that
 * there is one. The output of a search only. */
static bool agrees(int code)
{
	bool reported = matches("^FAILED"), counted = matches("[1-9][0-9]* failing");

	if (!matches("^heddle: .* [0-9]+ failing"))
		return true;
	return reported == counted && reported == (code == 1) &&
	       !matches("no replay file could be written|cannot be read");
}

static double from = 0.05, to = 0.4;

static struct {
	double late;
	char title[128];
} worst;

/* One case. */
static bool test(char *line)
{
	char *title = strtok(line, ";"), *codes = strtok(NULL, ";"), *words = strtok(NULL, ";"),
	     *command = strtok(NULL, "\n"), *at = command ? strstr(command, "{time}") : NULL;
	char text[2048], pattern[512];
	double moment = from + drand48() * (to - from), late, without;
	int sig = at ? 0 : drand48() < 0.5 ? SIGINT : SIGTERM, code;
	bool good;

	if (!command)
		return false;
	if (at)
		snprintf(text, sizeof text, "%.*s--time %.2f%s", (int)(at - command), command, moment,
			at + 6);
	else
		snprintf(text, sizeof text, "%s", command);
	snprintf(pattern, sizeof pattern, "%.*s", (int)strlen(words) - 2, words + 1);
	late = interrupt(text, moment, sig, &without);
	code = WIFEXITED(run.status) ? WEXITSTATUS(run.status) : -WTERMSIG(run.status);
	if (late - without > worst.late) {
		worst.late = late - without;
		snprintf(worst.title, sizeof worst.title, "%s", title);
	}
	good = late - without <= LIMIT && is_listed(code, codes) && matches(pattern) &&
	       agrees(code);
	printf("%s - %s\n", good ? "ok" : "not ok", title);
	if (!good)
		printf("    # %s, signal %d at %.2f s: %.2f s late, %.2f s without CPU, exit code %d\n"
		       "    # %s\n",
			command, sig, moment, late, without, code, run.text);
	fflush(stdout);
	return good;
}

int main(int argc, char **argv)
{
	char line[2048];
	int failed = 0;

	srand48(argc > 1 ? atol(argv[1]) : 1);
	from = argc > 3 ? atof(argv[2]) : from;
	to = argc > 3 ? atof(argv[3]) : to;
	while (fgets(line, sizeof line, stdin))
		failed |= !test(line);
	printf("# worst delay %.2f s: %s\n", worst.late, worst.title);
	return failed;
}
