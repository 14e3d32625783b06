/* SPDX-License-Identifier: ISC */
/*
 * queue.c - the kernel's message queues and sets of semaphores, which outlive an execution and
 * whose waits are not simulated: refused where they are opened.
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
