/* SPDX-License-Identifier: ISC */
/*
 * process.c - the end of the program: exit and its handlers, abort, assert. Child processes
 * (children.h); exec functions, which are refused while exploring.
 *
 * Handlers that an execution registers are kept here and run at its exit; those registered before
 * belong to the process and run once, at its real end.
 */
#include "intercept/process/atfork.h"
#include "intercept/process/children.h"
#include "intercept/process/follow.h"
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "machine/wait/unsafe.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio_ext.h>

/* Called by compilers and libstdc++; no header declares them. */
int __cxa_atexit(void (*fn)(void *), void *arg, void *dso);
int __cxa_thread_atexit_impl(void (*fn)(void *), void *object, void *dso);

/* --- handlers -------------------------------------------------------------------------------- */

#define HANDLERS_MAX 1024

enum handler_kind { HANDLER_PLAIN, HANDLER_STATUS, HANDLER_ARGUMENT };

struct handler {
	enum handler_kind kind;
	union {
		void (*plain)(void);
		void (*with_status)(int, void *);
		void (*with_argument)(void *);
	};
	void *arg;
	const struct thread *thread; /* thread destructors only: the thread */
};

struct exit_handlers {
	u32 n;
	struct handler *at;
};

/* The counts are restored, so the entries need not be. */
static struct handler at_exit_entries[HANDLERS_MAX], at_quick_exit_entries[HANDLERS_MAX],
	at_thread_exit_entries[HANDLERS_MAX];
static PER_EXECUTION struct exit_handlers at_exit_list = {0, at_exit_entries};
static PER_EXECUTION struct exit_handlers at_quick_exit_list = {0, at_quick_exit_entries};
static PER_EXECUTION struct exit_handlers at_thread_exit_list = {0, at_thread_exit_entries};

static int add_handler(struct exit_handlers *list, struct handler h)
{
	if (list->n == HANDLERS_MAX)
		machine_refuse("more than %d exit handlers in one execution", HANDLERS_MAX);
	list->at[list->n++] = h;
	return 0;
}

static void call(const struct handler *h, int status)
{
	switch (h->kind) {
	case HANDLER_PLAIN: h->plain(); break;
	case HANDLER_STATUS: h->with_status(status, h->arg); break;
	case HANDLER_ARGUMENT: h->with_argument(h->arg); break;
	}
	machine_entered(); /* completes announced stores (machine/execution/tsan_store.h) */
}

/* The last registered first; handlers may register more. */
static void run_handlers(struct exit_handlers *list, int status)
{
	while (list->n) {
		struct handler h = list->at[--list->n];

		call(&h, status);
	}
}

INTERCEPT int __cxa_atexit(void (*fn)(void *), void *arg, void *dso)
{
	NATIVELY(__cxa_atexit, fn, arg, dso);
	return add_handler(&at_exit_list,
		(struct handler){HANDLER_ARGUMENT, .with_argument = fn, .arg = arg});
}

/* atexit() is linked into each module from libc's static part: forward to the function that it
 * calls. */
INTERCEPT int atexit(void (*fn)(void))
{
	NATIVELY(__cxa_atexit, (void (*)(void *))(uintptr_t)fn, NULL, NULL);
	return add_handler(&at_exit_list, (struct handler){HANDLER_PLAIN, .plain = fn});
}

INTERCEPT int on_exit(void (*fn)(int, void *), void *arg)
{
	NATIVELY(on_exit, fn, arg);
	return add_handler(&at_exit_list,
		(struct handler){HANDLER_STATUS, .with_status = fn, .arg = arg});
}

INTERCEPT int at_quick_exit(void (*fn)(void))
{
	NATIVELY(__cxa_at_quick_exit, (void (*)(void *))(uintptr_t)fn, NULL);
	return add_handler(&at_quick_exit_list, (struct handler){HANDLER_PLAIN, .plain = fn});
}

/* --- thread_local objects of C++ ------------------------------------------------------------- */

