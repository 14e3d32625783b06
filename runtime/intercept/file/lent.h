/* SPDX-License-Identifier: ISC */
/*
 * lent.h - pipes of the program that its child processes use, while exploring.
 *
 * A child inherits the ends of pipes that the thread has made, or of all if it has made none, as
 * files in memory: one with the bytes that it can read, one for those that it writes. As it runs to
 * its end in one step, it is held until its input is complete: until no descriptor of the program
 * is left that writes to a pipe which it may read, or until the thread that has started it waits
 * for it, for its output, for other threads, or ends. Then that thread reads what the child has
 * read, and writes what it has written.
 *
 * Limits, each an error message: input by other threads; a child that gets more input after it has
 * run; sockets and eventfds; output of more than a channel's room.
 */
#ifndef INTERCEPT_FILE_LENT_H
#define INTERCEPT_FILE_LENT_H

#include "kernel/descriptor.h"

#include <sys/types.h>

/* The calling thread will call fork(): note the pipes that are open. False: there are none. `call':
 * for messages. / At once before fork(). */
bool lent_begin(const char *call);
void lent_fork(void);

/* In the child: descriptors of its own in place of the program's; return when it is to run. */
void lent_in_child(void);

/* In the child, which is about to become another program; / to start one by posix_spawn(), whose
 * descriptors lent_to_spawn() has noted before. */
void lent_in_exec(void);
void lent_to_spawn(int fd);
void lent_in_spawn(void);

/* In the program: the child is held. run() lets it run to its end when lent_run() calls go(). */
void lent_hold(pid_t pid, void (*run)(pid_t pid, void (*go)(void)));
void lent_not_started(void); /* fork() has failed */

/* Has the calling thread started any that have not run? */
bool lent_any(void);
/* Run those that the calling thread has started. */
void lent_run_all(void);

/* The calling thread is about to use the descriptor (f.lent) / has closed such a descriptor. */
void lent_before_reading(struct file f);
void lent_before_writing(struct file f);
void lent_after_closing(void);

/* At the end of the execution: end those that are held. */
void lent_execution_ends(void);

#endif
