/* SPDX-License-Identifier: ISC */
/* standard.h - standard input, output and error: there, and what is written there is written. */
#ifndef TOOLS_STANDARD_H
#define TOOLS_STANDARD_H

/*
 * Before anything else is opened: descriptors 0 to 2 that are closed lead to /dev/null, or a file
 * of ours would get the number of one and our words would go there. A reader that is gone, and a
 * limit of file sizes, are errors of write() from now on, not signals. At exit, standard output
 * that could not be written is one line on standard error and exit code 2; but not if its reader
 * has gone (`| head`): who reads no more wants no more.
 */
void standard_open(void);

/* In a process that is to become another program: signals are as they were. */
void standard_restore(void);

#endif
