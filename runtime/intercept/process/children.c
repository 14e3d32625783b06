/* SPDX-License-Identifier: ISC */
/* children.c - see children.h. */
#include "intercept/process/children.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/layer.h"
#include "intercept/file/lent.h"
#include "kernel/descriptor.h"
#include "machine/core.h"
#include "machine/wait/interrupt.h"
#include "machine/execution/signal.h"
#include "process/coverage.h"
#include "process/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN  64	  /* ended ones that the program has not waited for */
#define STREAMS	  16	  /* of popen() */
#define FIRST_PID 5000000 /* above those of the kernel */
#define STARTED_MAX 4096 /* by a thread, in an execution */

static PER_EXECUTION struct {
	u32 n, nstreams;
	bool begun;
} children;

static u16 started[THREADS_MAX]; /* by thread; of this execution if it has begun */

static struct ended {
	pid_t pid, held; /* its number; the kernel's while it is held (lent.h), else 0 */
	int status;
} ended[CHILDREN]; /* in the order of their starts; children.n of them */

static struct child_stream {
	FILE *file;
	const char *command; /* to run at pclose(), on its input; NULL: it has run */
	int status;
} streams[STREAMS]; /* children.nstreams of them */

static pid_t running; /* 0: none */
static bool forking;  /* an execution forks */

/* The caller may not be instrumented. */
static void write_int(int *to, int value)
{
	machine_write(to, &value, sizeof value);
	machine_drain();
}

/* --- running one to its end ------------------------------------------------------------------ */

/* Its exit status, as from waitpid(). An interrupted exploration leaves this function. */
static int run_child(pid_t pid, void (*go)(void))
{
	int status = 0;

	running = pid;
	if (go)
		go();
	clean_up_at_end();
	while (real(waitpid)(pid, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	if (layer_has_changed())
		coverage_note("a child process does not see the files that the program has "
			      "written, renamed or removed");
	coverage_note("child processes run in every execution: their effects on files are not "
		      "undone");
	return status;
}

void children_execution_ends(void)
{
	lent_execution_ends();
	if (!running)
		return;
	real(kill)(-running, SIGKILL); /* a shell's commands, too */
	real(kill)(running, SIGKILL);
	real(waitpid)(running, NULL, 0);
	running = 0;
}

/* Its number depends on what the thread has done only. */
static pid_t note_end(int status)
{
	u32 id = thread_id(thread_self());
	struct ended *e = &ended[children.n];

	if (children.n == CHILDREN)
		machine_refuse("more than %d child processes that the program has not waited for",
			CHILDREN);
	if (!children.begun)
		memset(started, 0, sizeof started);
	children.begun = true;
	if (started[id] == STARTED_MAX)
		machine_refuse("a thread starts more than %d child processes", STARTED_MAX);
	children.n++;
	*e = (struct ended){.pid = FIRST_PID + (pid_t)id * STARTED_MAX + started[id]++,
		.status = status};
	return e->pid;
}

/* Without our options: a child that is instrumented, too, is not explored. */
static size_t copy_environment(char *const env[], char **to)
{
	size_t n = 0;

	for (size_t i = 0; env && env[i]; i++) {
		if (!strncmp(env[i], "HEDDLE_OPTIONS=", 15))
			continue;
		if (to)
			to[n] = env[i];
		n++;
	}
	if (to)
		to[n] = NULL;
	return n + 1;
}

static int start_process(const struct spawn *s, pid_t *pid)
{
	char *clean[copy_environment(s->env, NULL)];

	copy_environment(s->env, clean);
	return s->function(pid, s->file, s->actions, s->attr, s->argv, clean);
}

/* Returns an error number, or 0 and the exit status. */
static int spawn_to_end(const struct spawn *s, int *status)
{
	pid_t pid;
	int error;

	io_step();
	error = start_process(s, &pid);
	if (!error)
		*status = run_child(pid, NULL);
	return error;
}

/* --- a shell --------------------------------------------------------------------------------- */

/* Run the command with descriptor fd in the place of `to` (fd < 0: unchanged); returns its exit
 * status. */
static int run_shell(const char *command, int fd, int to)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	struct spawn s = {real(posix_spawn), "/bin/sh", &actions, &attr, argv, environ};
	int status, error;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&actions);
	if (fd >= 0)
		real(posix_spawn_file_actions_adddup2)(&actions, fd, to);
	error = spawn_to_end(&s, &status);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return error ? 127 << 8 : status;
}

