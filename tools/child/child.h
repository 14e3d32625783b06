/* SPDX-License-Identifier: ISC */
/* child.h - the tested process: start it, watch it, wait for it. */
#ifndef CHILD_CHILD_H
#define CHILD_CHILD_H

#include <sys/types.h>

#include "base/option.h"
#include "event/status.h"

struct child {
	pid_t pid;
	struct status *status; /* shared with it */
	int fd;		       /* of that page */
	bool ended;	       /* it has been waited for */
	int wait_status;       /* as from waitpid(), after its end */
	bool interrupted;      /* by Ctrl-C */
	bool killed;	       /* by heddle: it did not end in time */
	u64 until;	       /* clock_now() at its end, 0 = no limit */
};

struct child_setup {
	char **argv;	   /* argv[0]: an absolute path; ends with NULL */
	const char *input; /* NULL: /dev/null */
	bool out_to_err;   /* its standard output goes to our standard error */
	bool verbose;
	bool no_out; /* its standard output is discarded */
	u64 until;   /* clock_now(): an end before that of its options, 0 = none */
};

/* Make the status page, and set the environment of the programs executed from here. */
void child_prepare(struct child *c, struct options *o, bool verbose);

/* Start the program; dies if it cannot be executed. */
void child_start(struct child *c, struct options *o, const struct child_setup *setup);

/* Callbacks during its run. */
struct child_watch {
	void (*tick)(struct child *c, void *ctx); /* NULL: none */
	void *ctx;
	unsigned milliseconds; /* between two calls; less than 1000 */
};

/*
 * Wait for its end. When its time is up, or after an interrupt, it ends by itself
 * (runtime/machine/execution/clock.h); a process that does not end is killed: at once before it
 * explores, else CHILD_PATIENCE later.
 */
#define CHILD_PATIENCE 700000000 /* nanoseconds */
void child_wait(struct child *c, const struct child_watch *watch);

/* Check it once, without waiting; true: it has ended. / Kill it. */
bool child_poll(struct child *c, const struct child_watch *watch);
void child_kill(struct child *c);

/* Wait for the end of one of n processes, each with its watch. Returns its index. */
unsigned child_wait_any(struct child *const *c, const struct child_watch *watch, unsigned n);

#endif
