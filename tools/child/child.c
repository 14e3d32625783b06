/* SPDX-License-Identifier: ISC */
/*
 * child.c - the tested process.
 *
 * It runs in a process group of its own, so that Ctrl-C reaches only heddle: the first one asks the
 * program to stop, the second one kills it. Addresses are not randomised, so that two runs of the
 * same program look the same.
 */
#include "child/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child/interrupt.h"
#include "clock.h"
#include "die.h"
#include "option/opt.h"
#include "program/emulator.h"
#include "standard.h"

#define WAKE_MS 200 /* between checks of it */

/* The processes that have not been waited for. While there are any, the signals of child_wait_any()
 * are blocked. */
static struct {
	unsigned n;
	sigset_t outside; /* the signals that were blocked before */
} running;

/* The signals that child_wait_any() waits for. */
static sigset_t waited_for(void)
{
	sigset_t set = interrupt_signals();

	sigaddset(&set, SIGCHLD);
	return set;
}

static void block_signals(void)
{
	sigset_t set = waited_for();

	if (!running.n++)
		sigprocmask(SIG_BLOCK, &set, &running.outside);
}

static void unblock_signals(void)
{
	if (!--running.n)
		sigprocmask(SIG_SETMASK, &running.outside, NULL);
}

/* The length without the padding at the end. */
static size_t visible(const char *environment)
{
	size_t n = strlen(environment);

	while (n && environment[n - 1] == ',')
		n--;
	return n;
}

void child_prepare(struct child *c, struct options *o, bool verbose)
{
	char *environment;

	memset(c, 0, sizeof(*c));
	c->fd = memfd_create("heddle-status", 0); /* inherited: no close-on-exec */
	if (c->fd < 0 || ftruncate(c->fd, sizeof(struct status)) != 0)
		die("cannot make a memory file: %s%s", strerror(errno),
			errno == EFBIG ? " (ulimit -f?)" : "");
	c->status = mmap(NULL, sizeof(struct status), PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	if (c->status == MAP_FAILED)
		die("cannot map a memory file: %s", strerror(errno));
	c->status->magic = STATUS_MAGIC;
	c->status->size = sizeof(struct status);
	o->status_fd = (u64)c->fd;
	o->explore = 1;
	environment = settings_environment(o);
	if (verbose)
		warn("HEDDLE_OPTIONS=%.*s", (int)visible(environment), environment);
	setenv("HEDDLE_OPTIONS", environment, 1);
}

/* Between fork and exec. Returns only on failure, with errno. */
static void become_program(const struct child_setup *setup, char **words, int input,
	const sigset_t *signals, pid_t parent)
{
	int fd, persona = personality(0xffffffff);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_USAGE); /* the parent has ended */
	if (persona >= 0)
		personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
	if (dup2(input, STDIN_FILENO) < 0)
		return;
	fd = setup->no_out ? open("/dev/null", O_WRONLY) : -1;
	if (fd >= 0)
		dup2(fd, STDOUT_FILENO);
	else if (setup->out_to_err)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	standard_restore();
	sigprocmask(SIG_SETMASK, signals, NULL);
	execvp(words[0], words);
}

/* The program's standard input; a named pipe may not have a writer yet. */
static int open_input(const char *path)
{
	int fd;

	interrupt_at_once(true);
	fd = open(path ? path : "/dev/null", O_RDONLY | O_CLOEXEC);
	interrupt_at_once(false);
	if (fd < 0)
		die("%s: %s", path ? path : "/dev/null", strerror(errno));
	return fd;
}

void child_start(struct child *c, struct options *o, const struct child_setup *setup)
{
	int report[2], error = 0, input = open_input(setup->input);
	char **words = emulator_words(setup->argv);
	pid_t parent = getpid();

	child_prepare(c, o, setup->verbose);
	c->until = o->time ? clock_now() + o->time * 1000 : 0;
	if (setup->until && (!c->until || setup->until < c->until))
		c->until = setup->until;
	c->status->until = c->until;
	if (pipe2(report, O_CLOEXEC) != 0)
		die("cannot make a pipe: %s", strerror(errno));
	block_signals();
	fflush(NULL);
	c->pid = fork();
	if (c->pid < 0)
		die("cannot start a process: %s", strerror(errno));
	if (c->pid == 0) {
		become_program(setup, words, input, &running.outside, parent);
		error = errno;
		error = write(report[1], &error, sizeof(error)) != sizeof(error);
		_exit(EXIT_USAGE);
	}
	setpgid(c->pid, c->pid); /* in both processes: the first one counts */
	close(report[1]);
	close(input);
	if (read(report[0], &error, sizeof(error)) == sizeof(error))
		die("%s: cannot be executed: %s", words[0], strerror(error));
	close(report[0]);
}

