/* SPDX-License-Identifier: ISC */
/* gdb_script.h - commands of gdb for a replayed execution: heddle step, info heddle ... */
#ifndef REPLAY_GDB_SCRIPT_H
#define REPLAY_GDB_SCRIPT_H

#include "report/report.h"

/* The path of a file that gdb, executed in place of this process, reads with -x: it defines the
 * commands. The report's rows have been selected (report_select()). */
const char *gdb_script(const struct report *r);

/* A command that selects the function's frame; NULL: its name is more than a word of C. */
char *gdb_select(const char *function);

#endif