INTERCEPT int system(const char *command)
{
	NATIVELY(system, command);
	interrupt_point();
	return command ? run_shell(command, -1, 0) : 1;
}

/* The command's output, or input, is a file in memory: it runs now, or at pclose(). */
INTERCEPT FILE *popen(const char *command, const char *mode)
{
	struct child_stream *s = &streams[children.nstreams];
	bool reads = mode[0] == 'r';
	int fd;

	NATIVELY(popen, command, mode);
	if (children.nstreams == STREAMS)
		machine_refuse("more than %d streams of popen()", STREAMS);
	fd = real(memfd_create)("popen", 0);
	if (fd < 0)
		return NULL;
	s->command = reads ? NULL : strdup(command);
	if (reads)
		s->status = run_shell(command, fd, STDOUT_FILENO);
	if (reads)
		lseek(fd, 0, SEEK_SET);
	io_opened(fd);
	s->file = io_stream_opened(real(fdopen)(fd, reads ? "r" : "w"));
	children.nstreams += s->file != NULL;
	return s->file;
}

INTERCEPT int pclose(FILE *f)
{
	struct child_stream *s = streams;
	int status, fd;

	NATIVELY(pclose, f);
	while (s < streams + children.nstreams && s->file != f)
		s++;
	if (s == streams + children.nstreams)
		return (int)errno_return(-ECHILD);
	status = s->status;
	if (s->command) {
		fflush(f);
		fd = fileno(f);
		lseek(fd, 0, SEEK_SET);
		status = run_shell(s->command, fd, STDIN_FILENO);
	}
	*s = streams[--children.nstreams];
	if (io_stream_closed(f))
		real(fclose)(f);
	return status;
}

/* --- fork ------------------------------------------------------------------------------------ */

/* In the child, before the program's handlers: from here on it runs natively. */
static void begin_child(void)
{
	if (!forking)
		return;
	forking = false;
	machine_exploring = 0;
	setpgid(0, 0);
	snapshot_forked();
	signals_remove();
	lent_in_child();
}

void children_init(void)
{
	pthread_atfork(NULL, NULL, begin_child);
}

/* Its input is complete: lent_run_all(). */
static void run_held_child(pid_t pid, void (*go)(void))
{
	int status = run_child(pid, go);

	for (u32 i = 0; i < children.n; i++)
		if (ended[i].held == pid) {
			ended[i].held = 0;
			ended[i].status = status;
		}
}

/* held: it uses pipes (lent.h). */
static pid_t fork_child(bool held)
{
	pid_t pid;
	int error;

	io_step();
	fflush(stdout); /* else the child would write it again */
	if (held)
		lent_fork();
	forking = true;
	pid = real(fork)();
	error = errno;
	forking = false;
	if (pid < 0 && held)
		lent_not_started();
	if (pid < 0)
		errno = error;
	if (pid <= 0)
		return pid;
	if (!held)
		return note_end(run_child(pid, NULL));
	lent_hold(pid, run_held_child);
	error = note_end(0);
	ended[children.n - 1].held = pid;
	return error;
}

pid_t children_fork(const char *call)
{
	coverage_note("forked processes are not explored: `heddle run --suite' explores those of a "
		      "test runner");
	return fork_child(lent_begin(call));
}