static bool child_has_ended(struct child *c)
{
	return waitpid(c->pid, &c->wait_status, WNOHANG) == c->pid;
}

void child_kill(struct child *c)
{
	c->killed = true;
	kill(-c->pid, SIGKILL);
}

static void interrupt(struct child *c, int count)
{
	if (count > 1)
		child_kill(c);
	if (c->interrupted)
		return;
	c->interrupted = true;
	c->status->stop = 1;
	if (c->status->state == STATUS_EXPLORING)
		kill(c->pid, CLOCK_SIGNAL);
	if (!c->until || c->until > clock_now())
		c->until = clock_now();
}

/* No results so far that could be lost. */
static bool is_early(const struct child *c)
{
	return c->status->state == STATUS_NEW || c->status->state == STATUS_READY;
}

static void keep_time(struct child *c)
{
	if (c->until && clock_now() >= c->until + (is_early(c) ? 0 : CHILD_PATIENCE))
		child_kill(c);
}

/* The time to sleep, in nanoseconds. */
static u64 nap_time(const struct child *c, const struct child_watch *watch)
{
	u64 now = clock_now(), at, ns = (watch->tick ? watch->milliseconds : WAKE_MS) * 1000000ull;

	if (c->until) {
		at = c->until > now ? c->until : c->until + CHILD_PATIENCE;
		ns = at > now && at - now < ns ? at - now : at > now ? ns : 1;
	}
	return ns;
}

static struct timespec shortest_nap(
	struct child *const *c, const struct child_watch *watch, unsigned n)
{
	u64 ns = nap_time(c[0], &watch[0]);

	for (unsigned i = 1; i < n; i++)
		if (nap_time(c[i], &watch[i]) < ns)
			ns = nap_time(c[i], &watch[i]);
	return (struct timespec){0, (long)ns};
}

static void look_after(struct child *c, const struct child_watch *watch, bool is_time)
{
	if (interrupt_count())
		interrupt(c, interrupt_count());
	else if (is_time && watch->tick)
		watch->tick(c, watch->ctx);
	keep_time(c);
}

/* The index of one that has ended; n: there is none. */
static unsigned find_ended(struct child *const *c, unsigned n)
{
	unsigned i = 0;

	while (i < n && !child_has_ended(c[i]))
		i++;
	return i;
}

static void note_end(struct child *c)
{
	kill(-c->pid, SIGKILL); /* its own processes, if any are left */
	c->ended = true;
	unblock_signals();
}

unsigned child_wait_any(struct child *const *c, const struct child_watch *watch, unsigned n)
{
	sigset_t set = waited_for();
	unsigned ended;

	while ((ended = find_ended(c, n)) == n) {
		struct timespec timeout = shortest_nap(c, watch, n);
		int signal = sigtimedwait(&set, NULL, &timeout);

		if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
			interrupt_note();
		for (unsigned i = 0; i < n; i++)
			look_after(c[i], &watch[i], signal < 0);
	}
	note_end(c[ended]);
	return ended;
}

void child_wait(struct child *c, const struct child_watch *watch)
{
	child_wait_any(&c, watch, 1);
}

bool child_poll(struct child *c, const struct child_watch *watch)
{
	struct timespec at_once = {0, 0};
	sigset_t set = waited_for();
	int signal;

	while ((signal = sigtimedwait(&set, NULL, &at_once)) > 0)
		if (signal != SIGCHLD)
			interrupt_note();
	if (child_has_ended(c)) {
		note_end(c);
		return true;
	}
	look_after(c, watch, true);
	return false;
}
