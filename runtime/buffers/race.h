/* SPDX-License-Identifier: ISC */
/* race.h - a data race on store buffers: noted in visible.h, and under --model auto a finding. */
#ifndef BUFFERS_RACE_H
#define BUFFERS_RACE_H

#include "base/base.h"

/* An imminent access of the running thread. */
struct access {
	u64 addr, size;
	u64 at; /* the granule that is checked */
	bool write, plain, rmw, frees;
	int order;
	const u64 *value; /* of a store of at most 16 bytes; NULL: memory's */
};

/* Do races count as findings in the following executions? */
extern bool races_are_findings;

/* There was a race that is not a finding: after it the execution may be impossible, as stores to
 * private memory do not wait in buffers. It continues, to find other races, and does not count. */
extern bool races_spoil;

/* May threads of this execution have synchronised unnoticed? */
bool races_are_unknown(void);

/* An execution begins. */
void races_begin(void);

/* The running thread may have synchronised with any other one unnoticed: no findings from now
 * on. */
void races_unknown(void);

/* The access and an earlier one, of this word (granule.h), are unordered. */
void race_found(const struct access *a, u64 word, bool wrote);

#endif