/* In a child that is held: start the program, and end as it does. */
static _Noreturn void spawn_in_child(const struct spawn *s)
{
	int status;
	pid_t pid;

	lent_in_spawn();
	if (start_process(s, &pid))
		real(_exit)(127);
	while (real(waitpid)(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		real(kill)(getpid(), WTERMSIG(status));
	real(_exit)(WEXITSTATUS(status));
	__builtin_unreachable();
}

int children_spawn(const struct spawn *s, pid_t *pid)
{
	pid_t child;
	int status = 0, error;

	if (lent_begin("posix_spawn")) {
		child = fork_child(true);
		if (!child)
			spawn_in_child(s);
		error = child < 0 ? errno : 0;
	} else {
		error = spawn_to_end(s, &status);
		child = error ? -1 : note_end(status);
	}
	if (!error && pid)
		write_int(pid, child);
	return error;
}

/* --- waiting --------------------------------------------------------------------------------- */

/* The first ended child that `wanted` selects, as for waitpid(); NULL and ECHILD: there is none. */
static struct ended *find_ended(pid_t wanted)
{
	lent_run_all();
	for (u32 i = 0; i < children.n; i++) {
		if (wanted > 0 && ended[i].pid != wanted)
			continue;
		if (ended[i].held)
			machine_refuse("limit: a thread waits for a child process that another one "
				       "has started, while pipes are open");
		return &ended[i];
	}
	errno = ECHILD;
	return NULL;
}

static void forget_child(struct ended *e)
{
	for (children.n--; e < ended + children.n; e++)
		*e = e[1];
}

static pid_t take_ended(pid_t wanted, int *status)
{
	struct ended *e = find_ended(wanted), taken;

	if (!e)
		return -1;
	taken = *e;
	forget_child(e);
	if (status)
		write_int(status, taken.status);
	return taken.pid;
}

INTERCEPT pid_t waitpid(pid_t pid, int *status, int options)
{
	NATIVELY(waitpid, pid, status, options);
	interrupt_point();
	return take_ended(pid, status);
}

INTERCEPT pid_t wait(int *status)
{
	NATIVELY(wait, status);
	interrupt_point();
	return take_ended(-1, status);
}

INTERCEPT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	NATIVELY(wait4, pid, status, options, usage);
	interrupt_point();
	if (usage)
		machine_fill(usage, 0, sizeof *usage);
	return take_ended(pid, status);
}

INTERCEPT pid_t wait3(int *status, int options, struct rusage *usage)
{
	NATIVELY(wait3, status, options, usage);
	interrupt_point();
	if (usage)
		machine_fill(usage, 0, sizeof *usage);
	return take_ended(-1, status);
}

INTERCEPT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	struct ended *e;
	int status;

	NATIVELY(waitid, type, id, info, options);
	interrupt_point();
	e = find_ended(type == P_PID ? (pid_t)id : -1);
	if (!e)
		return -1;
	status = e->status;
	if (info) {
		write_int(&info->si_signo, SIGCHLD);
		write_int(&info->si_pid, e->pid);
		write_int(&info->si_code, WIFEXITED(status) ? CLD_EXITED : CLD_KILLED);
		write_int(&info->si_status,
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	}
	if (!(options & WNOWAIT))
		forget_child(e);
	return 0;
}

/* --- descriptors of a child ------------------------------------------------------------------ */

INTERCEPT int posix_spawn_file_actions_adddup2(
	posix_spawn_file_actions_t *actions, int from, int to)
{
	NATIVELY(posix_spawn_file_actions_adddup2, actions, from, to);
	if (descriptor_is_numbered(from))
		lent_to_spawn(from);
	return real(posix_spawn_file_actions_adddup2)(actions, from, to);
}

INTERCEPT int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd)
{
	NATIVELY(posix_spawn_file_actions_addclose, actions, fd);
	return real(posix_spawn_file_actions_addclose)(actions, fd);
}
