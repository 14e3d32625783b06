/* SPDX-License-Identifier: ISC */
/* replay.h - replay files: written from the recorder (replay_write.c), read and followed
 * (replay_read.c). */
#ifndef FAILURE_REPLAY_H
#define FAILURE_REPLAY_H

#include "event/status.h"
#include "event/trace.h"

struct axiom_found;
struct cycle;
struct wait;

/* Write the replay file of the recorded, failed execution; fills in path and reorder. */
void replay_write(struct status_finding *f);

/* The contents of a replay file besides the recorded events. */
struct replay_facts {
	const struct wait *waits;
	u32 nwaits;
	const struct cycle *cycle;
	const struct axiom_found *axiom; /* links in steps; NULL: none */
	const bool *enabled; /* by slot of threads; NULL: the machine's */
};

/* Write the replay file of the recorded, failed execution; fills in its path. */
void replay_write_facts(struct status_finding *f, const struct replay_facts *facts);

/* Write a replay file with the n choices of the failing execution but without its steps, in case
 * there is no time to record them; fills in its path. The file with the steps replaces it. */
void replay_write_choices(struct status_finding *f, const u32 *choices, u32 n);

/* Open DIR/NAME.SUFFIX, DIR/NAME-2.SUFFIX... to write about the i-th finding, 0 first. Returns a
 * descriptor or -1. */
int replay_open(char *path, size_t room, u32 i, const char *suffix);

/* Read the file, put its choices into to[max]; false after a message in the
 * status page's note. *recorded stays valid. */
bool replay_read(const char *path, u32 *to, u32 max, u32 *n, const struct trace **recorded);

/* Do the events just recorded differ from those of the file? */
bool replay_differs(const struct trace *recorded);

/* Explain in the note where the recorded events and those of the file diverge. */
void replay_explain(const struct trace *recorded);

/* The same, with the next event of the thread that could not follow (EV_KINDS: unknown). */
void replay_explain_graph(const struct trace *recorded, const struct event *next, u64 code);

#endif
