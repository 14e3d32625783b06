/* SPDX-License-Identifier: ISC */
/*
 * once.h - pthread_once and call_once, while exploring.
 *
 * The state lies in the program's once object with glibc's bits: 1 = the initialiser runs, 2 =
 * done. Above them, where glibc counts forks, is the thread that runs it.
 */
#ifndef SYNC_ONCE_H
#define SYNC_ONCE_H

#include "machine/machine.h"

void once_run(int *once, void (*fn)(void));

/* The calling thread ends, and leaves its stack below sp: the functions that it runs there have
 * failed. */
void once_leave(u64 sp);

/* The same by longjmp(): they never return. */
void once_forget(u64 sp);

#endif
