/* SPDX-License-Identifier: ISC */
/* stop.h - fatal errors: one line to fd 2, then exit. */
#ifndef PROCESS_STOP_H
#define PROCESS_STOP_H

#include "event/status.h"

/* Descriptor of messages: 2, or its copy from before the program's output was captured
 * (output.c). */
extern int stop_fd;

/* The status page of `heddle run`, which gets the message as well; NULL: only fd 2. */
extern struct status *stop_status;

/* The machine fails, or the user's environment is wrong: "heddle: " and the message, exit 2. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line "heddle: ..." to fd 2, in one write. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* End the process at once: no handlers, nothing flushed. */
_Noreturn void stop_exit(int code);

#endif
