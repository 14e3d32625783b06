/* SPDX-License-Identifier: ISC */
/*
 * queue.c - what the kernel does for threads that is not simulated, and would outlive an execution,
 * or wait where Heddle does not see it: refused where it is opened, in one line.
 */
#include "intercept/intercept.h"

#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>

static _Noreturn void refuse_object(const char *call, const char *object)
{
	machine_refuse("the program calls %s(): %s are not simulated", call, object);
}

/* The optional arguments are read even if they were not passed, as libc does. */
INTERCEPT mqd_t mq_open(const char *name, int flags, ...)
{
	va_list list;
	mode_t mode;
	struct mq_attr *attributes;

	va_start(list, flags);
	mode = va_arg(list, mode_t);
	attributes = va_arg(list, struct mq_attr *);
	va_end(list);
	NATIVELY(mq_open, name, flags, mode, attributes);
	refuse_object("mq_open", "message queues of the kernel");
}

mqd_t __mq_open_2(const char *name, int flags); /* with _FORTIFY_SOURCE */

INTERCEPT mqd_t __mq_open_2(const char *name, int flags)
{
	NATIVELY(__mq_open_2, name, flags);
	refuse_object("mq_open", "message queues of the kernel");
}

INTERCEPT int msgget(key_t key, int flags)
{
	NATIVELY(msgget, key, flags);
	refuse_object("msgget", "message queues of the kernel");
}

INTERCEPT int semget(key_t key, int n, int flags)
{
	NATIVELY(semget, key, n, flags);
	refuse_object("semget", "sets of semaphores of the kernel");
}

#define NO_OBJECT(result, name, parameters, arguments, objects) \
	INTERCEPT result name parameters \
	{ \
		if (!machine_entered()) \
			return real(name) arguments; \
		refuse_object(#name, objects); \
	}

NO_OBJECT(int, shmget, (key_t key, size_t size, int flags), (key, size, flags),
	"memory segments of the kernel")

/* --- work of threads of the C library --------------------------------------------------------- */

#define ASYNCHRONOUS "asynchronous reads and writes, by threads of the C library,"
NO_OBJECT(int, aio_read, (struct aiocb * request), (request), ASYNCHRONOUS)
NO_OBJECT(int, aio_write, (struct aiocb * request), (request), ASYNCHRONOUS)
NO_OBJECT(int, aio_fsync, (int what, struct aiocb *request), (what, request), ASYNCHRONOUS)
NO_OBJECT(int, lio_listio, (int how, struct aiocb *const list[], int n, struct sigevent *event),
	(how, list, n, event), ASYNCHRONOUS)

/* --- terminals ------------------------------------------------------------------------------- */

#define TERMINALS "pseudo-terminals"
NO_OBJECT(int, posix_openpt, (int flags), (flags), TERMINALS)
NO_OBJECT(int, getpt, (void), (), TERMINALS)
NO_OBJECT(int, openpty,
	(int *master, int *slave, char *name, const struct termios *settings,
		const struct winsize *size),
	(master, slave, name, settings, size), TERMINALS)
NO_OBJECT(int, forkpty,
	(int *master, char *name, const struct termios *settings, const struct winsize *size),
	(master, name, settings, size), TERMINALS)

/* --- this process, as another one ------------------------------------------------------------ */

#define FROM_OUTSIDE "accesses to a process from outside"
NO_OBJECT(ssize_t, process_vm_readv,
	(pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from,
		unsigned long m, unsigned long flags),
	(pid, to, n, from, m, flags), FROM_OUTSIDE)
NO_OBJECT(ssize_t, process_vm_writev,
	(pid_t pid, const struct iovec *from, unsigned long n, const struct iovec *to,
		unsigned long m, unsigned long flags),
	(pid, from, n, to, m, flags), FROM_OUTSIDE)
NO_OBJECT(int, pidfd_getfd, (int pidfd, int fd, unsigned flags), (pidfd, fd, flags), FROM_OUTSIDE)
NO_OBJECT(int, pidfd_send_signal, (int pidfd, int sig, siginfo_t *info, unsigned flags),
	(pidfd, sig, info, flags), FROM_OUTSIDE)