INTERCEPT int __cxa_thread_atexit_impl(void (*fn)(void *), void *object, void *dso)
{
	NATIVELY(__cxa_thread_atexit_impl, fn, object, dso);
	return add_handler(&at_thread_exit_list,
		(struct handler){HANDLER_ARGUMENT, .with_argument = fn, .arg = object,
			.thread = thread_self()});
}

/* Remove the calling thread's last entry from the list; false if it has none. */
static bool take_last(struct exit_handlers *list, struct handler *h)
{
	for (u32 i = list->n; i-- > 0;) {
		if (list->at[i].thread != thread_self())
			continue;
		*h = list->at[i];
		for (list->n--; i < list->n; i++)
			list->at[i] = list->at[i + 1];
		return true;
	}
	return false;
}

void process_run_thread_destructors(void)
{
	struct handler h;

	lent_run_all();
	while (at_thread_exit_list.n && take_last(&at_thread_exit_list, &h))
		call(&h, 0);
}

/* --- the end --------------------------------------------------------------------------------- */

static const struct sync_op op_exit = {EV_EXIT, NULL, NULL};

/* May some stream have unwritten output? glibc keeps a list of streams, the last one first. */
static bool output_pending(void)
{
	static FILE *const *streams;

	if (unlikely(!streams))
		streams = dlsym(RTLD_DEFAULT, "_IO_list_all");
	return !streams || *streams != stderr || __fpending(stdout) || __fpending(stderr);
}

void process_exit(int status)
{
	process_run_thread_destructors();
	if (at_exit_list.n)
		sync_arrive(&op_exit, NULL); /* else machine_exit() does */
	run_handlers(&at_exit_list, status);
	if (unlikely(output_pending()))
		fflush(NULL);
	machine_exit(status);
}

#define ENDS(name, ...)                                                                            \
	do {                                                                                       \
		if (!machine_entered()) {                                                          \
			real(name)(__VA_ARGS__);                                                   \
			__builtin_unreachable();                                                   \
		}                                                                                  \
	} while (0)

INTERCEPT _Noreturn void exit(int status)
{
	ENDS(exit, status);
	unsafe_call("exit", __builtin_return_address(0));
	process_exit(status);
}

INTERCEPT _Noreturn void quick_exit(int status)
{
	ENDS(quick_exit, status);
	if (at_quick_exit_list.n)
		sync_arrive(&op_exit, NULL);
	run_handlers(&at_quick_exit_list, status);
	machine_exit(status);
}

INTERCEPT _Noreturn void _exit(int status)
{
	ENDS(_exit, status);
	machine_exit(status);
}

INTERCEPT _Noreturn void _Exit(int status)
{
	ENDS(_exit, status);
	machine_exit(status);
}

INTERCEPT _Noreturn void abort(void)
{
	ENDS(abort);
	process_signal(SIGABRT); /* a handler of the program's own runs first */
	machine_end_by(SIGABRT);
	machine_fail(FINDING_CRASH, NULL, 0, NULL, "abort() was called");
}

INTERCEPT _Noreturn void __assert_fail(
	const char *assertion, const char *file, unsigned line, const char *function)
{
	ENDS(__assert_fail, assertion, file, line, function);
	machine_fail(FINDING_ASSERTION, file, (int)line, function, "assertion `%s' failed",
		assertion);
}

INTERCEPT _Noreturn void __assert_perror_fail(
	int error, const char *file, unsigned line, const char *function)
{
	ENDS(__assert_perror_fail, error, file, line, function);
	machine_fail(FINDING_ASSERTION, file, (int)line, function, "unexpected error: %s",
		strerror(error));
}

INTERCEPT _Noreturn void __assert(const char *assertion, const char *file, int line)
{
	ENDS(__assert, assertion, file, line);
	machine_fail(FINDING_ASSERTION, file, line, NULL, "assertion `%s' failed", assertion);
}

/* --- child processes ------------------------------------------------------------------------- */

static _Noreturn void refuse_child(const char *call)
{
	machine_refuse("the program calls %s(): only one process can be explored, and it would "
		       "become another; test the part before it, or a function of it with "
		       "heddle_check()",
		call);
}

