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

#endif
