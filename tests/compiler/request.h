/* SPDX-License-Identifier: ISC */
/*
 * A request to the compiler that is already running (server.c): a command with its environment,
 * and the sender's working directory, input, output and errors.
 */
#ifndef TESTS_COMPILER_REQUEST_H
#define TESTS_COMPILER_REQUEST_H

#include <stdbool.h>

enum { REQUEST_FILES = 4, REQUEST_SIZE = 120000 };

/*
 * Send the command to the server that listens at `path`, and wait for its end. Returns its exit
 * code, 128 and the signal if a signal ended it, -1 if there is no server or the words do not fit.
 */
int request_run(const char *path, char *const *argv, char *const *envp);

#endif
