/* SPDX-License-Identifier: ISC */
/* standard.h - standard input, output and error: always open, with errors reported. */
#ifndef TOOLS_STANDARD_H
#define TOOLS_STANDARD_H

/*
 * Before anything else is opened: closed descriptors 0 to 2 are opened to /dev/null, or another
 * file could get such a number and receive messages. A missing reader and a limit of file sizes are
 * errors of write() from now on, not signals. At exit, standard output that could not be written is
 * one line on standard error and exit code 2, unless its reader has gone (`| head`).
 */
void standard_open(void);

/* Before exec(): restore signals. */
void standard_restore(void);

#endif
