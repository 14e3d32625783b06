/* SPDX-License-Identifier: ISC */
/*
 * getopt.c - each execution reads the program's options from the first one on: the variables of
 * getopt() are libc's, so they are restored here, and its position within an argument is reset.
 * Each call changes these: two threads that call without a lock race.
 */
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"
#include "machine/record/name.h"
#include "machine/wait/foreign.h"
#include "process/snapshot.h"

#include <getopt.h>

#define CALLER __builtin_return_address(0)

static PER_EXECUTION bool begun;
static PER_EXECUTION u64 calls;

void getopt_add_to_snapshot(void)
{
	snapshot_add(&optind, sizeof(optind));
	snapshot_add(&opterr, sizeof(opterr));
	snapshot_add(&optopt, sizeof(optopt));
	snapshot_add(&optarg, sizeof(optarg));
}

/* 0: libc begins anew, at 1. */
static void begin_options(const void *caller)
{
	u64 n;

	if (foreign_is_caller(caller)) {
		name_give((u64)(uintptr_t)&calls, sizeof calls, "the position of getopt()");
		machine_read(&n, &calls, sizeof n);
		n++;
		machine_write(&calls, &n, sizeof n);
	}
	if (!begun && optind == 1)
		optind = 0;
	begun = true;
}

INTERCEPT int getopt(int argc, char *const argv[], const char *letters)
{
	if (machine_entered())
		begin_options(CALLER);
	return real(getopt)(argc, argv, letters);
}

INTERCEPT int getopt_long(
	int argc, char *const argv[], const char *letters, const struct option *names, int *index)
{
	if (machine_entered())
		begin_options(CALLER);
	return real(getopt_long)(argc, argv, letters, names, index);
}

INTERCEPT int getopt_long_only(
	int argc, char *const argv[], const char *letters, const struct option *names, int *index)
{
	if (machine_entered())
		begin_options(CALLER);
	return real(getopt_long_only)(argc, argv, letters, names, index);
}
