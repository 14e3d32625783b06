/* SPDX-License-Identifier: ISC */
/*
 * job.h - one exploration: of a program, or of one test of its suite.
 *
 * The work is done by the runtime inside the program's own process; here the process is started and
 * watched, and its result read. When that process dies in a way that the runtime cannot catch, its
 * choices are still in the status page, and make the replay file (crash_replay.c).
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include "child/child.h"
#include "job/suppress.h"
#include "option/opt.h"
#include "program/elffile.h"

#define STATES_BUFFER 4 /* stores in a buffer of strategy states, unless --buffer-size */

struct coverage;

struct job {
	/* the request */
	struct settings s;
	struct suppressions rules;
	struct child_setup setup;
	struct elf_facts facts;
	struct outputs to;
	/* Of a finding: NULL if it counts; in place of suppressions, NULL: by these */
	const struct suppression *(*judges)(const struct found *f);
	/* Answers `calls' of the status page: sets goals and near; NULL: not asked. */
	void (*match_goals)(struct status_calls *c);
	const struct coverage *coverage; /* whose counts are progress; NULL: none */
	bool paces; /* findings that depend on timing are searched for without that (pace.h) */
	/* while it runs */
	struct child child;
	u64 started; /* monotonic, nanoseconds */
	u64 drawn;   /* time of the progress line */
	/* the result; result.error: the reason of a refusal */
	struct found findings[STATUS_FINDINGS];
	struct result result;
	int exit_code;
};

/* Read the command line of a command that explores one program, and all files that it names;
 * mistakes are fatal. */
void job_prepare(struct job *j, const struct command *c, int argc, char **argv);

/* The name of a model of its options: of a file, its own, without the folder. */
const char *job_model(const struct job *j, enum model_id m);

/* Run it. Of a test that does not exist (status page: TEST_NONE) there is no result. */
void job_explore(struct job *j);

/* The same in three parts, for several explorations at once: start one; wait until one of n ends
 * (its index is returned; progress is drawn of jobs[0]); take its result. */
void job_begin(struct job *j);
unsigned job_wait_any(struct job *const *jobs, unsigned n);
void job_end(struct job *j);

/* Check a running one once, without waiting; true: it has ended. */
bool job_poll(struct job *j);

/* Why its status page cannot be read; NULL: it can. */
const char *job_defect(const struct job *j);

#endif
