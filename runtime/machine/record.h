/* SPDX-License-Identifier: ISC */
/* record.h - the recorder's store, for record.c, replay_write.c and replay_read.c. */
#ifndef MACHINE_RECORD_H
#define MACHINE_RECORD_H

#include "event/event.h"
#include "event/status.h"
#include "event/trace.h"

struct cycle;
struct wait;

#define RECORD_EVENTS (1u << 21)

struct record {
	struct event *event; /* event[i].step == i + 1 */
	u32 nevents;
	struct trace_choice *choice;
	u32 nchoices;
	bool full; /* events were dropped */
	bool lean; /* no stacks and no output are wanted */
	bool bare; /* nor who wrote what (`from'): nothing is cleared */
};

extern struct record record;

/* What a replay file says besides what has been recorded. */
struct record_facts {
	const struct wait *waits;
	u32 nwaits;
	const struct cycle *cycle;
};

/* Write the replay file of the recorded, failed execution; fills in its path. */
void record_write_facts(struct status_finding *f, const struct record_facts *facts);

/* Zeroed memory of the runtime's own; NULL if there is none. */
void *record_pages(size_t size);

/* The same; says so and ends the process if there is none. */
void *record_need_pages(size_t size);

/* replay_read.c: read the file, put its choices into to[max]; false after a message in the
 * status page's note. *recorded stays valid. */
bool replay_read(const char *path, u32 *to, u32 max, u32 *n, const struct trace **recorded);

/* Are the events just recorded others than those of the file? */
bool replay_differs(const struct trace *recorded);

/* An address of the recorded process as one of this process. */
u64 replay_address(const struct trace *t, u64 address);

/* Explain in the note where the recorded events and those of the file part. */
void replay_explain(const struct trace *recorded);

/* The same; what would come next, by the thread that could not follow (EV_KINDS: unknown). */
void replay_explain_graph(const struct trace *recorded, const struct event *next, u64 code);

/* "T1 load at /path/prog+0x1234" into to[room]. */
void record_name_event(char *to, size_t room, const struct event *e, u64 code);

#endif