static void before_exec(const char *call)
{
	if (machine_entered())
		refuse_child(call);
	lent_in_exec();
}

INTERCEPT pid_t fork(void)
{
	pid_t pid;

	if (!machine_entered())
		return follow_fork();
	atfork_prepare();
	pid = children_fork("fork");
	atfork_forked(pid == 0);
	return pid;
}

/* A wrapper cannot return twice from its caller's frame: this is fork(), natively too. */
INTERCEPT pid_t vfork(void)
{
	return machine_entered() ? children_fork("vfork") : real(fork)();
}

/* All arguments are read, passed or not: the raw call takes six at most. */
INTERCEPT int clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
	va_list ap;
	void *rest[3];

	va_start(ap, arg);
	for (int i = 0; i < 3; i++)
		rest[i] = va_arg(ap, void *);
	va_end(ap);
	NATIVELY(clone, fn, stack, flags, arg, rest[0], rest[1], rest[2]);
	refuse_child("clone");
}

INTERCEPT pid_t _Fork(void)
{
	NATIVELY(_Fork);
	return children_fork("_Fork");
}

INTERCEPT int daemon(int stay, int keep_output)
{
	NATIVELY(daemon, stay, keep_output);
	refuse_child("daemon");
}

INTERCEPT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	NATIVELY(posix_spawn, pid, path, actions, attr, argv, env);
	return children_spawn(
		&(struct spawn){real(posix_spawn), path, actions, attr, argv, env}, pid);
}

INTERCEPT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	NATIVELY(posix_spawnp, pid, file, actions, attr, argv, env);
	return children_spawn(
		&(struct spawn){real(posix_spawnp), file, actions, attr, argv, env}, pid);
}

INTERCEPT int execve(const char *path, char *const argv[], char *const env[])
{
	before_exec("execve");
	return real(execve)(path, argv, env);
}

INTERCEPT int execv(const char *path, char *const argv[])
{
	before_exec("execv");
	return real(execv)(path, argv);
}

INTERCEPT int execvp(const char *file, char *const argv[])
{
	before_exec("execvp");
	return real(execvp)(file, argv);
}

INTERCEPT int execvpe(const char *file, char *const argv[], char *const env[])
{
	before_exec("execvpe");
	return real(execvpe)(file, argv, env);
}

INTERCEPT int fexecve(int fd, char *const argv[], char *const env[])
{
	before_exec("fexecve");
	return real(fexecve)(fd, argv, env);
}

/* Arguments up to the null pointer, the first one given. With argv: stored there, too. */
static size_t list_arguments(const char *first, va_list *list, char **argv)
{
	const char *s = first;
	size_t n = 0;

	for (;; s = va_arg(*list, const char *)) {
		if (argv)
			argv[n] = (char *)s;
		n++;
		if (!s)
			return n;
	}
}

/* Call the vector form of a libc function for its list form. */
#define EXEC_LIST(first, call)                                                                     \
	do {                                                                                       \
		va_list list;                                                                      \
		size_t n;                                                                          \
		va_start(list, first);                                                             \
		n = list_arguments(first, &list, NULL);                                            \
		va_end(list);                                                                      \
		char *argv[n];                                                                     \
		va_start(list, first);                                                             \
		list_arguments(first, &list, argv);                                                \
		call;                                                                              \
		va_end(list);                                                                      \
	} while (0)

INTERCEPT int execl(const char *path, const char *first, ...)
{
	int result;

	before_exec("execl");
	EXEC_LIST(first, result = real(execv)(path, argv));
	return result;
}

INTERCEPT int execlp(const char *file, const char *first, ...)
{
	int result;

	before_exec("execlp");
	EXEC_LIST(first, result = real(execvp)(file, argv));
	return result;
}

INTERCEPT int execle(const char *path, const char *first, ...)
{
	int result;

	before_exec("execle");
	EXEC_LIST(first, result = real(execve)(path, argv, va_arg(list, char **)));
	return result;
}
